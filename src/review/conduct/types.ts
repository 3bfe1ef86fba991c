/** One whole review: what is asked for, what is told on the way, what comes out. */
import type { Environment } from "../../base/environment.ts";
import type { Clock } from "../../base/clock.ts";
import type { IdSource } from "../../base/ids.ts";
import type { Random } from "../../base/random.ts";
import type { Repository } from "../../git/index.ts";
import type { Reviewers } from "../../reviewers/index.ts";
import type { RoutingView } from "../../routing/index.ts";
import type { Runner } from "../../runners/index.ts";
import type { Analyser } from "../../structure/index.ts";
import type { DispatchTotals, JobProgress } from "../dispatch/types.ts";
import type { Finished, Ledger } from "../ledger/ledger.ts";
import type { LinterParts } from "../linters/run-linters.ts";
import type { Subject } from "../subject/types.ts";
import type { Triage } from "../triage/types.ts";
import type { Finding, Report, Synthesis, Verification } from "../types.ts";

export interface ReviewRequest {
  /** As typed: a path, a commit, a branch, a range, `-`; the working tree when absent. */
  readonly target?: string;
  readonly staged?: boolean;
  /** For the target `-`. */
  readonly patch?: Uint8Array;
  /** These and no others. */
  readonly reviewers?: readonly string[];
  readonly slots?: number;
  readonly budgetUsd?: number | null;
  /** Of one question. */
  readonly timeoutMs?: number;
  readonly concurrency?: number;
  readonly model?: string;
  /** The output of linters, by the name of each. */
  readonly imports?: readonly { readonly name: string; readonly text: string }[];
  /** Second looks at what only one source reports; on unless told. */
  readonly verify?: boolean;
}

export interface ReviewParts {
  readonly repository: Repository;
  readonly environment: Environment;
  /** Where paths start. */
  readonly cwd: string;
  readonly ledger: Ledger;
  readonly runner: Runner;
  /** Where the settings name several: by reviewer, and those that the others take in turn. */
  readonly panel?: {
    readonly byName: ReadonlyMap<string, Runner>;
    readonly all: readonly Runner[];
  };
  /** Which may run; absent: none. */
  readonly linters?: Pick<LinterParts, "linters" | "mayRunCode">;
  readonly reviewers: Reviewers;
  readonly analyser: Analyser;
  readonly domains: readonly { readonly name: string; readonly confidence: number }[];
  readonly routing: RoutingView;
  readonly defaults: {
    readonly concurrency: number;
    readonly timeoutMs: number;
    readonly budgetUsd: number | null;
    readonly contextTokens: number;
  };
  /** What an excluded reviewer saw that the others did not. */
  readonly onShadow?: (sample: ShadowSample) => Promise<void>;
  /** By reviewer, where it was tried on planted faults. */
  readonly qualified?: ReadonlyMap<string, boolean>;
  /** Looks for later commits that changed what findings cite: how many it found, or why it could not look. */
  readonly notice?: () => Promise<{ readonly addressed: number; readonly notJudged?: string }>;
  readonly ids: IdSource;
  readonly random: Random;
  readonly clock: Clock;
}

/** One look of a reviewer whose override is watched. */
export interface ShadowSample {
  readonly review: string;
  readonly reviewer: string;
  /** With what probability it was run. */
  readonly probability: number;
  /** P0 and P1 that nobody else reported and a second look confirmed. */
  readonly losses: number;
  /** Those that nobody could confirm or refute. */
  readonly open: number;
  readonly findings: readonly Finding[];
}

export interface ReviewWatch {
  readonly signal: AbortSignal;
  /** Its id, as soon as it is kept. */
  onBegin?(review: string): void;
  /** `answered`: who has answered in an earlier run of it. */
  onTriage?(triage: Triage, subject: Subject, answered: readonly string[]): void;
  onProgress?(progress: JobProgress & { readonly phase: "review" | "second look" }): void;
}

export interface ReviewOutcome {
  readonly id: string;
  readonly subject: Subject;
  readonly triage: Triage;
  readonly reports: readonly Report[];
  readonly findings: readonly Finding[];
  readonly synthesis: Synthesis;
  readonly verifications: readonly Verification[];
  readonly totals: DispatchTotals;
  /** Absent when it was interrupted. */
  readonly kept?: Finished;
  readonly notes: readonly string[];
  readonly isInterrupted: boolean;
}
