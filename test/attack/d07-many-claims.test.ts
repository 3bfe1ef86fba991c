import { describe, expect, it } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { type Claims, openClaimsIn } from "../../src/claims/index.ts";
import { waiterColumns } from "../../src/claims/waiter-row.ts";
import { verifyEvents } from "../../src/store/index.ts";
import { type ClaimsPlace, granted, openClaimsAt, refused, timeFor } from "../helpers/claims.ts";
import { countStatements } from "../helpers/counted-store.ts";
import { backends } from "../helpers/store-backends.ts";

const minute = 60_000;

const claimMany = async (place: ClaimsPlace, count: number): Promise<void> => {
  for (let from = 0; from < count; from += limits.claimTargetsMax) {
    const length = Math.min(limits.claimTargetsMax, count - from);
    const targets = Array.from({ length }, (_, index) => `d${from}/f${index}.ts`);
    granted(await place.as(`actor ${from}`).claim({ targets, ttlMs: minute }));
  }
};

/** What one ordinary claim and its release cost an actor who just came. */
const costOfOne = async (
  place: ClaimsPlace,
  name: string,
): Promise<{ statements: number; rows: number }> => {
  const { seen, proxy } = countStatements(place.store);
  const { scope, fences } = place;
  const { actor } = place.as(name);
  const claims = openClaimsIn({ store: proxy, scope, fences }, { actor });
  granted(await claims.claim({ targets: ["far/away.ts", "far/too.ts"] }));
  await claims.release({ all: true });
  return { ...seen };
};

// Fewer on the server: each costs it the same, and thousands of statements take their time.
const sizes = backends.map((backend) => ({
  ...backend,
  count: backend.name === "SQLite" ? 10_000 : 2_000,
}));

describe.each(sizes)("D07 $count claims on $name", ({ place: newPlace, count }) => {
  it("D07 G14 one more costs what it costs alone, lists are cut, and all are swept once", async () => {
    const there = await newPlace();
    const time = timeFor(there);
    const place = await openClaimsAt(there, { clock: time.clock });
    await claimMany(place, 64);
    const few = await costOfOne(place, "early");
    await place.as("actor 0").release({ all: true });
    await claimMany(place, count);
    expect(await costOfOne(place, "late")).toEqual(few);
    const bob = place.as("bob");
    expect(refused(await bob.claim({ targets: ["**"] })).blockers).toHaveLength(limits.blockersMax);
    const list = await bob.list();
    expect([list.claims.length, list.isCut]).toEqual([limits.claimsListedMax, true]);
    expect((await bob.check(["d64/f1.ts"])).blockers).toHaveLength(1);
    await time.pass(2 * minute);
    expect((await bob.sweep()).expired).toHaveLength(count);
    expect((await bob.sweep()).expired).toEqual([]);
    const operations = new Map<string, number>();
    for (let since = 0; ;) {
      const page = await place.store.readEvents({
        scope: place.scope,
        since,
        kind: "claim.expired",
      });
      for (const { operation } of page.events) {
        operations.set(operation, (operations.get(operation) ?? 0) + 1);
      }
      since = page.cursor;
      if (since >= page.head) break;
    }
    expect([...operations.values()].reduce((sum, one) => sum + one, 0)).toBe(count);
    expect(Math.max(...operations.values())).toBeLessThanOrEqual(limits.endingsMax);
    expect(await verifyEvents(place.store, place.scope)).toMatchObject({ ok: true });
  });
});

/** More waiters of this process, as copies of the one that waits already. */
const queueMore = async (
  { store, scope }: ClaimsPlace,
  from: string,
  waiters: readonly (readonly string[])[],
): Promise<void> => {
  const copied: Record<string, string> = {
    id: ":id",
    actor: ":actor",
    session: ":actor",
    targets: ":targets",
  };
  const columns = waiterColumns.split(",").map((name) => name.trim());
  const values = columns.map((name) => copied[name] ?? name).join(", ");
  const copy = {
    sql: `INSERT INTO waiters (scope_id, ${columns.join(", ")})
          SELECT scope_id, ${values} FROM waiters WHERE scope_id = :scope AND id = :from`,
  };
  await store.write({ scope }, async (tx) => {
    for (const [index, wanted] of waiters.entries()) {
      const id = `wa_${String(index).padStart(18, "0")}`;
      const targets = JSON.stringify(
        wanted.map((target) => ({ target, extent: "tree", folds: 0 })),
      );
      await tx.run(copy, { scope: scope.id, from, id, actor: `waiter ${index}`, targets });
    }
    return tx.emit({ kind: "test.queued" });
  });
};

const firstWaiter = async (claims: Claims, target: string) => {
  const stop = new AbortController();
  const waiting = claims.claim({ targets: [target], waitMs: 60 * minute, signal: stop.signal });
  waiting.catch(() => {});
  await expect.poll(async () => (await claims.list()).waiters.length).toBe(1);
  const [{ id } = { id: "" }] = (await claims.list()).waiters;
  return { id, waiting, stop };
};

describe.each(backends)("D07 a thousand waiters on $name", ({ place: newPlace }) => {
  it("D07 G8 G14 are the most; the next is refused, the line moves by one, and a place comes free", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, bob] = [place.as("alice"), place.as("bob")];
    granted(await alice.claim({ targets: ["a"] }));
    const first = await firstWaiter(bob, "a");
    const others = Array.from({ length: limits.waitersMax - 1 }, () => ["a"]);
    await queueMore(place, first.id, others);
    const late = place.as("late").claim({ targets: ["a"], waitMs: minute });
    await expect(late).rejects.toMatchObject({ code: "CLAIM_QUEUE_FULL" });
    expect((await bob.list()).waiters).toHaveLength(limits.waitersMax);
    // Who does not wait is not kept waiting by those who do.
    granted(await place.as("dave").claim({ targets: ["elsewhere"] }));
    await alice.release({ all: true });
    const granting = await place.events("claim.granted");
    expect(granting.filter(({ data }) => data["target"] === "a")).toHaveLength(2);
    expect((await bob.list()).waiters).toHaveLength(limits.waitersMax - 1);
    first.stop.abort();
    await first.waiting;
  });

  it("D07 G8 for a thousand different things: as many as one transaction can tell of are served by one release", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, bob] = [place.as("alice"), place.as("bob")];
    granted(await alice.claim({ targets: ["**"] }));
    const first = await firstWaiter(bob, "d");
    const others = Array.from({ length: limits.waitersMax - 1 }, (_, index) => [
      `d${index}`,
      `e${index}`,
    ]);
    await queueMore(place, first.id, others);
    first.stop.abort();
    await first.waiting;
    expect((await alice.release({ all: true })).released).toHaveLength(1);
    expect((await alice.list()).claims).toHaveLength(limits.servedAtOnceMax);
  });
});

it("D07 G8 those whom one release cannot serve, because they want so much, get their turn all the same", async () => {
  const place = await openClaimsAt(await backends[0]!.place());
  const alice = place.as("alice");
  granted(await alice.claim({ targets: ["**"] }));
  const waits = Array.from({ length: 20 }, (_, index) => {
    const targets = Array.from(
      { length: limits.claimTargetsMax },
      (__, one) => `d${index}/f${one}`,
    );
    return place.as(`waiter ${index}`).claim({ targets, waitMs: 10 * minute });
  });
  await expect.poll(async () => (await alice.list()).waiters.length).toBe(20);
  expect((await alice.release({ all: true })).released).toHaveLength(1);
  for (const result of await Promise.all(waits)) granted(result);
  expect((await alice.list()).waiters).toEqual([]);
  expect(await verifyEvents(place.store, place.scope)).toMatchObject({ ok: true });
});

describe.each(backends)(
  "D07 more endings than one transaction has events on $name",
  ({ place: newPlace }) => {
    const count = limits.eventsPerTransactionMax + 1;
    const holdMany = async (alice: Claims): Promise<void> => {
      for (let from = 0; from < count; from += limits.claimTargetsMax) {
        const length = Math.min(limits.claimTargetsMax, count - from);
        const targets = Array.from({ length }, (_, index) => `d${from}/f${index}`);
        granted(await alice.claim({ targets, ttlMs: minute }));
      }
    };

    it("D07 an actor can renew and release all it holds, however much that is", async () => {
      const place = await openClaimsAt(await newPlace());
      const alice = place.as("alice");
      await holdMany(alice);
      expect((await alice.renew({ all: true })).claims).toHaveLength(count);
      expect((await alice.release({ all: true })).released).toHaveLength(count);
    });

    it("D07 the same with some that ran out among them; a key for so much is refused", async () => {
      const there = await newPlace();
      const time = timeFor(there);
      const place = await openClaimsAt(there, { clock: time.clock });
      const alice = place.as("alice");
      granted(await alice.claim({ targets: ["short"], ttlMs: 1_000 }));
      await holdMany(alice);
      await time.pass(10_000);
      for (const call of ["renew", "release"] as const) {
        await expect(alice[call]({ all: true }, { key: call })).rejects.toMatchObject({
          code: "INPUT_TOO_LARGE",
        });
      }
      expect((await alice.renew({ all: true })).claims).toHaveLength(count);
      expect((await alice.release({ all: true })).released).toHaveLength(count);
      expect((await alice.list()).claims).toEqual([]);
    });

    it("D07 C-10 more than one transaction can hand on is refused, not handed on in part", async () => {
      const place = await openClaimsAt(await newPlace());
      const alice = place.as("alice");
      await holdMany(alice);
      await expect(alice.transfer({ all: true }, { to: "heir" })).rejects.toMatchObject({
        code: "INPUT_TOO_LARGE",
      });
      expect((await alice.list({ actor: "heir" })).claims).toEqual([]);
    });

    it("D07 C-07 what ran out does not stand in the way, however much it is", async () => {
      const there = await newPlace();
      const time = timeFor(there);
      const place = await openClaimsAt(there, { clock: time.clock });
      await holdMany(place.as("alice"));
      await time.pass(2 * minute);
      expect(granted(await place.as("bob").claim({ targets: ["**"] })).actor).toBe("bob");
    });
  },
);
