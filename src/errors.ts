/**
 * One coded error for everything that can go wrong, and how each surface shows it.
 * Expected refusals (a conflict, a stale fence) are values, not exceptions; what is thrown is a failure
 * or a misuse. The codes themselves are in error-codes.ts.
 */
import { type ErrorCode, type ErrorCodeEntry, errorCodes, type ErrorKind } from "./error-codes.ts";

export { type ErrorCode, type ErrorCodeEntry, errorCodes, type ErrorKind };

/** Plain JSON that goes with an error: paths, names, numbers; never secrets. */
export type ErrorData = Readonly<Record<string, unknown>>;

const brand = Symbol.for("headgate.error");

export class HeadgateError extends Error {
  readonly code: ErrorCode;
  readonly data: ErrorData;
  /** Of this case where the thrower knows it better than the table of codes. */
  readonly remedy: string;

  constructor(
    code: ErrorCode,
    message: string,
    options: { data?: ErrorData; cause?: unknown; remedy?: string | undefined } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.remedy = options.remedy ?? errorCodes[code].remedy;
    this.data = Object.freeze({ ...options.data });
    Object.defineProperty(this, brand, { value: true });
  }

  override get name(): string {
    return "HeadgateError";
  }

  get entry(): ErrorCodeEntry {
    return errorCodes[this.code];
  }

  /** The shape every surface shows for a failure. */
  toJSON(): { ok: false; code: ErrorCode; message: string; remedy: string; data: ErrorData } {
    const { code, message, remedy, data } = this;
    return { ok: false, code, message, remedy, data };
  }

  /** Unlike `instanceof`, this holds across two copies of the package. */
  static isInstance(value: unknown): value is HeadgateError {
    return typeof value === "object" && value !== null && brand in value;
  }
}

/** Exit codes of the command line; hooks have a table of their own. */
export const exitCodes = {
  refused: 1,
  usage: 2,
  stale: 3,
  absent: 4,
  unknown: 5,
  unauthenticated: 1,
  forbidden: 1,
  "too-large": 2,
  unavailable: 69,
  internal: 70,
  interrupted: 130,
} as const satisfies Record<ErrorKind, number>;

export const httpStatuses = {
  refused: 409,
  usage: 400,
  stale: 412,
  absent: 404,
  unknown: 504,
  unauthenticated: 401,
  forbidden: 403,
  "too-large": 413,
  unavailable: 503,
  internal: 500,
  interrupted: 503,
} as const satisfies Record<ErrorKind, number>;

/** -32602 and -32603 are JSON-RPC's own; the rest lies in its range for servers. */
export const jsonRpcCodes = {
  refused: -32001,
  usage: -32602,
  stale: -32002,
  absent: -32004,
  unknown: -32005,
  unauthenticated: -32003,
  forbidden: -32003,
  "too-large": -32602,
  unavailable: -32006,
  internal: -32603,
  interrupted: -32007,
} as const satisfies Record<ErrorKind, number>;
