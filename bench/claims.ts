// Grant and release against the bare write transactions they need, with few and with many live claims,
// and against other ways to hold something: lock files, advisory locks, Redis, etcd.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import pg from "pg";
import type { Claims } from "../src/claims/index.ts";
import { openStore } from "../src/store/index.ts";
import { startPostgres } from "../test/helpers/postgres.ts";
import { peers } from "./claim-peers.ts";
import { claimsInFolder, file, fill, grantAndRelease, mixedTarget } from "./claims-crowd.ts";
import { compare, median, measuredRows, printTable, saveResult } from "./harness.ts";

const rounds = 31;
const perRound = 20;
const warmUpRounds = 20;
const manyClaims = 100_000;
const folder = fs.mkdtempSync(join(tmpdir(), "headgate-bench-"));
const claimsIn = claimsInFolder(folder);

const bareSqlite = (): { readonly database: Database.Database; write(): void; erase(): void } => {
  const database = new Database(join(folder, "bare.db"));
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.exec("CREATE TABLE held (id INTEGER PRIMARY KEY, at INTEGER, data TEXT) STRICT");
  const [begin, commit] = [database.prepare("BEGIN IMMEDIATE"), database.prepare("COMMIT")];
  const insert = database.prepare("INSERT INTO held (at, data) VALUES (?, ?)");
  const erase = database.prepare("DELETE FROM held");
  const within = (work: () => void) => {
    begin.run();
    work();
    commit.run();
  };
  return {
    database,
    write: () => within(() => insert.run(Date.now(), "x".repeat(100))),
    erase: () => within(() => erase.run()),
  };
};

const onSqlite = async () => {
  const bare = bareSqlite();
  await using few = await openStore({ address: "", localDir: join(folder, "few") });
  await using many = await openStore({ address: "", localDir: join(folder, "many") });
  const fewClaims = await claimsIn(few, "few");
  const manyClaimsApi = await claimsIn(many, "many");
  await fill(fewClaims, 10);
  await fill(manyClaimsApi, manyClaims);
  const options = { rounds, perRound, warmUpRounds };
  const others = await peers(folder);
  const pairs = await compare(
    [
      {
        name: "two bare write transactions (insert, delete)",
        run: () => {
          bare.write();
          bare.erase();
        },
      },
      grantAndRelease("grant + release, 10 live claims", fewClaims),
      grantAndRelease(`grant + release, ${manyClaims} live claims`, manyClaimsApi),
      ...others.contenders,
    ],
    options,
  );
  others.stop();
  const checks = await compare(
    [
      { name: "one bare write transaction", run: () => bare.write() },
      {
        name: `check, ${manyClaims} live claims, clear`,
        run: async (index) => {
          await manyClaimsApi.check([file(`work/file-${index}.ts`)]);
        },
      },
      {
        name: `check, ${manyClaims} live claims, blocked`,
        run: async (index) => {
          const { clear } = await manyClaimsApi.check([mixedTarget((index * 100) % manyClaims)]);
          if (clear) throw new Error("not blocked");
        },
      },
    ],
    options,
  );
  bare.database.close();
  return { pairs, checks };
};

const onPostgres = async () => {
  const server = await startPostgres();
  try {
    const bare = new pg.Client({ connectionString: server.url() });
    const listener = new pg.Client({ connectionString: server.url() });
    await Promise.all([bare.connect(), listener.connect()]);
    await using store = await openStore({ address: server.url(), localDir: join(folder, "pg") });
    await using otherStore = await openStore({
      address: server.url(),
      localDir: join(folder, "pg"),
    });
    const claims = await claimsIn(store, "pg");
    await fill(claims, 10);
    await bare.query("CREATE TABLE headgate_bench (at bigint)");
    const held: string[] = [];
    const grants = await compare(
      [
        { name: "select 1", run: async () => void (await bare.query("select 1")) },
        {
          name: "grant (one round trip)",
          run: async (index) => {
            const result = await claims.claim({ targets: [`work/a${index % 50}/f-${index}.ts`] });
            if (!result.ok) throw new Error(JSON.stringify(result).slice(0, 300));
            held.push(result.claims[0]!.id);
          },
        },
        {
          name: "release (of one)",
          run: async () => {
            const id = held.pop();
            if (id !== undefined) await claims.release({ claims: [id] });
          },
        },
        {
          name: "bare INSERT, durable",
          run: async () => void (await bare.query("INSERT INTO headgate_bench (at) VALUES (1)")),
        },
        {
          name: "advisory lock + unlock (session, not durable)",
          run: async () => {
            await bare.query("select pg_advisory_lock(1)");
            await bare.query("select pg_advisory_unlock(1)");
          },
        },
      ],
      { rounds, perRound, warmUpRounds },
    );
    await claims.release({ all: true });
    const wakes = await wakeUps(listener, bare, {
      holder: claims,
      waiter: (await claimsIn(otherStore, "pg")).as("the one who waits"),
    });
    await Promise.all([bare.end(), listener.end()]);
    return { grants, wakes };
  } finally {
    await server.dispose();
  }
};

/** From the end of the release (or of NOTIFY) until the other side has its answer. */
const wakeUps = async (
  listener: pg.Client,
  sender: pg.Client,
  { holder, waiter }: { readonly holder: Claims; readonly waiter: Claims },
) => {
  await listener.query("LISTEN bench");
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < 60; round += 1) {
    const heard = new Promise<number>((resolve) => {
      listener.once("notification", () => resolve(performance.now()));
    });
    const sent = performance.now();
    await sender.query("NOTIFY bench");
    bare.push((await heard) - sent);
    await holder.claim({ targets: ["hot"] });
    const woken = waiter
      .claim({ targets: ["hot"], waitMs: 60_000 })
      .then((result) => ({ at: performance.now(), result }));
    while ((await holder.list()).waiters.length === 0)
      await new Promise((resolve) => setTimeout(resolve, 2));
    // It is in line; now it goes to sleep.
    await new Promise((resolve) => setTimeout(resolve, 20));
    const released = performance.now();
    await holder.release({ all: true });
    const { at, result } = await woken;
    if (!result.ok) throw new Error(JSON.stringify(result).slice(0, 300));
    ours.push(at - released);
    await waiter.release({ all: true });
  }
  const [floor, took] = [median(bare.slice(10)), median(ours.slice(10))];
  return [
    { name: "bare NOTIFY to LISTEN", medianMs: floor, ratio: 1 },
    { name: "release to the waiter's answer", medianMs: took, ratio: took / floor },
  ];
};

try {
  const { pairs, checks } = await onSqlite();
  const header = ["", "ms", "ratio"];
  printTable(
    `SQLite, one process (median of ${rounds} rounds of ${perRound})`,
    header,
    measuredRows(pairs),
  );
  printTable("SQLite, looking", header, measuredRows(checks));
  const { grants, wakes } = await onPostgres();
  printTable("PostgreSQL", header, measuredRows(grants));
  printTable("PostgreSQL, waking a waiter (median of 50)", header, measuredRows(wakes));
  saveResult("claims", { rounds, manyClaims, pairs, checks, grants, wakes });
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
