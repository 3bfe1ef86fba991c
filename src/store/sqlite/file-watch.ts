import { type Files, errnoOf } from "../../base/files.ts";
import { HeadgateError } from "../../errors.ts";

/**
 * Notices that store.db, its -wal or its -shm was deleted or replaced while open (F11). SQLite itself goes on
 * writing to the unlinked file, where nobody else sees it. As long as a handle is open nobody removes
 * these files by right, so they must stay what they were.
 *
 * On Linux the kernel is asked what name SQLite's own handles have now. Looking at the files by `stat`
 * would make every commit slower: a file whose times were looked at gets exact new ones with its next
 * write, and the sync must then write its inode, too (measured: 160 µs became 220 µs).
 */
export class FileWatch {
  readonly #path: string;
  readonly #signs: readonly Sign[];

  /** Made when the store is open and quiet; `path` has its first handles then. */
  constructor(files: Files, path: string) {
    this.#path = path;
    const names = [path, `${path}-wal`, `${path}-shm`];
    this.#signs = signsByHandle(files, names) ?? names.map((name) => signByStat(files, name));
  }

  /**
   * "all" before a transaction; after its commit only the -wal, where it was written, and the -shm, where
   * the locks are: with two of them, two writers would each believe to be alone.
   */
  check(which: "all" | "side"): void {
    for (const { name, isSame } of which === "all" ? this.#signs : this.#signs.slice(1)) {
      if (isSame()) continue;
      throw new HeadgateError("STORE_REPLACED", `${name} was removed or replaced while in use`, {
        data: { location: this.#path, file: name },
      });
    }
  }
}

interface Sign {
  readonly name: string;
  isSame(): boolean;
}

/** Undefined where there is no /proc, or a handle is not found in it. */
const signsByHandle = (files: Files, names: readonly string[]): Sign[] | undefined => {
  if (!files.traits.handlePaths) return undefined;
  const targets = new Map(names.map((name) => [realPathOf(files, name), name]));
  const signs = new Map<string, Sign>();
  // The newest first: SQLite has just opened them.
  const numbers = files.list(handles).map(({ name }) => Number(name));
  for (const number of numbers.toSorted((left, right) => right - left)) {
    const link = `${handles}/${number}`;
    const target = readLink(files, link);
    const name = target === undefined ? undefined : targets.get(target);
    if (name === undefined) continue;
    // An unlinked file shows as "… (deleted)", a renamed one with its new name.
    signs.set(name, { name, isSame: () => readLink(files, link) === target });
    if (signs.size === names.length) return names.flatMap((one) => signs.get(one) ?? []);
  }
  return undefined;
};

const realPathOf = (files: Files, name: string): string | undefined =>
  files.stat(name) && files.realPath(name);

const handles = "/proc/self/fd";

const readLink = (files: Files, link: string): string | undefined => {
  try {
    return files.readLink(link);
  } catch (error) {
    // The handle that listed the folder is gone by now; others may be unreadable.
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
};

const signByStat = (files: Files, name: string): Sign => {
  const identity = (): string | undefined => {
    const stat = files.statFollowing(name);
    return stat && `${stat.dev}:${stat.ino}`;
  };
  const expected = identity();
  return { name, isSame: () => identity() === expected };
};
