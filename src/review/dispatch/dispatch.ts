import { type Clock, systemClock } from "../../base/clock.ts";
import { assert } from "../../base/assert.ts";
import type { RunAnswer, Runner } from "../../runners/index.ts";
import { type Budget, createBudget } from "./budget.ts";
import type { Dispatched, DispatchTotals, JobProgress, JobResult, ReviewJob } from "./types.ts";

export interface DispatchOptions {
  /** One for all, or one for each job. */
  readonly runner: Runner | ((job: ReviewJob) => Runner);
  readonly concurrency: number;
  /** Absent or null: no ceiling. */
  readonly budgetUsd?: number | null;
  /** For each question; a request that has less keeps it. */
  readonly timeoutMs?: number;
  /** Ends what runs; what has finished is kept. */
  readonly signal: AbortSignal;
  /** After stage 1; absent: stage 2 is asked as well. */
  wantsMore?(results: readonly JobResult[]): boolean | Promise<boolean>;
  onProgress?(progress: JobProgress): void;
  /** As soon as it is there: what was answered can be kept while others are still asked. */
  onResult?(result: JobResult, index: number): void;
  readonly clock?: Clock;
}

/**
 * Asks all jobs, at most `concurrency` at once, stage 1 before stage 2, within the budget. Every job has a
 * result, also when it was not asked or its runner broke. Throws nothing that a runner does.
 */
export const dispatch = async (
  jobs: readonly ReviewJob[],
  options: DispatchOptions,
): Promise<Dispatched> => {
  assert(options.concurrency >= 1, "at least one at a time");
  const { wantsMore, budgetUsd } = options;
  const budget = typeof budgetUsd === "number" ? createBudget(budgetUsd) : undefined;
  const run = createRun(jobs, options, budget);
  const ofStage = (stage: 1 | 2): number[] =>
    [...jobs.keys()].filter((index) => jobs[index]?.stage === stage);
  await run.stage(ofStage(1));
  const second = ofStage(2);
  if (second.length > 0) {
    const first = run.results.filter((result) => result !== undefined);
    const isWanted = options.signal.aborted || !wantsMore || (await wantsMore(first));
    if (isWanted) await run.stage(second);
    else for (const index of second) run.leaveOut(index, "stage 2 was not wanted after stage 1");
  }
  const results = run.results.filter((result) => result !== undefined);
  assert(results.length === jobs.length, "a job without a result");
  return { results, totals: totalsOf(results) };
};

const createRun = (
  jobs: readonly ReviewJob[],
  options: DispatchOptions,
  budget: Budget | undefined,
) => {
  const { signal, onProgress, clock = systemClock } = options;
  const results = Array.from<JobResult | undefined>({ length: jobs.length });
  const runners = jobs.map((job) =>
    typeof options.runner === "function" ? options.runner(job) : options.runner,
  );
  const tell = (
    index: number,
    progress: Omit<JobProgress, "index" | "reviewer" | "slice">,
  ): void => {
    const job = jobs[index];
    if (job) onProgress?.({ index, reviewer: job.reviewer, slice: job.slice, ...progress });
  };
  const close = (index: number, result: Omit<JobResult, "job" | "runner" | "family">): void => {
    const [job, runner] = [jobs[index], runners[index]];
    assert(job && runner, "no such job");
    const whole = { job, runner: runner.name, family: runner.family, ...result };
    results[index] = whole;
    options.onResult?.(whole, index);
    const { state, elapsedMs, why, answer } = result;
    tell(index, {
      state,
      elapsedMs,
      ...(why !== undefined && { why }),
      ...(answer && { outputTokens: answer.usage.outputTokens, characters: answer.text.length }),
      ...(answer?.costUsd !== undefined && { costUsd: answer.costUsd }),
    });
  };
  const leaveOut = (index: number, why: string): void =>
    close(index, { state: "not-asked", why, elapsedMs: 0 });

  const ask = async (index: number, reserved: number | undefined): Promise<void> => {
    const [job, runner] = [jobs[index], runners[index]];
    assert(job && runner, "no such job");
    const startedMs = clock.monoMs();
    const elapsed = (): number => Math.round(clock.monoMs() - startedMs);
    tell(index, { state: "running", elapsedMs: 0 });
    const { timeoutMs = job.request.timeoutMs } = options;
    const request = {
      ...job.request,
      timeoutMs: Math.min(timeoutMs, job.request.timeoutMs),
      ...(reserved !== undefined && { budgetUsd: reserved }),
    };
    const answer = await runner
      .run(request, {
        signal,
        onProgress: ({ waitingMs, why, ...counts }) =>
          tell(index, {
            state: waitingMs === undefined ? "running" : "waiting-to-retry",
            elapsedMs: elapsed(),
            ...counts,
            ...(why !== undefined && { why }),
          }),
      })
      .catch(broken);
    if (reserved !== undefined) budget?.settle(runner, reserved, costOf(answer));
    close(index, {
      state: answer.ended === "answer" ? "answered" : answer.ended,
      ...(answer.problem !== undefined && { why: answer.problem }),
      answer,
      elapsedMs: elapsed(),
    });
  };

  const stage = async (indexes: readonly number[]): Promise<void> => {
    const waiting = [...indexes];
    const active = new Set<Promise<void>>();
    while (waiting.length > 0 || active.size > 0) {
      const [next] = waiting;
      if (next !== undefined && signal.aborted) {
        waiting.shift();
        leaveOut(next, "cancelled before it was asked");
        continue;
      }
      if (next !== undefined && active.size < options.concurrency) {
        const held = setAside(next, waiting.length);
        if (held.state === "never") {
          waiting.shift();
          leaveOut(next, held.why);
          continue;
        }
        if (held.state === "fits") {
          waiting.shift();
          const asked = ask(next, held.usd).finally(() => active.delete(asked));
          active.add(asked);
          continue;
        }
      }
      await Promise.race(active);
    }
  };

  const setAside = (index: number, waiting: number) => {
    const [job, runner] = [jobs[index], runners[index]];
    assert(job && runner, "no such job");
    if (!budget) return { state: "fits", usd: undefined } as const;
    return budget.setAside(runner, job.request, waiting);
  };

  return { results, stage, leaveOut };
};

/** Nothing was sent to anybody where a program did not start or a service said no. */
const costOf = ({ costUsd, ended, usage }: RunAnswer): number | undefined => {
  if (costUsd !== undefined) return costUsd;
  const isUnused = usage.inputTokens === 0 && usage.outputTokens === 0;
  return ended === "failed" && isUnused ? 0 : undefined;
};

/** A runner does not throw; if one does, the others' answers are not lost for it. */
const broken = (error: unknown): RunAnswer => ({
  ended: "failed",
  text: "",
  usage: { inputTokens: 0, outputTokens: 0 },
  truncated: false,
  tries: 1,
  problem: `the runner broke: ${error instanceof Error ? error.message : String(error)}`,
});

const totalsOf = (results: readonly JobResult[]): DispatchTotals => {
  const asked = results.flatMap(({ answer }) => (answer ? [answer] : []));
  const sum = (of: (answer: RunAnswer) => number): number =>
    asked.reduce((total, answer) => total + of(answer), 0);
  return {
    asked: asked.length,
    answered: results.filter(({ state }) => state === "answered").length,
    notAsked: results.length - asked.length,
    inputTokens: sum(({ usage }) => usage.inputTokens),
    outputTokens: sum(({ usage }) => usage.outputTokens),
    costUsd: sum(({ costUsd }) => costUsd ?? 0),
    costUnknown: asked.filter((answer) => costOf(answer) === undefined).length,
  };
};
