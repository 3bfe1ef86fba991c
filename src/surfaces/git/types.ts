/** The words of this door. */

/** The hooks of git that Headgate uses. */
export const hookNames = [
  "pre-commit",
  "commit-msg",
  "post-commit",
  "pre-push",
  "reference-transaction",
  "post-checkout",
] as const;

export type GitHookName = (typeof hookNames)[number];

/** Who else looks after the hooks here. */
export type HookManager = "none" | "husky" | "lefthook" | "pre-commit" | "overcommit" | "custom";

/** One file that an installation or its removal changes. */
export interface GitHookChange {
  /** Absolute. */
  readonly file: string;
  /** Null: there is none. A hook that is not text is shown as what it is moved to. */
  readonly before: string | null;
  readonly after: string | null;
  readonly mode: number;
  /** The file that was there is kept under this name, and run by the new one. */
  readonly keptAs?: string;
  /** The file is brought back from this name. */
  readonly broughtFrom?: string;
}

export interface GitHooksPlan {
  readonly manager: HookManager;
  /** Where git looks for hooks; undefined where there is no git. */
  readonly folder: string | undefined;
  readonly changes: readonly GitHookChange[];
  /** Sentences for people: what was left alone and what they can do. */
  readonly notes: readonly string[];
}

export type GitHookStateName =
  | "installed"
  /** Of another version of Headgate: install again. */
  | "outdated"
  | "absent"
  /** A hook manager has set ours aside or made git look elsewhere, so that git does not run it. */
  | "displaced"
  /** It is there, but git does not run it: not executable. */
  | "disabled";

export interface GitHooksState {
  readonly manager: HookManager;
  readonly folder: string | undefined;
  /** The folder belongs to other repositories as well: `headgate init` changes nothing there. */
  readonly isShared: boolean;
  /** The script that the hooks call, `<git>/headgate-hook`. */
  readonly runner: "installed" | "outdated" | "absent";
  readonly hooks: readonly {
    readonly hook: GitHookName;
    readonly file: string;
    readonly state: GitHookStateName;
  }[];
  readonly notes: readonly string[];
}
