/** Who is asked what, and what came of each. */
import type { RunAnswer, RunRequest } from "../../runners/index.ts";

export interface ReviewJob {
  readonly reviewer: string;
  /** From 1: which part of the subject. */
  readonly slice: number;
  readonly stage: 1 | 2;
  /** Runs, is recorded, and is not shown. */
  readonly shadow: boolean;
  readonly request: RunRequest;
}

export interface JobResult {
  readonly job: ReviewJob;
  readonly state: "answered" | "failed" | "timeout" | "cancelled" | "not-asked";
  /** One line; of a job that was not asked it begins with `budget`, `stage 2` or `cancelled`. */
  readonly why?: string;
  /** Absent when it was not asked. */
  readonly answer?: RunAnswer;
  readonly runner: string;
  readonly family: string;
  readonly elapsedMs: number;
}

export interface DispatchTotals {
  readonly asked: number;
  readonly answered: number;
  readonly notAsked: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of those whose cost is known. */
  readonly costUsd: number;
  /** How many were asked whose cost nobody knows. */
  readonly costUnknown: number;
}

export interface Dispatched {
  /** One for each job, in the order of the jobs. */
  readonly results: readonly JobResult[];
  readonly totals: DispatchTotals;
}

/** Told whenever something of a job changes. */
export interface JobProgress {
  /** The job's place in the list. */
  readonly index: number;
  readonly reviewer: string;
  readonly slice: number;
  readonly state: "running" | "waiting-to-retry" | JobResult["state"];
  readonly elapsedMs: number;
  readonly outputTokens?: number;
  readonly characters?: number;
  readonly costUsd?: number;
  readonly why?: string;
}
