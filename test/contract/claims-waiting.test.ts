import { describe, expect, it } from "vitest";
import { ownIdentity } from "../../src/base/process-identity.ts";
import type { Claims } from "../../src/claims/index.ts";
import { type ClaimsPlace, granted, openClaimsAt, refused } from "../helpers/claims.ts";
import { backends } from "../helpers/store-backends.ts";

const minute = 60_000;

/** Until that many are in line. */
const untilQueued = async (claims: Claims, count: number): Promise<void> => {
  await expect.poll(async () => (await claims.list()).waiters.length, { interval: 10 }).toBe(count);
};

const kinds = async (place: ClaimsPlace): Promise<string[]> =>
  (await place.events("claim.*")).map(({ kind }) => kind);

describe.each(backends)("claims on $name: waiting", ({ migratedPlace: newPlace }) => {
  it("G8 a waiter gets the claim from the very transaction that frees it", async () => {
    const there = await newPlace();
    const place = await openClaimsAt(there);
    const other = await openClaimsAt(there, { dir: place.dir });
    const [alice, bob] = [place.as("alice"), other.as("bob")];
    granted(await alice.claim({ targets: ["a"] }));
    const waiting = bob.claim({ targets: ["a/x"], waitMs: 10 * minute, reason: "my turn" });
    await untilQueued(alice, 1);
    expect((await alice.list()).waiters).toMatchObject([
      { actor: "bob", targets: ["a/x"], reason: "my turn", position: 1, priority: 0 },
    ]);
    await alice.release({ all: true });
    // Whether its process has noticed or not: nobody can slip in between.
    expect(refused(await alice.claim({ targets: ["a"] })).blockers).toMatchObject([
      { actor: "bob" },
    ]);
    expect(await waiting).toMatchObject({
      ok: true,
      claims: [{ target: "a/x", actor: "bob", reason: "my turn", fence: 2 }],
      waitedMs: expect.any(Number),
    });
    expect(await kinds(place)).toEqual([
      "claim.granted",
      "claim.waiting",
      "claim.released",
      "claim.granted",
    ]);
  });

  it("G8 waiters are served in order, priority counts like time waited, shared ones go together", async () => {
    const place = await openClaimsAt(await newPlace());
    const alice = place.as("alice");
    granted(await alice.claim({ targets: ["a"] }));
    const served: string[] = [];
    const wait = async (name: string, more: object = {}) => {
      const claims = place.as(name);
      const result = await claims.claim({ targets: ["a"], waitMs: 10 * minute, ...more });
      served.push(name);
      expect(result.ok).toBe(true);
      return claims;
    };
    const first = wait("first");
    await untilQueued(alice, 1);
    const second = wait("second");
    await untilQueued(alice, 2);
    const urgent = wait("urgent", { priority: 1 });
    await untilQueued(alice, 3);
    const readers = [wait("reader 1", { mode: "shared" }), wait("reader 2", { mode: "shared" })];
    await untilQueued(alice, 5);
    expect((await alice.list()).waiters.map(({ actor }) => actor).slice(0, 3)).toEqual([
      "urgent",
      "first",
      "second",
    ]);
    await alice.release({ all: true });
    for (const holder of [urgent, first, second]) await (await holder).release({ all: true });
    await Promise.all(readers);
    expect(served.slice(0, 3)).toEqual(["urgent", "first", "second"]);
    expect((await alice.list()).claims.map(({ mode }) => mode)).toEqual(["shared", "shared"]);
  });

  it("G8 somebody who waits for two things is not passed for ever by those who want one", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, bob, carol] = [place.as("alice"), place.as("bob"), place.as("carol")];
    granted(await alice.claim({ targets: ["a"] }));
    const both = bob.claim({ targets: ["a", "b"], waitMs: 10 * minute });
    await untilQueued(alice, 1);
    // b is free: whoever just comes along may have it, as long as bob is new in line …
    granted(await carol.claim({ targets: ["b"] }));
    await carol.release({ all: true });
    // … but not another waiter behind him.
    const behind = place.as("dave").claim({ targets: ["b"], waitMs: 10 * minute });
    await untilQueued(alice, 2);
    await alice.release({ all: true });
    expect(await both).toMatchObject({ ok: true, claims: [{ target: "a" }, { target: "b" }] });
    await bob.release({ all: true });
    expect(await behind).toMatchObject({ ok: true });
  });

  it("time over and giving up both leave the line, and those behind move up", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, bob] = [place.as("alice"), place.as("bob")];
    granted(await alice.claim({ targets: ["a"] }));
    const short = await bob.claim({ targets: ["a"], waitMs: 50 });
    expect(short).toMatchObject({
      ok: false,
      code: "CLAIM_WAIT_TIMEOUT",
      blockers: [{ actor: "alice" }],
    });
    const stop = new AbortController();
    const cancelled = bob.claim({ targets: ["a", "b"], waitMs: 10 * minute, signal: stop.signal });
    await untilQueued(alice, 1);
    const behind = place.as("carol").claim({ targets: ["b"], waitMs: 10 * minute });
    await untilQueued(alice, 2);
    stop.abort();
    expect(await cancelled).toMatchObject({ ok: false, code: "CLAIM_WAIT_CANCELLED" });
    expect(await behind).toMatchObject({ ok: true });
    expect((await alice.list()).waiters).toEqual([]);
  });

  it("a waiter notices by itself that the claim in its way ran out", async () => {
    const place = await openClaimsAt(await newPlace());
    granted(await place.as("alice").claim({ targets: ["a"], ttlMs: 1_000 }));
    expect(await place.as("bob").claim({ targets: ["a"], waitMs: 10 * minute })).toMatchObject({
      ok: true,
    });
    expect(await place.events("claim.expired")).toHaveLength(1);
  });

  it("C-03 a waiter whose process is gone is passed over and removed", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, bob] = [place.as("alice"), place.as("bob")];
    granted(await alice.claim({ targets: ["a"] }));
    const stop = new AbortController();
    const dying = place
      .as("ghost")
      .claim({ targets: ["a"], waitMs: 10 * minute, signal: stop.signal });
    await untilQueued(alice, 1);
    const gone = JSON.stringify({ ...ownIdentity(), pid: 2 ** 22 - 3, startTime: "1" });
    await place.store.write({ scope: place.scope }, async (tx) => {
      await tx.run({ sql: "UPDATE waiters SET process = :gone" }, { gone });
      return tx.emit({ kind: "test.killed" });
    });
    const waiting = bob.claim({ targets: ["a"], waitMs: 10 * minute });
    await untilQueued(alice, 2);
    await alice.release({ all: true });
    expect(await waiting).toMatchObject({ ok: true });
    expect(await dying).toMatchObject({ ok: false, code: "CLAIM_WAIT_CANCELLED" });
    stop.abort();
  });

  it("G9 a circle of waiters is broken by telling one of them, by name and with the reason", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, bob, carol] = [place.as("alice"), place.as("bob"), place.as("carol")];
    granted(await alice.claim({ targets: ["a"] }));
    granted(await bob.claim({ targets: ["b"] }));
    granted(await carol.claim({ targets: ["c"] }));
    const aliceWaits = alice.claim({ targets: ["b"], waitMs: 10 * minute });
    await untilQueued(alice, 1);
    const bobWaits = bob.claim({ targets: ["c"], waitMs: 10 * minute });
    await untilQueued(alice, 2);
    const told = await carol.claim({ targets: ["a"], waitMs: 10 * minute });
    expect(told).toMatchObject({
      ok: false,
      code: "CLAIM_DEADLOCK",
      victim: "carol",
      circle: ["carol", "alice", "bob", "carol"],
      blockers: [{ actor: "alice", target: "a" }],
    });
    await carol.release({ all: true });
    expect(await bobWaits).toMatchObject({ ok: true });
    await bob.release({ all: true });
    expect(await aliceWaits).toMatchObject({ ok: true });
    expect(await place.events("claim.deadlock")).toHaveLength(1);
  });

  it("G9 who matters least gives way, not always who came last", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, bob] = [place.as("alice"), place.as("bob")];
    granted(await alice.claim({ targets: ["a"] }));
    granted(await bob.claim({ targets: ["b"] }));
    const aliceWaits = alice.claim({ targets: ["b"], waitMs: 10 * minute, priority: -5 });
    await untilQueued(alice, 1);
    const bobWaits = bob.claim({ targets: ["a"], waitMs: 10 * minute });
    expect(await aliceWaits).toMatchObject({ ok: false, code: "CLAIM_DEADLOCK", victim: "alice" });
    await alice.release({ all: true });
    expect(await bobWaits).toMatchObject({ ok: true });
  });

  it("G9 handing a claim on can close a circle, and that is noticed, too", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, bob, carol] = [place.as("alice"), place.as("bob"), place.as("carol")];
    granted(await alice.claim({ targets: ["a"] }));
    granted(await bob.claim({ targets: ["b"] }));
    granted(await carol.claim({ targets: ["c"] }));
    const aliceWaits = alice.claim({ targets: ["c"], waitMs: 10 * minute });
    await untilQueued(alice, 1);
    const bobWaits = bob.claim({ targets: ["a"], waitMs: 10 * minute });
    await untilQueued(alice, 2);
    granted(await carol.transfer({ all: true }, { to: "bob" }));
    const results = await Promise.race([aliceWaits, bobWaits]);
    expect(results).toMatchObject({ ok: false, code: "CLAIM_DEADLOCK", victim: "bob" });
    await bob.release({ all: true });
    expect(await aliceWaits).toMatchObject({ ok: true });
  });

  it("narrowing and becoming shared let waiters in", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, bob, carol] = [place.as("alice"), place.as("bob"), place.as("carol")];
    const claim = granted(await alice.claim({ targets: ["src/**"] }));
    const part = bob.claim({ targets: ["src/b"], waitMs: 10 * minute });
    const reading = carol.claim({ targets: ["src/a/x"], mode: "shared", waitMs: 10 * minute });
    await untilQueued(alice, 2);
    await alice.narrow(claim.id, ["src/a/**"]);
    expect(await part).toMatchObject({ ok: true });
    await alice.claim({ targets: ["src/a/**"], mode: "shared" });
    expect(await reading).toMatchObject({ ok: true });
  });

  it("waiting until targets are clear takes nothing", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, bob] = [place.as("alice"), place.as("bob")];
    expect(await bob.waitUntilClear(["a"], { waitMs: 0 })).toEqual({ clear: true, blockers: [] });
    granted(await alice.claim({ targets: ["a"] }));
    expect(await bob.waitUntilClear(["a"], { waitMs: 30 })).toMatchObject({
      clear: false,
      blockers: [{ actor: "alice" }],
    });
    const waiting = bob.waitUntilClear(["a"], { waitMs: 10 * minute });
    await alice.release({ all: true });
    expect(await waiting).toEqual({ clear: true, blockers: [] });
    expect((await bob.list()).claims).toEqual([]);
  });
});
