/**
 * The user's index, changed under git's own lock. The lock file names the process that took it, so a lock that a
 * killed process left is proven ours and removed; a lock of a killed git proves nothing. The work happens in a
 * second index, which replaces the first in one rename: a kill leaves the index as it was or as wanted.
 */
import { dirname, join } from "node:path";
import { errnoOf, type Files, openFlags, systemFiles } from "../../base/files.ts";
import { newId } from "../../base/ids.ts";
import { closeQuietly, removeFile } from "../../base/open-file.ts";
import { ownIdentity, probe, type ProcessIdentity } from "../../base/process-identity.ts";
import { gitDirOf } from "../layout.ts";

/** "locked": another git has the index. `work` gets an index to change and answers whether it is to count. */
export const changeIndex = async (
  worktree: string,
  work: (index: string) => Promise<boolean>,
  files: Files = systemFiles,
): Promise<"done" | "locked"> => {
  const gitDir = gitDirOf(worktree, files);
  if (gitDir === undefined) return "locked";
  const present = join(gitDir, "index");
  const lock = `${present}.lock`;
  const own = join(gitDir, `headgate-index-${newId("operation")}`);
  if (!takeLock(files, lock, `${own}.owner`)) return "locked";
  try {
    // A second name, not a copy: git compares the times of files with the time of the index. It never
    // writes into an index, it replaces it.
    if (files.stat(present)) giveSecondName(files, present, own);
    if ((await work(own)) && files.stat(own)) {
      syncFile(files, own);
      files.rename(own, present);
    }
    return "done";
  } finally {
    removeFile(files, own);
    removeFile(files, `${own}.lock`);
    removeFile(files, lock);
  }
};

/** Removes an index lock of a process of ours that is proven dead. */
export const clearDeadIndexLock = (gitDir: string, files: Files = systemFiles): boolean => {
  const isDead = isDeadIndexLock(gitDir, files);
  if (isDead) removeFile(files, join(gitDir, "index.lock"));
  return isDead;
};

export const isDeadIndexLock = (gitDir: string, files: Files = systemFiles): boolean => {
  const owner = readOwner(files, join(gitDir, "index.lock"));
  return owner !== undefined && probe(owner).state === "dead";
};

/** A second name of a file that is written already: the lock is there whole, or not at all. */
const takeLock = (files: Files, lock: string, draft: string): boolean => {
  try {
    writeNew(files, draft, Buffer.from(JSON.stringify({ headgate: { ...ownIdentity() } })));
    giveSecondName(files, draft, lock);
    return true;
  } catch (error) {
    const errno = errnoOf(error) ?? "";
    if (errno === "EEXIST") clearDeadIndexLock(dirname(lock), files);
    else if (!["EACCES", "EROFS", "EPERM", "ENOSPC", "EDQUOT"].includes(errno)) throw error;
    return false;
  } finally {
    removeFile(files, draft);
  }
};

/** EEXIST where the name is taken. */
const giveSecondName = (files: Files, from: string, to: string): void => {
  try {
    files.link(from, to);
  } catch (error) {
    // FAT and some FUSE file systems have no links.
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(errnoOf(error) ?? "")) {
      throw error;
    }
    writeNew(files, to, files.readFile(from));
  }
};

const writeNew = (files: Files, path: string, bytes: Uint8Array): void => {
  const fd = files.open(path, openFlags.create, 0o600);
  try {
    for (let done = 0; done < bytes.length;) done += files.write(fd, bytes, done);
  } finally {
    closeQuietly(files, fd);
  }
};

/** Undefined: git's own lock, or none. */
const readOwner = (files: Files, lock: string): ProcessIdentity | undefined => {
  const stat = files.stat(lock);
  if (!stat?.isFile() || stat.size === 0 || stat.size > ownerBytesMax) return undefined;
  try {
    const { headgate } = JSON.parse(files.readFile(lock).toString("utf8")) as {
      readonly headgate?: ProcessIdentity;
    };
    return headgate;
  } catch {
    // It is gone by now, or it is an index that git is about to show.
    return undefined;
  }
};

const ownerBytesMax = 4_096;

const syncFile = (files: Files, path: string): void => {
  const fd = files.open(path, openFlags.read);
  try {
    files.sync(fd);
  } finally {
    closeQuietly(files, fd);
  }
};
