/** What is kept of reviews, and what became of findings over time. */
import type { Evidence } from "../../routing/index.ts";
import type { MissedJudgement, ReportState, ReviewVerdict, Severity, Synthesis } from "../types.ts";

export type ReviewState = "running" | "interrupted" | "done" | "failed";

export interface ReviewRecord {
  readonly id: string;
  readonly at: string;
  readonly endedAt: string | null;
  readonly actor: string;
  /** As a person named it. */
  readonly subject: string;
  readonly subjectDigest: string;
  readonly base: string | null;
  readonly head: string | null;
  readonly state: ReviewState;
  readonly verdict: ReviewVerdict | null;
  readonly counts: Synthesis["counts"] | null;
  /** Gaps in the review; of very many the first hundred. */
  readonly notJudged?: readonly MissedJudgement[];
  readonly reviewers: readonly ReviewerRun[];
  readonly costUsd: number;
  readonly tokens: number;
  /** Why it failed or was interrupted. */
  readonly problem?: string;
  readonly inputDigest?: string;
}

export interface ReviewerRun {
  readonly reviewer: string;
  readonly runner: string;
  readonly family: string;
  readonly model: string | null;
  readonly stage: number;
  /** Recorded and not shown. */
  readonly shadow: boolean;
  readonly state: "waiting" | "running" | "done" | "failed" | "timeout" | "cancelled";
  readonly report: ReportState | null;
  readonly findings: number;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  readonly problem: string | null;
}

/** Over reviews: `new` was not there before, `regressed` was fixed and is back. */
export type FindingState = "new" | "persisting" | "fixed" | "regressed" | "accepted" | "dismissed";

/** One problem over all reviews that saw it. */
export interface LedgerFinding {
  readonly id: string;
  /** Survives moved lines and renamed files: what its identity is compared by. */
  readonly identity: string;
  readonly state: FindingState;
  readonly severity: Severity;
  readonly title: string;
  readonly path: string | null;
  readonly line: number | null;
  readonly rule: string | null;
  readonly kind?: string;
  /** What was said about it last. */
  readonly body?: string;
  readonly reviewers: readonly string[];
  readonly firstReview: string;
  readonly lastReview: string;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
  /** Why it was dismissed, by whom. */
  readonly decision: {
    readonly by: string;
    readonly at: string;
    readonly reason: string | null;
    readonly note: string | null;
  } | null;
  /** The commit that changed the cited lines afterwards. */
  readonly addressedBy: string | null;
}

/** What became of a finding, per reviewer that reported it: handed to routing in the same transaction. */
export type Outcome = Evidence;
