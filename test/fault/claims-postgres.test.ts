import { mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import type { Claims } from "../../src/claims/index.ts";
import { openStore, verifyEvents } from "../../src/store/index.ts";
import { type ClaimsPlace, granted, openClaimsAt } from "../helpers/claims.ts";
import { type CuttingProxy, startCuttingProxy } from "../helpers/cutting-proxy.ts";
import { freshDatabase, type PostgresServer, runSql, startPostgres } from "../helpers/postgres.ts";
import { freshSharedDatabase } from "../helpers/shared-postgres.ts";
import type { StorePlace } from "../helpers/store-backends.ts";

const minute = 60_000;

const placeAt = (address: string): StorePlace => ({
  backend: "postgres",
  address,
  localDir: ".",
  sql: (text) => runSql(`${address}?options=-csearch_path%3Dheadgate`, text),
  open: async (options = {}) => {
    const store = await openStore({ address, localDir: ".", ...options });
    onTestFinished(() => store.close());
    return store;
  },
});

interface Line {
  /** Through the proxy. */
  readonly far: ClaimsPlace;
  /** Straight to the server. */
  readonly near: ClaimsPlace;
  readonly proxy: CuttingProxy;
  readonly url: string;
  rows(): Promise<Record<string, unknown>[]>;
}

const openLine = async (url: string, clock = systemClock): Promise<Line> => {
  const proxy = await startCuttingProxy(Number(new URL(url).port));
  onTestFinished(() => proxy.close());
  const through = new URL(url);
  through.port = String(proxy.port);
  const there = placeAt(url);
  return {
    near: await openClaimsAt(there),
    far: await openClaimsAt(placeAt(through.href), { clock }),
    proxy,
    url,
    rows: () => there.sql("SELECT actor, target, mode, fence, ttl_ms FROM claims ORDER BY id"),
  };
};

/** Two live claims never overlap here, no fence came twice, nothing ended twice, the chain holds. */
const expectWhole = async ({ store, scope, as, events }: ClaimsPlace): Promise<void> => {
  expect(await verifyEvents(store, scope)).toMatchObject({ ok: true });
  const all = await events("claim.*");
  const fences = all.flatMap(({ kind, data }) =>
    kind === "claim.granted" || kind === "claim.transferred" ? [Number(data["fence"])] : [],
  );
  expect(fences).toEqual([...new Set(fences)].toSorted((a, b) => a - b));
  const { claims } = await as("watcher").list();
  const exclusive = claims.map(({ target }) => target);
  expect(exclusive).toEqual([...new Set(exclusive)]);
  const endings = all.filter(({ kind }) => /\.(released|expired|reclaimed)$/.test(kind));
  expect(new Set(endings.map(({ subject }) => subject)).size).toBe(endings.length);
};

interface Lost {
  readonly code: string;
  readonly data: { readonly key: string };
}
const failure = async (promise: Promise<unknown>): Promise<Lost> => {
  const answer: unknown = await promise.catch((error: unknown) => error);
  return answer as Lost;
};

interface Case {
  readonly title: string;
  readonly holds: readonly string[];
  readonly call: (alice: Claims) => Promise<unknown>;
  readonly at?: CuttingProxy["at"];
}

const cases: readonly Case[] = [
  {
    title: "a claim by the server's function",
    holds: [],
    call: (alice) => alice.claim({ targets: ["a"] }),
    at: { asked: "grant_claim(", answered: "SELECT 1\0" },
  },
  {
    title: "a claim of two targets",
    holds: [],
    call: (alice) => alice.claim({ targets: ["a", "b"] }),
  },
  {
    title: "a claim with a key",
    holds: [],
    call: (alice) => alice.claim({ targets: ["a"], key: "my key" }),
  },
  { title: "a release", holds: ["a", "b"], call: (alice) => alice.release({ all: true }) },
  {
    title: "a renewal",
    holds: ["a", "b"],
    call: (alice) => alice.renew({ all: true }, { ttlMs: 60 * minute }),
  },
  {
    title: "a transfer",
    holds: ["a", "b"],
    call: (alice) => alice.transfer({ all: true }, { to: "heir" }),
  },
];

describe.each(cases)("line cut around $title", ({ holds, call, at }) => {
  it.each([
    [
      "before the server hears of it: unknown, then truly not done",
      "before-commit",
      ["not-committed"],
    ],
    ["when the server has done it: unknown, then truly done", "after-commit", ["committed"]],
    ["while the server gets it late: whatever is said first stays true", "late-commit", undefined],
  ] as const)("G7 G1 %s", async (_, cut, expected) => {
    const { far, near, proxy, rows } = await openLine(await freshSharedDatabase());
    // The first block of fences is reserved, and the function has had its turn once.
    await far.as("first").claim({ targets: ["first"] });
    const alice = far.as("alice");
    if (holds.length > 0) granted(await alice.claim({ targets: holds }));
    const before = await rows();
    if (at) proxy.at = at;
    proxy.cut = cut;
    const lost = await failure(call(alice));
    expect(lost.code).toBe("OUTCOME_UNKNOWN");
    proxy.cut = "none";
    const asking = near.store.outcome(near.scope, lost.data.key);
    await near.store.readEvents({ scope: near.scope });
    await proxy.deliver();
    const { state } = await asking;
    if (expected) expect([state]).toEqual(expected);
    const after = await rows();
    expect(state).toBe(
      JSON.stringify(after) === JSON.stringify(before) ? "not-committed" : "committed",
    );
    expect((await near.store.outcome(near.scope, lost.data.key)).state).toBe(state);
    // Whoever comes next gets what is free, under a number of its own, and nothing else.
    const [held] = after.filter(({ target }) => target === "a");
    const next = await near.as("bob").claim({ targets: ["a"] });
    expect(next.ok).toBe(held === undefined);
    await expectWhole(near);
  });
});

describe("a claim with a key whose answer was lost", () => {
  it("G7 asked again, it is the same grant and no second one", async () => {
    const { far, near, proxy, rows } = await openLine(await freshSharedDatabase());
    const alice = far.as("alice");
    proxy.cut = "after-commit";
    const ask = () => alice.claim({ targets: ["a", "b"], key: "k" });
    expect((await failure(ask())).data.key).toBe("k");
    proxy.cut = "none";
    const first = granted(await ask());
    expect(granted(await ask())).toEqual(first);
    expect((await rows()).map(({ fence }) => Number(fence))).toEqual([1, 2]);
    await expectWhole(near);
  });
});

describe("a write turn that is lost while a holder writes", () => {
  it("G3 is told, not passed over in silence", async () => {
    const { far, proxy } = await openLine(await freshSharedDatabase());
    const alice = far.as("alice");
    const { fence } = granted(await alice.claim({ targets: ["a"] }));
    let isWritten = false;
    const write = (): void => {
      isWritten = true;
      proxy.cutAll();
    };
    const lost = await failure(alice.whileHeld(fence, ["a"], write));
    expect(isWritten).toBe(true);
    expect(lost.code).toMatch(/^(STORE_UNAVAILABLE|OUTCOME_UNKNOWN)$/);
  });
});

describe("a machine that cannot keep its mark of fences", () => {
  it.each(["fences.json", "fence-mark"])(
    "G2 G6 with %s unusable nothing is granted, not even by the server's function",
    async (name) => {
      const there = placeAt(await freshSharedDatabase());
      const { dir, as, events } = await openClaimsAt(there);
      mkdirSync(join(dir, name));
      const lost = await failure(as("alice").claim({ targets: ["a"] }));
      expect(lost.code).toMatch(/^(FENCE_MARK_UNUSABLE|STATE_[A-Z_]+)$/);
      expect(await there.sql("SELECT id FROM claims")).toEqual([]);
      const [granting = [], ending = []] = await Promise.all(
        ["claim.granted", "claim.released"].map((kind) => events(kind)),
      );
      expect(ending.map(({ subject }) => subject)).toEqual(granting.map(({ subject }) => subject));
      rmdirSync(join(dir, name));
      granted(await as("alice").claim({ targets: ["a"] }));
    },
  );
});

describe("a PostgreSQL that dies under claims", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
    return () => server.dispose();
  });
  const restart = async (mode: "fast" | "immediate"): Promise<void> => {
    await server.stop(mode);
    await server.start();
  };

  it("G6 G7 G2 stopped at once while many claim: each call is done, not done, or tells later", async () => {
    const there = placeAt(await freshDatabase(server.url()));
    const place = await openClaimsAt(there);
    await place.as("first").claim({ targets: ["first"] });
    let grants = 0;
    let isStopping = false;
    const unknown: string[] = [];
    const given: number[] = [];
    /** Claims, alone and in pairs, and releases, until the server is gone. */
    const work = async (name: string): Promise<void> => {
      const { store, as } = await openClaimsAt(there, { waitMs: 3_000 });
      const claims = as(name);
      for (let round = 0; ; round += 1) {
        const targets = [`${name}/${round}`, ...(round % 3 === 0 ? ["common"] : [])];
        try {
          const result = await claims.claim({ targets });
          if (result.ok) given.push(...result.claims.map(({ fence }) => fence));
          grants += 1;
          if (grants === 60) isStopping = true;
          if (round % 2 === 0) await claims.release({ all: true });
        } catch (error) {
          const { code, data } = error as Lost;
          expect(["STORE_UNAVAILABLE", "OUTCOME_UNKNOWN"]).toContain(code);
          if (code === "OUTCOME_UNKNOWN") unknown.push(data.key);
          return store.close();
        }
      }
    };
    const stopping = (async () => {
      await expect.poll(() => isStopping, { interval: 1 }).toBe(true);
      await server.stop("immediate");
    })();
    await Promise.all([stopping, ...["ann", "bob", "cid"].map(work)]);
    await server.start();
    const next = await openClaimsAt(there, { dir: place.dir });
    const all = (await next.events("claim.granted")).map(({ data }) => Number(data["fence"]));
    expect(given.filter((fence) => !all.includes(fence))).toEqual([]);
    const operations = new Set((await next.events()).map(({ operation }) => operation));
    for (const key of unknown) {
      const { state } = await next.store.outcome(next.scope, key);
      expect(state).toBe(operations.has(key) ? "committed" : "not-committed");
    }
    const later = granted(await next.as("dan").claim({ targets: ["later"] }));
    expect(later.fence).toBeGreaterThan(Math.max(...all));
    await expectWhole(next);
  });

  it("G7 stopped between the grant and its answer: it was granted, and that can be asked", async () => {
    const { far, near, proxy, url } = await openLine(await freshDatabase(server.url()));
    await far.as("first").claim({ targets: ["first"] });
    proxy.at = { asked: "grant_claim(", answered: "SELECT 1\0" };
    proxy.cut = "after-commit";
    const lost = await failure(far.as("alice").claim({ targets: ["a"] }));
    expect(lost.code).toBe("OUTCOME_UNKNOWN");
    await restart("immediate");
    const next = await openClaimsAt(placeAt(url), { dir: near.dir });
    expect(await next.store.outcome(next.scope, lost.data.key)).toEqual({ state: "committed" });
    expect((await next.as("bob").check(["a"])).blockers).toMatchObject([{ actor: "alice" }]);
    await expectWhole(next);
  });

  it.each(["fast", "immediate"] as const)(
    "G8 a waiter survives a %s restart of the server, and gets its turn",
    async (mode) => {
      const place = await openClaimsAt(placeAt(await freshDatabase(server.url())));
      const [alice, bob] = [place.as("alice"), place.as("bob")];
      granted(await alice.claim({ targets: ["a"] }));
      const waiting = bob.claim({ targets: ["a"], waitMs: 10 * minute });
      await expect.poll(async () => (await alice.list()).waiters.length).toBe(1);
      await server.stop(mode);
      // Long enough for the waiter to look more than once while nobody answers.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await server.start();
      await alice.release({ all: true });
      expect(granted(await waiting)).toMatchObject({ actor: "bob", fence: 2 });
      await expectWhole(place);
    },
  );

  it("G8 with the server away until its time is over, a waiter hears that instead of waiting on", async () => {
    let passed = 0;
    const clock = { ...systemClock, monoMs: () => systemClock.monoMs() + passed };
    const place = await openClaimsAt(placeAt(await freshDatabase(server.url())), { clock });
    granted(await place.as("alice").claim({ targets: ["a"] }));
    const waiting = place.as("bob").claim({ targets: ["a"], waitMs: 10 * minute });
    await expect.poll(async () => (await place.as("alice").list()).waiters.length).toBe(1);
    await server.stop("immediate");
    passed = 11 * minute;
    const lost = await failure(waiting);
    expect(lost.code).toBe("OUTCOME_UNKNOWN");
    await server.start();
    const again = place.as("bob").claim({ targets: ["a"], key: lost.data.key });
    expect(await again).toMatchObject({ ok: false, code: "CLAIM_WAIT_TIMEOUT" });
    expect((await place.as("alice").list()).waiters).toEqual([]);
  });

  it("P-03 G7 a waiter that was granted while it heard nothing of the server takes its grant with the key", async () => {
    let passed = 0;
    const clock = { ...systemClock, monoMs: () => systemClock.monoMs() + passed };
    const { near, far, proxy } = await openLine(await freshDatabase(server.url()), clock);
    granted(await near.as("alice").claim({ targets: ["a"] }));
    const waiting = failure(far.as("bob").claim({ targets: ["a"], waitMs: 10 * minute }));
    await expect.poll(async () => (await near.as("alice").list()).waiters.length).toBe(1);
    await proxy.close();
    await near.as("alice").release({ all: true });
    passed = 11 * minute;
    const { code, data } = await waiting;
    expect(code).toBe("OUTCOME_UNKNOWN");
    // Nobody else may take it out of the line, or have it.
    expect(await near.as("carol").claim({ targets: ["a"] })).toMatchObject({ ok: false });
    const taken = granted(await near.as("bob").claim({ targets: ["a"], key: data.key }));
    expect(taken).toMatchObject({ actor: "bob", fence: 2 });
    await near.as("bob").release({ all: true });
    granted(await near.as("carol").claim({ targets: ["a"] }));
    await expectWhole(near);
  });
});

describe("a waiter's line to PostgreSQL", () => {
  it("G8 may lose the connection it is woken by", async () => {
    const url = await freshSharedDatabase();
    const place = await openClaimsAt(placeAt(url));
    const [alice, bob] = [place.as("alice"), place.as("bob")];
    granted(await alice.claim({ targets: ["a"] }));
    const waiting = bob.claim({ targets: ["a"], waitMs: 10 * minute });
    await expect.poll(async () => (await alice.list()).waiters.length).toBe(1);
    const listeners = `FROM pg_stat_activity WHERE query LIKE 'LISTEN%'
      AND datname = current_database()`;
    await expect.poll(() => runSql(url, `SELECT pid ${listeners}`)).toHaveLength(1);
    await runSql(url, `SELECT pg_terminate_backend(pid) ${listeners}`);
    await alice.release({ all: true });
    expect(granted(await waiting)).toMatchObject({ actor: "bob" });
  });

  it("G8 may be cut altogether, and cut again", async () => {
    const { far, near, proxy } = await openLine(await freshSharedDatabase());
    const [alice, bob] = [near.as("alice"), far.as("bob")];
    granted(await alice.claim({ targets: ["a"] }));
    const waiting = bob.claim({ targets: ["a"], waitMs: 10 * minute });
    await expect.poll(async () => (await alice.list()).waiters.length).toBe(1);
    for (let times = 0; times < 20; times += 1) {
      proxy.cutAll();
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    await alice.release({ all: true });
    expect(granted(await waiting)).toMatchObject({ actor: "bob", fence: 2 });
    await expectWhole(near);
  });
});
