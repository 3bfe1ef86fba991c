import type Sqlite from "better-sqlite3";
import { limits } from "../../base/limits.ts";
import { HeadgateError } from "../../errors.ts";
import { checkParameter } from "../parameters.ts";
import type { Row, Statement } from "../port.ts";
import type { StoreContext } from "../store-context.ts";
import { toStoreError } from "./sqlite-error.ts";
import { isSafeSqliteVersion } from "./sqlite-version.ts";
import { Waiting } from "./waiting.ts";

/** One handle on the database file. Synchronous; waits only in `retry`. */
export class Connection {
  readonly path: string;
  readonly version: string;
  readonly #database: Sqlite.Database;
  readonly #waiting: Waiting;
  readonly #statements = new Map<string, Sqlite.Statement>();
  /** Rows changed since the handle was opened, by whatever statement. */
  changes = 0;

  private constructor(
    path: string,
    version: string,
    database: Sqlite.Database,
    context: StoreContext,
  ) {
    this.path = path;
    this.version = version;
    this.#database = database;
    this.#waiting = new Waiting({ ...context, path });
  }

  /** `access`: "read" opens the file itself read-only, "query" only forbids writing statements. */
  static async open(
    path: string,
    access: "write" | "query" | "read",
    context: StoreContext,
  ): Promise<Connection> {
    const { default: Database } = await import("better-sqlite3");
    let database: Sqlite.Database | undefined;
    try {
      const handle = new Database(path, {
        readonly: access === "read",
        fileMustExist: true,
        timeout: 0,
      });
      database = handle;
      // The very first statement may meet another process that creates or recovers the file.
      return await new Waiting({ ...context, path }).retry(() => {
        prepareHandle(handle, access);
        return new Connection(path, versionOf(handle), handle, context);
      });
    } catch (error) {
      database?.close();
      throw toStoreError(error, path);
    }
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  /** Waits for other processes; see waiting.ts. */
  retry<T>(attempt: () => T): Promise<T> {
    return this.#waiting.retry(attempt);
  }

  /** Begins a write transaction when it is this process's turn. */
  async beginWriting(): Promise<void> {
    await this.#waiting.stepBack();
    await this.retry(() => this.begin());
  }

  /** Raw text without parameters: migrations. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  pragma(source: string): unknown {
    return this.#database.pragma(source, { simple: true });
  }

  all<R extends Row>(statement: Statement, parameters: Row = {}): R[] {
    const prepared = this.#prepare(statement);
    const values = bindable(parameters);
    if (!prepared.reader) {
      this.changes += prepared.run(values).changes;
      return [];
    }
    const rows = prepared.all(values) as R[];
    // A changing statement that answers (RETURNING) answers with one row per change.
    if (!prepared.readonly) this.changes += rows.length;
    return rows;
  }

  run(statement: Statement, parameters: Row = {}): number {
    const before = this.changes;
    this.all(statement, parameters);
    return this.changes - before;
  }

  /** Takes the write lock at once; a transaction that upgrades later would fail instead of waiting. */
  begin(): void {
    this.#prepare(beginImmediate).run();
  }

  commit(): void {
    this.#prepare(commit).run();
  }

  rollback(): void {
    if (this.#database.inTransaction) this.exec("ROLLBACK");
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(statement: Statement): Sqlite.Statement {
    const sql = "sql" in statement ? statement.sql : statement.sqlite;
    let prepared = this.#statements.get(sql);
    if (prepared === undefined) {
      if (this.#statements.size >= limits.storeStatementsCachedMax) this.#statements.clear();
      prepared = this.#database.prepare(sql);
      this.#statements.set(sql, prepared);
    }
    return prepared;
  }
}

const prepareHandle = (database: Sqlite.Database, access: "write" | "query" | "read"): void => {
  // FULL because an acknowledged fence or event must survive a power cut; mmap off because a
  // truncated file would kill the process with SIGBUS instead of giving an error.
  for (const setting of [
    "busy_timeout = 0",
    "synchronous = FULL",
    "mmap_size = 0",
    "foreign_keys = ON",
    "trusted_schema = OFF",
    "cell_size_check = ON",
  ]) {
    database.pragma(setting);
  }
  if (access === "query") database.pragma("query_only = ON");
};

const beginImmediate: Statement = { sql: "BEGIN IMMEDIATE" };
const commit: Statement = { sql: "COMMIT" };

const versionOf = (database: Sqlite.Database): string => {
  const version = String(database.prepare("SELECT sqlite_version()").pluck().get());
  if (isSafeSqliteVersion(version)) return version;
  throw new HeadgateError("STORE_SQLITE_TOO_OLD", `the SQLite library has version ${version}`, {
    data: { version },
  });
};

/** The library binds every number as a float; integers go as big integers to stay integers in SQL. */
const bindable = (parameters: Row): Record<string, string | number | bigint | null> => {
  const values: Record<string, string | number | bigint | null> = {};
  for (const [name, given] of Object.entries(parameters)) {
    const value = checkParameter(name, given);
    values[name] = typeof value === "number" && Number.isInteger(value) ? BigInt(value) : value;
  }
  return values;
};
