import { isId } from "../../base/ids.ts";
import type { Json } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { HeadgateError } from "../../errors.ts";
import { firstHash } from "../events/event-hash.ts";
import { readEventPage, readHead } from "../events/read-event-page.ts";
import { checkKey, findOutcome, resultText } from "../outcomes.ts";
import type {
  EventPage,
  EventQuery,
  FunctionCall,
  Outcome,
  Reader,
  Row,
  Scope,
  Statement,
  Store,
  StoreCapabilities,
  StoreTime,
  WriteOptions,
  Writer,
} from "../port.ts";
import { changedWithoutEvent, closed, readOnlyStore } from "../refusals.ts";
import { createScope, findScope, type ScopeIdentity } from "../scopes.ts";
import type { StoreContext } from "../store-context.ts";
import { Turns } from "../turns.ts";
import type { Connections, Session } from "./connections.ts";
import { Listener } from "./listener.ts";
import { isRepeatable, toStoreError } from "./postgres-error.ts";
import { callFunction } from "./call-function.ts";
import { beginWith, type CommitOptions, PostgresReader, PostgresWriter } from "./transaction.ts";

type Ending<T> =
  | { readonly value: T; readonly commit: undefined }
  | { readonly value: T; readonly commit: CommitOptions };

export class PostgresStore implements Store {
  readonly readOnly: boolean;
  readonly capabilities: StoreCapabilities;
  readonly location: string;
  readonly via: StoreContext["via"];
  readonly #connections: Connections;
  readonly #context: StoreContext;
  readonly #listener: Listener;
  /** One write per scope leaves this process at a time: the rest would hold connections for waiting. */
  readonly #writes = new Map<string, Turns>();
  #closing: Promise<void> | undefined;

  constructor(connections: Connections, context: StoreContext, version: string) {
    this.#connections = connections;
    this.#context = context;
    this.readOnly = context.readOnly;
    this.via = context.via;
    this.location = connections.location;
    this.capabilities = { name: "postgres", version, shared: true, push: true };
    this.#listener = new Listener(connections, context);
  }

  async scope(identity: ScopeIdentity): Promise<Scope> {
    const known = await this.read((tx) => findScope(tx, identity.key));
    if (known) return known;
    if (this.readOnly) throw readOnlyStore(this.location, "it does not know this repository yet");
    const { key, name } = identity;
    const scope = { id: this.#context.ids("scope"), key, name };
    const created = await this.#transact(undefined, async (tx) => {
      const { wallMs } = await tx.now();
      const isNew = await createScope(tx, { scope, firstHash, wallMs });
      if (!isNew) return { value: undefined, commit: undefined };
      const operation = this.#context.ids("operation");
      const commit = { scopeId: scope.id, operation, key: undefined, result: undefined };
      return { value: scope, commit };
    });
    return created ?? this.scope(identity);
  }

  now(): Promise<StoreTime> {
    return this.read((tx) => tx.now());
  }

  read<T>(work: (tx: Reader) => Promise<T>): Promise<T> {
    return this.#onLiveConnection((session) => this.#readOn(session, work));
  }

  async #readOn<T>(session: Session, work: (tx: Reader) => Promise<T>): Promise<T> {
    const beginning = beginWith("read", this.#context.waitMs);
    const tx = new PostgresReader(session, { location: this.location, beginning });
    try {
      return await work(tx);
    } catch (error) {
      throw toStoreError(error, this.location);
    } finally {
      // The caller need not wait until the snapshot is given back.
      void tx.rollback().then((isClean) => session.release(isClean));
    }
  }

  async write<T extends Json>(options: WriteOptions, work: (tx: Writer) => Promise<T>): Promise<T> {
    const { scope, key } = options;
    checkKey(key);
    const attempt = () =>
      this.#transact<T>(scope.id, async (tx) => {
        const done = key === undefined ? undefined : await findOutcome(tx, scope.id, key);
        if (done?.state === "committed") return { value: done.result as T, commit: undefined };
        const value = await work(tx);
        if (tx.events.list.length === 0) {
          if (tx.changes > 0) throw changedWithoutEvent(tx.changes);
          return { value, commit: undefined };
        }
        const operation = this.#context.ids("operation");
        const result = key === undefined ? undefined : resultText(value);
        return { value, commit: { scopeId: scope.id, operation, key, result } };
      });
    return this.#turnsOf(scope).run("write", () => this.#repeat(attempt));
  }

  callFunction<R extends Row>(call: FunctionCall): Promise<R[]> {
    if (this.#closing) throw closed(this.location);
    if (this.readOnly) throw readOnlyStore(this.location, "it was opened for reading only");
    const place = { location: this.location, waitMs: this.#context.waitMs };
    return this.#turnsOf(call.scope).run("write", async () => {
      const session = await this.#connections.borrow();
      try {
        return (await callFunction(session, call, place)) as R[];
      } catch (error) {
        // The connection had died unnoticed: most likely the call never came to the server, so ask.
        if (!session.isSilent || session.isAnswered) throw error;
        const { state } = await this.outcome(call.scope, call.operation);
        if (state !== "not-committed") throw error;
        return [];
      } finally {
        session.release(session.lost === undefined);
      }
    });
  }

  async outcome(scope: Scope, key: string): Promise<Outcome> {
    checkKey(key);
    if (this.readOnly) return this.read((tx) => findOutcome(tx, scope.id, key));
    // A commit that still runs holds the scope's row; a writer that hangs loses it to its idle limit.
    const lockTimeoutMs = Math.max(this.#context.waitMs, limits.storeStatementTimeoutMs + 1000);
    const session = await this.#connections.borrow();
    const options = {
      location: this.location,
      beginning: beginWith("write", lockTimeoutMs),
      scopeId: scope.id,
    };
    const tx = new PostgresWriter(session, options, this.#context);
    let isClean = false;
    try {
      const outcome = await findOutcome(tx, scope.id, key);
      if (outcome.state === "not-committed" && isId("operation", key)) {
        // It may still be on its way to the server in one flight; this makes the answer final.
        const { wallMs: at } = await tx.now();
        await tx.run(giveUp, { scope: scope.id, key, at });
        await session.query("COMMIT");
        isClean = true;
      } else {
        isClean = await tx.rollback();
      }
      return outcome;
    } catch (error) {
      throw toStoreError(error, this.location);
    } finally {
      tx.end();
      session.release(isClean);
    }
  }

  readEvents(query: EventQuery): Promise<EventPage> {
    return this.read((tx) => readEventPage(tx, query));
  }

  waitForEvents(scope: Scope, since: number, signal: AbortSignal): Promise<void> {
    const hasNews = async (tx: Reader) => (await readHead(tx, scope)).seq > since;
    return this.waitForNotice(scope.id, hasNews, signal);
  }

  async waitForNotice(
    topic: string,
    isReady: (tx: Reader) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      const watch = this.#listener.watch(topic);
      try {
        if (await this.read(isReady)) return;
        await watch.sleep(signal);
      } finally {
        watch.stop();
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
    await this.#listener.close();
    for (const turns of this.#writes.values()) await turns.enter("close");
    await this.#connections.close();
  }

  #transact<T>(
    scopeId: string | undefined,
    body: (tx: PostgresWriter) => Promise<Ending<T>>,
  ): Promise<T> {
    if (this.readOnly) throw readOnlyStore(this.location, "it was opened for reading only");
    return this.#onLiveConnection((session) => this.#transactOn(session, scopeId, body));
  }

  /** Once more when the connection had died unnoticed before it was lent: nothing was answered on it. */
  async #onLiveConnection<T>(work: (session: Session) => Promise<T>): Promise<T> {
    if (this.#closing) throw closed(this.location);
    const session = await this.#connections.borrow();
    try {
      return await work(session);
    } catch (error) {
      const isUnknown = HeadgateError.isInstance(error) && error.code === "OUTCOME_UNKNOWN";
      if (session.lost === undefined || session.isAnswered || isUnknown) throw error;
    }
    return work(await this.#connections.borrow());
  }

  async #transactOn<T>(
    session: Session,
    scopeId: string | undefined,
    body: (tx: PostgresWriter) => Promise<Ending<T>>,
  ): Promise<T> {
    const { onStep, waitMs } = this.#context;
    const options = { location: this.location, beginning: beginWith("write", waitMs), scopeId };
    const tx = new PostgresWriter(session, options, this.#context);
    let isClean = false;
    try {
      onStep("before-begin");
      const ending = await body(tx);
      if (tx.failure) throw tx.failure.error;
      if (ending.commit) {
        onStep("before-commit");
        await tx.commit(ending.commit);
        isClean = true;
        onStep("after-commit");
      } else {
        isClean = await tx.rollback();
      }
      return ending.value;
    } catch (error) {
      isClean &&= HeadgateError.isInstance(error);
      if (!isClean && session.lost === undefined) isClean = await tx.rollback();
      throw toStoreError(error, this.location);
    } finally {
      tx.end();
      session.release(isClean);
    }
  }

  #turnsOf(scope: Scope): Turns {
    const turns = this.#writes.get(scope.id) ?? new Turns(this.#context);
    this.#writes.set(scope.id, turns);
    return turns;
  }

  /** Nothing was told to the caller yet, so the work may run again from the start. */
  async #repeat<T>(attempt: () => Promise<T>): Promise<T> {
    for (let repeats = 0; ; repeats += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!isRepeatable(error) || repeats >= limits.storeRepeatsMax) throw error;
        await this.#context.clock.sleep(this.#context.random.fraction() * 2 ** repeats * 5);
      }
    }
  }
}

const giveUp: Statement = {
  sql: `INSERT INTO outcomes (scope_id, key, operation, result, at)
        VALUES (:scope, :key, :key, NULL, :at) ON CONFLICT DO NOTHING`,
};
