/** The words of this room: one reported problem, the same problem seen by several, one synthesis over all reports. */

/** P0 stops everything, P1 must be fixed before it ships, P2 should be, P3 is a remark. */
export type Severity = "P0" | "P1" | "P2" | "P3";

/** One reported problem. Everything in it but `id`, `review`, `reviewer`, `family` is the reviewer's text: data. */
export interface Finding {
  readonly id: string;
  /** Findings of different reviews are never brought together. */
  readonly review: string;
  /** Who was asked; given by whoever dispatched, never by the report. */
  readonly reviewer: string;
  /** The model family behind the reviewer: copies of one model are not independent. */
  readonly family?: string;
  readonly title: string;
  readonly body?: string;
  /** Relative to the repository's root. */
  readonly path?: string;
  readonly line?: number;
  /** The innermost symbol around the line, from the outline of the reviewed version; found by code. */
  readonly symbol?: string;
  /** Why the place that the reviewer gave is none of the reviewed version; then it has no path and cannot block. */
  readonly unplaced?: string;
  readonly severity?: Severity;
  /** 0–1, as the reviewer says. */
  readonly confidence?: number;
  /** A linter's rule, where one is behind it. */
  readonly rule?: string;
  /** bug, security, style …; findings of different kinds are never merged. */
  readonly kind?: string;
  /** The id that the report gave it (`RACE-01`); not unique over reports. */
  readonly label?: string;
  /** The part of the reviewed document that it is about. */
  readonly section?: string;
  /** What the reviewer would do about it. */
  readonly fix?: string;
}

/** How well a report keeps the contract. */
export type ReportState =
  | "strict"
  | "lenient"
  | "prose"
  | "empty"
  | "truncated"
  /** Not an answer to this run, or by somebody else. */
  | "foreign"
  | "error";

export interface Report {
  readonly reviewer: string;
  readonly family?: string;
  readonly state: ReportState;
  readonly findings: readonly Finding[];
  /** What the report itself says; shown, never trusted. */
  readonly claimedVerdict?: string;
  readonly problems: readonly string[];
  /** Files that this reviewer could not look at; its silence about these says nothing. */
  readonly notJudged?: readonly MissedJudgement[];
  /** Files about which it has more findings than it reported. */
  readonly cut?: readonly string[];
}

/** Something that should have been judged and was not: out of time, out of room, or unreadable. */
export interface MissedJudgement {
  /** `report`, `file`, `second look`, `shadow` … */
  readonly what: string;
  /** The reviewer, or the place. */
  readonly where: string;
  readonly why: string;
}

/** Where a problem is: a file, perhaps a symbol in it, perhaps a line. */
export type FindingPlace = Pick<Finding, "path" | "line" | "symbol">;

export interface Cluster {
  readonly id: string;
  readonly review: string;
  readonly severity: Severity;
  /** Recorded where the members do not agree. */
  readonly severities: Readonly<Partial<Record<Severity, number>>>;
  readonly title: string;
  readonly path?: string;
  readonly line?: number;
  readonly symbol?: string;
  /** The member whose title, place, text and fix are shown; nothing of another is attached to it. */
  readonly shown: string;
  /** Every place that a member names, by file and line; the one that is shown is among them. */
  readonly places: readonly FindingPlace[];
  /** No member names a place that exists in what was reviewed: it is listed and cannot block. */
  readonly unplaced?: string;
  /** Finding ids; each finding is in exactly one cluster. */
  readonly members: readonly string[];
  readonly reviewers: readonly string[];
  /** The model families behind the reviewers; one family is one opinion, however many copies say it. */
  readonly families?: readonly string[];
  /** Independent sightings: reviewers of one family count as correlated. */
  readonly independent: number;
  /** Calibrated chance that it is a real problem. */
  readonly probability: number;
  /** Single-source P0/P1 are verified instead of trusted or dropped. */
  readonly needsVerification: boolean;
  /** What a second pass made of it. Refuted ones stay in the list and no longer block. */
  readonly verification?: Pick<Verification, "outcome" | "by" | "reason">;
  /** Somebody dismissed it in the ledger: it stays in the list and no longer blocks. */
  readonly dismissed?: true;
  /** Similar, but not similar enough to be the same. */
  readonly related: readonly string[];
}

/** The answer to "is this really so?", given by somebody else than those who reported it, or by a command. */
export interface Verification {
  readonly review: string;
  /** The cluster's id. */
  readonly cluster: string;
  readonly outcome: "confirmed" | "refuted" | "unsure";
  /** Whom we asked: a reviewer, or `command`. */
  readonly by: string;
  readonly family?: string;
  readonly reason: string;
}

/**
 * `go`: everybody who was asked looked at everything and nothing severe is left. `not-reviewed`: nothing severe was found, but
 * a file was read by no able reviewer, a reviewer who was asked gave no answer, or only rules looked.
 */
export type ReviewVerdict = "go" | "not-reviewed" | "needs-changes" | "blocked" | "no-quorum";

/** Who looked at how much. */
export interface LookCounts {
  /** Reviewers with a usable answer; rules and linters are not among them. */
  readonly reviewers: number;
  /** Rules that ran; absent where none did. */
  readonly rules?: number;
  /** Files that were to be reviewed, and those of them that no able reviewer read; absent where it is not known. */
  readonly files?: number;
  readonly unread?: number;
}

export interface Synthesis {
  readonly verdict: ReviewVerdict;
  readonly go: boolean;
  readonly counts: {
    readonly raw: number;
    readonly clusters: number;
    readonly bySeverity: Readonly<Record<Severity, number>>;
    readonly converged: number;
    readonly needsVerification: number;
    /** Looked at again and found not to be so: counted in their severity, and in no verdict. */
    readonly refuted: number;
    /** Dismissed in the ledger, where there are such: counted in their severity, and in no verdict. */
    readonly dismissed?: number;
  };
  readonly clusters: readonly Cluster[];
  readonly reports: readonly {
    readonly reviewer: string;
    readonly state: ReportState;
    readonly findings: number;
  }[];
  readonly looked: LookCounts;
  /** How many were asked, gave a usable report, and had to. */
  readonly quorum?: { readonly asked: number; readonly usable: number; readonly needed: number };
  /** Gaps in the review; with one the verdict is never `go`. */
  readonly notJudged?: readonly MissedJudgement[];
  /** Why the verdict is what it is, in order of weight. */
  readonly reasons?: readonly string[];
  /** sha256 over the canonical input: same input, same bytes. */
  readonly inputDigest: string;
}
