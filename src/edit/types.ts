/** The words of this room: what can be asked for, and what is answered. */
import type { Reason, Verdict } from "../gate/index.ts";

/** Where new code goes, besides the end of its scope. */
export interface Beside {
  readonly before?: string;
  readonly after?: string;
}

/**
 * One wish. `file` is relative to the repository's root; `symbol` is a path of the outline
 * (`AuthService.login`). Code is given without outer indentation; it is fitted to its place.
 */
export type Operation =
  | ({
      readonly do: "add";
      readonly file: string;
      readonly into?: string;
      readonly code: string;
    } & Beside)
  | { readonly do: "modify"; readonly file: string; readonly symbol: string; readonly code: string }
  | { readonly do: "remove"; readonly file: string; readonly symbol: string }
  | {
      readonly do: "rename";
      readonly file: string;
      readonly symbol: string;
      readonly to: string;
      /** Leaves all other files alone. */
      readonly fileOnly?: boolean;
      /** Renames what is certain, although other places may mean it; for people. */
      readonly force?: boolean;
    }
  | ({
      readonly do: "move";
      readonly file: string;
      readonly symbol: string;
      readonly toFile?: string;
      readonly into?: string;
    } & Beside)
  | { readonly do: "add-import"; readonly file: string; readonly code: string }
  | {
      readonly do: "remove-import";
      readonly file: string;
      readonly from: string;
      readonly name?: string;
    }
  | ({ readonly do: "insert"; readonly file: string; readonly code: string } & Beside)
  | {
      readonly do: "replace";
      readonly file: string;
      readonly old: string;
      readonly new: string;
      readonly nth?: number;
      readonly all?: boolean;
    }
  | {
      readonly do: "write";
      readonly file: string;
      readonly content: string;
      readonly seen?: string;
    }
  | {
      readonly do: "create";
      readonly file: string;
      readonly content: string;
      readonly executable?: boolean;
    }
  | { readonly do: "delete"; readonly file: string }
  | { readonly do: "move-file"; readonly file: string; readonly to: string }
  | { readonly do: "patch"; readonly patch: string };

export interface EditRequest {
  readonly operations: readonly Operation[];
  readonly reason?: string;
  readonly overrides?: readonly {
    readonly code: string;
    readonly path?: string;
    readonly reason: string;
  }[];
  /** Judged and shown, not written. */
  readonly dryRun?: boolean;
  /** Run after writing, in the repository's root; a failure brings everything back. */
  readonly verify?: readonly string[];
  readonly verifyTimeoutMs?: number;
  /** Asked with the diff before anything is written; absent means yes. */
  readonly approve?: (plan: EditPlan) => boolean | Promise<boolean>;
}

export interface FileChange {
  readonly path: string;
  readonly kind: "create" | "modify" | "delete";
  readonly before: Buffer | null;
  readonly after: Buffer | null;
  /** Unix permission bits of the new file. */
  readonly mode?: number;
}

export interface EditPlan {
  readonly changes: readonly FileChange[];
  readonly verdict: Verdict;
  /** Unified, without colours. */
  readonly diff: string;
}

/** What became of one file: the picture the writer goes on with, so that nothing need be read again. */
export interface OutlineDelta {
  readonly path: string;
  readonly hash: string | null;
  readonly symbols: readonly {
    readonly path: string;
    readonly change: "added" | "changed" | "removed" | "moved";
    readonly lines?: readonly [number, number];
  }[];
}

export type EditResult =
  | {
      readonly ok: true;
      readonly id: string;
      readonly diff: string;
      readonly files: readonly OutlineDelta[];
      readonly notes: readonly Reason[];
      readonly dryRun?: true;
    }
  | {
      readonly ok: false;
      readonly code: string;
      readonly reasons: readonly Reason[];
      readonly diff: string;
      readonly message?: string;
    };

export interface EditRecord {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly reason: string;
  readonly state: "applied" | "undone" | "partly-undone" | "rolled-back";
  readonly files: readonly {
    readonly path: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
}

/** Uncommitted edits taken out of their files, as worked out from whose lines are whose. */
export type LinesBack =
  | {
      readonly ok: true;
      readonly changes: readonly FileChange[];
      /** By path. */
      readonly edits: ReadonlyMap<string, ReadonlySet<string>>;
    }
  | { readonly ok: false; readonly reasons: readonly Reason[] };
