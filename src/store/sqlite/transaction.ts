import { assert } from "../../base/assert.ts";
import { PendingEvents } from "../events/pending-events.ts";
import type { NewEvent, Reader, Row, Statement, StoreTime, Writer } from "../port.ts";
import type { StoreContext } from "../store-context.ts";
import type { Connection } from "./connection.ts";
import { toStoreError } from "./sqlite-error.ts";

/** A snapshot. Its time is fixed when it begins, so one transaction sees one moment. */
export class SqliteReader implements Reader {
  protected readonly connection: Connection;
  readonly #time: StoreTime;
  #ended = false;

  constructor(connection: Connection, time: StoreTime) {
    this.connection = connection;
    this.#time = time;
  }

  end(): void {
    this.#ended = true;
  }

  async now(): Promise<StoreTime> {
    return this.#time;
  }

  async all<R extends Row = Row>(statement: Statement, parameters?: Row): Promise<R[]> {
    return this.step(() => this.connection.all<R>(statement, parameters));
  }

  async get<R extends Row = Row>(statement: Statement, parameters?: Row): Promise<R | undefined> {
    return (await this.all<R>(statement, parameters))[0];
  }

  protected step<T>(work: () => T): T {
    assert(!this.#ended, "a transaction was used after its end");
    try {
      return work();
    } catch (error) {
      throw toStoreError(error, this.connection.path);
    }
  }
}

export class SqliteWriter extends SqliteReader implements Writer {
  readonly events: PendingEvents;
  /** The first failure; a transaction that had one is never committed, even when it was caught. */
  failure: { readonly error: unknown } | undefined;

  constructor(connection: Connection, time: StoreTime, context: StoreContext) {
    super(connection, time);
    this.events = new PendingEvents(context);
  }

  async run(statement: Statement, parameters?: Row): Promise<number> {
    return this.step(() => this.connection.run(statement, parameters));
  }

  emit(event: NewEvent): string {
    return this.step(() => this.events.add(event));
  }

  protected override step<T>(work: () => T): T {
    try {
      return super.step(work);
    } catch (error) {
      this.failure ??= { error };
      throw error;
    }
  }
}
