/** What the ledger can do, and what it has to be told. */
import type { IdSource } from "../../base/ids.ts";
import type { Json } from "../../base/json.ts";
import type { ProcessIdentity } from "../../base/process-identity.ts";
import type { Git } from "../../git/index.ts";
import type { Scope, Store, Writer } from "../../store/index.ts";
import type { Outline } from "../../structure/index.ts";
import type { Probed } from "../faults/index.ts";
import type { Subject } from "../subject/types.ts";
import type { Considered } from "../triage/types.ts";
import type { Finding, MissedJudgement, Report, Severity, Synthesis } from "../types.ts";
import type { FindingState, LedgerFinding, Outcome, ReviewRecord, ReviewerRun } from "./types.ts";

export interface LedgerPlace {
  /** Opens the store for writing, creating it first. */
  open(): Promise<{ readonly store: Store; readonly scope: Scope }>;
  /** For looking: undefined while nothing was ever stored. */
  look(): Promise<{ readonly store: Store; readonly scope: Scope } | undefined>;
}

export interface LedgerOptions {
  readonly place: LedgerPlace;
  /** Who reviews and decides. */
  readonly actor: string;
  readonly session?: string;
  readonly ids?: IdSource;
  /** Whose end shows that a review was given up. */
  readonly process?: ProcessIdentity;
  /** Whether a file is still in the working tree; without it, nothing moves to another file unless a rename says so. */
  readonly exists?: (path: string) => boolean;
  /** Symbols around cited lines make findings easier to know again; not needed. */
  readonly outline?: (text: string, path: string) => Promise<Outline | undefined>;
  /** Takes what became of a finding, once per reviewer that reported it, in the same transaction. */
  readonly onOutcome?: (tx: Writer, scope: Scope, outcome: Outcome) => Promise<void>;
}

export interface ReviewStart {
  /** A new one unless told; the same id again changes nothing. */
  readonly id?: string;
  readonly subject: Pick<Subject, "name" | "digest" | "base" | "head">;
  readonly reviewers?: readonly ReviewerNote[];
  /** What is needed to take it up again; given back by `resume`. At most 64 KB. */
  readonly request?: { readonly [key: string]: Json };
}

/** How it goes with one reviewer: what is left out stays as it was. */
export type ReviewerNote = Pick<ReviewerRun, "reviewer"> &
  Partial<Omit<ReviewerRun, "reviewer" | "report" | "findings">>;

export interface Answer extends Omit<ReviewerNote, "state"> {
  /** What was read from it. */
  readonly report: Report;
  /** As it came; empty for reviewers that write none. */
  readonly text?: string;
}

export interface FinishInput {
  readonly synthesis: Synthesis;
  /** Those that were synthesised; a shadow's are not among them. */
  readonly findings: readonly Finding[];
  readonly subject: Subject;
  /** Gaps that the synthesis does not name. */
  readonly missed?: readonly MissedJudgement[];
  /** Paths that a reviewer had to leave alone, or could not look at. */
  readonly skips?: (reviewer: string, path: string) => boolean;
}

export interface Finished {
  readonly review: ReviewRecord;
  /** By cluster of the synthesis. One that was reported as several before is dismissed only if all of them are. */
  readonly byCluster: ReadonlyMap<string, LedgerFinding>;
  /** What they were for this review, by finding; `dismissed` ones are suppressed. */
  readonly states: ReadonlyMap<string, FindingState>;
  /** Looked for and not seen again. */
  readonly fixed: readonly LedgerFinding[];
}

export interface Resumed {
  readonly review: ReviewRecord;
  readonly request: { readonly [key: string]: Json };
  /** The answers that are there; whoever is not among them has to be asked. */
  readonly answers: readonly Answer[];
}

export interface KeptReview extends ReviewRecord {
  /** Best first; empty where it ended before the choice. */
  readonly considered: readonly Considered[];
  readonly reports: readonly Report[];
  readonly findings: readonly SeenFinding[];
}

export interface SeenFinding extends LedgerFinding {
  readonly cluster: string;
  /** What it was for this review. */
  readonly stateThen: FindingState;
}

export interface Sighting {
  readonly review: string;
  readonly reviewer: string;
  readonly state: FindingState;
  readonly severity: Severity | null;
  readonly title: string;
  readonly body: string;
  readonly path: string | null;
  readonly line: number | null;
}

export interface FindingFilter {
  readonly state?: readonly FindingState[];
  /** These severities. */
  readonly severity?: readonly Severity[];
  /** A file, or everything below a folder. */
  readonly path?: string;
  readonly reviewer?: string;
  /** Seen by this review. */
  readonly review?: string;
  /** Default 100, at most 10,001. */
  readonly limit?: number;
}

export type DismissReason = NonNullable<Outcome["reason"]>;

/** Who decides, where a server speaks for many. */
export interface Decider {
  readonly actor: string;
  readonly session?: string | undefined;
}

export interface ReviewDiff {
  readonly from: ReviewRecord;
  readonly to: ReviewRecord;
  readonly added: readonly SeenFinding[];
  readonly gone: readonly SeenFinding[];
  readonly kept: readonly SeenFinding[];
}

export interface Noticed {
  /** Findings whose cited line a commit changed since. */
  readonly addressed: readonly { readonly id: string; readonly commit: string }[];
  /** How many were followed. */
  readonly followed: number;
}

export interface ProbeInput {
  readonly probed: Probed;
  readonly runner: string;
  readonly family: string;
  /** sha256 of the instructions that were tried. */
  readonly instructions: string;
}

export interface KeptProbe extends Probed, Omit<ProbeInput, "probed"> {
  readonly at: string;
}

export interface Ledger {
  begin(review: ReviewStart): Promise<ReviewRecord>;
  /** Keeps who was considered and why; the first time counts. At most 256 KB. */
  keepTriage(review: string, considered: readonly Considered[]): Promise<boolean>;
  /** False when nothing changed: said before, or the answer is there already. */
  note(review: string, note: ReviewerNote): Promise<boolean>;
  /** Keeps an answer and counts a use; the first answer stays. */
  saveReport(review: string, answer: Answer): Promise<boolean>;
  finish(review: string, input: FinishInput): Promise<Finished>;
  interrupt(
    review: string,
    why?: { readonly problem?: string; readonly failed?: boolean },
  ): Promise<boolean>;
  /** Takes a review up again that was interrupted or whose process is gone. */
  resume(review: string): Promise<Resumed>;
  /** Newest first. */
  list(filter?: {
    readonly limit?: number;
    readonly before?: string;
  }): Promise<readonly ReviewRecord[]>;
  /** By id or the beginning of one. */
  show(review: string): Promise<KeptReview>;
  diff(from: string, to: string): Promise<ReviewDiff>;
  findings(filter?: FindingFilter): Promise<readonly LedgerFinding[]>;
  finding(
    id: string,
  ): Promise<{ readonly finding: LedgerFinding; readonly sightings: readonly Sighting[] }>;
  accept(
    id: string,
    decision?: { readonly note?: string; readonly as?: Decider },
  ): Promise<LedgerFinding>;
  dismiss(
    id: string,
    decision: {
      readonly reason: DismissReason;
      readonly note?: string;
      readonly as?: Decider;
    },
  ): Promise<LedgerFinding>;
  noticeCommits(git: Git, to?: string): Promise<Noticed>;
  /** How a reviewer did on planted faults; the newest trial counts. */
  recordProbe(probe: ProbeInput): Promise<void>;
  probes(): Promise<readonly KeptProbe[]>;
  uses(): Promise<ReadonlyMap<string, { readonly uses: number; readonly lastUsedAt: string }>>;
}
