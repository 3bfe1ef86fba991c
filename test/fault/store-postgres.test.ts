import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  openStore,
  verifyEvents,
  type Scope,
  type Store,
  type Writer,
} from "../../src/store/index.ts";
import { type CuttingProxy, startCuttingProxy } from "../helpers/cutting-proxy.ts";
import { freshDatabase, type PostgresServer, runSql, startPostgres } from "../helpers/postgres.ts";
import { freshSharedDatabase } from "../helpers/shared-postgres.ts";
import { runStoreWorker } from "../helpers/run-store-worker.ts";

interface Line {
  /** Through the proxy. */
  readonly store: Store;
  /** Straight to the server. */
  readonly direct: Store;
  readonly scope: Scope;
  readonly proxy: CuttingProxy;
}

const openLine = async (): Promise<Line> => {
  const url = await freshSharedDatabase();
  const proxy = await startCuttingProxy(Number(new URL(url).port));
  const throughProxy = new URL(url);
  throughProxy.port = String(proxy.port);
  const direct = await openStore({ address: url, localDir: "." });
  const store = await openStore({ address: throughProxy.href, localDir: "." });
  onTestFinished(async () => {
    await store.close();
    await direct.close();
    await proxy.close();
  });
  return { store, direct, proxy, scope: await store.scope({ key: "k", name: "n" }) };
};

const emitOnly = async (tx: Writer) => tx.emit({ kind: "test.noted" });
const lookFirst = async (tx: Writer) => {
  await tx.now();
  return tx.emit({ kind: "test.noted" });
};

const failure = async (
  promise: Promise<unknown>,
): Promise<{ code: string; data: { key: string } }> => {
  const error: unknown = await promise.catch((reason: unknown) => reason);
  return error as { code: string; data: { key: string } };
};

describe.each([
  ["a write that only emits", emitOnly],
  ["a write that looks first", lookFirst],
])("line cut around COMMIT of %s", (_title, work) => {
  it.each([undefined, "my key"])(
    "G7 before COMMIT arrives: unknown, then truly not there (key %s)",
    async (key) => {
      const { store, direct, scope, proxy } = await openLine();
      proxy.cut = "before-commit";
      const lost = await failure(store.write({ scope, ...(key && { key }) }, work));
      expect(lost.code).toBe("OUTCOME_UNKNOWN");
      if (key) expect(lost.data.key).toBe(key);
      proxy.cut = "none";
      expect(await store.outcome(scope, lost.data.key)).toEqual({ state: "not-committed" });
      expect((await direct.readEvents({ scope })).head).toBe(1);
      // Asking again with the key does it once.
      if (key) await store.write({ scope, key }, work);
      expect((await direct.readEvents({ scope })).head).toBe(key ? 2 : 1);
    },
  );

  it.each([undefined, "my key"])(
    "G7 after COMMIT arrived: unknown, then truly there (key %s)",
    async (key) => {
      const { store, direct, scope, proxy } = await openLine();
      proxy.cut = "after-commit";
      const lost = await failure(store.write({ scope, ...(key && { key }) }, work));
      expect(lost.code).toBe("OUTCOME_UNKNOWN");
      proxy.cut = "none";
      const [event] = (await direct.readEvents({ scope, last: 1 })).events;
      const outcome = await store.outcome(scope, lost.data.key);
      expect(outcome).toMatchObject({ state: "committed", ...(key && { result: event!.id }) });
      if (key) expect(await store.write({ scope, key }, work)).toBe(event!.id);
      expect((await direct.readEvents({ scope })).head).toBe(2);
      expect(await verifyEvents(direct, scope)).toMatchObject({ ok: true });
    },
  );
});

describe("COMMIT that is late", () => {
  it("G7 outcome waits for a transaction that still holds the scope, then tells its end", async () => {
    const { store, direct, scope, proxy } = await openLine();
    proxy.cut = "late-commit";
    const lost = await failure(store.write({ scope, key: "late" }, lookFirst));
    expect(lost.code).toBe("OUTCOME_UNKNOWN");
    let isAnswered = false;
    const asking = direct.outcome(scope, "late").finally(() => (isAnswered = true));
    await direct.readEvents({ scope });
    expect(isAnswered).toBe(false);
    await proxy.deliver();
    expect(await asking).toMatchObject({ state: "committed" });
    expect((await direct.readEvents({ scope })).head).toBe(2);
  });

  it("G7 what was reported as not done is never done later", async () => {
    const { store, direct, scope, proxy } = await openLine();
    proxy.cut = "late-commit";
    const lost = await failure(store.write({ scope }, emitOnly));
    expect(await direct.outcome(scope, lost.data.key)).toEqual({ state: "not-committed" });
    await proxy.deliver();
    expect((await direct.readEvents({ scope })).head).toBe(1);
    expect(await direct.outcome(scope, lost.data.key)).toEqual({ state: "not-committed" });
  });
});

describe("PostgreSQL connections", () => {
  it("G7 a line lost before COMMIT was sent is STORE_UNAVAILABLE, and nothing happened", async () => {
    const { store, direct, scope, proxy } = await openLine();
    const write = store.write({ scope, key: "k" }, async (tx) => {
      await tx.now();
      await proxy.close();
      await new Promise((resolve) => setTimeout(resolve, 50));
      return tx.emit({ kind: "test.noted" });
    });
    expect((await failure(write)).code).toBe("STORE_UNAVAILABLE");
    expect(await direct.outcome(scope, "k")).toEqual({ state: "not-committed" });
    expect((await direct.readEvents({ scope })).head).toBe(1);
  });

  it("C-01 a deadlock is solved by running the work again", async () => {
    const url = await freshSharedDatabase();
    const open = async () => {
      const store = await openStore({ address: url, localDir: "." });
      onTestFinished(() => store.close());
      return store;
    };
    const [one, two] = [await open(), await open()];
    const scopes = [
      await one.scope({ key: "a", name: "a" }),
      await one.scope({ key: "b", name: "b" }),
    ];
    let runs = 0;
    const { promise: both, resolve: bothHold } = Promise.withResolvers<void>();
    const cross = (store: Store, mine: Scope, theirs: Scope) =>
      store.write({ scope: mine }, async (tx) => {
        await tx.now();
        runs += 1;
        if (runs === 2) bothHold();
        await both;
        await tx.get({ sql: "SELECT id FROM scopes WHERE id = :id FOR UPDATE" }, { id: theirs.id });
        return tx.emit({ kind: "test.crossed" });
      });
    await Promise.all([cross(one, scopes[0]!, scopes[1]!), cross(two, scopes[1]!, scopes[0]!)]);
    // More than once when the repetition is faster than the writer it had blocked.
    expect(runs).toBeGreaterThanOrEqual(3);
    for (const scope of scopes) expect((await one.readEvents({ scope })).head).toBe(2);
  });

  it("C-01 many writers and readers of one process share four connections without starving", async () => {
    const url = await freshSharedDatabase();
    const store = await openStore({ address: url, localDir: "." });
    onTestFinished(() => store.close());
    const scope = await store.scope({ key: "k", name: "n" });
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        index % 2 === 0 ? store.write({ scope }, lookFirst) : store.readEvents({ scope }),
      ),
    );
    const [row] = await runSql(
      url,
      // The server's own workers (autovacuum) look at the database, too.
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'",
    );
    expect(Number(row!["n"])).toBeLessThanOrEqual(5);
    expect((await store.readEvents({ scope })).head).toBe(31);
  });

  it("G2 commits are durable even where the server's default is not", async () => {
    const url = await freshSharedDatabase();
    const name = new URL(url).pathname.slice(1);
    await runSql(url, `ALTER DATABASE ${name} SET synchronous_commit = off`);
    const store = await openStore({ address: url, localDir: "." });
    onTestFinished(() => store.close());
    const scope = await store.scope({ key: "k", name: "n" });
    const rows = await runSql(
      url,
      `SELECT headgate.append_events('${scope.id}', 'op_1', '{ev_1}', '{a.b}', '{NULL}', '{NULL}',
         '{"{}"}', NULL, NULL) AS seq, current_setting('synchronous_commit') AS setting`,
    );
    expect(rows).toEqual([{ seq: "2", setting: "on" }]);
  });

  it("C-01 nothing is left in a connection that a pooler would lend to others", async () => {
    const url = await freshSharedDatabase();
    const store = await openStore({ address: url, localDir: "." });
    onTestFinished(() => store.close());
    const scope = await store.scope({ key: "k", name: "n" });
    await store.write({ scope, key: "k" }, lookFirst);
    const rows = await store.read((tx) =>
      tx.all({
        sqlite: "",
        postgres: `SELECT (SELECT count(*) FROM pg_prepared_statements) AS prepared,
          (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory') AS locks,
          (SELECT count(*) FROM pg_settings WHERE source = 'session'
             AND name IN ('search_path', 'lock_timeout', 'statement_timeout')) AS local`,
      }),
    );
    expect(rows).toEqual([{ prepared: 0, locks: 0, local: 3 }]);
    const outside = await runSql(url, "SHOW search_path");
    expect(outside).toEqual([{ search_path: '"$user", public' }]);
  });
});

describe("PostgreSQL server that dies", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
    return () => server.dispose();
  });

  it("G6 G2 after an immediate stop under load everything acknowledged is there", async () => {
    const address = await freshDatabase(server.url());
    let acks = 0;
    const stopped = Promise.withResolvers<void>();
    const worker = runStoreWorker(
      { address, localDir: ".", work: "append", times: 400, waitMs: 2000 },
      {
        onLine: (line) => {
          if (!line.ack) return;
          acks += 1;
          if (acks === 40) server.stop("immediate").then(stopped.resolve, stopped.reject);
        },
      },
    );
    await stopped.promise;
    await server.start();
    const end = await worker;
    const codes = new Set(end.lines.flatMap((line) => line.code ?? line.failed ?? []));
    for (const code of codes) expect(["STORE_UNAVAILABLE", "OUTCOME_UNKNOWN"]).toContain(code);
    expect(codes.size).toBeGreaterThan(0);
    const store = await openStore({ address, localDir: "." });
    onTestFinished(() => store.close());
    const scope = await store.scope({ key: "github.com/acme/app", name: "app" });
    const { events } = await store.readEvents({ scope });
    const ids = new Set(events.map((event) => event.id));
    const acked = end.lines.flatMap((line) => line.ack ?? []);
    expect(acked.filter((id) => !ids.has(id))).toEqual([]);
    let committed = 0;
    for (const line of end.lines) {
      if (line.code !== "OUTCOME_UNKNOWN") continue;
      if ((await store.outcome(scope, line.key!)).state === "committed") committed += 1;
    }
    expect(events).toHaveLength(1 + acked.length + committed);
    expect(await verifyEvents(store, scope)).toMatchObject({ ok: true });
  });

  it("C-06 a follower survives a restart of the server without a gap", async () => {
    const address = await freshDatabase(server.url());
    const store = await openStore({ address, localDir: "." });
    onTestFinished(() => store.close());
    const scope = await store.scope({ key: "k", name: "n" });
    const waiting = store.waitForEvents(scope, 1, new AbortController().signal).then(
      () => "woken",
      (error: { code?: string }) => error.code,
    );
    await store.write({ scope }, lookFirst);
    expect(await waiting).toBe("woken");
    await server.stop("fast");
    await server.start();
    const { signal } = new AbortController();
    const again = store.waitForEvents(scope, 2, signal);
    await store.write({ scope }, lookFirst);
    await again;
    expect((await store.readEvents({ scope, since: 1 })).events.map((event) => event.seq)).toEqual([
      2, 3,
    ]);
  });
});
