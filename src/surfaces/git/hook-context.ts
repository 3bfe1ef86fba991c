/** What every hook works with. */
import type { Environment } from "../../base/environment.ts";
import type { Git } from "../../git/index.ts";
import type { ProcessTree } from "../../base/process-tree.ts";
import type { Headgate } from "../../compose.ts";
import type { Reason } from "../../gate/index.ts";
import type { Analyser } from "../../structure/index.ts";
import type { HookOutcome } from "./refusal.ts";

export interface HookContext {
  readonly headgate: Headgate;
  readonly git: Git;
  /** Of this worktree. */
  readonly gitDir: string;
  readonly environment: Environment;
  /** As git gave them, without the hook's name. */
  readonly args: readonly string[];
  /** What git tells on standard input. */
  readonly input: string;
  /** With the process that git started as the lowest one. */
  processTree(): ProcessTree | undefined;
  /** A person lets this pass, by HEADGATE_BYPASS. */
  readonly isBypassed: boolean;
  /** Instead of the repository's own. */
  readonly analyser?: Analyser;
  /** Writes the refusal into the log. */
  refuse(act: string, reasons: readonly Reason[]): Promise<HookOutcome>;
}
