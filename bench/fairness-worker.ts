/**
 * One of several processes that commit to one SQLite file as fast as they can, for a fixed time.
 * Arguments: way of waiting, folder, seconds. Prints one JSON line. See fairness.ts.
 */
import { openSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { eventByHand } from "./event-by-hand.ts";
import { systemClock } from "../src/base/clock.ts";
import { systemFiles } from "../src/base/files.ts";
import { ownIdentity } from "../src/base/process-identity.ts";
import { systemRandom } from "../src/base/random.ts";
import { FenceMark, openClaimsIn, parseActor } from "../src/claims/index.ts";
import { openStore } from "../src/store/index.ts";
import { Turn } from "../src/store/sqlite/turn.ts";
import { Waiting } from "../src/store/sqlite/waiting.ts";
import type SqliteModule from "better-sqlite3";

type Commit = () => Promise<void>;

const ways: Record<string, (folder: string) => Promise<Commit>> = {
  /** SQLite's own waiting, as most programs set it. */
  "busy-timeout": async (folder) => {
    const database = openRaw(folder, 5000);
    return async () => {
      database.transaction(insert(database)).immediate();
    };
  },

  /** Short jittered waits that block the thread. */
  "jitter-sync": async (folder) => {
    const database = openRaw(folder, 0);
    const transaction = database.transaction(insert(database));
    return async () => {
      while (!attempt(() => transaction.immediate())) systemClock.sleepSync(jitterMs());
    };
  },

  /** The same waits with timers, which Node rounds up to whole milliseconds. */
  "jitter-async": async (folder) => {
    const database = openRaw(folder, 0);
    const transaction = database.transaction(insert(database));
    return async () => {
      while (!attempt(() => transaction.immediate())) await systemClock.sleep(jitterMs());
    };
  },

  /** Headgate's own waiting around the same bare insert: comparable with the ways above. */
  waiting: async (folder) => {
    const database = openRaw(folder, 0);
    const transaction = database.transaction(insert(database));
    const ports = { clock: systemClock, files: systemFiles, path: join(folder, "raw.db") };
    const turn = async () => new Turn(ports);
    const waiting = new Waiting({ ...ports, random: systemRandom, waitMs: 10_000, turn });
    return async () => {
      try {
        await waiting.begin(() => transaction.immediate());
      } finally {
        waiting.ended();
      }
    };
  },

  /** A queue in the kernel: an exclusive lock on a file beside the database. */
  "kernel-lock": async (folder) => {
    const locks = require("fs-native-extensions");
    const database = openRaw(folder, 5000);
    const transaction = database.transaction(insert(database));
    const fd = openSync(join(folder, "turn"), "a+");
    return async () => {
      if (!locks.tryLock(fd)) await locks.waitForLock(fd);
      try {
        transaction.immediate();
      } finally {
        locks.unlock(fd);
      }
    };
  },

  /** The store's own transaction (read head, insert event, move head) by hand, SQLite's waiting. */
  "busy-timeout-event": async (folder) => {
    const database = openRaw(folder, 5000);
    const transaction = database.transaction(eventByHand(database));
    return async () => {
      transaction.immediate();
    };
  },

  /** Headgate itself: one event per write through the public port. */
  store: async (folder) => {
    const store = await openStore({ address: join(folder, "store.db"), localDir: folder });
    const scope = await store.scope({ key: "bench", name: "bench" });
    return async () => {
      await store.write({ scope }, async (tx) => {
        tx.emit({ kind: "bench.commit" });
        return null;
      });
    };
  },

  /** Claims of targets that nobody else wants: each call of the loop is a grant or its release. */
  claims: async (folder) => {
    const store = await openStore({ address: join(folder, "store.db"), localDir: folder });
    const scope = await store.scope({ key: "bench", name: "bench" });
    const { bootId } = ownIdentity();
    const mark = { files: systemFiles, dir: folder, store: store.location, bootId };
    const fences = new FenceMark({ ...mark, isShared: false });
    const me = `worker ${process.pid}`;
    const actor = { ...parseActor(me), process: ownIdentity() };
    const claims = openClaimsIn({ store, scope, fences }, { actor });
    let held: string | undefined;
    let count = 0;
    return async () => {
      if (held === undefined) {
        const result = await claims.claim({ targets: [`src/${me}/file-${(count += 1)}.ts`] });
        if (!result.ok) throw new Error(JSON.stringify(result));
        held = result.claims[0]!.id;
      } else {
        await claims.release({ claims: [held] });
        held = undefined;
      }
    };
  },
};

const require = createRequire(import.meta.url);

const openRaw = (folder: string, timeout: number): SqliteModule.Database => {
  const Database = require("better-sqlite3") as typeof SqliteModule;
  const database = new Database(join(folder, "raw.db"), { timeout: 5000 });
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.exec("CREATE TABLE IF NOT EXISTS numbers (id INTEGER PRIMARY KEY, at INTEGER)");
  database.pragma(`busy_timeout = ${timeout}`);
  return database;
};

const insert = (database: SqliteModule.Database) => {
  const statement = database.prepare("INSERT INTO numbers (at) VALUES (?)");
  return () => statement.run(Date.now());
};

const attempt = (work: () => void): boolean => {
  try {
    work();
    return true;
  } catch (error) {
    if (String((error as { code?: unknown }).code).startsWith("SQLITE_BUSY")) return false;
    throw error;
  }
};

const jitterMs = () => 0.2 + Math.random() * 0.8;

const [way = "store", folder = ".", seconds = "5"] = process.argv.slice(2);
const commit = await ways[way]!(folder);
// One worker starts after the other, so this is without contention: what is measured is how warm
// processes share the file, not how 32 of them compile the same code on a few cores.
for (let index = 0; index < 200; index += 1) await commit();
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));

const waits: number[] = [];
let errors = 0;
const start = performance.now();
const end = start + Number(seconds) * 1000;
for (let now = start; now < end;) {
  try {
    await commit();
  } catch (error) {
    errors += 1;
    process.stderr.write(`${String(error)}\n`);
  }
  const after = performance.now();
  waits.push(after - now);
  now = after;
}
waits.sort((left, right) => left - right);
process.stdout.write(
  `${JSON.stringify({
    commits: waits.length - errors,
    errors,
    p50Ms: waits[Math.floor(waits.length * 0.5)],
    p99Ms: waits[Math.floor(waits.length * 0.99)],
    maxMs: waits.at(-1),
  })}\n`,
);
process.stdin.destroy();
