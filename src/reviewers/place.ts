/** Where reviewers live in a project, and one writer at a time. */
import { join } from "node:path";
import { type Clock, systemClock } from "../base/clock.ts";
import { errnoOf, type Files, openFlags, systemFiles } from "../base/files.ts";
import { limits } from "../base/limits.ts";
import { resolveInRepository } from "../base/paths.ts";
import { showText } from "../base/text.ts";
import { type ErrorCode, HeadgateError } from "../errors.ts";
import { whileKernelLocked } from "../state/index.ts";

export interface ReviewersPlace {
  readonly worktree: string;
  /** `.git/headgate`: the lock lies there, one for all worktrees. */
  readonly localDir: string;
  readonly files?: Files;
  readonly clock?: Clock;
  /** Other documents than the shipped ones. */
  readonly documents?: string;
}

export interface Place extends Required<Omit<ReviewersPlace, "documents">> {
  readonly agentsDir: string;
}

export const agentsFolder = ".claude/agents";

/** PATH_OUTSIDE when a link on the way leads out of the project: agents are written nowhere else. */
export const settlePlace = (given: ReviewersPlace): Place => {
  const { worktree, localDir, files = systemFiles, clock = systemClock } = given;
  const resolved = resolveInRepository([worktree], agentsFolder, { cwd: worktree, files });
  if (!resolved.ok) throw new HeadgateError(resolved.code, resolved.message);
  return { worktree, localDir, files, clock, agentsDir: join(worktree, agentsFolder) };
};

/** The kernel's lock: it ends with its process, so a kill leaves nothing to clear up. */
export const whileLocked = async <T>(place: Place, work: () => Promise<T>): Promise<T> => {
  const { files, clock, localDir, worktree } = place;
  const { makeLocalDir } = await import("../store/index.ts");
  makeLocalDir(localDir, files, files.traits.directoryHandles ? "linux" : "win32");
  // The manifest is tracked, and may be the first file there.
  namedFailure(worktree, () => files.makeDirectory(join(worktree, ".headgate"), 0o777));
  const path = join(localDir, "reviewers.lock");
  const waitMs = limits.stateLockWaitMs;
  const busy = () =>
    new HeadgateError(
      "STATE_BUSY",
      `reviewers were being written by another process for ${waitMs} ms`,
      { data: { path } },
    );
  const fd = namedFailure(path, () => files.open(path, openFlags.readWriteCreate, 0o600));
  try {
    return await whileKernelLocked(fd, { clock, waitMs, busy }, work);
  } finally {
    files.close(fd);
  }
};

/** An error of the system as one with a code that names the path; all else passes through. */
export const namedFailure = <T>(path: string, call: () => T): T => {
  try {
    return call();
  } catch (cause) {
    const errno = errnoOf(cause);
    if (errno === undefined || !/^E[A-Z0-9]+$/.test(errno)) throw cause;
    const message = `${showText(path, 1024)}: ${errno === "ENOTDIR" ? "not a folder" : errno}`;
    throw new HeadgateError(codeOf(errno), message, { data: { path, errno }, cause });
  }
};

export const codeOf = (errno: string): ErrorCode => codes[errno] ?? "STATE_IO";

const codes: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: "STATE_DISK_FULL",
  EDQUOT: "STATE_DISK_FULL",
  EROFS: "STATE_NOT_WRITABLE",
  EACCES: "STATE_NOT_WRITABLE",
  EPERM: "STATE_NOT_WRITABLE",
  ENOTDIR: "STATE_TARGET_KIND",
  EEXIST: "STATE_TARGET_KIND",
  ELOOP: "STATE_TARGET_KIND",
  EMFILE: "STATE_TOO_MANY_FILES",
  ENFILE: "STATE_TOO_MANY_FILES",
};
