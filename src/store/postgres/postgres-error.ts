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
    remedy: remedyFor(state, error),
  });
};

/** The way out, where the table of codes, which also speaks for SQLite, cannot know it. */
const remedyFor = (state: string | undefined, error: unknown): string | undefined => {
  if (state !== undefined) {
    const line = remedies.find(([start]) => state.startsWith(start));
    return line && isAboutEncryption(error) ? unencrypted : line?.[1];
  }
  if (isOurFault(error) || !(error instanceof Error)) return undefined;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (/certificate|self.signed|altname|verify/i.test(`${code} ${error.message}`)) {
    return "The server's certificate is not trusted: add sslrootcert=FILE to the address (or set PGSSLROOTCERT), and use the host name of the certificate.";
  }
  if (/does not support SSL/i.test(error.message)) {
    return "The server offers no TLS: turn it on there, or add sslmode=disable to the address on a network you trust.";
  }
  return "Check the host and port in HEADGATE_STORE, that the server runs, and the network in between; then repeat the command.";
};

const isAboutEncryption = (error: unknown): boolean =>
  error instanceof Error && /no encryption|SSL off|requires SSL/i.test(error.message);

const unencrypted =
  "The server wants TLS: add ?sslmode=verify-full (and sslrootcert=FILE for a certificate of your own) to the address in HEADGATE_STORE.";

const remedies: readonly (readonly [start: string, remedy: string])[] = [
  ["28P01", "The password is wrong: correct PGPASSWORD or the line in ~/.pgpass."],
  [
    "28",
    "The server's pg_hba.conf does not let this user in from here: ask its administrator, or use another user.",
  ],
  ["3D000", "Create the database, or correct its name in HEADGATE_STORE."],
  ["42501", "Give the role its rights: docs/teams.md lists the statements."],
  ["3F000", "Give the role its rights: docs/teams.md lists the statements."],
  [
    "53300",
    "The server has no connection left: raise max_connections, or put a pooler in front of it.",
  ],
  ["53100", "The disk of the database server is full: make room there and repeat the command."],
  [
    "55P03",
    "Try again; if it stays so, look in pg_stat_activity for a transaction that holds locks in the schema headgate.",
  ],
  ["57014", "Try again; if it stays so, look in pg_stat_activity for what keeps the server busy."],
  ["57P", "Wait until the server runs again, then repeat the command."],
  ["25006", "The server is a standby or read-only: use the address of the primary."],
];

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
