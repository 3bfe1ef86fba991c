import Database from "better-sqlite3";
import pg from "pg";
import { onTestFinished } from "vitest";
import type { Scope } from "../../src/store/index.ts";
import type { StorePlace } from "./store-backends.ts";

/** Keeps every writer of a scope waiting, past our code, until it is told to let go. */
export interface WriteLock {
  take(): Promise<void>;
  release(): Promise<void>;
}

export const openWriteLock = async (place: StorePlace, scope: Scope): Promise<WriteLock> => {
  if (place.backend === "sqlite") {
    const database = new Database(place.address, { timeout: 60_000 });
    onTestFinished(() => void database.close());
    return {
      take: async () => void database.exec("BEGIN IMMEDIATE"),
      release: async () => void database.exec("ROLLBACK"),
    };
  }
  const client = new pg.Client({ connectionString: place.address });
  await client.connect();
  onTestFinished(() => client.end());
  return {
    take: async () => {
      await client.query("BEGIN");
      await client.query("SELECT 1 FROM headgate.scopes WHERE id = $1 FOR UPDATE", [scope.id]);
    },
    release: async () => {
      await client.query("ROLLBACK");
    },
  };
};
