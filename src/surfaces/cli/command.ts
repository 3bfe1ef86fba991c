import type { Environment } from "../../base/environment.ts";
import type { HeadgateOptions } from "../../compose.ts";
import type { Output } from "./output.ts";

/**
 * What a command is. A module in commands/ exports one of these as `command`; the table in
 * command-table.ts names it with a dynamic import, so that `--help` loads none of them.
 */
export interface Command {
  /** One line, the same as in the command table. */
  readonly summary: string;
  /** Forms after `headgate `, one per line of the usage text. */
  readonly usage: readonly string[];
  readonly description?: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Command line and what it does; shown in help and run by a test where possible. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  /** What the exit codes of this command mean, where that is more than "0 done". */
  readonly exits?: readonly (readonly [code: ExitCode, means: string])[];
  /** At most this many positional arguments are accepted; more is a usage error. */
  readonly positionalsMax: number;
  /** What completion offers for positional arguments. */
  readonly completes?: "files" | readonly string[];
  /**
   * `headgate events verify`: the first positional before any `--` chooses one of these, which then has
   * options of its own. Options of the same name in one command must be of the same type.
   */
  readonly subcommands?: Readonly<Record<string, Command>>;
  /** For a command without `run`: what is done when it is given alone. */
  readonly alone?: Command;
  /**
   * It may compute for seconds, so a thread watches from its start that signals work (base/loop-guard.ts);
   * `server`: and ends the process when it is stuck. Any other command gets the thread when it takes long.
   */
  readonly watched?: "signals" | "server";
  /** Left out by a command that is nothing without a sub-command. */
  run?(context: CommandContext): Promise<ExitCode>;
}

export interface Option {
  readonly type: "boolean" | "string";
  readonly short?: string;
  readonly multiple?: boolean;
  /** Name of the value in help: `--since CURSOR`. FILE and DIR also complete as such. */
  readonly value?: string;
  readonly description: string;
  /** It takes everything behind it, to the end of the line, as it stands: an agent's own command line. */
  readonly rest?: boolean;
  /** The only values accepted; also their completion. */
  readonly choices?: readonly string[];
}

export interface CommandContext {
  /** All that was typed after the program's name. */
  readonly argv: readonly string[];
  /** Without the command's and the sub-command's name. */
  readonly positionals: readonly string[];
  /** The command's own options and the global ones (`repo`, `as`, `quiet`, `debug` …). */
  readonly flags: Flags;
  readonly output: Output;
  readonly environment: Environment;
  /** Parsers of a process that runs several command lines; each starts its own otherwise. */
  readonly shared?: HeadgateOptions["shared"];
  /** Aborted by Ctrl-C or SIGTERM; long commands end cleanly and return 130 (or 0 for `up`). */
  readonly signal: AbortSignal;
  /** The whole standard input, bounded by `bytesMax`; INPUT_TOO_LARGE beyond it. */
  readInput(bytesMax: number): Promise<Buffer>;
  /** Asks the person at the terminal; undefined when there is none. */
  confirm(question: string): Promise<boolean | undefined>;
  /** A line from the person at the terminal; undefined when nobody is there. Throws INTERRUPTED. */
  ask(question: string): Promise<string | undefined>;
  /** Standard input line by line; INPUT_TOO_LARGE for a longer line. */
  readLines(lineBytesMax: number): AsyncIterable<string>;
}

/** Typed access to parsed flags; asking for an undeclared one is a defect. */
export interface Flags {
  has(name: string): boolean;
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  /** A whole number within the bounds, or a usage error that names the flag. */
  integer(name: string, bounds: { readonly min: number; readonly max: number }): number | undefined;
}

/** product.md: 0 done, 1 refused, 2 usage, 3 stale, 4 nothing there, 5 unknown, 69, 70, 130. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 69 | 70 | 130;
