/** The words of this room: what became of findings, what follows from it, and how that is watched. */

export type Severity = "P0" | "P1" | "P2" | "P3";

export type EvidenceOutcome = "accepted" | "dismissed" | "addressed" | "escaped";
export type DismissReason =
  | "wrong"
  | "not-applicable"
  | "deprioritized"
  | "stale"
  | "severity"
  /** Said by a linter too. */
  | "duplicate";

/** What became of one finding of one reviewer. Plain data: review hands it over, people may add theirs. */
export interface Evidence {
  readonly reviewer: string;
  readonly outcome: EvidenceOutcome;
  /** Of a dismissal; without one it counts half. */
  readonly reason?: DismissReason;
  /** The session that decided: diversity counts. */
  readonly session?: string;
  /** The change that was reviewed: a commit, a branch, a subject's digest. */
  readonly change?: string;
  readonly severity?: Severity;
  readonly path?: string;
  readonly domain?: string;
  readonly model?: string;
  /** The finding in the ledger. The same finding and outcome is recorded once. */
  readonly finding?: string;
  readonly note?: string;
}

/** From the least to the most: the least action that cures is proposed. */
export type Action = "floor" | "scope" | "stage" | "sample" | "exclude";

/** One entry of `.headgate/routing-overrides.json`: version 1 of the source documents plus our fields. */
export interface Override {
  readonly reviewer: string;
  readonly action: Action;
  readonly reason: string;
  /** floor: only findings at least this severe are shown. */
  readonly floor?: Severity;
  /** scope: the reviewer does not look at paths that these globs match. */
  readonly except?: readonly string[];
  /** sample: one review in so many. */
  readonly every?: number;
  /** ISO 8601 with zone. */
  readonly created: string;
  readonly createdBy: string;
  readonly proposal?: string;
  /** Evidence it rests on, by id. */
  readonly evidence?: readonly string[];
  /** From then on it does not count any more. */
  readonly expires?: string;
}

export type CanaryState = "MONITORING" | "WARN" | "ALERT" | "PASS" | "INCONCLUSIVE";

/** What a review needs to know of routing, read once at its beginning. */
export interface RoutingView {
  readonly overrides: readonly Override[];
  /** By reviewer: the watch on its override. */
  readonly canaries: readonly {
    readonly reviewer: string;
    readonly state: CanaryState;
    readonly shadows: number;
    readonly losses: number;
    /** Clean shadows still missing until it passes; null when that cannot be reached. */
    readonly needed: number | null;
    /** With what probability the next review runs it in shadow. */
    readonly shadowProbability: number;
  }[];
  /** By reviewer: what is known of its precision. */
  readonly precision: readonly {
    readonly reviewer: string;
    readonly right: number;
    readonly wrong: number;
  }[];
  /** Why the file was ignored; the review goes on without it. */
  readonly problem?: string;
  /** Overridden reviewers that nobody has any more. */
  readonly vanished?: readonly string[];
}
