import type { Client, ClientConfig, CustomTypesConfig, Pool, PoolClient, QueryResult } from "pg";
import type { Clock } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import { HeadgateError } from "../../errors.ts";
import { closed } from "../refusals.ts";
import type { StoreContext } from "../store-context.ts";
import { Turns } from "../turns.ts";
import { readClientSettings } from "./client-settings.ts";
import { toStoreError } from "./postgres-error.ts";

/** A connection lent to one transaction. */
export interface Session {
  /** Set as soon as the connection is known to be gone. */
  readonly lost: Error | undefined;
  /** Lost, because nothing came back in time; nothing else says so, a cut line does. */
  readonly isSilent: boolean;
  /** Whether the server has answered anything since the connection was lent. */
  readonly isAnswered: boolean;
  /**
   * Sends one statement. When the server keeps silent for `patienceMs`, the connection is destroyed and all its
   * statements reject: TCP by itself goes on trying for a quarter of an hour (M-04).
   */
  query(text: string, values?: readonly unknown[], patienceMs?: number): Promise<QueryResult>;
  /** Gives it back, or throws it away when its state is not known to be clean. */
  release(isClean: boolean): void;
}

/**
 * The connections of one store. No session state is used (settings are made per transaction, statements
 * are unnamed), so a pooler that lends a server connection per transaction may be in between.
 */
export class Connections {
  readonly location: string;
  readonly #config: ClientConfig;
  readonly #pool: Pool;
  readonly #newClient: (config: ClientConfig) => Client;
  readonly #turns: Turns;
  readonly #clock: Clock;
  /** When each connection last answered; and when one of them was found silent. */
  readonly #answeredMs = new WeakMap<PoolClient, number>();
  readonly #open = new Set<PoolClient>();
  #silentMs = -Infinity;
  #isClosed = false;

  private constructor(options: {
    location: string;
    config: ClientConfig;
    pool: Pool;
    newClient: (config: ClientConfig) => Client;
    turns: Turns;
    clock: Clock;
  }) {
    this.location = options.location;
    this.#config = options.config;
    this.#pool = options.pool;
    this.#newClient = options.newClient;
    this.#turns = options.turns;
    this.#clock = options.clock;
    this.#pool.on("connect", (client) => this.#open.add(client));
    this.#pool.on("remove", (client) => this.#open.delete(client));
  }

  static async open(url: string, location: string, context: StoreContext): Promise<Connections> {
    const { default: pg } = await import("pg");
    const { config: settings, password } = readClientSettings(url, location, context);
    const config: ClientConfig = {
      ...settings,
      connectionTimeoutMillis: limits.storeConnectTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: limits.storeKeepAliveMs,
      fallback_application_name: "headgate",
      types: plainValues,
    };
    // A connection that was refused stays open until the server ends it, and the process with it.
    class ClosingClient extends pg.Client {
      constructor(given: ClientConfig) {
        super(given);
        // Not among the settings, where the address's lack of one would win. The library gives it the address.
        Object.assign(this, { password });
      }
      override connect(): Promise<Client>;
      override connect(callback: (error: Error) => void): void;
      override connect(callback?: (error: Error) => void): Promise<Client> | void {
        const whenRefused = (error: unknown) => {
          if (error) endNow(this);
        };
        if (!callback) {
          const connected = super.connect() as Promise<unknown>;
          return connected.then(
            () => this,
            (error: unknown) => {
              whenRefused(error);
              throw error;
            },
          );
        }
        super.connect((error: Error) => {
          whenRefused(error);
          callback(error);
        });
      }
    }
    const pool = new pg.Pool({
      ...config,
      // Pipelining sends BEGIN, the lock and the first statement in one flight; likewise the end.
      ...pipelined,
      Client: ClosingClient as never,
      max: limits.storeConnectionsMax,
      // One stays for as long as the store is open: connecting costs several round trips.
      min: 1,
      // A program that forgets to close its store still ends.
      allowExitOnIdle: true,
    });
    // An idle connection that breaks is replaced by the pool; only its next user would care.
    pool.on("error", () => {});
    const { clock, waitMs } = context;
    const turns = new Turns({ clock, waitMs, permits: limits.storeConnectionsMax });
    const newClient = (given: ClientConfig) => new ClosingClient(given);
    return new Connections({ location, config, pool, newClient, turns, clock });
  }

  async borrow(): Promise<Session> {
    if (this.#isClosed) throw closed(this.location);
    // Our own queue, because the pool's would count waiting for a busy store as an unreachable one.
    await this.#turns.enter(`use a connection to ${this.location}`);
    try {
      return this.#lend(await this.#connect());
    } catch (error) {
      this.#turns.leave();
      throw toStoreError(error, this.location);
    }
  }

  /** A connection of its own for LISTEN, which needs one server session for its whole life. */
  listeningClient(): Client {
    return this.#newClient(this.#config);
  }

  /** Running transactions end first; a connection that does not close in time is destroyed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const ended = new AbortController();
    const end = this.#pool.end().finally(() => ended.abort());
    await Promise.race([end, this.#clock.sleep(limits.storeCloseMs, ended.signal)]);
    for (const client of this.#open) endNow(client);
    await end;
  }

  /** Connections that were idle when another one was found silent are not trusted. */
  async #connect(): Promise<PoolClient> {
    for (;;) {
      const client = await this.#pool.connect();
      const answeredMs = this.#answeredMs.get(client);
      if (answeredMs === undefined || answeredMs > this.#silentMs) return client;
      endNow(client);
      client.release(true);
    }
  }

  #lend(client: PoolClient): Session {
    const clock = this.#clock;
    const isFresh = !this.#answeredMs.has(client);
    // A connection that was just made has answered; an idle one may have died unnoticed.
    this.#answeredMs.set(client, this.#answeredMs.get(client) ?? clock.monoMs());
    let lost: Error | undefined;
    let isSilent = false;
    let isAnswered = false;
    let isAsked = false;
    const giveUp = (patienceMs: number) => {
      isSilent = lost === undefined;
      lost ??= new Error(`no answer for ${Math.round(patienceMs / 1000)} s`);
      this.#silentMs = clock.monoMs();
      endNow(client);
    };
    const onError = (error: Error) => {
      lost ??= error;
    };
    client.on("error", onError);
    return {
      get lost() {
        return lost;
      },
      get isSilent() {
        return isSilent;
      },
      get isAnswered() {
        return isAnswered;
      },
      query: async (text, values = [], given = limits.storeStatementTimeoutMs) => {
        // The first statement on an idle connection waits for no lock: it tells quickly whether anyone is there.
        const isFirst = !isAsked && !isFresh;
        isAsked = true;
        const patienceMs = isFirst ? limits.storeFirstAnswerMs : given + limits.storeAnswerSlackMs;
        const answered = new AbortController();
        void watch(clock, patienceMs, answered.signal, () => giveUp(patienceMs));
        try {
          const result = await client.query(text, [...values]);
          isAnswered = true;
          return result;
        } catch (error) {
          throw lost ?? error;
        } finally {
          answered.abort();
          if (lost === undefined) this.#answeredMs.set(client, clock.monoMs());
        }
      },
      release: (isClean) => {
        client.off("error", onError);
        client.release(!isClean || lost !== undefined);
        this.#turns.leave();
      },
    };
  }
}

/** Runs `act` unless the signal comes first. */
const watch = async (
  clock: Clock,
  patienceMs: number,
  signal: AbortSignal,
  act: () => void,
): Promise<void> => {
  await clock.sleep(patienceMs, signal);
  // After a long stop of this process its timers run before the answers that lie in the socket are read.
  if (!signal.aborted) await clock.sleep(limits.storeLateAnswerMs, signal);
  if (!signal.aborted) act();
};

/** Ends a connection at once: a goodbye to a dead peer would keep the process alive. */
export const endNow = (client: Client | PoolClient): void => {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  connection.stream.destroy();
};

/** Known to pg since 8.22, not yet to its type package. */
const pipelined: object = { pipeline: true };

/** Both back ends hand out strings, numbers and null only. */
const plainValues: CustomTypesConfig = {
  getTypeParser: (oid: number) => {
    if (numberTypes.has(oid)) return parseNumber;
    if (oid === booleanType) return (text: string) => (text === "t" ? 1 : 0);
    return (text: string) => text;
  },
};

const booleanType = 16;
// int8, int2, int4, oid, float4, float8, numeric.
const numberTypes = new Set([20, 21, 23, 26, 700, 701, 1700]);

const parseNumber = (text: string): number => {
  const number = Number(text);
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
    throw new HeadgateError("INTERNAL", `the number ${text} is too large for an exact integer`);
  }
  return number;
};
