import type { Json } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { ownIdentity } from "../../base/process-identity.ts";
import { HeadgateError } from "../../errors.ts";
import { firstHash } from "../events/event-hash.ts";
import { readEventPage, readHead } from "../events/read-event-page.ts";
import { checkKey, findOutcome, saveOutcome } from "../outcomes.ts";
import type {
  EventPage,
  EventQuery,
  Outcome,
  Reader,
  Scope,
  Store,
  StoreCapabilities,
  StoreTime,
  WriteOptions,
  Writer,
} from "../port.ts";
import {
  createScope,
  findScope,
  findScopeElsewhere,
  moveScope,
  type ScopeIdentity,
} from "../scopes.ts";
import type { StoreContext } from "../store-context.ts";
import { Turns } from "../turns.ts";
import { changedWithoutEvent, closed, readOnlyStore } from "../refusals.ts";
import { appendEvents } from "./append-events.ts";
import { Connection } from "./connection.ts";
import { FileWatch } from "./file-watch.ts";
import { makeFinal, settle } from "./settle.ts";
import { sqliteCode, toStoreError } from "./sqlite-error.ts";
import { SqliteReader, SqliteWriter } from "./transaction.ts";

/** What a transaction's body wants done with it. */
type Ending<T> = { readonly value: T; readonly commit: false } | Committing<T>;
interface Committing<T> {
  readonly value: T;
  readonly commit: true;
  readonly scopeId: string;
  readonly operation: string;
  /** What the caller asks with when the outcome stays unknown. */
  readonly key: string;
}

export class SqliteStore implements Store {
  readonly readOnly: boolean;
  readonly capabilities: StoreCapabilities;
  readonly location: string;
  readonly via: StoreContext["via"];
  readonly #context: StoreContext;
  /** Undefined in a store that is read only. */
  readonly #writer: Connection | undefined;
  readonly #watch: FileWatch | undefined;
  /** One transaction at a time on each of the two connections. */
  readonly #writes: Turns;
  readonly #reads: Turns;
  readonly #followers = new Set<AbortController>();
  #reader: Connection | undefined;
  #closing: Promise<void> | undefined;

  constructor(connection: Connection, context: StoreContext) {
    this.#context = context;
    this.readOnly = context.readOnly;
    this.via = context.via;
    this.location = connection.path;
    this.capabilities = { name: "sqlite", version: connection.version, shared: false, push: false };
    this.#writes = new Turns(context);
    this.#reads = new Turns(context);
    if (context.readOnly) {
      this.#reader = connection;
    } else {
      this.#writer = connection;
      this.#watch = new FileWatch(context.files, connection.path);
    }
  }

  async scope(identity: ScopeIdentity): Promise<Scope> {
    this.#assertOpen();
    let isMoved = false;
    const find = async (tx: Reader): Promise<Scope | undefined> => {
      const scope = await findScope(tx, identity.key);
      if (scope) return scope;
      const elsewhere = await findScopeElsewhere(tx, identity);
      isMoved = elsewhere?.how === "moved";
      return elsewhere?.scope;
    };
    const writer = this.#writer;
    // On the connection that is open already: a second one costs more than the question.
    const known = await (writer
      ? this.#writes.run("read", () => this.#snapshot(writer, find))
      : this.read(find));
    if (known && (!isMoved || this.readOnly || !writer)) return known;
    if (this.readOnly) throw readOnlyStore(this.location, "it does not know this repository yet");
    return this.#transact(async (connection) => {
      const tx = new SqliteWriter(connection, this.#time(), this.#context);
      const other = await findScope(tx, identity.key);
      if (other) return { value: other, commit: false };
      const { wallMs } = await tx.now();
      const old = await findScopeElsewhere(tx, identity);
      const { key, name } = identity;
      const scope = old?.scope ?? { id: this.#context.ids("scope"), key, name };
      if (old?.how === "here") return { value: scope, commit: false };
      if (old) await moveScope(tx, scope, identity);
      else await createScope(tx, { scope, firstHash, wallMs });
      const operation = this.#context.ids("operation");
      const events = tx.events.list;
      appendEvents(connection, { scopeId: scope.id, operation, atWallMs: wallMs, events });
      const value = { id: scope.id, key, name };
      return { value, commit: true, scopeId: scope.id, operation, key: operation };
    });
  }

  async now(): Promise<StoreTime> {
    this.#assertOpen();
    return this.#time();
  }

  async read<T>(work: (tx: Reader) => Promise<T>): Promise<T> {
    this.#assertOpen();
    return this.#reads.run("read", async () => this.#snapshot(await this.#openReader(), work));
  }

  async #snapshot<T>(connection: Connection, work: (tx: Reader) => Promise<T>): Promise<T> {
    const tx = new SqliteReader(connection, this.#time());
    try {
      await connection.retry(() => beginSnapshot(connection));
      return await work(tx);
    } catch (error) {
      throw toStoreError(error, this.location);
    } finally {
      tx.end();
      connection.rollback();
    }
  }

  async write<T extends Json>(options: WriteOptions, work: (tx: Writer) => Promise<T>): Promise<T> {
    const { scope, key } = options;
    checkKey(key);
    return this.#transact<T>(async (connection) => {
      const tx = new SqliteWriter(connection, this.#time(), this.#context);
      const { changes: before } = connection;
      try {
        const done = key === undefined ? undefined : await findOutcome(tx, scope.id, key);
        if (done?.state === "committed") return { value: done.result as T, commit: false };
        const value = await work(tx);
        if (tx.failure) throw tx.failure.error;
        const events = tx.events.list;
        const changes = connection.changes - before;
        if (events.length === 0 && changes > 0) throw changedWithoutEvent(changes);
        if (events.length === 0) return { value, commit: false };
        const operation = this.#context.ids("operation");
        const atWallMs = this.#context.clock.wallMs();
        appendEvents(connection, { scopeId: scope.id, operation, atWallMs, events });
        if (key !== undefined) {
          await saveOutcome(tx, { scopeId: scope.id, key, operation, result: value, atWallMs });
        }
        return { value, commit: true, scopeId: scope.id, operation, key: key ?? operation };
      } finally {
        tx.end();
      }
    });
  }

  async outcome(scope: Scope, key: string): Promise<Outcome> {
    checkKey(key);
    if (this.readOnly) return this.read((tx) => findOutcome(tx, scope.id, key));
    // Taking the write turn waits for a commit that is still running in another process.
    return this.#transact<Outcome>(async (connection) => {
      const tx = new SqliteReader(connection, this.#time());
      const outcome = await findOutcome(tx, scope.id, key);
      if (outcome.state === "committed") return { value: outcome, commit: false };
      makeFinal(connection, scope.id);
      return { value: outcome, commit: true, scopeId: scope.id, operation: key, key };
    });
  }

  readEvents(query: EventQuery): Promise<EventPage> {
    return this.read((tx) => readEventPage(tx, query));
  }

  waitForEvents(scope: Scope, since: number, signal: AbortSignal): Promise<void> {
    return this.#waitUntil(async (tx) => (await readHead(tx, scope)).seq > since, signal);
  }

  waitForNotice(
    _topic: string,
    isReady: (tx: Reader) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<void> {
    return this.#waitUntil(isReady, signal);
  }

  async #waitUntil(isReady: (tx: Reader) => Promise<boolean>, signal: AbortSignal): Promise<void> {
    let version: unknown;
    while (!signal.aborted) {
      // This process's own commits wake at once; those of others show in data_version.
      const own = new AbortController();
      this.#followers.add(own);
      try {
        const present = await this.#dataVersion();
        if (present !== version && (await this.read(isReady))) return;
        version = present;
        await this.#context.clock.sleep(limits.eventPollMs, AbortSignal.any([signal, own.signal]));
      } finally {
        this.#followers.delete(own);
      }
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    for (const follower of this.#followers) follower.abort();
    // Running transactions end first; later calls find the store closed.
    await this.#reads.run("close", async () => this.#reader?.close());
    await this.#writes.run("close", async () => this.#writer?.close());
  }

  async #transact<T>(body: (connection: Connection) => Promise<Ending<T>>): Promise<T> {
    this.#assertOpen();
    return this.#writes.run("write", async () => {
      const connection = this.#writer;
      if (!connection) throw readOnlyStore(this.location, "it was opened for reading only");
      const { onStep } = this.#context;
      try {
        onStep("before-begin");
        await connection.beginWriting();
        this.#watch?.check("all");
        onStep("after-begin");
        const ending = await body(connection);
        if (!ending.commit) return ending.value;
        onStep("before-commit");
        await this.#commit(connection, ending);
        onStep("after-commit");
        for (const follower of this.#followers) follower.abort();
        return ending.value;
      } catch (error) {
        throw toStoreError(error, this.location);
      } finally {
        endQuietly(connection);
        connection.endWriting();
      }
    });
  }

  async #commit(connection: Connection, ending: Committing<unknown>): Promise<void> {
    const { scopeId, operation, key } = ending;
    try {
      await connection.retry(() => connection.commit());
      // A commit into a -wal that somebody deleted meanwhile would be lost without a word.
      this.#watch?.check("side");
    } catch (error) {
      endQuietly(connection);
      const isDiskError = sqliteCode(error)?.startsWith("SQLITE_IOERR") ?? false;
      const isReplaced = HeadgateError.isInstance(error) && error.code === "STORE_REPLACED";
      if (isDiskError && (await settle(connection, { scopeId, operation }, key))) return;
      if (!isReplaced) throw error;
      throw new HeadgateError("OUTCOME_UNKNOWN", `${error.message} (key ${key})`, {
        data: { key, location: this.location },
        cause: error,
      });
    }
  }

  async #openReader(): Promise<Connection> {
    this.#reader ??= await Connection.open(this.location, "query", this.#context);
    return this.#reader;
  }

  #dataVersion(): Promise<unknown> {
    return this.#reads.run("read", async () => {
      this.#assertOpen();
      const connection = await this.#openReader();
      return connection.retry(() => connection.pragma("data_version"));
    });
  }

  #time(): StoreTime {
    const { clock } = this.#context;
    const wallMs = clock.wallMs();
    const { bootId } = ownIdentity();
    // Windows offers no boot id; there the wall clock alone decides.
    return bootId === "" ? { wallMs } : { wallMs, monoMs: clock.monoMs(), bootId };
  }

  #assertOpen(): void {
    if (this.#closing) throw closed(this.location);
  }
}

/** A deferred transaction takes its snapshot at its first read, so there is one right here. */
const beginSnapshot = (connection: Connection): void => {
  if (!connection.inTransaction) connection.exec("BEGIN");
  connection.exec("SELECT 1 FROM sqlite_schema LIMIT 1");
};

/** SQLite ends the transaction even where ROLLBACK reports an error; the first error is what counts. */
const endQuietly = (connection: Connection): void => {
  try {
    connection.rollback();
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
  }
};
