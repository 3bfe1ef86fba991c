import { readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { claimsProgram } from "../helpers/claims-program.ts";
import { openClaimsAt } from "../helpers/claims.ts";
import { backends, runSqliteSql } from "../helpers/store-backends.ts";
import { stateFolder } from "../helpers/state-folder.ts";

const harms: readonly [string, string, (path: string) => void][] = [
  [
    "cut in half",
    "STORE_CORRUPT",
    (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  ],
  [
    "another program's database",
    "STORE_CORRUPT",
    (path) => {
      rmSync(path);
      const other = new Database(path);
      other.exec("CREATE TABLE claims (id TEXT); INSERT INTO claims VALUES ('theirs')");
      other.close();
    },
  ],
  [
    "of a newer Headgate",
    "STORE_SCHEMA_NEWER",
    (path) => void runSqliteSql(path, "INSERT INTO schema_migrations VALUES (99, 'later', 'x', 1)"),
  ],
  [
    "of a Headgate with another history",
    "STORE_MIGRATION_CHANGED",
    (path) =>
      void runSqliteSql(path, "UPDATE schema_migrations SET checksum = 'x' WHERE version = 2"),
  ],
];

describe("F10 a store that is not ours to use", () => {
  it.each(harms)(
    "F10 G13 %s: every command about claims refuses with %s",
    async (_, code, harm) => {
      const { as, cwd } = claimsProgram();
      await as("alice")("claim", "a.txt");
      const path = join(stateFolder(cwd), "store.db");
      for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
      harm(path);
      const before = readFileSync(path);
      const ends = await Promise.all(
        [
          ["claim", "b.txt"],
          ["check", "a.txt"],
          ["release", "--all"],
        ].map((args) => as("bob")(...args)),
      );
      for (const { code: exit, answer } of ends) {
        expect([exit !== 0, answer.code]).toEqual([true, code]);
      }
      expect(readFileSync(path).equals(before)).toBe(true);
    },
  );
});

it("F10 G13 a claims table that lost a column is an error, never an empty table", async () => {
  for (const { place } of backends) {
    const there = await place();
    const { as } = await openClaimsAt(there);
    await as("alice").claim({ targets: ["a"] });
    await there.sql("ALTER TABLE claims DROP COLUMN reason");
    await expect(as("bob").claim({ targets: ["a"] })).rejects.toMatchObject({
      name: "HeadgateError",
    });
    await expect(as("bob").check(["a"])).rejects.toMatchObject({ name: "HeadgateError" });
  }
});
