import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import {
  type Evidence,
  recordEvidence,
  recordShadow,
  recordUse,
  type Routing,
  routingDefaults,
} from "../../src/routing/index.ts";
import { verifyEvents } from "../../src/store/index.ts";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { backends, openScope, type StorePlace } from "../helpers/store-backends.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { applyNow, approvedProposal, committed, type Place, routingIn } from "../routing/scene.ts";

interface Scene extends Place {
  readonly there: StorePlace;
}

/** So many dismissals, over three sessions and changes. */
const dismiss = async (
  routing: Routing,
  count: number,
  more: Partial<Evidence> = {},
): Promise<void> => {
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      reviewer: "fd-noisy",
      outcome: "dismissed",
      reason: "wrong",
      session: `s${index % 3}`,
      change: `c${index % 3}`,
      ...more,
    }),
  );
  await routing.evidence.import(lines.join("\n"));
};

describe.each(backends)("routing with $name", ({ migratedPlace: newPlace }) => {
  const newScene = async (): Promise<Scene> => {
    const there = await newPlace();
    return {
      there,
      root: makeRepository(join(temporaryFolder(), "app")),
      ...(await openScope(there)),
    };
  };

  it("R-10 the same finding with the same outcome counts once, in somebody else's transaction too", async () => {
    const scene = await newScene();
    const { store, scope } = scene;
    const entry: Evidence = {
      reviewer: "fd-noisy",
      outcome: "dismissed",
      reason: "wrong",
      finding: "fi_1",
      session: "s1",
    };
    const record = () =>
      store.write({ scope }, async (tx) => [
        await recordEvidence(tx, scope.id, entry),
        await recordEvidence(tx, scope.id, {
          ...entry,
          outcome: "accepted",
          reason: undefined,
        } as never),
      ]);
    expect(await record()).toEqual(["counted", "counted"]);
    expect(await record()).toEqual(["known", "known"]);
    const routing = await routingIn(scene);
    expect((await routing.status()).evidence).toBe(2);
    // A refused entry takes the caller's whole transaction with it.
    await expect(
      store.write({ scope }, async (tx) => {
        await recordEvidence(tx, scope.id, { ...entry, finding: "fi_2" });
        await recordEvidence(tx, scope.id, { ...entry, outcome: "bad" } as never);
        return null;
      }),
    ).rejects.toMatchObject({ code: "USAGE" });
    expect((await routing.status()).evidence).toBe(2);
  });

  it("R-10 JSON lines are imported as a whole or not at all, exported again, and made harmless", async () => {
    const scene = await newScene();
    const routing = await routingIn(scene);
    const good = {
      reviewer: "fd-noisy",
      outcome: "accepted",
      note: "a\u001b[2Jb\nc",
      at: "2020-01-01T00:00:00Z",
    };
    await expect(
      routing.evidence.import(
        `${JSON.stringify(good)}\n{"reviewer":"fd-noisy","outcome":"dropped"}\n`,
      ),
    ).rejects.toMatchObject({
      code: "USAGE",
      message: expect.stringMatching(/^line 2: outcome must be one of/),
    });
    expect((await routing.status()).evidence).toBe(0);
    const bad = [
      '{"reviewer":"a b","outcome":"accepted"}',
      '{"reviewer":"fd-noisy","outcome":"accepted","reason":"wrong"}',
      '{"reviewer":"fd-noisy","outcome":"accepted","path":"../../etc/passwd"}',
      '{"reviewer":"fd-noisy","outcome":"accepted","path":"/etc/passwd"}',
      `{"reviewer":"fd-noisy","outcome":"accepted","session":"${"x".repeat(201)}"}`,
      '{"reviewer":"fd-noisy","outcome":"accepted","severity":"P9"}',
      '{"__proto__":{},"reviewer":"fd-noisy","outcome":"accepted"}',
      "[]",
      "nonsense",
    ];
    for (const line of bad) {
      await expect(routing.evidence.import(line), line).rejects.toMatchObject({ code: "USAGE" });
    }
    expect(await routing.evidence.import(JSON.stringify(good))).toEqual({
      ...{ added: 1, held: 0, known: 0 },
    });
    const [stored] = await routing.evidence.list();
    expect(stored).toMatchObject({ note: "a\\u001b[2Jb\\nc", at: "2020-01-01T00:00:00.000Z" });
    // What was exported is known when it comes back.
    expect(await routing.evidence.import(JSON.stringify(stored))).toEqual({
      ...{ added: 0, held: 0, known: 1 },
    });
  });

  it("R-10 a pattern needs certainty, sessions, changes and no recent P0; accepted findings count against it", async () => {
    const scene = await newScene();
    const routing = await routingIn(scene);
    const noise = async () => (await routing.patterns({ reviewer: "fd-noisy" }))[0];
    await dismiss(routing, 4, { session: "s1", change: "c1" });
    expect(await noise()).toMatchObject({
      class: "noise",
      state: "emerging",
      wrong: 4,
      outcomes: 4,
    });
    await dismiss(routing, 7, { session: "s1", change: "c1" });
    expect(await noise()).toMatchObject({
      state: "growing",
      sessions: 1,
      missing: ["1 of 3 sessions", "1 of 2 changes"],
    });
    await dismiss(routing, 3);
    expect(await noise()).toMatchObject({
      state: "ready",
      missing: [],
      remedy: { action: "exclude" },
    });
    await routing.evidence.add({ reviewer: "fd-noisy", outcome: "accepted", severity: "P0" });
    expect(await noise()).toMatchObject({ missing: ["1 confirmed P0 within 90 days"] });
    // A reviewer with 95 accepted and 5 dismissed findings was "100 % wrong" in the predecessor.
    const lines = Array.from({ length: 100 }, (_, index) =>
      JSON.stringify({
        reviewer: "fd-quiet",
        session: `s${index % 4}`,
        change: `c${index % 4}`,
        ...(index < 5 ? { outcome: "dismissed", reason: "wrong" } : { outcome: "accepted" }),
      }),
    );
    await routing.evidence.import(lines.join("\n"));
    const [quiet] = await routing.patterns({ reviewer: "fd-quiet" });
    expect(quiet).toMatchObject({ state: "emerging", wrong: 5, outcomes: 100, accepted: 95 });
    expect(quiet?.eValue).toBeLessThan(0.05);
  });

  it("R-10 a dismissal without a reason counts half, and thresholds are settings", async () => {
    const scene = await newScene();
    const routing = await routingIn(scene);
    await routing.evidence.add({ reviewer: "fd-noisy", outcome: "dismissed" });
    expect(await routing.patterns()).toMatchObject([{ class: "noise", wrong: 0.5, outcomes: 1 }]);
    await dismiss(routing, 4);
    const easy = await routingIn(scene, { settings: { eValue: 2, sessions: 2, changes: 2 } });
    expect(await easy.patterns()).toMatchObject([{ state: "ready" }]);
    expect(await routing.patterns()).toMatchObject([{ state: "emerging" }]);
  });

  it("R-10 the least action that cures: floor, scope, stage, sample, exclude", async () => {
    const scene = await newScene();
    const routing = await routingIn(scene);
    const least = async (reviewer: string) => (await routing.patterns({ reviewer }))[0]?.remedy;
    const add = (reviewer: string, count: number, more: Partial<Evidence>) =>
      dismiss(routing, count, { reviewer, ...more });
    await add("floor", 15, { reason: "deprioritized", severity: "P3" });
    expect(await least("floor")).toMatchObject({ action: "floor", details: { floor: "P2" } });
    await add("scope", 15, { reason: "not-applicable", path: "docs/guide/a.md" });
    expect(await least("scope")).toMatchObject({
      action: "scope",
      details: { except: ["docs/guide/**"] },
    });
    await add("stage", 15, { reason: "duplicate" });
    expect(await least("stage")).toMatchObject({ action: "stage" });
    await add("sample", 15, { reason: "stale" });
    expect(await least("sample")).toMatchObject({ action: "sample", details: { every: 4 } });
    await add("exclude", 15, { reason: "wrong" });
    expect(await least("exclude")).toMatchObject({ action: "exclude" });
    await expect(routing.propose({ reviewer: "fd-quiet" })).rejects.toMatchObject({
      code: "ROUTING_REFUSED",
      data: { guard: "evidence" },
    });
    await dismiss(routing, 15);
    expect(await routing.propose({ reviewer: "fd-noisy" })).toMatchObject({
      ok: true,
      proposal: {
        action: "exclude",
        class: "noise",
        support: { isReady: true, wrong: 15, notes: [] },
      },
    });
  });

  it("R-12 safety and cross-cutting reviewers need their name once more; repositories may add some", async () => {
    const scene = await newScene();
    const routing = await routingIn(scene, { settings: { guarded: ["fd-noisy"] } });
    for (const reviewer of ["safety", "quality", "fd-noisy"]) {
      const made = await routing.propose({ reviewer, action: "exclude", reason: "x" });
      if (!made.ok) throw new Error("unexpected");
      const { id } = made.proposal;
      for (const confirm of [undefined, "yes"]) {
        await expect(
          routing.approve({ id, ...(confirm !== undefined && { confirm }) }),
        ).rejects.toMatchObject({ code: "ROUTING_REFUSED", data: { guard: "confirmation" } });
      }
      await expect(routing.apply(id)).rejects.toMatchObject({ data: { guard: "approval" } });
      expect(await routing.approve({ id, confirm: reviewer })).toMatchObject({ ok: true });
    }
    const made = await routing.propose({ reviewer: "fd-quiet", action: "exclude", reason: "x" });
    expect(made.ok && (await routing.approve({ id: made.proposal.id }))).toMatchObject({
      ok: true,
    });
  });

  it("proposer and approver are different sessions unless the user insists", async () => {
    const scene = await newScene();
    const agent = await routingIn(scene, { actor: "claude:s1" });
    const made = await agent.propose({ reviewer: "fd-noisy", action: "stage", reason: "x" });
    if (!made.ok) throw new Error("unexpected");
    const { id } = made.proposal;
    const own = await routingIn(scene, { actor: "claude:s1/helper" });
    await expect(own.approve({ id })).rejects.toMatchObject({ data: { guard: "separation" } });
    const other = await routingIn(scene, { actor: "claude:s2" });
    expect(await other.approve({ id })).toMatchObject({
      ok: true,
      proposal: { approver: "claude:s2" },
    });
    const second = await agent.propose({ reviewer: "fd-quiet", action: "stage", reason: "x" });
    expect(
      second.ok && (await agent.approve({ id: second.proposal.id, insist: true })),
    ).toMatchObject({ ok: true });
  });

  it("guards: five changes a day, three reverts trip the breaker, a stale proposal is refused", async () => {
    const scene = await newScene();
    const routing = await routingIn(scene, { settings: { changesPerDay: 3 } });
    for (let time = 0; time < 3; time += 1) {
      await applyNow(routing, "fd-noisy", { action: "stage", reason: `${time}` });
      await routing.revert({ reviewer: "fd-noisy" });
      await routing.unblock("fd-noisy");
    }
    await expect(routing.propose({ reviewer: "fd-noisy", action: "stage" })).rejects.toMatchObject({
      data: { guard: "breaker", reverts: 3 },
    });
    await expect(applyNow(routing, "fd-quiet")).rejects.toMatchObject({ data: { guard: "rate" } });
    expect(routingDefaults.changesPerDay).toBe(5);
    const free = await routingIn(scene);
    const stage = await approvedProposal(free, "game-design", { action: "stage" });
    const sample = await free.propose({ reviewer: "game-design", action: "sample", every: 3 });
    await free.apply(stage);
    const open = (await free.status()).proposals.filter((one) => one.reviewer === "game-design");
    expect(sample.ok && open).toEqual([]);
  });

  it("R-11 the canary: silence never passes, 18 clean shadows do, losses alert, and it is taken back", async () => {
    const scene = await newScene();
    const routing = await routingIn(scene);
    await applyNow(routing, "fd-noisy");
    await applyNow(routing, "fd-quiet");
    const { store, scope } = scene;
    for (let use = 0; use < 40; use += 1) {
      await store.write({ scope }, async (tx) => {
        await recordUse(tx, scope.id, "fd-noisy");
        return null;
      });
    }
    expect(await routing.canary.list()).toMatchObject([
      {
        reviewer: "fd-noisy",
        state: "MONITORING",
        shadows: 0,
        uses: 40,
        needed: 18,
        shadowProbability: 0.5,
      },
      { reviewer: "fd-quiet", uses: 0, shadowProbability: 1 },
    ]);
    const shadow = (review: string, isLoss = false) =>
      store.write({ scope }, async (tx) => {
        const seen = await recordShadow(tx, scope.id, {
          reviewer: "fd-noisy",
          review,
          probability: 0.5,
          isLoss,
        });
        return seen?.state ?? null;
      });
    for (let at = 1; at < 18; at += 1) expect(await shadow(`re_${at}`)).toBe("MONITORING");
    expect(await shadow("re_1")).toBeNull();
    expect(await shadow("re_18")).toBe("PASS");
    expect((await routing.view()).canaries[0]).toMatchObject({
      state: "PASS",
      needed: 0,
      shadowProbability: 0.05,
    });
    const { canary } = await routing.canary.record({ reviewer: "fd-quiet", clean: 1, loss: 3 });
    expect(canary).toMatchObject({ state: "ALERT", losses: 3, shadows: 4, lossesInAll: 3 });
    // An alert stays one.
    expect(
      (await routing.canary.record({ reviewer: "fd-quiet", clean: 40, loss: 0 })).canary?.state,
    ).toBe("ALERT");
    expect(await routing.revert({ reviewer: "fd-quiet" })).toMatchObject({ done: true });
    expect((await routing.status()).canaries.map(({ reviewer }) => reviewer)).toEqual(["fd-noisy"]);
    await expect(
      routing.canary.record({ reviewer: "fd-quiet", clean: 1, loss: 0 }),
    ).rejects.toMatchObject({
      code: "ROUTING_UNKNOWN",
    });
  });

  it("R-11 several at once under false-discovery control; escapes are a trip wire; an alert reverts if configured", async () => {
    const scene = await newScene();
    const names = Array.from({ length: 10 }, (_, index) => `r${index}`);
    const routing = await routingIn(scene, {
      roster: async () => names,
      settings: { changesPerDay: 100, autoRevert: true },
    });
    for (const name of names) await applyNow(routing, name);
    // e-value between 20 and 100: alone an alert, among ten a warning.
    const seen = await routing.canary.record({ reviewer: "r0", clean: 8, loss: 3 });
    expect(seen.canary).toMatchObject({ state: "WARN" });
    expect(seen.canary?.alarm).toBeGreaterThan(20);
    expect(seen.reverted).toBeUndefined();
    const escaped = await routing.canary.escape({ reviewer: "r1", severity: "P0", note: "outage" });
    expect(escaped).toMatchObject({
      canary: { state: "ALERT", escapes: 1 },
      reverted: { done: true },
    });
    expect(committed(scene.root)?.overrides.map(({ agent }) => agent)).not.toContain("r1");
    // The ledger's word for the same thing.
    await routing.evidence.add({ reviewer: "r2", outcome: "escaped", severity: "P1" });
    expect((await routing.canary.list()).find(({ reviewer }) => reviewer === "r2")).toMatchObject({
      state: "WARN",
      escapes: 1,
    });
  });

  it("R-11 expiry by days or shadows: inconclusive, extended once, and taken back for safety", async () => {
    const scene = await newScene();
    const settings = { canary: { ...routingDefaults.canary, days: 1, shadowsMax: 10 } };
    const routing = await routingIn(scene, { settings });
    await applyNow(routing, "safety");
    await applyNow(routing, "fd-noisy");
    expect(
      (await routing.canary.record({ reviewer: "safety", clean: 9, loss: 1 })).canary?.state,
    ).toBe("INCONCLUSIVE");
    await scene.there.sql("UPDATE canaries SET expires_at = 1");
    expect((await routing.canary.list()).map(({ state }) => state)).toEqual([
      "INCONCLUSIVE",
      "INCONCLUSIVE",
    ]);
    expect(await routing.canary.extend("fd-noisy")).toMatchObject({
      state: "MONITORING",
      isExtended: true,
    });
    await expect(routing.canary.extend("fd-noisy")).rejects.toMatchObject({
      data: { guard: "extension" },
    });
    const answers = await routing.canary.check();
    expect(answers).toMatchObject([
      { reviewer: "fd-noisy" },
      { reviewer: "safety", reverted: { done: true } },
    ]);
    expect(committed(scene.root)?.overrides.map(({ agent }) => agent)).toEqual(["fd-noisy"]);
    // Its time being over is no reason for the blacklist.
    expect((await routing.status()).blacklist).toEqual([]);
  });

  it("R-11 planted faults: 4 of 12 lost are told, tested, and speak against a proposal", async () => {
    const scene = await newScene();
    const routing = await routingIn(scene);
    await dismiss(routing, 15);
    const probe = await routing.recordProbe({
      reviewer: "fd-noisy",
      both: 7,
      onlyWith: 4,
      onlyWithout: 0,
      none: 1,
    });
    expect(probe).toMatchObject({
      summary: "excluding fd-noisy loses 4 of 12 planted faults (with 11/12, without 7/12)",
      pValue: expect.closeTo(1 / 16, 10),
    });
    expect(await routing.patterns()).toMatchObject([
      { state: "growing", missing: ["4 planted faults found only with it"] },
    ]);
    await routing.recordProbe({
      reviewer: "fd-noisy",
      both: 11,
      onlyWith: 1,
      onlyWithout: 0,
      none: 0,
    });
    expect(await routing.patterns()).toMatchObject([{ state: "ready" }]);
    expect((await routing.status()).probes).toHaveLength(1);
  });

  it("an expired override does not count in a review, and `check` takes it away", async () => {
    const scene = await newScene();
    const routing = await routingIn(scene);
    await applyNow(routing, "fd-noisy");
    const later = await routingIn(scene, {
      clock: { ...systemClock, wallMs: () => Date.now() + 1000 },
    });
    const { overridesPath } = await import("../routing/scene.ts");
    const { readFileSync, writeFileSync } = await import("node:fs");
    const file = join(scene.root, overridesPath);
    const text = JSON.parse(readFileSync(file, "utf8"));
    text.overrides[0].expires = new Date(Date.now() - 1000).toISOString();
    writeFileSync(file, JSON.stringify(text));
    git(scene.root, "commit", "-qam", "Until yesterday");
    expect((await later.view()).overrides).toEqual([]);
    expect((await later.status()).overrides).toMatchObject([{ expired: true }]);
    expect(await later.canary.check()).toMatchObject([
      { reviewer: "fd-noisy", reverted: { done: true, change: { kind: "expire" } } },
    ]);
    expect(committed(scene.root)?.overrides).toEqual([]);
  });

  it("R-01 a lost store is rebuilt from git alone, and verify proves that both agree", async () => {
    const scene = await newScene();
    const routing = await routingIn(scene);
    await applyNow(routing, "fd-noisy");
    await applyNow(routing, "fd-quiet", { action: "floor", floor: "P1" });
    await routing.revert({ reviewer: "fd-noisy" });
    const before = await routing.status();
    const fresh = { ...scene, ...(await openScope(await newPlace())) };
    const again = await routingIn(fresh);
    expect(await again.verify()).toMatchObject({ ok: false, commits: 3 });
    expect(await again.rebuild()).toMatchObject({ commits: 3, added: 3 });
    expect(await again.verify()).toEqual({ ok: true, commits: 3, disagreements: [] });
    expect(await again.rebuild()).toMatchObject({ added: 0, corrected: 0 });
    const after = await again.status();
    expect(after.overrides).toEqual(before.overrides);
    expect(after.canaries.map(({ reviewer }) => reviewer)).toEqual(["fd-quiet"]);
    expect(after.blacklist.map(({ pattern }) => pattern)).toEqual(["fd-noisy"]);
    // Somebody takes an override away with git: seen, and followed.
    git(
      scene.root,
      "revert",
      "--no-edit",
      git(scene.root, "log", "--format=%H", "--grep", "fd-quiet"),
      "-n",
      "--strategy-option=theirs",
    );
    git(scene.root, "commit", "-qam", "By hand");
    const { disagreements } = await again.verify();
    expect(disagreements.length).toBeGreaterThan(0);
    await again.rebuild();
    expect(await again.verify()).toMatchObject({ ok: true });
  });

  it("every change emits its event in the same transaction, and the chain holds", async () => {
    const scene = await newScene();
    const routing = await routingIn(scene);
    await dismiss(routing, 1);
    await applyNow(routing, "fd-noisy");
    await routing.revert({ reviewer: "fd-noisy" });
    await routing.unblock("fd-noisy");
    const { events } = await scene.store.readEvents({ scope: scene.scope, limit: 100 });
    expect(events.map(({ kind }) => kind)).toEqual([
      "scope.created",
      "evidence.imported",
      "routing.proposed",
      "routing.approved",
      "routing.prepared",
      "routing.applied",
      "routing.prepared",
      "routing.reverted",
      "routing.unblocked",
    ]);
    expect(await verifyEvents(scene.store, scene.scope)).toMatchObject({ ok: true });
  });
});
