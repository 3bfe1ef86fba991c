import { limits } from "../../base/limits.ts";
import { HeadgateError } from "../../errors.ts";
import {
  type AppliedMigration,
  loadMigrations,
  type Migration,
  pendingMigrations,
} from "../load-migrations.ts";
import type { StoreContext } from "../store-context.ts";
import type { Connections, Session } from "./connections.ts";
import { sqlState, toStoreError } from "./postgres-error.ts";
import { beginWith } from "./transaction.ts";

/** Brings the schema `headgate` up to date; returns the server's version. One read when it is. */
export const migrate = async (connections: Connections, context: StoreContext): Promise<string> => {
  const shipped = loadMigrations(context.files, "postgres");
  const { location } = connections;
  const session = await connections.borrow();
  let isClean = false;
  try {
    const version = await checkServer(session, location);
    const applied = await listApplied(session);
    const { readOnly } = context;
    const pending = pendingMigrations({ shipped, applied, readOnly, location });
    for (const migration of pending)
      await apply(session, { migration, shipped, location }, context);
    isClean = true;
    return version;
  } catch (error) {
    throw toStoreError(error, location);
  } finally {
    session.release(isClean);
  }
};

const checkServer = async (session: Session, location: string): Promise<string> => {
  const { rows } = await session.query(
    `SELECT current_setting('server_version') AS version,
       current_setting('server_version_num') AS number,
       current_setting('server_encoding') AS encoding`,
  );
  const { version = "", number = "0", encoding = "" } = (rows[0] ?? {}) as Record<string, string>;
  if (Number(number) >= serverVersionMin && encoding === "UTF8") return version;
  throw new HeadgateError(
    "STORE_UNAVAILABLE",
    `${location} is PostgreSQL ${version} with encoding ${encoding}; 13 or newer with UTF8 is needed`,
    { data: { location, version, encoding } },
  );
};

const serverVersionMin = 130_000;

const listApplied = async (session: Session): Promise<AppliedMigration[]> => {
  try {
    const { rows } = await session.query(
      "SELECT version, name, checksum FROM headgate.schema_migrations ORDER BY version",
    );
    return rows as AppliedMigration[];
  } catch (error) {
    // No such schema or table: an empty store.
    if (["42P01", "3F000"].includes(sqlState(error) ?? "")) return [];
    throw error;
  }
};

/** One transaction each, its row first; the advisory lock lets other starters wait and then see it. */
const apply = async (
  session: Session,
  what: { migration: Migration; shipped: readonly Migration[]; location: string },
  context: StoreContext,
): Promise<void> => {
  const { migration, shipped, location } = what;
  const { version, name, checksum, sql } = migration;
  // Waiting for another starter and rewriting a large table may take as long as the limit that the server gets.
  const send = (text: string, values: readonly unknown[] = []) =>
    session.query(text, values, limits.storeMigrationTimeoutMs);
  await send(beginWith("write", context.waitMs).text);
  try {
    await send(`SET LOCAL statement_timeout = ${limits.storeMigrationTimeoutMs}`);
    await send("SELECT pg_advisory_xact_lock($1)", [migrationLock]);
    // "IF NOT EXISTS" asks for the right to create schemas also where the schema is there.
    const { rows } = await send("SELECT to_regnamespace('headgate') IS NOT NULL AS there");
    if (!rows[0]?.there) await send("CREATE SCHEMA headgate");
    await send(createMigrations);
    const applied = await listApplied(session);
    const stillPending = pendingMigrations({ shipped, applied, readOnly: false, location });
    if (stillPending.includes(migration)) {
      await send(
        `INSERT INTO schema_migrations (version, name, checksum, applied_at)
         VALUES ($1, $2, $3, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)`,
        [version, name, checksum],
      );
      await send(sql());
      context.onStep("mid-migration");
    }
    await send("COMMIT");
  } catch (error) {
    // On a lost connection the server rolls back by itself; the first error is the one to tell.
    await send("ROLLBACK").catch(() => {});
    throw error;
  }
};

/** Any fixed number does, as long as no other program uses it for an advisory lock in this database. */
const migrationLock = 4_822_041_795_223;

const createMigrations = `CREATE TABLE IF NOT EXISTS schema_migrations (
  version integer PRIMARY KEY,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at bigint NOT NULL
)`;
