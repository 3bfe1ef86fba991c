/** What answering a call needs from outside; the server and the command line each give their own. */
import type { Clock } from "../../base/clock.ts";
import type { Environment } from "../../base/environment.ts";
import type { Repository } from "../../git/index.ts";
import type { Actor } from "../../claims/index.ts";
import type { Acting, Headgate } from "../../compose.ts";
import type { Repeats } from "./repeats.ts";
import type { Ring, RingContext } from "./ring/index.ts";
import type { ShellContext, ShellJudgement } from "./shell/index.ts";
import type { HookCall, ToolUse } from "./types.ts";

export type HookHeadgate = Pick<
  Headgate,
  | "repository"
  | "config"
  | "events"
  | "lines"
  | "notify"
  | "openEnds"
  | "as"
  | "shared"
  | "structure"
>;
export type HookActing = Pick<Acting, "claims" | "gate" | "inbox" | "seen">;

export interface HookDependencies {
  /** The repository the hook works for; undefined when it is none of ours. Opened once per call. */
  open(call: HookCall): Promise<HookHeadgate | undefined>;
  /** The same repository, another of its worktrees. */
  openWorktree(root: string): Promise<HookHeadgate>;
  /** All of them as they are now, where the repository was opened long ago. */
  readonly worktrees?: () => Promise<readonly string[]>;
  actorOf(call: HookCall): Actor;
  readonly environment: Environment;
  readonly clock: Clock;
  /** HEADGATE_BYPASS of whoever runs the hook: the reason why nothing is to be refused. */
  readonly bypass?: string;
  readonly judgeShell?: (command: string, context: ShellContext) => Promise<ShellJudgement>;
  /** A command that is sure to read only needs no further look. */
  readonly readsOnly?: (tool: Extract<ToolUse, { kind: "shell" }>, cwd: string) => Promise<boolean>;
  /** A command that is sure to write no file needs no look at the working tree. */
  readonly keepsFiles?: HookDependencies["readsOnly"];
  readonly ring?: (context: RingContext) => Ring;
  /** The store is open already, so that a look into it costs next to nothing. */
  readonly isServing?: true;
  /** Starts the server when none runs; must not wait for it. */
  readonly startServer?: (repository: Pick<Repository, "root" | "localDir">) => Promise<void>;
  /** Where many calls come to one process. */
  readonly repeats?: Repeats;
  readonly answerMs?: number;
  /** For paths and claims, once the judgement is late. */
  readonly lateMs?: number;
  /** The answer went out already; what is still under way changes nothing any more. */
  readonly isOver?: () => boolean;
}
