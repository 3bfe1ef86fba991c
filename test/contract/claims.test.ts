import { describe, expect, it } from "vitest";
import { isId } from "../../src/base/ids.ts";
import { granted, openClaimsAt, refused, timeFor } from "../helpers/claims.ts";
import { backends } from "../helpers/store-backends.ts";

const minute = 60_000;

describe.each(backends)("claims on $name: granting", ({ migratedPlace: newPlace }) => {
  it("C-11 C-15 a grant says everything, and a refusal names all blockers with evidence", async () => {
    const place = await openClaimsAt(await newPlace());
    const alice = place.as("alice");
    const claim = granted(await alice.claim({ targets: ["src/**"], reason: "tidy up" }));
    expect(claim).toEqual({
      id: expect.stringMatching(/^cl_/),
      target: "src/**",
      mode: "exclusive",
      actor: "alice",
      fence: 1,
      grantedAt: expect.stringMatching(/Z$/),
      expiresAt: expect.stringMatching(/Z$/),
      reason: "tidy up",
    });
    expect(isId("claim", claim.id)).toBe(true);
    expect(Date.parse(claim.expiresAt) - Date.parse(claim.grantedAt)).toBe(15 * minute);
    const test = granted(await place.as("carol").claim({ targets: ["test"], mode: "shared" }));
    const result = refused(
      await place.as("bob").claim({ targets: ["src/a.ts", "test/b.ts", "docs"] }),
    );
    expect(result.code).toBe("CLAIM_CONFLICT");
    expect(result.blockers).toEqual([
      {
        id: claim.id,
        target: "src/**",
        mode: "exclusive",
        actor: "alice",
        reason: "tidy up",
        grantedAt: claim.grantedAt,
        expiresAt: expect.stringMatching(/Z$/),
        liveness: {
          state: "alive",
          evidence: expect.arrayContaining([expect.stringContaining("heartbeat")]),
        },
        blocks: ["src/a.ts"],
      },
      expect.objectContaining({ id: test.id, actor: "carol", blocks: ["test/b.ts"] }),
    ]);
  });

  it("C-09 the events alone tell who holds what: there is no second account of it", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, bob] = [place.as("alice"), place.as("bob")];
    const first = granted(await alice.claim({ targets: ["src/**"] }));
    granted(await bob.claim({ targets: ["docs"], mode: "shared" }));
    await alice.narrow(first.id, ["src/a.ts", "src/b/**"]);
    granted(await bob.claim({ targets: ["src/c.ts"] }));
    await bob.transfer({ claims: ["src/c.ts"] }, { to: "carol" });
    await bob.release({ claims: ["docs"] });
    const held = new Map<string, string>();
    for (const { kind, subject, data } of await place.events("claim.*")) {
      if (/released|expired|reclaimed|narrowed/.test(kind)) held.delete(String(subject));
      if (kind === "claim.granted") held.set(String(subject), String(data["target"]));
      if (kind === "claim.narrowed") {
        const [ids, parts] = [data["claims"] as string[], data["to"] as string[]];
        for (const [index, id] of ids.entries()) held.set(id, parts[index]!);
      }
    }
    const { claims } = await place.as("watcher").list();
    expect(claims).toHaveLength(3);
    expect(claims.map(({ id, target }) => [id, target])).toEqual(
      [...held].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  });

  it("G9 several targets are granted all together or not at all", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, bob] = [place.as("alice"), place.as("bob")];
    await alice.claim({ targets: ["b"] });
    expect(refused(await bob.claim({ targets: ["a", "b", "c"] })).blockers).toHaveLength(1);
    expect((await place.as("carol").check(["a", "c"])).clear).toBe(true);
    const both = await bob.claim({ targets: ["a", "c"] });
    expect(both.ok && both.claims.map(({ target, fence }) => [target, fence])).toEqual([
      ["a", 2],
      ["c", 3],
    ]);
  });

  it("a partial claim takes what is free and says what it did not get", async () => {
    const place = await openClaimsAt(await newPlace());
    await place.as("alice").claim({ targets: ["b"] });
    const result = await place.as("bob").claim({ targets: ["a", "b"], partial: true });
    expect(result).toMatchObject({
      ok: true,
      claims: [{ target: "a" }],
      refused: [{ target: "b", blockers: [{ actor: "alice" }] }],
    });
    expect(refused(await place.as("bob").claim({ targets: ["b"], partial: true })).code).toBe(
      "CLAIM_CONFLICT",
    );
  });

  it("C-08 shared claims live side by side; exclusive ones exclude both kinds", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, bob, carol] = [place.as("alice"), place.as("bob"), place.as("carol")];
    granted(await alice.claim({ targets: ["a"], mode: "shared" }));
    granted(await bob.claim({ targets: ["a/x"], mode: "shared" }));
    expect(refused(await carol.claim({ targets: ["a/x"] })).blockers).toHaveLength(2);
    expect((await carol.check(["a/x"], { mode: "shared" })).clear).toBe(true);
    granted(await carol.claim({ targets: ["c"] }));
    expect((await alice.check(["c"], { mode: "shared" })).clear).toBe(false);
  });

  it("C-08 the same actor again gets the same claim, renewed, never a second one", async () => {
    const there = await newPlace();
    const time = timeFor(there);
    const place = await openClaimsAt(there, { clock: time.clock });
    const alice = place.as("alice");
    const first = granted(await alice.claim({ targets: ["a.ts"], ttlMs: minute, reason: "one" }));
    await time.pass(30_000);
    const again = granted(await alice.claim({ targets: ["a.ts"], ttlMs: minute }));
    expect(again).toMatchObject({ id: first.id, fence: first.fence, reason: "one" });
    expect(Date.parse(again.expiresAt)).toBeGreaterThanOrEqual(
      Date.parse(again.grantedAt) + minute,
    );
    // Asking again with a shorter time takes nothing away.
    const shorter = granted(await alice.claim({ targets: ["a.ts"], ttlMs: 1_000 }));
    expect(Math.abs(Date.parse(shorter.expiresAt) - Date.parse(again.expiresAt))).toBeLessThan(
      5_000,
    );
    expect((await alice.list()).claims).toHaveLength(1);
    // Inside a broader claim of one's own there is nothing to add.
    const broad = granted(await alice.claim({ targets: ["src/**"] }));
    expect(granted(await alice.claim({ targets: ["src/x/y.ts"] })).id).toBe(broad.id);
  });

  it("C-08 shared becomes exclusive only for the sole sharer, with a new fence; and back again", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, bob] = [place.as("alice"), place.as("bob")];
    const mine = granted(await alice.claim({ targets: ["a"], mode: "shared" }));
    const theirs = granted(await bob.claim({ targets: ["a"], mode: "shared" }));
    expect(refused(await alice.claim({ targets: ["a"] })).blockers.map(({ id }) => id)).toEqual([
      theirs.id,
    ]);
    await bob.release({ claims: [theirs.id] });
    const up = granted(await alice.claim({ targets: ["a"] }));
    expect(up).toMatchObject({ id: mine.id, mode: "exclusive", fence: 3 });
    expect((await bob.check(["a"], { mode: "shared" })).clear).toBe(false);
    const down = granted(await alice.claim({ targets: ["a"], mode: "shared" }));
    expect(down).toMatchObject({ id: mine.id, mode: "shared", fence: 3 });
    granted(await bob.claim({ targets: ["a"], mode: "shared" }));
  });

  it("C-08 a claim named together with a part of it becomes shared all the same", async () => {
    const place = await openClaimsAt(await newPlace());
    const alice = place.as("alice");
    const claim = granted(await alice.claim({ targets: ["a"] }));
    const result = await alice.claim({ targets: ["a/b", "a"], mode: "shared" });
    const same = { id: claim.id, mode: "shared" };
    expect(result).toMatchObject({ ok: true, claims: [same, same] });
    granted(await place.as("bob").claim({ targets: ["a"], mode: "shared" }));
  });

  it("C-08 a claim named together with something broader becomes shared all the same", async () => {
    const place = await openClaimsAt(await newPlace());
    const alice = place.as("alice");
    const claim = granted(await alice.claim({ targets: ["a"] }));
    const result = await alice.claim({ targets: ["**", "a"], mode: "shared" });
    expect(result).toMatchObject({
      ok: true,
      claims: [
        { target: "**", mode: "shared" },
        { id: claim.id, mode: "shared" },
      ],
    });
    granted(await place.as("bob").claim({ targets: ["a"], mode: "shared" }));
  });

  it("a claim for the session counts for its sub-agents, one without does not", async () => {
    const place = await openClaimsAt(await newPlace());
    const parent = place.as("claude:1");
    const [child, stranger] = [place.as("claude:1/tests"), place.as("claude:2/tests")];
    await parent.claim({ targets: ["own"] });
    const held = granted(await parent.claim({ targets: ["all"], forSession: true }));
    expect((await child.check(["own"])).clear).toBe(false);
    expect(granted(await child.claim({ targets: ["all/x"] })).id).toBe(held.id);
    expect((await stranger.check(["all"])).clear).toBe(false);
  });

  it("C-02 any text comes back byte for byte", async () => {
    const place = await openClaimsAt(await newPlace());
    const reason = `'; DROP TABLE claims; -- "$(id)" \`x\` \n\t\\ ${"é".normalize("NFD")} 🦉 %s :name ?1 $1`;
    const actor = `o'brien "$(rm -rf /)" \`x\`\nline two; --`;
    const target = `it's "a" $(b) 'c'; --.ts`;
    const claim = granted(await place.as(actor).claim({ targets: [target], reason }));
    expect(claim).toMatchObject({ reason, actor, target });
    const { blockers } = await place.as("bob").check([target]);
    expect(blockers).toMatchObject([{ reason, actor, target }]);
    const [event] = await place.events("claim.granted");
    expect(event).toMatchObject({ actor, data: { reason, target } });
  });

  it("G7 a repetition with the same key returns the first grant and takes no further fence", async () => {
    const place = await openClaimsAt(await newPlace());
    const alice = place.as("alice");
    const first = await alice.claim({ targets: ["a"], key: "k1" });
    await alice.release({ all: true });
    expect(await alice.claim({ targets: ["a"], key: "k1" })).toEqual(first);
    expect((await alice.list()).claims).toEqual([]);
    expect(granted(await alice.claim({ targets: ["a"] })).fence).toBe(2);
  });

  it("F03 a time to live that is no sane span is refused before anything is stored", async () => {
    const place = await openClaimsAt(await newPlace());
    const alice = place.as("alice");
    const hours25 = 25 * 60 * minute;
    for (const ttlMs of [
      0,
      -1,
      999,
      1.5,
      Number.NaN,
      Infinity,
      -Infinity,
      hours25,
      2 ** 60,
      "60" as never,
    ]) {
      await expect(alice.claim({ targets: ["a"], ttlMs }), String(ttlMs)).rejects.toMatchObject({
        code: "USAGE",
      });
      await expect(alice.renew({ all: true }, { ttlMs }), String(ttlMs)).rejects.toMatchObject({
        code: "USAGE",
      });
    }
    expect(await place.events("claim.*")).toEqual([]);
  });

  it("C-14 named resources and git's own places are claims like any other and never meet a path", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, bob] = [place.as("alice"), place.as("bob")];
    granted(await alice.claim({ targets: ["**"] }));
    granted(await bob.claim({ targets: ["name:dev-server", "@git/index"] }));
    expect((await alice.check(["name:dev-server"])).clear).toBe(false);
    expect((await alice.check(["name:dev", "@git/stash"])).clear).toBe(true);
  });
});

describe.each(backends)("claims on $name: ending", ({ migratedPlace: newPlace }) => {
  it("F01 F02 F06 G5 nobody releases, renews or narrows another's claim, and twice is harmless", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, bob] = [place.as("alice"), place.as("bob")];
    const claim = granted(await alice.claim({ targets: ["a"] }));
    const ids = { claims: [claim.id] };
    for (const attempt of [
      () => bob.release(ids),
      () => bob.renew(ids),
      () => bob.narrow(claim.id, ["a/x"]),
      () => bob.transfer(ids, { to: "bob" }),
      () => bob.transfer(ids, { to: "carol" }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({
        code: expect.stringMatching(/CLAIM_NOT_HELD|USAGE/),
      });
    }
    expect((await alice.list()).claims).toMatchObject([
      { ...claim, expiresAt: expect.any(String) },
    ]);
    expect((await alice.release(ids)).released).toHaveLength(1);
    expect((await alice.release(ids)).released).toEqual([]);
    await expect(alice.renew(ids)).rejects.toMatchObject({ code: "CLAIM_UNKNOWN" });
    granted(await bob.claim({ targets: ["a"] }));
    expect((await alice.release(ids)).released).toEqual([]);
    expect((await bob.list()).claims).toHaveLength(1);
    expect(await place.events("claim.released")).toHaveLength(1);
  });

  it("C-04 shortening gives an earlier end, never a later one, and only to one's own claims", async () => {
    const there = await newPlace();
    const time = timeFor(there);
    const place = await openClaimsAt(there, { clock: time.clock });
    const [alice, bob] = [place.as("alice"), place.as("bob")];
    const long = granted(await alice.claim({ targets: ["a"], ttlMs: 10 * minute }));
    const short = granted(await alice.claim({ targets: ["b"], ttlMs: 30_000 }));
    const { claims } = await alice.shorten({ all: true }, minute);
    expect(claims.map(({ id }) => id)).toEqual([long.id]);
    expect(Date.parse(claims[0]!.expiresAt)).toBeLessThan(Date.parse(long.expiresAt));
    await expect(bob.shorten({ claims: [short.id] }, 1000)).rejects.toMatchObject({
      code: "CLAIM_NOT_HELD",
    });
    expect(await place.events("claim.shortened")).toHaveLength(1);
    await time.pass(minute + 1_000);
    granted(await bob.claim({ targets: ["a"] }));
  });

  it("C-07 an expired claim ends with one event, whoever meets it first", async () => {
    const there = await newPlace();
    const time = timeFor(there);
    const place = await openClaimsAt(there, { clock: time.clock });
    const [alice, bob] = [place.as("alice"), place.as("bob")];
    const met = granted(await alice.claim({ targets: ["met"], ttlMs: minute }));
    const swept = granted(await alice.claim({ targets: ["swept"], ttlMs: minute }));
    await time.pass(minute - 1_000);
    expect(refused(await bob.claim({ targets: ["met"] })).blockers).toHaveLength(1);
    await time.pass(2_000);
    expect((await bob.check(["met"])).clear).toBe(true);
    const next = granted(await bob.claim({ targets: ["met"] }));
    expect(next.fence).toBeGreaterThan(swept.fence);
    const sweep = await bob.sweep();
    expect(sweep.expired.map(({ id }) => id)).toEqual([swept.id]);
    expect(await bob.sweep()).toEqual({ expired: [], reclaimed: [], waiters: 0 });
    const ends = await place.events("claim.expired");
    expect(ends.map(({ subject }) => subject)).toEqual([met.id, swept.id]);
  });

  it("C-03 a dead holder's claim is taken over at once, with the proof in the event", async () => {
    const place = await openClaimsAt(await newPlace());
    const { ownIdentity } = await import("../../src/base/process-identity.ts");
    const gone = { ...ownIdentity(), pid: 2 ** 22 - 3, startTime: "1" };
    const dead = place.as({ id: "ghost", session: "ghost", process: gone });
    const claim = granted(await dead.claim({ targets: ["src/a.ts"], reason: "was here" }));
    const saved: string[] = [];
    const bob = place.as("bob", {
      rescue: async ({ id, actor }) => {
        saved.push(`${actor} ${id}`);
        return { ref: `refs/headgate/rescue/${id}`, files: 2 };
      },
    });
    const result = await bob.claim({ targets: ["src/**"] });
    expect(saved).toEqual([`ghost ${claim.id}`]);
    expect(result).toMatchObject({
      ok: true,
      claims: [{ target: "src/**" }],
      rescued: [
        { claim: claim.id, actor: "ghost", ref: `refs/headgate/rescue/${claim.id}`, files: 2 },
      ],
    });
    const [event] = await place.events("claim.reclaimed");
    expect(event).toMatchObject({
      actor: "bob",
      subject: claim.id,
      data: {
        holder: "ghost",
        evidence: [expect.stringContaining("4194301"), expect.anything()]
          .slice(0, 1)
          .concat(expect.anything()),
      },
    });
    expect(await place.events("claim.expired")).toEqual([]);
  });

  it("C-03 a second process under the same name cannot make a living actor look dead", async () => {
    const place = await openClaimsAt(await newPlace());
    const { ownIdentity } = await import("../../src/base/process-identity.ts");
    const gone = { ...ownIdentity(), pid: 2 ** 22 - 3, startTime: "1" };
    const alice = { id: "alice", session: "alice" };
    granted(await place.as({ ...alice, process: ownIdentity() }).claim({ targets: ["a"] }));
    granted(await place.as({ ...alice, process: gone }).claim({ targets: ["b"] }));
    granted(await place.as(alice).claim({ targets: ["c"] }));
    const { blockers } = refused(await place.as("bob").claim({ targets: ["a", "b", "c"] }));
    expect(blockers.map(({ liveness }) => liveness.state)).toEqual(["alive", "alive", "alive"]);
  });

  it("narrowing keeps the fence, gives the rest away, and stays inside", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, bob] = [place.as("alice"), place.as("bob")];
    const claim = granted(await alice.claim({ targets: ["src/**"] }));
    await expect(alice.narrow(claim.id, ["test"])).rejects.toMatchObject({
      code: "CLAIM_NOT_INSIDE",
    });
    const { claims } = await alice.narrow(claim.id, ["src/a/**", "src/b.ts"]);
    expect(claims).toMatchObject([
      { id: claim.id, target: "src/a/**", fence: claim.fence },
      { target: "src/b.ts", fence: claim.fence },
    ]);
    granted(await bob.claim({ targets: ["src/c"] }));
    expect(refused(await bob.claim({ targets: ["src/a/x", "src/b.ts"] })).blockers).toHaveLength(2);
    expect((await alice.verify(claim.fence, ["src/a/x"])).ok).toBe(true);
    expect((await alice.verify(claim.fence, ["src/c"])).ok).toBe(false);
  });

  it("C-10 transfer moves all or nothing, with new fences; force is audited; collisions are refused", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, bob, boss] = [place.as("alice"), place.as("bob"), place.as("boss")];
    const a = granted(await alice.claim({ targets: ["a"], mode: "shared" }));
    const b = granted(await alice.claim({ targets: ["b"] }));
    const theirs = granted(await bob.claim({ targets: ["a"], mode: "shared" }));
    const collision = refused(await alice.transfer({ all: true }, { to: "bob" }));
    expect(collision.blockers.map(({ id }) => id)).toEqual([theirs.id]);
    expect((await bob.list({ actor: "bob" })).claims).toHaveLength(1);
    await expect(
      alice.transfer({ claims: [b.id, "cl_00000000000000000a"] }, { to: "bob" }),
    ).rejects.toMatchObject({
      code: "CLAIM_UNKNOWN",
    });
    const moved = granted(
      await alice.transfer({ claims: [b.id] }, { to: "bob", reason: "yours now" }),
    );
    expect(moved).toMatchObject({ id: b.id, actor: "bob", fence: 4 });
    expect((await alice.verify(b.fence, ["b"])).ok).toBe(false);
    expect((await bob.verify(moved.fence, ["b"])).ok).toBe(true);
    await expect(boss.transfer({ claims: [a.id] }, { to: "carol" })).rejects.toMatchObject({
      code: "CLAIM_NOT_HELD",
    });
    granted(await boss.transfer({ claims: [a.id] }, { to: "carol", force: true }));
    const events = await place.events("claim.transferred");
    expect(
      events.map(({ actor, data }) => [actor, data["from"], data["to"], data["forced"]]),
    ).toEqual([
      ["alice", "alice", "bob", false],
      ["boss", "alice", "carol", true],
    ]);
  });

  it("C-10 G1 of two overlapping claims of one actor neither can go to another alone", async () => {
    const place = await openClaimsAt(await newPlace());
    const alice = place.as("alice");
    const inner = granted(await alice.claim({ targets: ["src/a.ts#C"] }));
    const outer = granted(await alice.claim({ targets: ["src"] }));
    const alone = refused(await alice.transfer({ claims: [inner.id] }, { to: "bob" }));
    expect(alone.blockers).toMatchObject([{ id: outer.id, actor: "alice" }]);
    const both = await alice.transfer({ claims: [inner.id, outer.id] }, { to: "bob" });
    expect(both).toMatchObject({ ok: true, claims: [{ actor: "bob" }, { actor: "bob" }] });
  });

  it("a release request reaches the holder, who releases, defers or narrows", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, bob, carol] = [place.as("alice"), place.as("bob"), place.as("carol")];
    const [x, y, z] = await Promise.all(
      ["x", "y", "z"].map(async (target) => granted(await alice.claim({ targets: [target] }))),
    );
    const one = await bob.ask(x!.id, { reason: "need it", withinMs: minute });
    expect(one).toMatchObject({
      claim: x!.id,
      holder: "alice",
      asker: "bob",
      reason: "need it",
      answer: "none",
    });
    const two = await bob.ask(y!.id, { reason: "soon", withinMs: minute });
    const three = await bob.ask(z!.id, { reason: "part", withinMs: minute });
    expect(await alice.requests()).toHaveLength(3);
    expect(await carol.requests()).toEqual([]);
    await expect(bob.answer(one.id, { kind: "release" })).rejects.toMatchObject({
      code: "CLAIM_NOT_HELD",
    });
    expect(await alice.answer(one.id, { kind: "release" })).toMatchObject({ answer: "released" });
    granted(await bob.claim({ targets: ["x"] }));
    expect(
      await alice.answer(two.id, { kind: "defer", forMs: 5 * minute, note: "tests run" }),
    ).toMatchObject({
      answer: "deferred",
      note: "tests run",
    });
    expect(refused(await bob.claim({ targets: ["y"] })).blockers).toHaveLength(1);
    expect(await alice.answer(three.id, { kind: "narrow", keep: ["z/kept"] })).toMatchObject({
      answer: "narrowed",
    });
    granted(await bob.claim({ targets: ["z/given"] }));
    await alice.release({ all: true });
    expect(await bob.requests()).toEqual([]);
    await expect(alice.answer(two.id, { kind: "release" })).rejects.toMatchObject({
      code: "REQUEST_UNKNOWN",
    });
    await expect(
      bob.ask("cl_00000000000000000a", { reason: "", withinMs: 1 }),
    ).rejects.toMatchObject({
      code: "CLAIM_UNKNOWN",
    });
  });
});

describe.each(backends)("claims on $name: fences", ({ migratedPlace: newPlace }) => {
  it("G2 fences only grow, whoever is granted whatever", async () => {
    const there = await newPlace();
    const place = await openClaimsAt(there);
    const other = await openClaimsAt(there, { dir: place.dir });
    const fences: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const claims = (round % 2 === 0 ? place : other).as(`actor ${round % 3}`);
      fences.push(granted(await claims.claim({ targets: [`f${round % 4}`] })).fence);
      await claims.release({ all: true });
    }
    expect(fences).toEqual(fences.toSorted((a, b) => a - b));
    expect(new Set(fences).size).toBe(20);
  });

  it("C-17 G3 an old fence, another's fence and a shared claim do not allow a write", async () => {
    const there = await newPlace();
    const time = timeFor(there);
    const place = await openClaimsAt(there, { clock: time.clock });
    const [alice, bob] = [place.as("alice"), place.as("bob")];
    const first = granted(await alice.claim({ targets: ["src/a.ts"], ttlMs: minute }));
    expect(await alice.verify(first.fence, ["src/a.ts"])).toEqual({ ok: true, problems: [] });
    expect((await bob.verify(first.fence, ["src/a.ts"])).ok).toBe(false);
    expect((await alice.verify(first.fence, ["src"])).ok).toBe(false);
    await time.pass(2 * minute);
    expect(await alice.verify(first.fence, ["src/a.ts"])).toMatchObject({
      ok: false,
      code: "FENCE_STALE",
    });
    const theirs = granted(await bob.claim({ targets: ["src/a.ts"] }));
    const stale = await alice.verify(first.fence, ["src/a.ts"]);
    expect(stale.problems).toMatchObject([
      { target: "src/a.ts", blocker: { id: theirs.id, actor: "bob" } },
    ]);
    await bob.release({ all: true });
    const second = granted(await alice.claim({ targets: ["src/a.ts"] }));
    expect((await alice.verify(first.fence, ["src/a.ts"])).ok).toBe(false);
    expect((await alice.verify([first.fence, second.fence], ["src/a.ts"])).ok).toBe(true);
    const shared = granted(await alice.claim({ targets: ["lib"], mode: "shared" }));
    expect((await alice.verify(shared.fence, ["lib/x"])).ok).toBe(false);
    for (const fence of [0, -1, 1.5, Number.NaN, []]) {
      await expect(async () => alice.verify(fence, ["src/a.ts"])).rejects.toMatchObject({
        code: "USAGE",
      });
    }
  });

  it("G3 what runs while the claim is held cannot be overtaken by another grant", async () => {
    const there = await newPlace();
    const place = await openClaimsAt(there);
    const other = await openClaimsAt(there, { dir: place.dir });
    const [alice, bob] = [place.as("alice"), other.as("bob")];
    const claim = granted(await alice.claim({ targets: ["a"] }));
    const done: string[] = [];
    const release = alice.release({ all: true });
    const [held] = await Promise.all([
      alice.whileHeld(claim.fence, ["a"], () => done.push("written")),
      release,
      bob.claim({ targets: ["a"] }).then(() => done.push("bob")),
    ]);
    expect(held.ok === done.includes("written")).toBe(true);
    const late = await alice.whileHeld(claim.fence, ["a"], () => done.push("never"));
    expect(late).toMatchObject({ ok: false, code: "FENCE_STALE" });
    expect(done).not.toContain("never");
  });
});
