import { HeadgateError } from "../../errors.ts";
import {
  type AppliedMigration,
  loadMigrations,
  type Migration,
  pendingMigrations,
} from "../load-migrations.ts";
import type { Statement } from "../port.ts";
import type { StoreContext } from "../store-context.ts";
import type { Connection } from "./connection.ts";

/**
 * Brings the database to this version's schema. An up-to-date store costs three reads and no write.
 * Each migration is one transaction that starts with its row in schema_migrations: of two processes
 * one applies it, the other waits and then finds it done; a kill inside leaves nothing of it.
 */
export const migrate = async (connection: Connection, context: StoreContext): Promise<void> => {
  const shipped = loadMigrations(context.files, "sqlite");
  const pending = await connection.retry(() => findPending(connection, shipped, context.readOnly));
  if (!context.readOnly) await connection.retry(() => useWal(connection));
  for (const migration of pending) {
    await connection.retry(() => connection.begin());
    try {
      const stillPending = findPending(connection, shipped, false);
      if (stillPending.includes(migration)) apply(connection, migration, context);
      await connection.retry(() => connection.commit());
    } catch (error) {
      connection.rollback();
      throw error;
    }
  }
};

const findPending = (
  connection: Connection,
  shipped: readonly Migration[],
  readOnly: boolean,
): Migration[] => {
  const location = connection.path;
  // In this order, because another process may finish the first migration between two of these reads.
  const [found] = connection.all<{ tables: number; application: number }>(whoseTables);
  if (!found?.tables) return pendingMigrations({ shipped, applied: [], readOnly, location });
  if (found.application !== applicationId) {
    throw new HeadgateError("STORE_CORRUPT", `${location} is a database of another program`, {
      data: { location },
    });
  }
  const applied = connection.all<AppliedMigration & Record<string, string | number>>(listApplied);
  return pendingMigrations({ shipped, applied, readOnly, location });
};

const apply = (connection: Connection, migration: Migration, context: StoreContext): void => {
  const { version, name, checksum, sql } = migration;
  if (version === 1) {
    connection.exec(createMigrations);
    connection.pragma(`application_id = ${applicationId}`);
  }
  const at = context.clock.wallMs();
  connection.run(recordMigration, { version, name, checksum, at });
  connection.exec(sql());
  context.onStep("mid-migration");
  // For people and other tools; the rows above are what counts.
  connection.pragma(`user_version = ${version}`);
};

const useWal = (connection: Connection): void => {
  // Asking first keeps the usual opening free of anything that takes a lock.
  if (connection.pragma("journal_mode") === "wal") return;
  const mode = connection.pragma("journal_mode = WAL");
  if (mode === "wal") return;
  throw new HeadgateError(
    "STORE_UNAVAILABLE",
    `the file system of ${connection.path} does not allow write-ahead logging (mode ${String(mode)})`,
    { data: { location: connection.path } },
  );
};

/** "HdGt": tells our files from other programs' databases. */
const applicationId = 0x48644774;

const createMigrations = `CREATE TABLE schema_migrations (
  version INTEGER NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT`;

const whoseTables: Statement = {
  sql: `SELECT (SELECT count(*) FROM sqlite_schema) AS tables, application_id AS application
        FROM pragma_application_id`,
};
const listApplied: Statement = {
  sql: "SELECT version, name, checksum FROM schema_migrations ORDER BY version",
};
const recordMigration: Statement = {
  sql: `INSERT INTO schema_migrations (version, name, checksum, applied_at)
        VALUES (:version, :name, :checksum, :at)`,
};
