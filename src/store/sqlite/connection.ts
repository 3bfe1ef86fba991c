import type Sqlite from "better-sqlite3";
import { limits } from "../../base/limits.ts";
import { HeadgateError } from "../../errors.ts";
import { checkParameter } from "../parameters.ts";
import type { Row, Statement, Value } from "../port.ts";
import type { StoreContext } from "../store-context.ts";
import { loadSqlite } from "./load-library.ts";
import { toStoreError } from "./sqlite-error.ts";
import { isSafeSqliteVersion } from "./sqlite-version.ts";
import { Waiting } from "./waiting.ts";

/** One handle on the database file. Synchronous; waits only in `retry`. */
export class Connection {
  readonly path: string;
  readonly version: string;
  readonly #database: Sqlite.Database;
  readonly #waiting: Waiting;
  readonly #statements = new Map<string, Prepared>();
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
    const { files, clock } = context;
    this.#waiting = new Waiting({
      ...context,
      path,
      turn: async () => new (await import("./turn.ts")).Turn({ path, files, clock }),
    });
  }

  /** `access`: "read" opens the file itself read-only, "query" only forbids writing statements. */
  static async open(
    path: string,
    access: "write" | "query" | "read",
    context: StoreContext,
  ): Promise<Connection> {
    const { Database, options } = await loadSqlite(context.files);
    let database: Sqlite.Database | undefined;
    try {
      const handle = new Database(path, {
        ...options,
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
    await this.#waiting.begin(() => this.begin());
  }

  /** To be called after each `beginWriting`, also if that failed. */
  endWriting(): void {
    this.#waiting.ended();
  }

  /** Raw text without parameters: migrations. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  pragma(source: string): unknown {
    return this.#database.pragma(source, { simple: true });
  }

  all<R extends Row>(statement: Statement, parameters: Row = {}): R[] {
    const { prepared, columns } = this.#prepare(statement);
    const values = bindable(parameters);
    if (columns === undefined) {
      this.changes += prepared.run(values).changes;
      return [];
    }
    const rows = prepared.all(values) as Value[][];
    // A changing statement that answers (RETURNING) answers with one row per change.
    if (!prepared.readonly) this.changes += rows.length;
    return rows.map((row) => toObject(columns, row) as R);
  }

  run(statement: Statement, parameters: Row = {}): number {
    const before = this.changes;
    this.all(statement, parameters);
    return this.changes - before;
  }

  /** Takes the write lock at once; a transaction that upgrades later would fail instead of waiting. */
  begin(): void {
    this.#prepare(beginImmediate).prepared.run();
  }

  commit(): void {
    this.#prepare(commit).prepared.run();
  }

  rollback(): void {
    if (this.#database.inTransaction) this.exec("ROLLBACK");
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
    this.#waiting.close();
  }

  #prepare(statement: Statement): Prepared {
    const sql = "sql" in statement ? statement.sql : statement.sqlite;
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    if (this.#statements.size >= limits.storeStatementsCachedMax) this.#statements.clear();
    const fresh = prepare(this.#database, sql);
    this.#statements.set(sql, fresh);
    return fresh;
  }
}

interface Prepared {
  readonly prepared: Sqlite.Statement;
  /** Names in the order of the values; undefined for a statement that answers with no rows. */
  readonly columns: readonly string[] | undefined;
}

// Rows are taken as lists and named here: the library would generate code for each statement.
const prepare = (database: Sqlite.Database, sql: string): Prepared => {
  const prepared = database.prepare(sql);
  if (!prepared.reader) return { prepared, columns: undefined };
  return { prepared: prepared.raw(true), columns: prepared.columns().map(({ name }) => name) };
};

const toObject = (columns: readonly string[], row: readonly Value[]): Row => {
  const object: Record<string, Value> = {};
  for (let at = 0; at < columns.length; at += 1) object[columns[at] ?? ""] = row[at] ?? null;
  return object;
};

const prepareHandle = (database: Sqlite.Database, access: "write" | "query" | "read"): void => {
  // FULL because an acknowledged fence or event must survive a power cut; mmap off because a
  // truncated file would kill the process with SIGBUS instead of giving an error.
  database.exec(`
    PRAGMA busy_timeout = 0;
    PRAGMA synchronous = FULL;
    PRAGMA mmap_size = 0;
    PRAGMA foreign_keys = ON;
    PRAGMA trusted_schema = OFF;
    PRAGMA cell_size_check = ON;
    ${access === "query" ? "PRAGMA query_only = ON" : ""}`);
};

const beginImmediate: Statement = { sql: "BEGIN IMMEDIATE" };
const commit: Statement = { sql: "COMMIT" };

/** The library's; it cannot change while the process lives. */
let known: string | undefined;
const versionOf = (database: Sqlite.Database): string => {
  known ??= String(database.prepare("SELECT sqlite_version()").pluck().get());
  const version = known;
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
