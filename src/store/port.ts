/**
 * What a back end must be able to do. Everything above the store speaks only this; differences between
 * back ends are capabilities, never a name to compare with.
 */
import type { Json } from "../base/json.ts";

export interface Store extends AsyncDisposable {
  readonly readOnly: boolean;
  readonly capabilities: StoreCapabilities;
  /** Where the data is, without secrets: a file path or host and database. */
  readonly location: string;

  /** Goes with every event of this actor; `write` adds it by itself. */
  readonly via: (actor: string | null) => Via | undefined;

  /** Finds the scope of a repository by its identity key, creating it when the store is writable. */
  scope(identity: { readonly key: string; readonly name: string }): Promise<Scope>;

  /** The store's own clock: the only one that decides about expiry. */
  now(): Promise<StoreTime>;

  /** A consistent snapshot; nothing can be changed through it. */
  read<T>(work: (tx: Reader) => Promise<T>): Promise<T>;

  /**
   * One true write transaction on one scope. `work` must await nothing but `tx`, and have no effects of
   * its own, because it runs again when the server asks for a repetition. Its events are appended and
   * committed with it, or nothing is. A change without an event is a defect and rolls back; so does a
   * failed statement, even one that `work` caught.
   * With a `key`, a repetition returns the first call's result and does nothing. A call that changed
   * nothing leaves no trace, so its repetition runs again.
   * Throws OUTCOME_UNKNOWN (data.key) when the answer to COMMIT was lost.
   */
  write<T extends Json>(options: WriteOptions, work: (tx: Writer) => Promise<T>): Promise<T>;

  /**
   * What became of a write whose answer was lost, by the key of the error. Waits until it is settled:
   * what is reported as not committed never appears later, unless it is written again.
   */
  outcome(scope: Scope, key: string): Promise<Outcome>;

  /**
   * Events after `since`, oldest first, without gaps. Throws CURSOR_INVALID, CURSOR_PRUNED, and
   * EVENTS_TAMPERED when an event is missing.
   */
  readEvents(query: EventQuery): Promise<EventPage>;

  /**
   * Resolves when the scope may have events after `since`, or when `signal` aborts. Woken by the server
   * where the back end can push, by cheap polling where it cannot; a wake without news is allowed.
   */
  waitForEvents(scope: Scope, since: number, signal: AbortSignal): Promise<void>;

  /**
   * Resolves when `isReady` says so, or when `signal` aborts. Asked at once, after every notice sent to
   * `topic` where the back end can push, and after other commits where it cannot.
   */
  waitForNotice(
    topic: string,
    isReady: (tx: Reader) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<void>;

  /**
   * Present where the back end runs functions of its own: one call that is a whole write transaction,
   * its events included, in a single round trip. The function locks the scope itself and appends under
   * `operation`; its first parameter, given by the store, is how long it may wait for the lock (ms). Throws
   * OUTCOME_UNKNOWN (data.key = operation) when the answer was lost; no rows mean that nothing was changed.
   */
  callFunction?<R extends Row>(call: FunctionCall): Promise<R[]>;

  close(): Promise<void>;
}

export interface FunctionCall {
  readonly scope: Scope;
  readonly operation: string;
  /** As the migration names it. */
  readonly name: string;
  readonly parameters: readonly (Value | readonly Value[])[];
}

export interface StoreCapabilities {
  /** "sqlite" or "postgres", for showing to people only. */
  readonly name: string;
  readonly version: string;
  /** Several machines can share it. */
  readonly shared: boolean;
  /** Followers are woken by the server instead of polling. */
  readonly push: boolean;
}

export interface Scope {
  readonly id: string;
  readonly key: string;
  readonly name: string;
}

export interface StoreTime {
  readonly wallMs: number;
  /** Monotonic time of the boot `bootId`; absent where the server's clock alone decides. */
  readonly monoMs?: number;
  readonly bootId?: string;
}

export interface WriteOptions {
  readonly scope: Scope;
  /** The caller's idempotency key; without one a fresh operation id is used. */
  readonly key?: string;
}

export type Outcome =
  | { readonly state: "committed"; readonly result?: Json }
  | { readonly state: "not-committed" };

export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

/**
 * One SQL statement with `:name` parameters. Written once where both dialects agree; otherwise one text
 * each. Values are strings, numbers (integers stay exact) and null on both back ends, truth values come
 * back as 1 and 0; JSON is stored as text. Table names need no schema in front.
 */
export type Statement =
  | { readonly sql: string }
  | { readonly sqlite: string; readonly postgres: string };

export interface Reader {
  /** The moment of this transaction: the same for every call in it. */
  now(): Promise<StoreTime>;
  all<R extends Row = Row>(statement: Statement, parameters?: Row): Promise<R[]>;
  get<R extends Row = Row>(statement: Statement, parameters?: Row): Promise<R | undefined>;
}

export interface Writer extends Reader {
  /** Returns the number of rows changed. */
  run(statement: Statement, parameters?: Row): Promise<number>;
  /** Adds an event to this transaction; returns its id. */
  emit(event: NewEvent): string;
}

export interface NewEvent {
  /** Lower-case words joined by dots: `claim.granted`. */
  readonly kind: string;
  readonly actor?: string;
  /** What it is about: a claim id, a path, a run id. */
  readonly subject?: string;
  readonly data?: { readonly [key: string]: Json };
}

/** By which process an event was caused, as the system showed it. */
export type Via = {
  readonly uid: number;
  readonly pid: number;
  /** As the system tells starts: ticks on Linux, seconds on macOS. */
  readonly start: string;
  /** `NAME:PID` from its parent upwards, to the agent client. */
  readonly above: readonly string[];
  /** Of the agent client above. */
  readonly session?: string;
  /** The session that spoke, where the event's actor is another. */
  readonly saidBy?: string;
};

export interface Event {
  readonly id: string;
  /** The cursor: 1, 2, 3 … per scope, without gaps, in commit order. */
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly actor: string | null;
  readonly subject: string | null;
  readonly data: { readonly [key: string]: Json };
  /** Absent where the system did not tell, and in older events. */
  readonly via?: Via;
  /** All events of one transaction share it. */
  readonly operation: string;
  /** SHA-256 over the previous event's hash and this event's fields, in hex. */
  readonly hash: string;
}

export interface EventQuery {
  readonly scope: Scope;
  /** Events with a larger seq are returned; 0 starts at the oldest one kept. */
  readonly since?: number;
  /** Instead of `since`: the newest `last` events. */
  readonly last?: number;
  /** With `last`: only those with a smaller seq. */
  readonly before?: number;
  /** Glob over kinds: `claim.*`, `*`. */
  readonly kind?: string;
  readonly limit?: number;
}

export interface EventPage {
  readonly events: readonly Event[];
  /** Pass as `since` for the next page. Grows even when `kind` filtered everything out. */
  readonly cursor: number;
  /** The newest seq of the scope when the page was read. */
  readonly head: number;
}
