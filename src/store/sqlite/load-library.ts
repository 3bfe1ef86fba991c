import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { dirname, join } from "node:path";
import type Sqlite from "better-sqlite3";
import { errnoOf, type Files, openFlags } from "../../base/files.ts";

export interface SqliteLibrary {
  readonly Database: typeof Sqlite;
  /** For every `new Database`. */
  readonly options: { readonly nativeBinding?: string };
}

/** The version whose JavaScript the bundle of the command line holds; a test compares it with package.json. */
export const bundledVersion = "13.0.3";

let loading: Promise<SqliteLibrary> | undefined;

/** Loaded by the first database that is opened. */
export const loadSqlite = (files: Files): Promise<SqliteLibrary> => (loading ??= load(files));

const load = async (files: Files): Promise<SqliteLibrary> => {
  const nativeBinding = findBinding(import.meta.dirname, files);
  // The package itself, as Node finds it: it looks for its binary in ways of its own.
  if (nativeBinding === undefined) {
    return { Database: createRequire(import.meta.url)("better-sqlite3"), options: {} };
  }
  const { default: Database } = await import("better-sqlite3");
  return { Database, options: { nativeBinding } };
};

/**
 * The binary in the package's folder. Named here, because the library asks Node for a diagnostic report
 * on the whole process to learn which one fits, and that takes longer than loading it. Undefined in case
 * of any doubt.
 */
export const findBinding = (from: string, files: Files): string | undefined => {
  try {
    const target = platform() === "linux" && !isGlibc(files) ? "unknown" : platform();
    for (let place = from; dirname(place) !== place; place = dirname(place)) {
      const folder = join(place, "node_modules", "better-sqlite3");
      const binding = join(folder, "prebuilds", `${target}-${arch()}.node`);
      if (!files.statFollowing(binding)?.isFile()) continue;
      const manifest: unknown = JSON.parse(files.readFile(join(folder, "package.json")).toString());
      const { version } = manifest as { readonly version?: unknown };
      return version === bundledVersion ? binding : undefined;
    }
    return undefined;
  } catch (error) {
    if (errnoOf(error) !== undefined || error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** Which C library Node itself was made for, by the loader that its file names in its first bytes. */
const isGlibc = (files: Files): boolean => {
  const fd = files.open("/proc/self/exe", openFlags.read);
  try {
    const bytes = Buffer.alloc(4096);
    const text = bytes.toString("latin1", 0, files.read(fd, bytes, 0));
    return text.includes("/ld-linux") && !text.includes("/ld-musl");
  } finally {
    files.close(fd);
  }
};
