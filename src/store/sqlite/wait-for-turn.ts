import type { Clock } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import type { Random } from "../../base/random.ts";
import { HeadgateError } from "../../errors.ts";
import { isBusy } from "./sqlite-error.ts";

/**
 * Repeats a step that another process's lock may refuse, until it works or `waitMs` are over.
 *
 * SQLite's own busy handler backs off to sleeps of 100 ms and so starves whole processes; short tries
 * at random moments share evenly. The first few milliseconds block the thread, because a commit takes
 * a quarter of one and Node's timers cannot wait less than one; after that the event loop gets its turn
 * between tries, so that a server stays answerable. The numbers are in docs/decisions/sqlite-waiting.md.
 */
export const waitForTurn = async <T>(
  options: { clock: Clock; random: Random; waitMs: number; path: string },
  attempt: () => T,
): Promise<T> => {
  const { clock, random, waitMs, path } = options;
  const startMonoMs = clock.monoMs();
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const waitedMs = clock.monoMs() - startMonoMs;
      if (waitedMs >= waitMs) {
        throw new HeadgateError(
          "STORE_BUSY",
          `other processes held the store ${path} for ${Math.round(waitedMs)} ms`,
          { data: { location: path, waitMs }, cause: error },
        );
      }
      const pauseMs = pauseMsMin + random.fraction() * (pauseMsMax - pauseMsMin);
      if (waitedMs < limits.storeBlockingWaitMs) clock.sleepSync(pauseMs);
      else await clock.sleep(pauseMs);
    }
  }
};

const pauseMsMin = 0.2;
const pauseMsMax = 1;
