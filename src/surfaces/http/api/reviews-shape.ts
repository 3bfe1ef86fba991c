/** What GET /api/reviews… answers. Imports nothing: the page is built for a browser. */
export interface ReviewView {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly subject: string;
  /** running, interrupted, done, failed */
  readonly state: string;
  /** Null until it is done. */
  readonly verdict: string | null;
  readonly clusters: number;
  /** Seen by more than one independent source. */
  readonly converged: number;
  readonly bySeverity: Readonly<Record<string, number>>;
  readonly costUsd: number;
  readonly problem?: string;
}

/** GET /api/reviews?before: the newest first. */
export interface ReviewsAnswer {
  readonly reviews: readonly ReviewView[];
  /** Pass as `before` for older ones; null at the end. */
  readonly before: string | null;
}

/** One problem, which several reviewers may have seen. */
export interface FindingView {
  readonly id: string;
  readonly severity: string;
  readonly title: string;
  readonly body?: string;
  readonly path?: string;
  readonly line?: number;
  readonly reviewers: readonly string[];
  /** What it is now: new, persisting, fixed, regressed, accepted, dismissed. */
  readonly state: string;
  /** What it was for this review. */
  readonly stateThen: string;
  readonly decision?: { readonly by: string; readonly reason?: string; readonly note?: string };
}

/** GET /api/reviews/one?id */
export interface ReviewAnswer extends ReviewView {
  readonly asked: readonly {
    readonly reviewer: string;
    readonly state: string;
    readonly findings: number;
    readonly isShadow: boolean;
    readonly problem?: string;
  }[];
  /** The most severe first. */
  readonly findings: readonly FindingView[];
  readonly findingsTotal: number;
  /** Gaps in the review. */
  readonly notJudged?: readonly {
    readonly what: string;
    readonly where: string;
    readonly why: string;
  }[];
}
