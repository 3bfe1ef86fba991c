import type { QueryResult } from "pg";
import { assert } from "../../base/assert.ts";
import { limits } from "../../base/limits.ts";
import { HeadgateError } from "../../errors.ts";
import { PendingEvents } from "../events/pending-events.ts";
import { checkParameter, type NumberedStatement, numberParameters } from "../parameters.ts";
import type { NewEvent, Reader, Row, Statement, StoreTime, Writer } from "../port.ts";
import type { StoreContext } from "../store-context.ts";
import type { Session } from "./connections.ts";
import { isStatementError, toStoreError } from "./postgres-error.ts";

/**
 * A transaction that is begun on the server by its first statement. BEGIN, what must precede every
 * statement, and that statement travel in one flight, so beginning costs no round trip of its own.
 */
export class PostgresReader implements Reader {
  protected readonly session: Session;
  protected readonly location: string;
  protected readonly beginning: Beginning;
  #time: Promise<StoreTime> | undefined;
  #isBegun = false;
  #isEnded = false;
  /** The first failure: later ones only repeat that the transaction is over. */
  failure: { readonly error: HeadgateError } | undefined;

  constructor(session: Session, options: { location: string; beginning: Beginning }) {
    this.session = session;
    this.location = options.location;
    this.beginning = options.beginning;
  }

  get isBegun(): boolean {
    return this.#isBegun;
  }

  now(): Promise<StoreTime> {
    this.begin();
    // One transaction sees one moment.
    this.#time ??= this.query(selectNow, []).then((result) => timeOf(result));
    return this.#time;
  }

  async all<R extends Row = Row>(statement: Statement, parameters: Row = {}): Promise<R[]> {
    const result = await this.execute(statement, parameters);
    return result.rows as R[];
  }

  async get<R extends Row = Row>(
    statement: Statement,
    parameters: Row = {},
  ): Promise<R | undefined> {
    return (await this.all<R>(statement, parameters))[0];
  }

  /** Sends BEGIN once, without waiting for the answer; a failure shows in the next statement. */
  begin(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    this.query(this.beginning.text, []).catch(ignoreHere);
    this.prepare();
  }

  /** Ends a transaction that shall leave nothing; says whether the connection is clean again. */
  async rollback(): Promise<boolean> {
    this.end();
    if (!this.#isBegun) return true;
    try {
      await this.session.query("ROLLBACK");
      return true;
    } catch {
      // The server rolls back what a lost connection leaves; the connection is thrown away.
      return false;
    }
  }

  end(): void {
    this.#isEnded = true;
  }

  /** What a kind of transaction sends right behind BEGIN. */
  protected prepare(): void {}

  protected execute(statement: Statement, parameters: Row): Promise<QueryResult> {
    assert(!this.#isEnded, "a transaction was used after its end");
    this.begin();
    return this.query(...numbered(statement, parameters));
  }

  protected async query(text: string, values: readonly unknown[]): Promise<QueryResult> {
    try {
      return await this.session.query(text, values, this.beginning.patienceMs);
    } catch (error) {
      this.failure ??= { error: toStoreError(error, this.location) };
      throw this.failure.error;
    }
  }
}

export interface CommitOptions {
  readonly scopeId: string;
  readonly operation: string;
  readonly key: string | undefined;
  /** JSON text kept under the key. */
  readonly result: string | undefined;
}

export class PostgresWriter extends PostgresReader implements Writer {
  readonly events: PendingEvents;
  readonly #context: StoreContext;
  readonly #scopeId: string | undefined;
  /** Rows changed by statements; events are appended later and do not count. */
  changes = 0;

  constructor(
    session: Session,
    options: { location: string; beginning: Beginning; scopeId: string | undefined },
    context: StoreContext,
  ) {
    super(session, options);
    this.#context = context;
    this.#scopeId = options.scopeId;
    this.events = new PendingEvents(context);
  }

  async run(statement: Statement, parameters: Row = {}): Promise<number> {
    return (await this.execute(statement, parameters)).rowCount ?? 0;
  }

  emit(event: NewEvent): string {
    try {
      return this.events.add(event);
    } catch (error) {
      this.failure ??= { error: toStoreError(error, this.location) };
      throw error;
    }
  }

  /**
   * Appends the events and commits in one flight; with nothing begun before, BEGIN is in it, too.
   * Throws OUTCOME_UNKNOWN when the connection went before the answer came.
   */
  async commit(options: CommitOptions): Promise<void> {
    const { scopeId, operation, key = null, result = null } = options;
    const list = this.events.list;
    const columns = [
      list.map((event) => event.id),
      list.map((event) => event.kind),
      list.map((event) => event.actor),
      list.map((event) => event.subject),
      list.map((event) => event.data),
    ];
    if (this.session.lost) throw toStoreError(this.session.lost, this.location);
    const { text, patienceMs } = this.beginning;
    const send = (statement: string, values: readonly unknown[] = []) =>
      this.session.query(statement, values, patienceMs);
    const flight = [
      ...(this.isBegun ? [] : [send(text)]),
      send(appendEvents, [scopeId, operation, ...columns, key, result]),
      send("COMMIT"),
    ];
    const answers = await Promise.allSettled(flight);
    const refused = answers.find((answer) => answer.status === "rejected");
    if (refused && isStatementError(refused.reason)) {
      throw toStoreError(refused.reason, this.location);
    }
    const last = answers.at(-1);
    if (last?.status === "rejected") throw this.#unknown(key ?? operation, last.reason);
    const tag = last?.value.command;
    if (refused === undefined && tag === "COMMIT") return;
    throw new HeadgateError("STORE_UNAVAILABLE", `${this.location} rolled back instead (${tag})`, {
      data: { location: this.location },
      cause: refused?.reason,
    });
  }

  protected override prepare(): void {
    if (this.#scopeId === undefined) return;
    // The scope's row is the turn of its writers: whoever has it sees all earlier commits.
    this.query(lockScope, [this.#scopeId])
      .then(() => this.#context.onStep("after-begin"))
      .catch(ignoreHere);
    this.now().catch(ignoreHere);
  }

  protected override async execute(statement: Statement, parameters: Row): Promise<QueryResult> {
    const result = await super.execute(statement, parameters);
    if (changing.has(result.command)) this.changes += result.rowCount ?? 0;
    return result;
  }

  #unknown(key: string, cause: unknown): HeadgateError {
    return new HeadgateError(
      "OUTCOME_UNKNOWN",
      `the connection to ${this.location} was lost while a change was committed (key ${key})`,
      { data: { key, location: this.location }, cause },
    );
  }
}

/** The first thing that a transaction sends, and for how long its statements may go unanswered. */
export interface Beginning {
  readonly text: string;
  readonly patienceMs: number;
}

/** The time after which the server itself ends a statement that may wait for locks. */
export const patienceFor = (lockTimeoutMs: number): number =>
  Math.max(limits.storeStatementTimeoutMs, lockTimeoutMs + 1000);

/** Settings live in the transaction only, because a pooler may share the session with strangers. */
export const beginWith = (mode: "read" | "write", lockTimeoutMs: number): Beginning => {
  const patienceMs = patienceFor(lockTimeoutMs);
  const text = [
    mode === "read"
      ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
      : "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
    "SET LOCAL search_path = headgate, pg_temp",
    `SET LOCAL lock_timeout = ${Math.ceil(Math.max(1, lockTimeoutMs))}`,
    `SET LOCAL statement_timeout = ${Math.ceil(patienceMs)}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${limits.storeStatementTimeoutMs}`,
  ].join("; ");
  return { text, patienceMs };
};

const changing = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);
const selectNow = "SELECT now_ms() AS now";
const lockScope = "SELECT 1 FROM scopes WHERE id = $1 FOR UPDATE";
const appendEvents = "SELECT append_events($1, $2, $3, $4, $5, $6, $7, $8, $9)";

/** The same error reaches the caller through `failure` and through the next awaited statement. */
const ignoreHere = (): void => {};

const timeOf = (result: QueryResult): StoreTime => {
  const [row] = result.rows as { now: number }[];
  assert(row, "the server told no time");
  return { wallMs: row.now };
};

const statements = new Map<string, NumberedStatement>();

const numbered = (statement: Statement, parameters: Row): [string, unknown[]] => {
  const sql = "sql" in statement ? statement.sql : statement.postgres;
  let known = statements.get(sql);
  if (known === undefined) {
    if (statements.size >= limits.storeStatementsCachedMax) statements.clear();
    known = numberParameters(sql);
    statements.set(sql, known);
  }
  return [known.text, known.names.map((name) => checkParameter(name, parameters[name]))];
};
