/** What GET /api/routing answers. Imports nothing: the page is built for a browser. */
export interface RoutingAnswer {
  /** Of the overrides, relative to the repository. */
  readonly path: string;
  readonly patterns: readonly {
    readonly reviewer: string;
    readonly class: string;
    readonly state: "emerging" | "growing" | "ready";
    readonly outcomes: number;
    readonly wrong: number;
    readonly eValue: number;
    /** What is missing until it is ready. */
    readonly missing: readonly string[];
    /** The least that would cure it. */
    readonly remedy: string;
  }[];
  readonly proposals: readonly ProposalView[];
  readonly overrides: readonly OverrideView[];
  readonly canaries: readonly CanaryView[];
  readonly blacklist: readonly {
    readonly pattern: string;
    readonly at: string;
    readonly actor: string;
    readonly reason: string;
  }[];
  /** Outcomes of findings that are known. */
  readonly evidence: number;
  /** Of these, how many a person has to confirm before they count. */
  readonly held: number;
  /** Why overrides are changed by persons only; absent where agents may. */
  readonly needsPerson?: string;
  /** Why the overrides file is ignored. */
  readonly problem?: string;
}

export interface ProposalView {
  readonly id: string;
  readonly at: string;
  readonly reviewer: string;
  readonly action: string;
  /** What would be done, in words. */
  readonly effect: string;
  readonly reason: string;
  readonly state: string;
  readonly proposer: string;
  readonly approver?: string;
  /** It guards safety or looks at everything: its name is said once more. */
  readonly isGuarded: boolean;
  readonly support: {
    readonly outcomes: number;
    readonly wrong: number;
    readonly eValue: number;
    readonly sessions: number;
    readonly changes: number;
    readonly notes: readonly string[];
  };
}

export interface OverrideView {
  readonly reviewer: string;
  readonly action: string;
  readonly effect: string;
  readonly reason: string;
  readonly createdBy: string;
  readonly commit?: string;
  readonly vanished: boolean;
  readonly expired: boolean;
}

export interface CanaryView {
  readonly reviewer: string;
  readonly state: string;
  readonly shadows: number;
  readonly losses: number;
  /** Clean shadows until it passes; null when that cannot be reached any more. */
  readonly needed: number | null;
  readonly expiresAt: string;
  /** Of reviews in which it would have been missed. */
  readonly rate: { readonly estimate: number; readonly low: number; readonly high: number };
  /** The e-process after each look, and where it alarms or clears. */
  readonly process: readonly {
    readonly shadow: number;
    readonly alarm: number;
    readonly clear: number;
  }[];
  readonly alarmAt: number;
  readonly clearAt: number;
}
