import { errnoOf, type Files, type FileStats, openFlags } from "../base/files.ts";
import { closeQuietly } from "../base/open-file.ts";
import { type Directory, openDirectory } from "./directory.ts";
import { releaseKernelLock, tryKernelLock } from "./kernel-lock.ts";
import { readContentAt, readWhole, requirePlainFile } from "./read-content.ts";
import { stateFailure, step } from "./state-failure.ts";
import { parseStatePath } from "./state-path.ts";

/**
 * A file that nobody else in this room may replace until `release`. The kernel lock lies on the file's
 * own inode and counts only while the path still names that inode: whoever waited on a replaced
 * inode sees that and starts again on the new one. So there are no side files, and nothing is stale
 * after a kill. A file that does not exist has no inode to lock; its creation is made exclusive by
 * `link` instead (`isExclusive` is false).
 */
export interface HeldTarget {
  readonly directory: Directory;
  readonly name: string;
  /** For messages. */
  readonly path: string;
  readonly at: string;
  /** Undefined when there is no file. */
  readonly stats: FileStats | undefined;
  readonly isExclusive: boolean;
  read(): Buffer | undefined;
  /** False when somebody outside this room replaced, removed or created the file meanwhile. */
  isStillThere(): boolean;
  release(): void;
}

/** Undefined when another updater has the file, or replaced it just now: wait a moment and ask again. */
export const tryHoldTarget = (
  files: Files,
  given: string,
  options: { readonly root?: string | undefined } = {},
): HeldTarget | undefined => {
  const { directory: folder, name, path } = parseStatePath(given);
  const directory = openDirectory(files, folder, options);
  const place = { directory, name, path, at: directory.at(name) };
  try {
    const held = files.traits.replaceOpenFiles
      ? holdByInode(files, place)
      : holdBySideFile(files, place);
    if (!held) directory.close();
    return held;
  } catch (error) {
    directory.close();
    throw error;
  }
};

type Place = Pick<HeldTarget, "directory" | "name" | "path" | "at">;

const holdByInode = (files: Files, place: Place): HeldTarget | undefined => {
  const { at, path, directory } = place;
  const lookAt = () => step("look at the file", path, () => files.stat(at));
  const seen = lookAt();
  if (seen === undefined) {
    return {
      ...place,
      stats: undefined,
      isExclusive: false,
      read: () => undefined,
      isStillThere: () => lookAt() === undefined,
      release: () => directory.close(),
    };
  }
  requirePlainFile(seen, path);
  const fd = openForLock(files, place);
  if (fd === undefined) return undefined;
  try {
    const isLocked = step("lock the file", path, () => tryKernelLock(fd));
    const stats = files.statHandle(fd);
    if (!isLocked || !isSameFile(stats, files.stat(at))) {
      closeQuietly(files, fd);
      return undefined;
    }
    return {
      ...place,
      stats,
      isExclusive: true,
      read: () => readWhole(files, fd, path),
      isStillThere: () => isSameFile(stats, lookAt()),
      release: () => releaseAll(files, fd, directory),
    };
  } catch (error) {
    closeQuietly(files, fd);
    throw stateFailure(error, "lock the file", path);
  }
};

/** An exclusive kernel lock needs a handle for writing; so a file without write permission is refused. */
const openForLock = (files: Files, { at, path }: Place): number | undefined => {
  try {
    return files.open(at, openFlags.readWrite | openFlags.noFollow | openFlags.noWait);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw stateFailure(error, "open the file", path);
  }
};

/**
 * Windows cannot rename over an open file, so the lock lies on `.<name>.lock` beside it. That file is
 * never removed: removing it would let two updaters lock two different files of the same name.
 */
const holdBySideFile = (files: Files, place: Place): HeldTarget | undefined => {
  const { at, path, name, directory } = place;
  const lockAt = directory.at(`.${name}.lock`);
  const fd = step("lock the file", path, () =>
    files.open(lockAt, openFlags.readWriteCreate, 0o600),
  );
  try {
    if (!step("lock the file", path, () => tryKernelLock(fd))) {
      closeQuietly(files, fd);
      return undefined;
    }
    const stats = step("look at the file", path, () => files.stat(at));
    if (stats) requirePlainFile(stats, path);
    return {
      ...place,
      stats,
      isExclusive: true,
      read: () => readContentAt(files, at, path),
      isStillThere: () => {
        const now = step("look at the file", path, () => files.stat(at));
        return stats ? isSameFile(stats, now) : now === undefined;
      },
      release: () => releaseAll(files, fd, directory),
    };
  } catch (error) {
    closeQuietly(files, fd);
    throw error;
  }
};

const releaseAll = (files: Files, fd: number, directory: Directory): void => {
  try {
    releaseKernelLock(fd);
  } catch (error) {
    // Closing the handle releases the lock as well, only a moment later when a child shares it.
    if (errnoOf(error) === undefined) throw error;
  } finally {
    closeQuietly(files, fd);
    directory.close();
  }
};

const isSameFile = (stats: FileStats, other: FileStats | undefined): boolean =>
  other !== undefined && other.dev === stats.dev && other.ino === stats.ino;
