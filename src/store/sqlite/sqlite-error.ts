import { isOutOfFiles } from "../../base/files.ts";
import { HeadgateError, type ErrorCode } from "../../errors.ts";

/** The library's own code, such as SQLITE_BUSY_SNAPSHOT; undefined for anything else. */
export const sqliteCode = (error: unknown): string | undefined => {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const { code } = error;
  return typeof code === "string" && code.startsWith("SQLITE_") ? code : undefined;
};

/** PROTOCOL is what SQLite reports when it lost the race for a WAL lock too often: also just busy. */
export const isBusy = (error: unknown): boolean => {
  const code = sqliteCode(error);
  return code !== undefined && /^SQLITE_(BUSY|PROTOCOL|LOCKED)/.test(code);
};

/** Gives an error of the library its place in our table; errors of ours pass unchanged. */
export const toStoreError = (error: unknown, path: string): HeadgateError => {
  if (HeadgateError.isInstance(error)) return error;
  const code = sqliteCode(error);
  const said = error instanceof Error ? error.message : String(error);
  // Its own words name no reason, and the commonest one is a read-only folder.
  const detail = code === "SQLITE_CANTOPEN" ? "no right to read it, or to write its folder" : said;
  const [, storeCode, what] =
    table.find(([start]) => code?.startsWith(start)) ??
    (isOutOfFiles(error) ? outOfFiles : internal);
  return new HeadgateError(storeCode, `${what} ${path}: ${detail}${code ? ` (${code})` : ""}`, {
    data: { location: path, ...(code && { sqlite: code }) },
    cause: error,
  });
};

type Line = readonly [start: string, code: ErrorCode, what: string];

// The first line that fits decides, so special cases stand before their family.
const table: readonly Line[] = [
  ["SQLITE_BUSY", "STORE_BUSY", "other writers hold the store"],
  ["SQLITE_PROTOCOL", "STORE_BUSY", "other writers hold the store"],
  ["SQLITE_CORRUPT", "STORE_CORRUPT", "damaged store"],
  ["SQLITE_NOTADB", "STORE_CORRUPT", "not a SQLite database:"],
  ["SQLITE_FULL", "STORE_FULL", "no room left for the store"],
  ["SQLITE_IOERR_CORRUPTFS", "STORE_CORRUPT", "damaged store"],
  // The file beside the store that all processes share could not grow.
  ["SQLITE_IOERR_SHMSIZE", "STORE_FULL", "no room left for the store"],
  ["SQLITE_IOERR", "STORE_IO", "the disk failed under the store"],
  ["SQLITE_READONLY", "STORE_READ_ONLY", "cannot write the store"],
  ["SQLITE_PERM", "STORE_READ_ONLY", "no permission for the store"],
  ["SQLITE_CANTOPEN", "STORE_UNAVAILABLE", "cannot open the store"],
];

const outOfFiles: Line = ["", "STATE_TOO_MANY_FILES", "cannot open the store"];
const internal: Line = ["", "INTERNAL", "a statement failed in the store"];
