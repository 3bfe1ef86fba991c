/**
 * Git as the user runs it: their identity, filters, hooks and signature count here, which reading-git.ts
 * leaves out on purpose. Still by argv only, bounded in time and output, and never moved to another repository
 * or index by inherited variables. Paths come by standard input or after `--`. Nothing here can skip a hook.
 */
import { type Environment, systemEnvironment } from "../base/environment.ts";
import { findProgram } from "../base/find-program.ts";
import { type Files, systemFiles } from "../base/files.ts";
import { limits } from "../base/limits.ts";
import {
  type Conversation,
  type Processes,
  startConversation,
  systemProcesses,
} from "../base/processes.ts";
import { showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";

export interface WritingGitOptions {
  /** The root of a worktree: paths are relative to it. */
  readonly cwd: string;
  /** In whose name hooks run. */
  readonly actor: string;
  readonly environment?: Environment;
  readonly files?: Files;
  readonly processes?: Processes;
}

export interface WritingCall {
  readonly args: readonly [WritingCommand, ...string[]];
  readonly input?: string | Uint8Array;
  /** Instead of the user's index. */
  readonly index?: string;
  /** Both dates of a commit, in git's own form. */
  readonly date?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

export interface WritingAnswer {
  readonly code: number;
  readonly stdout: string;
  /** The last lines of what git or a hook wrote, made safe to show. */
  readonly lines: readonly string[];
}

/** The port over which commits are made; a simulator can take its place. */
export interface WritingGit {
  readonly cwd: string;
  /** Any exit code is an answer. Throws GIT_MISSING, GIT_FAILED (ended by a signal), GIT_LIMIT. */
  ask(call: WritingCall): Promise<WritingAnswer>;
  /** The output without its last line end; throws GIT_FAILED, GIT_LOCKED on any exit code but 0. */
  run(call: WritingCall): Promise<string>;
  /** Throws GIT_MISSING. */
  converse(call: Pick<WritingCall, "args" | "timeoutMs">): Conversation;
}

export type WritingCommand =
  | "add"
  | "cat-file"
  | "checkout-index"
  | "clean"
  | "commit"
  | "commit-tree"
  | "config"
  | "diff-tree"
  | "hash-object"
  | "hook"
  | "init"
  | "log"
  | "ls-files"
  | "ls-tree"
  | "merge-base"
  | "mktree"
  | "read-tree"
  | "restore"
  | "rev-list"
  | "rev-parse"
  | "status"
  | "symbolic-ref"
  | "update-index"
  | "update-ref"
  | "worktree"
  | "write-tree";

export const createWritingGit = (options: WritingGitOptions): WritingGit => {
  const { environment = systemEnvironment(), files = systemFiles, cwd } = options;
  const { processes = systemProcesses } = options;
  const base = { ...userEnvironment(environment), HEADGATE_ACTOR: options.actor };
  const missing = () =>
    new HeadgateError("GIT_MISSING", `no git program on PATH for ${showText(cwd)}`);

  const prepare = ({ args, index, date, env, timeoutMs = limits.gitTimeoutMs }: WritingCall) => {
    const program = findProgram("git", environment, files);
    if (program === undefined) throw missing();
    const [command] = args;
    const argv: readonly [string, ...string[]] = [
      program,
      ...(command === "hook" ? [] : guards),
      "-c",
      durability(index),
      ...args,
    ];
    const given = {
      ...base,
      // Messages are read here; a hook's are the user's.
      ...(command !== "hook" && { LC_ALL: "C" }),
      ...(index !== undefined && { GIT_INDEX_FILE: index }),
      ...(date !== undefined && { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }),
      ...env,
    };
    const ownGroup = lockingCommands.has(command);
    return { argv, options: { cwd, env: given, timeoutMs, ownGroup } };
  };

  const ask: WritingGit["ask"] = async (call) => {
    const { argv, options: started } = prepare(call);
    const name = `git ${call.args[0]}`;
    const result = await processes.run(argv, {
      ...started,
      outputBytesMax: limits.gitOutputBytesMax,
      ...(call.input !== undefined && { input: call.input }),
    });
    if (result.ended === "not-found") throw missing();
    if (result.ended === "exit") {
      const stdout = result.stdout.toString("utf8");
      return { code: result.code, stdout, lines: lastLines(result.stderr || stdout) };
    }
    if (result.ended === "signal") {
      throw new HeadgateError("GIT_FAILED", `${name} was ended by ${result.signal}`);
    }
    throw new HeadgateError(
      "GIT_LIMIT",
      result.ended === "timeout"
        ? `${name} did not end within ${started.timeoutMs} ms in ${showText(cwd)}`
        : `${name} printed too much in ${showText(cwd)}`,
    );
  };

  return {
    cwd,
    ask,
    run: async (call) => {
      const { code, stdout, lines } = await ask(call);
      if (code === 0) return stdout.replace(/\n$/, "");
      const isLocked = lines.some((line) => /Unable to create '.*\.lock': File exists/.test(line));
      throw new HeadgateError(
        isLocked ? "GIT_LOCKED" : "GIT_FAILED",
        `git ${call.args[0]} failed in ${showText(cwd)}: ${firstWords(lines, code)}`,
        { data: { code, stderr: lines } },
      );
    },
    converse: (call) => {
      const { argv, options: started } = prepare(call);
      return startConversation(argv, started);
    },
  };
};

/**
 * These hold a lock of the user's for a moment and need nothing but their input, which ends with us. Killed
 * with us they would leave it for ever; so they come to their end alone.
 */
const lockingCommands: ReadonlySet<WritingCommand> = new Set(["update-index", "update-ref"]);

/**
 * Against settings that would change what plumbing prints or the bytes it records, or run a program that no
 * commit needs. Hooks get none of it: they call git themselves, as the user set it up.
 */
const guards = [
  "--no-optional-locks",
  "--no-pager",
  "--literal-pathspecs",
  ...[
    "color.ui=false",
    "core.fsmonitor=false",
    "i18n.commitEncoding=UTF-8",
    "i18n.logOutputEncoding=UTF-8",
    "log.follow=false",
    "log.showSignature=false",
  ].flatMap((setting) => ["-c", setting]),
];

/** By default git may lose new objects in a power cut; an index of our own needs no care. */
const durability = (index: string | undefined): string =>
  `core.fsync=${index === undefined ? "all" : "objects,reference"}`;

/**
 * All that programs of the user's choice get, but what would change what git or Node are: which repository
 * and index are meant is ours to say. Who commits and where the user's settings are stays.
 */
export const userEnvironment = ({ variables }: Environment): Record<string, string> => {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined && (kept.test(name) || !dropped.test(name))) result[name] = value;
  }
  return { ...result, GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: ":" };
};

const kept =
  /^GIT_(?:(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL)|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|SSH(?:_COMMAND)?)$/i;
const dropped = /^(?:GIT_.*|NODE_OPTIONS|LD_PRELOAD|DYLD_INSERT_LIBRARIES)$/i;

/** The first line that says what is wrong. */
export const firstWords = (lines: readonly string[], code: number): string =>
  lines.find((line) => /^(?:fatal|error):/.test(line)) ?? lines[0] ?? `exit code ${code}`;

export const lastLines = (text: string): string[] =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-linesMax)
    .map((line) => showText(line.trim(), lineMax));

/** Enough for the report of a linter in a hook. */
const linesMax = 40;
const lineMax = 400;
