/** The words of this folder: what a command line does as far as that is certain, and what is said to it. */
import type { Environment } from "../../../base/environment.ts";
import type { Files } from "../../../base/files.ts";
import type { Git } from "../../../git/index.ts";
import type { Claims } from "../../../claims/index.ts";
import type { Reason, WriteGuard } from "../../../gate/index.ts";
import type { Lines } from "../../../lines/index.ts";

export type ShellKind = "posix" | "powershell";

/**
 * One thing that a command line does to files. `certain` means: if this part of the line runs, it does
 * exactly that. A path that a variable, a pattern or another program decides is never certain.
 */
export type Effect = FileEffect | MoveEffect | GitEffect;

interface EffectBase {
  readonly certain: boolean;
  /** What does it: `>`, `tee`, `sed -i`, `git reset --hard`. */
  readonly by: string;
  /** Where a `cd` of the same line led before: with no such folder the rest is not certain. */
  readonly folder?: string;
  /** Not certain, but it goes to this path or below it. */
  readonly isNear?: true;
}

export interface FileEffect extends EffectBase {
  readonly kind: "write" | "delete";
  /** Absolute where the reader was told the working directory, otherwise as written. */
  readonly path: string;
  /** Where the path is a folder, this name in it is meant (`cp a.txt folder`). */
  readonly into?: string;
  /** Everything below is meant, too (`rm -r`). */
  readonly isTree?: true;
  /** Leaves the content of a file alone that is there: `chmod`, `touch`, `ln` without `-f`. */
  readonly keepsContent?: true;
}

export interface MoveEffect extends EffectBase {
  readonly kind: "move";
  readonly path: string;
  readonly to: string;
  readonly into?: string;
}

export interface GitEffect extends EffectBase {
  readonly kind: "git";
  readonly operation: string;
  /** The parts of the repository that it changes, as they are claimed: `@git/index` … */
  readonly touches: readonly GitPart[];
  /** Which uncommitted work it takes away or takes along; "maybe" if a word may be a path or a branch. */
  readonly dirty: "none" | "all" | "paths" | "maybe";
  /**
   * "loses": the work may be gone or hidden afterwards. "moves": git carries it to other commits or stops because of
   * it. "takes": it lands in this actor's commit.
   */
  readonly harm: "loses" | "moves" | "takes" | "none";
  /** With "paths" and "maybe". */
  readonly paths: readonly string[];
  /** Only files that git does not know (`git clean`), or only those that it knows (`commit -a`). */
  readonly only?: "untracked" | "tracked";
  /** The commit that it takes files from; empty: the index. */
  readonly source?: string;
  /** Where git is run. */
  readonly at: string;
}

export type GitPart = "index" | "head" | "stash" | "worktree";

/** Something that is a person's to do. */
export interface PersonalUse {
  readonly kind: "bypass" | "actor" | "command" | "mark" | "setting" | "store" | "shell" | "hooks";
  readonly by: string;
  /** The name that is used; with "actor". */
  readonly actor?: string;
  /** Where it works: undefined where that is decided later, "everywhere" for what holds in all repositories. */
  readonly at?: string;
  readonly folder?: string;
  /** The line makes a repository before: a place that is not there yet may be that one. */
  readonly isFresh?: true;
}

export interface CommandReading {
  readonly effects: readonly Effect[];
  readonly personal: readonly PersonalUse[];
  /** Why something may happen that is not in `effects`; empty: that is all it does. */
  readonly uncertain: readonly string[];
  /** Simple commands that were read. */
  readonly commands: number;
  /** Every part is known to read only: nothing can be written, as far as programs keep their word. */
  readonly readsOnly: boolean;
  /** It may change git's index and branch, but no file of the working tree. */
  readonly keepsFiles: boolean;
  /** Over a limit (B06): it was not read to its end. */
  readonly tooLarge?: string;
}

export interface ReadOptions {
  readonly shell?: ShellKind;
  /** Absolute. Without it paths stay as written. */
  readonly cwd?: string;
  /** What `~` stands for. Without it such a path is not certain. */
  readonly home?: string;
}

/** As much of a worktree's lines as is read here; nothing is written down. */
export type ShellLines = Pick<Lines, "noted" | "view" | "presence">;

export interface ShellContext {
  readonly shell: ShellKind;
  /** Where the command is run; absolute. */
  readonly cwd: string;
  /** Of the worktree the client works in. */
  readonly root: string;
  /** All worktrees of the repository (`repository.worktrees`); default: only `root`. */
  readonly worktrees?: readonly string[];
  readonly caseInsensitive?: boolean;
  /** Of the calling actor. */
  readonly claims: Pick<Claims, "actor" | "check" | "list">;
  /** Of one of the worktrees. */
  readonly linesIn: (worktree: string) => Promise<ShellLines>;
  /** `policy.protectedBy` of the gate: the configured pattern that protects a path. */
  readonly protectedBy?: (path: string) => string | undefined;
  /** Files that no command writes, wherever they are. */
  readonly guard?: WriteGuard;
  /** Headgate's own folder. */
  readonly localDir?: string;
  readonly home?: string;
  readonly files?: Files;
  readonly environment?: Environment;
  /** Default: git in `root`, with nothing of the repository's configuration run. */
  readonly git?: Git;
}

export interface ShellJudgement {
  /** Refused if not empty; the first one is what to show. */
  readonly reasons: readonly Reason[];
  readonly reading: CommandReading;
}
