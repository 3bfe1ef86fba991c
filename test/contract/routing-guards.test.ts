/** What keeps agents from changing on their own word who reviews them. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/base/limits.ts";
import type { Evidence, Routing } from "../../src/routing/index.ts";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { backends, openScope, type StorePlace } from "../helpers/store-backends.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { applyNow, approvedProposal, committed, type Place, routingIn } from "../routing/scene.ts";

const wrong = (more: Partial<Evidence> = {}): Evidence => ({
  reviewer: "fd-noisy",
  outcome: "dismissed",
  reason: "wrong",
  change: "c1",
  ...more,
});

const counted = async (routing: Routing): Promise<number> =>
  (await routing.patterns({ reviewer: "fd-noisy" }))[0]?.outcomes ?? 0;

describe.each(backends)("routing's guards with $name", ({ migratedPlace: newPlace }) => {
  const newScene = async (): Promise<Place & { there: StorePlace }> => {
    const there = await newPlace();
    const root = makeRepository(join(temporaryFolder(), "app"));
    return { there, root, ...(await openScope(there)) };
  };

  it("R-10 evidence that an agent tells for other sessions is held: stored, shown, and counted when somebody else confirms it", async () => {
    const scene = await newScene();
    const agent = await routingIn(scene, { actor: "claude:one/sub" });
    // Three sessions and twelve findings that nobody but this one agent has seen.
    const forged = Array.from({ length: 12 }, (_, index) =>
      JSON.stringify(wrong({ session: `s${index % 3}`, change: `c${index % 3}` })),
    );
    expect(await agent.evidence.import(forged.join("\n"))).toEqual({
      ...{ added: 12, held: 12, known: 0 },
    });
    expect(await agent.evidence.add(wrong({ session: "codex:two" }))).toBe("held");
    expect(await agent.evidence.add(wrong({ session: "claude:one" }))).toBe("counted");
    expect(await counted(agent)).toBe(1);
    expect(await agent.status()).toMatchObject({ evidence: 14, held: 13 });
    expect(await agent.patterns()).toMatchObject([{ state: "emerging", sessions: 1, held: 13 }]);
    await expect(agent.propose({ reviewer: "fd-noisy" })).rejects.toMatchObject({
      data: { guard: "evidence" },
    });
    // Not by the one who told it, under no sub-agent's name either.
    expect(await agent.evidence.confirm({ reviewer: "fd-noisy" })).toEqual({
      ...{ confirmed: 0, own: 13 },
    });
    const person = await routingIn(scene);
    const held = await person.evidence.list({ isHeld: true, limit: 100 });
    expect(new Set(held.map((one) => one.held))).toEqual(new Set(["other-session"]));
    // A copy stays held, and known.
    expect(await person.evidence.import(JSON.stringify(held[0]))).toMatchObject({ known: 1 });
    const copy = { ...held[0], id: "ev_copy" };
    expect(await person.evidence.import(JSON.stringify(copy))).toMatchObject({ held: 1 });
    expect(await person.evidence.discard({ ids: ["ev_copy"] })).toBe(1);
    expect(await person.evidence.confirm({ session: "s0" })).toEqual({ confirmed: 4, own: 0 });
    expect(await counted(person)).toBe(5);
    expect(await person.evidence.confirm({ session: "claude:one" })).toEqual({
      ...{ confirmed: 9, own: 0 },
    });
    expect(await person.patterns()).toMatchObject([{ state: "ready", held: 0 }]);
    await expect(person.evidence.confirm({ ids: ["ev_none"] })).rejects.toMatchObject({
      code: "ROUTING_UNKNOWN",
    });
    await expect(person.evidence.confirm({})).rejects.toMatchObject({ code: "USAGE" });
    const { events } = await scene.store.readEvents({ scope: scene.scope, limit: 100 });
    expect(events.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["evidence.recorded", "evidence.confirmed", "evidence.discarded"]),
    );
  });

  it("R-10 a flood from one session is held beyond what could make a pattern, also when it is dated back; people are believed", async () => {
    const scene = await newScene();
    const agent = await routingIn(scene, { actor: "codex:one" });
    const most = limits.evidencePerSessionMax;
    for (let at = 0; at < most; at += 1) {
      expect(await agent.evidence.add(wrong({ change: `c${at}` }))).toBe("counted");
    }
    expect(await agent.evidence.add(wrong())).toBe("held");
    // Without a session of its own, and of long ago.
    const old = Array.from({ length: 10 }, () =>
      JSON.stringify({ ...wrong(), at: "2020-01-01T00:00:00Z" }),
    );
    expect(await agent.evidence.import(old.join("\n"))).toMatchObject({ added: 10, held: 10 });
    const [pattern] = await agent.patterns();
    expect(pattern).toMatchObject({ state: "growing", outcomes: most });
    expect(pattern?.eValue).toBeLessThan(20);
    // Another reviewer, another session, another day.
    expect(await agent.evidence.add(wrong({ reviewer: "fd-quiet" }))).toBe("counted");
    const other = await routingIn(scene, { actor: "codex:two" });
    expect(await other.evidence.add(wrong())).toBe("counted");
    expect(await other.evidence.confirm({ session: "codex:one" })).toEqual({
      ...{ confirmed: 11, own: 0 },
    });
    const person = await routingIn(scene);
    const many = Array.from({ length: 50 }, () => JSON.stringify(wrong({ session: "s1" })));
    expect(await person.evidence.import(many.join("\n"))).toMatchObject({ added: 50, held: 0 });
  });

  it("R-10 two agents that say the opposite of one finding: the later is held; whose word counts confirms it by saying it", async () => {
    const scene = await newScene();
    const one = await routingIn(scene, { actor: "claude:one" });
    const two = await routingIn(scene, { actor: "claude:two" });
    const finding = { reviewer: "fd-noisy", finding: "fi_1" };
    expect(await one.evidence.add({ ...finding, outcome: "accepted" })).toBe("counted");
    expect(await two.evidence.add(wrong(finding))).toBe("held");
    expect(await two.evidence.add(wrong(finding))).toBe("known");
    expect(await two.evidence.add({ ...finding, outcome: "addressed" })).toBe("counted");
    expect((await two.status()).held).toBe(1);
    const person = await routingIn(scene);
    expect(await person.evidence.add(wrong(finding))).toBe("counted");
    expect(await person.status()).toMatchObject({ held: 0, evidence: 3 });
    const [newest] = (await person.evidence.list()).filter(({ reason }) => reason === "wrong");
    expect(newest).toMatchObject({ actor: "user:ada", session: "user:ada" });
    expect(newest?.held).toBeUndefined();
  });

  it("an escape that is held still reaches the canary: an alarm does not wait", async () => {
    const scene = await newScene();
    const person = await routingIn(scene);
    await applyNow(person, "fd-noisy");
    const agent = await routingIn(scene, { actor: "claude:one" });
    const told = {
      reviewer: "fd-noisy",
      outcome: "escaped",
      severity: "P0",
      session: "s9",
    } as const;
    expect(await agent.evidence.add(told)).toBe("held");
    expect(await person.canary.list()).toMatchObject([{ state: "ALERT", escapes: 1 }]);
  });

  it("R-11 half of the canaries alerted: nothing is reverted, approved or applied without a person, until one turns it on again", async () => {
    const scene = await newScene();
    const names = ["r0", "r1", "r2", "r3", "r4"];
    const setting = {
      roster: async () => names,
      settings: { changesPerDay: 100, autoRevert: true },
    };
    const person = await routingIn(scene, setting);
    const agent = await routingIn(scene, { ...setting, actor: "claude:one" });
    for (const name of names.slice(0, 4)) await applyNow(person, name);
    const escape = (reviewer: string) => agent.canary.escape({ reviewer, severity: "P0" });
    // One of four is no reason.
    expect(await escape("r0")).toMatchObject({ reverted: { done: true } });
    expect(await agent.autonomy()).toMatchObject({ isOn: true, watches: 4, alerted: 1 });
    const waiting = await approvedProposal(person, "r4");
    const head = git(scene.root, "rev-parse", "HEAD");
    // Two of four are half, the one that was reverted counted with them.
    const second = await escape("r1");
    expect(second.reverted).toBeUndefined();
    expect(second.notReverted).toMatch(
      /^autonomy is off \(2 of 4 canaries alerted within 30 days\)/,
    );
    expect(git(scene.root, "rev-parse", "HEAD")).toBe(head);
    const refused = { code: "ROUTING_REFUSED", data: { guard: "autonomy" } };
    await expect(agent.apply(waiting)).rejects.toMatchObject(refused);
    const made = await agent.propose({ reviewer: "r4", action: "floor", floor: "P1" });
    if (!made.ok) throw new Error("already");
    const other = await routingIn(scene, { ...setting, actor: "claude:two" });
    await expect(other.approve({ id: made.proposal.id })).rejects.toMatchObject(refused);
    await expect(agent.autonomy({ to: "on" })).rejects.toMatchObject(refused);
    expect((await agent.status()).autonomy).toMatchObject({ isOn: false, alerted: 2, watches: 4 });
    // A person goes on, and takes back by hand.
    expect(await person.revert({ reviewer: "r1" })).toMatchObject({ done: true });
    expect(await person.apply(waiting)).toMatchObject({ done: true });
    // Another watch makes it less than half again; it stays off all the same.
    expect(await agent.autonomy()).toMatchObject({ isOn: false, watches: 5, alerted: 2 });
    expect(await person.autonomy({ to: "on", reason: "looked at it" })).toMatchObject({
      ...{ isOn: true, alerted: 0, set: { to: "on", actor: "user:ada" } },
    });
    expect(await escape("r2")).toMatchObject({ reverted: { done: true } });
    expect(committed(scene.root)?.overrides.map(({ agent: name }) => name)).toEqual(["r3", "r4"]);
    // Anybody turns it off by hand.
    expect(await agent.autonomy({ to: "off", reason: "release" })).toMatchObject({
      isOn: false,
      why: "turned off by claude:one: release",
    });
    expect(await person.autonomy({ to: "on" })).toMatchObject({ isOn: true });
  });

  it("R-11 alerts count for 30 days, and one alone never turns autonomy off", async () => {
    const { there, ...scene } = await newScene();
    const person = await routingIn(scene, { settings: { autoRevert: true } });
    const alert = async (reviewer: string) => {
      await applyNow(person, reviewer);
      return person.canary.escape({ reviewer, severity: "P0" });
    };
    expect(await alert("fd-noisy")).toMatchObject({ reverted: { done: true } });
    await there.sql("UPDATE canaries SET alerted_at = 1, closed_at = 1");
    expect(await alert("fd-quiet")).toMatchObject({ reverted: { done: true } });
    expect(await person.autonomy()).toMatchObject({ isOn: true, watches: 1, alerted: 1 });
    expect(await alert("game-design")).toMatchObject({ notReverted: expect.any(String) });
  });
});
