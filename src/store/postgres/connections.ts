import type { Client, ClientConfig, CustomTypesConfig, Pool, PoolClient } from "pg";
import { limits } from "../../base/limits.ts";
import { HeadgateError } from "../../errors.ts";
import { closed } from "../refusals.ts";
import type { StoreContext } from "../store-context.ts";
import { Turns } from "../turns.ts";
import { toStoreError } from "./postgres-error.ts";

/** A connection lent to one transaction. */
export interface Session {
  readonly client: PoolClient;
  /** Set as soon as the connection is known to be gone. */
  lost: Error | undefined;
  /** Gives it back, or throws it away when its state is not known to be clean. */
  release(isClean: boolean): void;
}

/**
 * The connections of one store. No session state is used (settings are made per transaction, statements
 * are unnamed), so a pooler that lends a server connection per transaction may stand between.
 */
export class Connections {
  readonly location: string;
  readonly #config: ClientConfig;
  readonly #pool: Pool;
  readonly #newClient: (config: ClientConfig) => Client;
  readonly #turns: Turns;
  #isClosed = false;

  private constructor(options: {
    location: string;
    config: ClientConfig;
    pool: Pool;
    newClient: (config: ClientConfig) => Client;
    turns: Turns;
  }) {
    this.location = options.location;
    this.#config = options.config;
    this.#pool = options.pool;
    this.#newClient = options.newClient;
    this.#turns = options.turns;
  }

  static async open(url: string, location: string, context: StoreContext): Promise<Connections> {
    const { default: pg } = await import("pg");
    const config: ClientConfig = {
      connectionString: url,
      connectionTimeoutMillis: limits.storeConnectTimeoutMs,
      keepAlive: true,
      fallback_application_name: "headgate",
      types: plainValues,
    };
    // Pipelining sends BEGIN, the lock and the first statement in one flight; likewise the end.
    const pool = new pg.Pool({ ...config, ...pipelined, max: limits.storeConnectionsMax });
    // An idle connection that breaks is replaced by the pool; only its next user would care.
    pool.on("error", () => {});
    const { clock, waitMs } = context;
    const turns = new Turns({ clock, waitMs, permits: limits.storeConnectionsMax });
    const newClient = (given: ClientConfig) => new pg.Client(given);
    return new Connections({ location, config, pool, newClient, turns });
  }

  async borrow(): Promise<Session> {
    if (this.#isClosed) throw closed(this.location);
    // Our own queue, because the pool's would count waiting for a busy store as an unreachable one.
    await this.#turns.enter(`use a connection to ${this.location}`);
    let client: PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (error) {
      this.#turns.leave();
      throw toStoreError(error, this.location);
    }
    const session: Session = {
      client,
      lost: undefined,
      release: (isClean) => {
        client.off("error", onError);
        client.release(!isClean || session.lost !== undefined);
        this.#turns.leave();
      },
    };
    const onError = (error: Error) => {
      session.lost ??= error;
    };
    client.on("error", onError);
    return session;
  }

  /** A connection of its own for LISTEN, which needs one server session for its whole life. */
  listeningClient(): Client {
    return this.#newClient(this.#config);
  }

  /** Running transactions end first. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pool.end();
  }
}

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
