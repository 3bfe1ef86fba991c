import type { Clock } from "../base/clock.ts";
import { limits } from "../base/limits.ts";
import type { Random } from "../base/random.ts";
import { seconds, without } from "./answers.ts";
import { worstCostUsd } from "./cost.ts";
import type { RunAnswer, Runner } from "./types.ts";

/**
 * Asks again where it is worth it, after a pause that doubles and is spread over its second half, so that
 * many who were refused at once do not come back at once. A service that says when is believed. The
 * request's time is for all tries together.
 */
export const withRetries = (
  runner: Runner,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): Runner => ({
  ...runner,
  run: async (request, options) => {
    const deadlineMs = clock.monoMs() + request.timeoutMs;
    let spent: RunAnswer | undefined;
    for (let tries = 1; ; tries += 1) {
      const leftMs = deadlineMs - clock.monoMs();
      const answer = await runner.run({ ...request, timeoutMs: Math.max(1, leftMs) }, options);
      spent = added(spent, answer, tries);
      if (answer.retryable !== true || tries >= limits.runnerTriesMax) return spent;
      const next = worstCostUsd(runner, request) ?? 0;
      if (request.budgetUsd !== undefined && (spent.costUsd ?? 0) > 0) {
        if ((spent.costUsd ?? 0) + next > request.budgetUsd) {
          return {
            ...spent,
            problem: `${spent.problem ?? "failed"}; another try could cost too much`,
          };
        }
      }
      const pauseMs = pauseFor(answer, tries, random);
      if (clock.monoMs() + pauseMs >= deadlineMs) {
        const late = `${spent.problem ?? "failed"}; the next try in ${seconds(pauseMs)} would be too late`;
        return { ...spent, problem: late };
      }
      options.onProgress?.({ waitingMs: pauseMs, why: answer.problem ?? "failed" });
      await clock.sleep(pauseMs, options.signal);
      if (options.signal.aborted) {
        const { usage, costUsd } = spent;
        return without("cancelled", "cancelled", {
          usage,
          ...(costUsd !== undefined && { costUsd }),
          tries,
        });
      }
    }
  },
});

const pauseFor = ({ retryAfterMs }: RunAnswer, tries: number, random: Random): number => {
  const fullMs = Math.min(limits.runnerPauseMs * 2 ** (tries - 1), limits.runnerPauseMsMax);
  const ownMs = fullMs * (0.5 + random.fraction() / 2);
  // A little later than told: clocks differ, and so does everybody else who was told the same.
  return retryAfterMs === undefined
    ? ownMs
    : Math.max(retryAfterMs * (1 + random.fraction() * 0.1), ownMs);
};

/** Failed tries were paid for as well. */
const added = (before: RunAnswer | undefined, now: RunAnswer, tries: number): RunAnswer => {
  if (!before) return { ...now, tries };
  const costUsd =
    before.costUsd === undefined && now.costUsd === undefined
      ? undefined
      : (before.costUsd ?? 0) + (now.costUsd ?? 0);
  return {
    ...now,
    usage: {
      inputTokens: before.usage.inputTokens + now.usage.inputTokens,
      outputTokens: before.usage.outputTokens + now.usage.outputTokens,
    },
    ...(costUsd !== undefined && { costUsd }),
    tries,
  };
};
