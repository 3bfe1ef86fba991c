import { createHash } from "node:crypto";
import type SqliteModule from "better-sqlite3";
import { newId } from "../src/base/ids.ts";

/** The store's own work (read the head, insert the event, move the head) with nothing around it. */
export const eventByHand = (database: SqliteModule.Database) => {
  database.exec(`CREATE TABLE IF NOT EXISTS head (id INTEGER PRIMARY KEY, seq INTEGER, hash TEXT);
    CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY, id TEXT, at INTEGER, kind TEXT,
      operation TEXT, data TEXT, hash TEXT);
    CREATE INDEX IF NOT EXISTS by_operation ON events (operation);
    INSERT OR IGNORE INTO head VALUES (1, 0, '')`);
  const read = database.prepare<[], { seq: number; hash: string }>("SELECT seq, hash FROM head");
  const add = database.prepare("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)");
  const move = database.prepare("UPDATE head SET seq = ?, hash = ? WHERE id = 1");
  return () => {
    const head = read.get()!;
    const seq = head.seq + 1;
    const at = Date.now();
    const hash = createHash("sha256").update(`${head.hash} ${seq} ${at}`).digest("hex");
    add.run(seq, newId("event"), at, "bench.commit", newId("operation"), "{}", hash);
    move.run(seq, hash);
  };
};
