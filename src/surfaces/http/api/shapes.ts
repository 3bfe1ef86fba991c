/**
 * What the dashboard's addresses answer: the one description that the routes and the page share. It
 * imports nothing, because the page is built for a browser. Reviews, routing and runs: see the end.
 */
export type LifeState = "alive" | "stale" | "dead" | "unknown";

export interface Life {
  readonly state: LifeState;
  readonly evidence: readonly string[];
}

export interface ActorView {
  readonly id: string;
  readonly harness?: string;
  readonly lastSeen: string;
  readonly life: Life;
  readonly claims: number;
  readonly waiting: number;
}

export interface ClaimView {
  readonly id: string;
  readonly target: string;
  readonly mode: "exclusive" | "shared" | "edit";
  readonly actor: string;
  readonly fence: number;
  readonly grantedAt: string;
  readonly expiresAt: string;
  readonly reason: string;
  readonly life: LifeState;
}

export interface WaiterView {
  readonly id: string;
  readonly actor: string;
  readonly targets: readonly string[];
  readonly mode: "exclusive" | "shared" | "edit";
  readonly reason: string;
  readonly queuedAt: string;
  readonly until: string;
  readonly position: number;
  readonly life: LifeState;
  /** Who is in the way; absent far down the line. */
  readonly blockedBy?: readonly { readonly actor: string; readonly target: string }[];
}

export interface RequestView {
  readonly id: string;
  readonly claim: string;
  readonly target: string;
  readonly holder: string;
  readonly asker: string;
  readonly reason: string;
  readonly askedAt: string;
  readonly deadline: string;
  readonly answer: string;
  readonly note: string;
}

/** An act that is a person's, and that a session wanted. */
export interface PersonRequestView {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly what: string;
  /** As the session would run it: its words, not instructions. */
  readonly line: string;
}

/** GET /api/now */
export interface NowAnswer {
  /** The newest event that this picture contains; the stream goes on behind it. */
  readonly head: number;
  readonly at: string;
  /** Who the dashboard acts as. */
  readonly me: string;
  readonly repository: { readonly name: string; readonly root: string };
  readonly version: string;
  readonly counts: {
    readonly actors: number;
    readonly alive: number;
    readonly claims: number;
    readonly waiters: number;
    readonly requests: number;
  };
  /** More claims exist than are shown anywhere. */
  readonly isCut: boolean;
  readonly actors: readonly ActorView[];
  readonly waiters: readonly WaiterView[];
  readonly requests: readonly RequestView[];
  /** The newest first. */
  readonly personNeeded: readonly PersonRequestView[];
}

/** A notice for the dashboard's user. */
export interface NoticeView {
  readonly id: string;
  readonly kind: string;
  /** `headgate` for its own. */
  readonly from: string;
  readonly at: string;
  readonly text: string;
  readonly target?: string;
}

/** GET /api/inbox: unread ones, the oldest first. */
export interface InboxAnswer {
  readonly notices: readonly NoticeView[];
  readonly more: number;
}

/** One line of the tree of claims. */
export interface TreeRow {
  /** Says which row it is, also after others came and went. */
  readonly key: string;
  readonly depth: number;
  readonly kind: "folder" | "file" | "symbol" | "pattern" | "resource" | "group";
  readonly name: string;
  /** Claims at and below it. */
  readonly count: number;
  /** Absent where there is nothing below. */
  readonly isOpen?: boolean;
  readonly claim?: ClaimView;
}

/** GET /api/claims?offset&limit&filter&actor&fold=open|closed&except=KEY,KEY */
export interface TreeAnswer {
  readonly rows: readonly TreeRow[];
  readonly offset: number;
  /** Rows in all, as folded. */
  readonly total: number;
  readonly claims: number;
}

export interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "gap";
  readonly text: string;
  /** Its number in the file as it was. */
  readonly old?: number;
  /** And as it would be. */
  readonly now?: number;
}

export interface RefusalView {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly code: string;
  readonly path: string;
  readonly symbol?: string;
  readonly tool: string;
  readonly message: string;
  readonly remedy: string;
  /** What was refused can be asked for with it. */
  readonly kept?: string;
}

/** GET /api/refusals?before&limit: the newest first. */
export interface RefusalsAnswer {
  readonly refusals: readonly RefusalView[];
  /** Pass as `before` for older ones; null at the end of the log. */
  readonly before: number | null;
  readonly head: number;
}

/** GET /api/refusals/diff?id */
export interface RefusalDiffAnswer {
  readonly path: string;
  readonly lines: readonly DiffLine[];
  readonly isCut: boolean;
}

export interface EventView {
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly actor: string;
  readonly text: string;
}

/** GET /api/timeline/range: what there is to scrub through, with events per stretch of time. */
export interface RangeAnswer {
  readonly from: string;
  readonly to: string;
  readonly head: number;
  readonly buckets: readonly number[];
}

export interface HeldView {
  readonly id: string;
  readonly target: string;
  readonly actor: string;
  readonly mode: string;
  readonly fence: number;
  readonly since: string;
  readonly reason: string;
}

/** GET /api/timeline?at&offset&limit&filter */
export type TimelineAnswer =
  | {
      readonly ready: true;
      readonly at: string;
      /** The last event that had happened. */
      readonly seq: number;
      readonly held: readonly HeldView[];
      readonly offset: number;
      readonly total: number;
      readonly waiting: readonly { readonly actor: string; readonly targets: readonly string[] }[];
      /** The newest first. */
      readonly events: readonly EventView[];
      /** Events before this moment were pruned: what was granted before them is not known. */
      readonly prunedBefore?: string;
    }
  /** A long log is read in parts: ask again. */
  | { readonly ready: false; readonly done: number; readonly of: number };

/** GET /api/profile */
export interface ProfileAnswer {
  readonly primary: string | null;
  readonly domains: readonly {
    readonly name: string;
    readonly confidence: number;
    readonly state: string;
    readonly evidence: readonly {
      readonly signal: string;
      readonly path: string;
      readonly weight: number;
    }[];
  }[];
  readonly packages: readonly {
    readonly path: string;
    readonly primary: string | null;
    readonly domains: readonly string[];
  }[];
  readonly languages: readonly { readonly name: string; readonly share: number }[];
  readonly notes: readonly { readonly path: string; readonly message: string }[];
  readonly at: string;
}

/** GET /api/health-report: what `headgate doctor` and `headgate status` see. */
export interface HealthAnswer {
  readonly checks: readonly {
    readonly group: string;
    readonly state: "ok" | "warning" | "problem";
    readonly text: string;
    readonly remedy?: string;
  }[];
  readonly clients: readonly {
    readonly title: string;
    readonly state: "installed" | "seen" | "proven" | "problem";
    readonly problem?: { readonly reason: string; readonly command: string };
    readonly sessions: number;
  }[];
  readonly routedAround: {
    readonly writes: number;
    readonly commits: number;
    readonly last?: string;
  };
  readonly store: { readonly kind: string; readonly location: string; readonly state: string };
  readonly server: {
    readonly address: string;
    readonly pid: number;
    readonly since: string;
    readonly version: string;
    readonly node: string;
    readonly streams: number;
  };
  readonly events: number;
}

/** The answer to every action: what was done, in words. */
export interface ActionAnswer {
  readonly ok: true;
  readonly text: string;
}
