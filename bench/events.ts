// One event transaction through the store against a bare INSERT transaction, on both back ends.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import pg from "pg";
import { eventByHand } from "./event-by-hand.ts";
import { openStore } from "../src/store/index.ts";
import { startPostgres } from "../test/helpers/postgres.ts";
import { compare, measuredRows, printTable, saveResult } from "./harness.ts";

const rounds = 31;
const perRound = 40;
// A write-ahead log that still grows hides the difference behind the cost of growing; SQLite starts
// over after 1000 pages.
const warmUpRounds = 30;
const folder = fs.mkdtempSync(join(tmpdir(), "headgate-bench-"));
const event = {
  kind: "bench.ticked",
  actor: "ac_bench",
  subject: "a/b.ts",
  data: { index: 1, why: "x" },
};
const payload = JSON.stringify(event);

const onSqlite = async () => {
  const bare = new Database(join(folder, "bare.db"));
  bare.pragma("journal_mode = WAL");
  bare.pragma("synchronous = FULL");
  bare.exec("CREATE TABLE bare_events (seq INTEGER PRIMARY KEY, at INTEGER, data TEXT) STRICT");
  const begin = bare.prepare("BEGIN IMMEDIATE");
  const insert = bare.prepare("INSERT INTO bare_events (at, data) VALUES (?, ?)");
  const commit = bare.prepare("COMMIT");
  const byHand = bare.transaction(eventByHand(bare));
  await using store = await openStore({ address: "", localDir: join(folder, "local") });
  const scope = await store.scope({ key: "path:bench", name: "bench" });
  const measured = await compare(
    [
      {
        name: "bare INSERT transaction",
        run: () => {
          begin.run();
          insert.run(Date.now(), payload);
          commit.run();
        },
      },
      { name: "the same event and chain by hand", run: () => byHand.immediate() },
      {
        name: "headgate event transaction",
        run: async () => {
          await store.write({ scope }, async (tx) => tx.emit(event));
        },
      },
    ],
    { rounds, perRound, warmUpRounds },
  );
  bare.close();
  return measured;
};

const onPostgres = async () => {
  const server = await startPostgres();
  try {
    const bare = new pg.Client({ connectionString: server.url() });
    await bare.connect();
    await bare.query("CREATE TABLE bare_events (seq BIGSERIAL PRIMARY KEY, at BIGINT, data TEXT)");
    await using store = await openStore({ address: server.url(), localDir: join(folder, "pg") });
    const scope = await store.scope({ key: "git:bench", name: "bench" });
    const insert = "INSERT INTO bare_events (at, data) VALUES ($1, $2)";
    const measured = await compare(
      [
        {
          name: "bare BEGIN, INSERT, COMMIT",
          run: async () => {
            await bare.query("BEGIN");
            await bare.query(insert, [Date.now(), payload]);
            await bare.query("COMMIT");
          },
        },
        {
          name: "bare INSERT without BEGIN (one round trip)",
          run: async () => {
            await bare.query(insert, [Date.now(), payload]);
          },
        },
        {
          name: "headgate event transaction",
          run: async () => {
            await store.write({ scope }, async (tx) => tx.emit(event));
          },
        },
      ],
      { rounds, perRound, warmUpRounds },
    );
    await bare.end();
    return measured;
  } finally {
    await server.dispose();
  }
};

try {
  const sqlite = await onSqlite();
  const header = ["transaction", "ms", "ratio"];
  printTable(
    `SQLite, synchronous=FULL (median of ${rounds} rounds of ${perRound})`,
    header,
    measuredRows(sqlite),
  );
  const postgres = await onPostgres();
  printTable(
    `PostgreSQL, fsync on (median of ${rounds} rounds of ${perRound})`,
    header,
    measuredRows(postgres),
  );
  saveResult("events", { rounds, sqlite, postgres });
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
