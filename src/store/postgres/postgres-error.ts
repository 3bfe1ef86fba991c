import { type ErrorCode, HeadgateError } from "../../errors.ts";

/** The server's own five-character code; undefined for errors of the connection. */
export const sqlState = (error: unknown): string | undefined => {
  if (!(error instanceof Error) || !("severity" in error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
};

/** The server refused this statement and goes on; the transaction is rolled back for certain. */
export const isStatementError = (error: unknown): boolean =>
  sqlState(error) !== undefined && (error as { severity?: unknown }).severity === "ERROR";

export const toStoreError = (error: unknown, location: string): HeadgateError => {
  if (HeadgateError.isInstance(error)) return error;
  const state = sqlState(error);
  const detail = error instanceof Error ? error.message || error.name : String(error);
  const [, code, what] =
    state === undefined
      ? isOurFault(error)
        ? internal
        : unreachable
      : (table.find(([start]) => state.startsWith(start)) ?? internal);
  return new HeadgateError(code, `${what} ${location}: ${detail}${state ? ` (${state})` : ""}`, {
    data: { location, ...(state && { sqlState: state }) },
    cause: error,
  });
};

/** Deadlock or serialisation failure: the server asks for the whole transaction again. */
export const isRepeatable = (error: unknown): boolean => {
  if (!HeadgateError.isInstance(error) || error.code !== "STORE_BUSY") return false;
  const state = error.data["sqlState"];
  return state === "40001" || state === "40P01";
};

/** A TypeError and its like come from our code, not from the wire. */
const isOurFault = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;

type Line = readonly [start: string, code: ErrorCode, what: string];

// The first line that fits decides, so special cases stand before their class.
const table: readonly Line[] = [
  ["40001", "STORE_BUSY", "other writers changed the same rows in"],
  ["40P01", "STORE_BUSY", "two writers blocked each other in"],
  ["55P03", "STORE_BUSY", "other writers hold the store"],
  ["57014", "STORE_BUSY", "a statement took too long in"],
  ["25006", "STORE_READ_ONLY", "cannot write to"],
  ["42501", "STORE_READ_ONLY", "no permission in"],
  ["53100", "STORE_FULL", "no room left in"],
  ["58", "STORE_IO", "the server's disk failed under"],
  ["XX001", "STORE_CORRUPT", "damaged store"],
  ["XX002", "STORE_CORRUPT", "damaged store"],
  ["08", "STORE_UNAVAILABLE", "lost the connection to"],
  ["25P03", "STORE_UNAVAILABLE", "a transaction was idle too long in"],
  ["28", "STORE_UNAVAILABLE", "not let in by"],
  ["3D000", "STORE_UNAVAILABLE", "no such database:"],
  ["53", "STORE_UNAVAILABLE", "the server has no room for us:"],
  ["57P", "STORE_UNAVAILABLE", "the server is stopping or starting:"],
];
const unreachable: Line = ["", "STORE_UNAVAILABLE", "cannot reach"];
const internal: Line = ["", "INTERNAL", "a statement failed in"];
