import { createRequire } from "node:module";
import type { Clock } from "../base/clock.ts";
import { HeadgateError } from "../errors.ts";

/**
 * The kernel's lock on an open file (Linux: open-file-description lock, macOS: flock, Windows:
 * LockFileEx). It dies with its process, so there is no stale lock to take over and no race in doing so.
 * It is advisory: programs that write the file without this room do not see it.
 */
export const tryKernelLock = (fd: number): boolean => native().tryLock(fd);

/** Sleeps in the kernel, on a thread of its own, until the lock is free. Cannot be given up. */
export const waitForKernelLock = (fd: number): Promise<void> => native().waitForLock(fd);

/**
 * Released by name before the handle is closed: a child that was forked but has not yet run its
 * program shares the handle, and would keep the lock for that moment.
 */
export const releaseKernelLock = (fd: number): void => native().unlock(fd);

/**
 * Does the work while the lock is held. Asks again and again for a bounded time, because the kernel's own waiting
 * cannot be given up; throws what `busy` makes when that time is over.
 */
export const whileKernelLocked = async <T>(
  fd: number,
  {
    clock,
    waitMs,
    busy,
  }: { readonly clock: Clock; readonly waitMs: number; readonly busy: () => HeadgateError },
  work: () => Promise<T> | T,
): Promise<T> => {
  const deadlineMonoMs = clock.monoMs() + waitMs;
  while (!tryKernelLock(fd)) {
    if (clock.monoMs() > deadlineMonoMs) throw busy();
    await clock.sleep(2);
  }
  try {
    return await work();
  } finally {
    releaseKernelLock(fd);
  }
};

interface NativeLocks {
  tryLock(fd: number): boolean;
  waitForLock(fd: number): Promise<void>;
  unlock(fd: number): void;
}

let loaded: NativeLocks | undefined;

// Loaded by the first write, not by the import of this room; synchronous because the protocol is.
const native = (): NativeLocks => {
  try {
    loaded ??= createRequire(import.meta.url)("fs-native-extensions") as NativeLocks;
    return loaded;
  } catch (cause) {
    throw new HeadgateError(
      "STATE_IO",
      "cannot load fs-native-extensions: this platform has no binary for file locks",
      { cause },
    );
  }
};
