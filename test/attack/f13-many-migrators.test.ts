import Database from "better-sqlite3";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { verifyEvents } from "../../src/store/index.ts";
import { freshDir, openClaimsAt } from "../helpers/claims.ts";
import { makeOldStore } from "../helpers/old-store.ts";
import { startFaultWorker } from "../helpers/run-claims-fault-worker.ts";
import { runStoreWorker } from "../helpers/run-store-worker.ts";
import { backends, type StorePlace } from "../helpers/store-backends.ts";

/** Keeps every migration from beginning; returns what ends that. */
const holdBack = async ({ backend, address }: StorePlace): Promise<() => Promise<void>> => {
  if (backend === "postgres") {
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    await client.query("BEGIN; LOCK TABLE headgate.schema_migrations IN SHARE MODE");
    return () => client.end();
  }
  const database = new Database(address);
  database.exec("BEGIN IMMEDIATE");
  return async () => void database.close();
};

describe.each(backends)("F13 many that bring $name up to date at once", ({ place: newPlace }) => {
  it("F13 C-05 G1 apply each migration once, keep all data, and one of them gets the claim", async () => {
    const there = await newPlace();
    await makeOldStore(there, 20);
    const { address, localDir } = there;
    const dir = freshDir();
    const killAt = { step: "mid-migration", time: 1 } as const;
    const workers = await Promise.all(
      ["ann", "bob", "cid", "dan"].map((actor) =>
        startFaultWorker({ address, localDir: dir, actor }),
      ),
    );
    // All of them open the old store with their first call, and one more dies doing so. Each has seen
    // that it is old before any of them may begin.
    const letGo = await holdBack(there);
    const calls = Promise.all([
      runStoreWorker({ address, localDir, work: "open", killAt }),
      ...workers.map((worker) => worker.call("claim", { targets: ["a"] })),
    ]);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await letGo();
    const [killed, ...results] = await calls;
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const place = await openClaimsAt(there, { dir });
    const { claims } = await place.as("watcher").list();
    expect(claims).toHaveLength(1);
    const applied = await there.sql("SELECT version FROM schema_migrations ORDER BY version");
    expect(applied.map(({ version }) => Number(version))).toEqual(
      applied.map((_, index) => index + 1),
    );
    expect(killed.lines.at(-1)).toEqual(
      killed.signal === "SIGKILL" ? { started: expect.any(Number) } : { done: true },
    );
    const { store, scope } = place;
    expect(await verifyEvents(store, scope)).toMatchObject({ ok: true, events: 21 });
    expect(await store.outcome(scope, "old 3")).toMatchObject({ state: "committed" });
  });
});
