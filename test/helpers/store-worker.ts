/**
 * A process that works on a store for a test: `node store-worker.ts JOB` with the job as JSON.
 * Every line on standard output is one JSON value, written before anything else happens.
 */
import { existsSync, readFileSync, writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { openStore, type Store, type StoreStep } from "../../src/store/index.ts";
import { HeadgateError } from "../../src/errors.ts";

export interface StoreJob {
  readonly address: string;
  readonly localDir: string;
  readonly work: "append" | "count" | "win" | "open" | "ask";
  readonly times?: number;
  /** Kill this process at the n-th time the store reaches the step. */
  readonly killAt?: { readonly step: StoreStep; readonly time: number };
  /** Kill this process as soon as it has told of a failed write. */
  readonly killAfterError?: boolean;
  /** For "ask": a file in which a key will appear. */
  readonly keyFile?: string;
  readonly waitMs?: number;
}

const job = JSON.parse(process.argv[2] ?? "{}") as StoreJob;
const say = (value: unknown) => writeSync(1, `${JSON.stringify(value)}\n`);

let seen = 0;
const onStep = (step: StoreStep) => {
  if (step !== job.killAt?.step) return;
  seen += 1;
  if (seen === job.killAt.time) process.kill(process.pid, "SIGKILL");
};

const works: Record<StoreJob["work"], (store: Store) => Promise<void>> = {
  open: async () => {},

  /** Emits an event per write and acknowledges each one only after the write returned. */
  append: async (store) => {
    const scope = await store.scope({ key: "github.com/acme/app", name: "app" });
    for (let index = 0; index < (job.times ?? 1); index += 1) {
      try {
        const id = await store.write({ scope }, async (tx) => {
          await tx.now();
          return tx.emit({ kind: "test.appended", actor: `ac_${process.pid}`, data: { index } });
        });
        say({ ack: id });
      } catch (error) {
        if (!HeadgateError.isInstance(error)) throw error;
        say({ code: error.code, ...error.data });
        if (job.killAfterError) process.kill(process.pid, "SIGKILL");
      }
    }
  },

  /** Holds the store open until there is a key to ask about, tells its outcome and dies. */
  ask: async (store) => {
    const scope = await store.scope({ key: "github.com/acme/app", name: "app" });
    const file = job.keyFile ?? "";
    for (let looks = 0; !existsSync(file) && looks < 4000; looks += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    say(await store.outcome(scope, readFileSync(file, "utf8")));
    process.kill(process.pid, "SIGKILL");
  },

  /** Reads a number and writes the next one: loses updates unless writes are true transactions. */
  count: async (store) => {
    const scope = await store.scope({ key: "github.com/acme/app", name: "app" });
    for (let index = 0; index < (job.times ?? 1); index += 1) {
      await store.write({ scope }, async (tx) => {
        const row = await tx.get<{ value: number }>({
          sql: "SELECT value FROM numbers WHERE name = 'count'",
        });
        const value = (row?.value ?? 0) + 1;
        await tx.run({ sql: "UPDATE numbers SET value = :value WHERE name = 'count'" }, { value });
        tx.emit({ kind: "test.counted", data: { value } });
        return value;
      });
    }
  },

  /** Takes what is free: exactly one of several processes may say true. */
  win: async (store) => {
    const scope = await store.scope({ key: "github.com/acme/app", name: "app" });
    for (let index = 0; index < (job.times ?? 1); index += 1) {
      const won = await store.write({ scope }, async (tx) => {
        const name = `prize ${index}`;
        if (await tx.get({ sql: "SELECT 1 AS one FROM numbers WHERE name = :name" }, { name })) {
          return false;
        }
        await tx.run({ sql: "INSERT INTO numbers (name, value) VALUES (:name, 1)" }, { name });
        tx.emit({ kind: "test.won", subject: name });
        return true;
      });
      if (won) say({ won: index });
    }
  },
};

const { address, localDir, waitMs } = job;
say({ started: process.pid });
try {
  const store = await openStore({ address, localDir, onStep, ...(waitMs && { waitMs }) });
  // Most of them are killed; compiled code is kept for the next one.
  flushCompileCache();
  say({ opened: true });
  await works[job.work](store);
  await store.close();
  say({ done: true });
} catch (error) {
  say({ failed: HeadgateError.isInstance(error) ? error.code : String(error) });
  process.exitCode = 1;
}
