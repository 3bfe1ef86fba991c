import type { Clock } from "../base/clock.ts";
import { limits } from "../base/limits.ts";
import type { Random } from "../base/random.ts";
import { HeadgateError } from "../errors.ts";
import { showPath } from "./state-failure.ts";

export interface Waiting {
  readonly clock: Clock;
  readonly random: Random;
  readonly path: string;
  readonly waitMs?: number | undefined;
}

/**
 * Repeats `attempt` until it answers, bounded. Short jittered pauses, not the kernel's waiting call:
 * that one is fairer but cannot be given up in time.
 */
export const waitTurn = async <T>(
  waiting: Waiting,
  attempt: () => T | undefined,
): Promise<Exclude<T, undefined>> => {
  const pauses = pausesOf(waiting);
  for (;;) {
    const answer = attempt();
    if (answer !== undefined) return answer as Exclude<T, undefined>;
    await waiting.clock.sleep(pauses());
  }
};

/** The same for synchronous callers; blocks the thread. */
export const waitTurnSync = <T>(
  waiting: Waiting,
  attempt: () => T | undefined,
): Exclude<T, undefined> => {
  const pauses = pausesOf(waiting);
  for (;;) {
    const answer = attempt();
    if (answer !== undefined) return answer as Exclude<T, undefined>;
    waiting.clock.sleepSync(pauses());
  }
};

const pausesOf = ({ clock, random, path, waitMs = limits.stateLockWaitMs }: Waiting) => {
  const deadlineMonoMs = clock.monoMs() + waitMs;
  return (): number => {
    if (clock.monoMs() < deadlineMonoMs) return 0.5 + 3 * random.fraction();
    throw new HeadgateError(
      "STATE_BUSY",
      `${showPath(path)} was held by other updaters for ${waitMs} ms`,
      { data: { path, waitMs } },
    );
  };
};
