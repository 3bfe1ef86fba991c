/** Where reviewers live in a project, and one writer at a time. */
import { join } from "node:path";
import { type Clock, systemClock } from "../base/clock.ts";
import { type Files, openFlags, systemFiles } from "../base/files.ts";
import { limits } from "../base/limits.ts";
import { resolveInRepository } from "../base/paths.ts";
import { HeadgateError } from "../errors.ts";
import { releaseKernelLock, tryKernelLock } from "../state/index.ts";

export interface ReviewersPlace {
  readonly worktree: string;
  /** `.headgate/local`: the lock lies there, one for all worktrees. */
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
  const { files, clock, localDir } = place;
  const { makeLocalDir } = await import("../store/index.ts");
  makeLocalDir(localDir, files, files.traits.directoryHandles ? "linux" : "win32");
  const path = join(localDir, "reviewers.lock");
  const fd = files.open(path, openFlags.readWriteCreate, 0o600);
  try {
    const deadlineMs = clock.monoMs() + limits.stateLockWaitMs;
    while (!tryKernelLock(fd)) {
      if (clock.monoMs() > deadlineMs) {
        throw new HeadgateError(
          "STATE_BUSY",
          `reviewers were being written by another process for ${limits.stateLockWaitMs} ms`,
          { data: { path } },
        );
      }
      await clock.sleep(2);
    }
    try {
      return await work();
    } finally {
      releaseKernelLock(fd);
    }
  } finally {
    files.close(fd);
  }
};
