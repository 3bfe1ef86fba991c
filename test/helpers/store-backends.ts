import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { onTestFinished } from "vitest";
import { type OpenStoreOptions, openStore, type Scope, type Store } from "../../src/store/index.ts";
import { copyDatabase, runSql } from "./postgres.ts";
import { findSharedPostgres, freshSharedDatabase } from "./shared-postgres.ts";
import { atFileEnd, temporaryFolder } from "./temporary-folder.ts";

/** One store that does not exist yet, and ways around our code to look into it and to harm it. */
export interface StorePlace {
  readonly backend: string;
  readonly address: string;
  readonly localDir: string;
  open(options?: Partial<OpenStoreOptions>): Promise<Store>;
  /** Runs SQL by hand, past Headgate, and returns the rows of the last statement. */
  sql(text: string): Promise<Record<string, unknown>[]>;
}

export interface Backend {
  readonly name: "SQLite" | "PostgreSQL";
  place(): Promise<StorePlace>;
  /** The same with an empty store in it, copied: for tests that do not test its making. */
  migratedPlace(): Promise<StorePlace>;
}

const sqlitePlace = async (): Promise<StorePlace> => {
  const localDir = mkdtempSync(join(tmpdir(), "headgate-store-"));
  onTestFinished(() => rmSync(localDir, { recursive: true, force: true }));
  const address = join(localDir, "store.db");
  return storePlace("sqlite", address, localDir, async (text) => runSqliteSql(address, text));
};

export const postgresPlace = (address: string): StorePlace =>
  storePlace("postgres", address, tmpdir(), (text) =>
    runSql(`${address}?options=-csearch_path%3Dheadgate`, text),
  );

let template: Promise<string> | undefined;
const sqliteTemplate = (): Promise<string> => (template ??= makeSqliteTemplate());

const makeSqliteTemplate = async (): Promise<string> => {
  const localDir = temporaryFolder(atFileEnd);
  atFileEnd(() => void (template = undefined));
  const address = join(localDir, "store.db");
  await (await openStore({ address, localDir })).close();
  return address;
};

export const backends: readonly Backend[] = [
  {
    name: "SQLite",
    place: sqlitePlace,
    migratedPlace: async () => {
      const place = await sqlitePlace();
      copyFileSync(await sqliteTemplate(), place.address);
      return place;
    },
  },
  {
    name: "PostgreSQL",
    place: async () => postgresPlace(await freshSharedDatabase()),
    migratedPlace: async () =>
      postgresPlace(
        await copyDatabase(await findSharedPostgres(), async (address) => {
          await (await openStore({ address, localDir: tmpdir() })).close();
        }),
      ),
  },
];

/** A store with one scope, open until the test ends. */
export const openScope = async (
  place: StorePlace,
  options: Partial<OpenStoreOptions> = {},
): Promise<{ store: Store; scope: Scope }> => {
  const store = await place.open(options);
  return { store, scope: await store.scope({ key: "github.com/acme/app", name: "app" }) };
};

/** A table as another room would bring it. */
export const makeNumbers = async (place: StorePlace): Promise<void> => {
  await place.sql("CREATE TABLE numbers (name text PRIMARY KEY, value bigint NOT NULL)");
};

const storePlace = (
  backend: string,
  address: string,
  localDir: string,
  sql: StorePlace["sql"],
): StorePlace => ({
  backend,
  address,
  localDir,
  sql,
  open: async (options = {}) => {
    const store = await openStore({ address, localDir, ...options });
    onTestFinished(() => store.close());
    return store;
  },
});

export const runSqliteSql = (path: string, text: string): Record<string, unknown>[] => {
  const database = new Database(path, { timeout: 5000 });
  try {
    if (!/^\s*(SELECT|PRAGMA)/i.test(text)) {
      database.exec(text);
      return [];
    }
    return database.prepare(text).all() as Record<string, unknown>[];
  } finally {
    database.close();
  }
};
