/**
 * Git as the user would use it: their identity, their filters, their hooks, their signature. Paths always come
 * by standard input or behind `--`. What only looks uses base/git.ts.
 */
import type { Environment } from "../../base/environment.ts";
import { type Files, systemFiles } from "../../base/files.ts";
import { findProgram } from "../../base/find-program.ts";
import { limits } from "../../base/limits.ts";
import {
  type Conversation,
  type Processes,
  startConversation,
  systemProcesses,
} from "../../base/processes.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";

export interface WritingGit {
  readonly cwd: string;
  /** Standard output. Throws GIT_FAILED with git's words, GIT_MISSING, GIT_LIMIT. */
  run(args: readonly string[], options?: GitWrite): Promise<Buffer>;
  /** The same with the exit code as an answer. */
  ask(
    args: readonly string[],
    options?: GitWrite,
  ): Promise<{ readonly code: number; readonly stdout: Buffer; readonly stderr: string }>;
  converse(args: readonly string[]): Conversation;
}

export interface GitWrite {
  readonly input?: string | Uint8Array;
  /** Instead of the worktree's own. */
  readonly index?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

export interface WritingGitOptions {
  readonly cwd: string;
  readonly environment: Environment;
  /** In whose name hooks run. */
  readonly actor: string;
  readonly processes?: Processes;
  readonly files?: Files;
}

export const openWritingGit = (options: WritingGitOptions): WritingGit => {
  const { cwd, environment, actor, processes = systemProcesses, files = systemFiles } = options;
  const base = { ...userEnvironment(environment), HEADGATE_ACTOR: actor };
  const program = (): string => {
    const found = findProgram("git", environment, files);
    if (found === undefined) throw new HeadgateError("GIT_MISSING", "no git program on PATH");
    return found;
  };
  const ask: WritingGit["ask"] = async (args, { input, index, env, timeoutMs } = {}) => {
    const result = await processes.run([program(), ...guards, ...durable(index), ...args], {
      cwd,
      env: { ...base, ...(index !== undefined && { GIT_INDEX_FILE: index }), ...env },
      timeoutMs: timeoutMs ?? limits.gitTimeoutMs,
      outputBytesMax: limits.gitOutputBytesMax,
      ...(input !== undefined && { input }),
    });
    if (result.ended === "exit") return result;
    if (result.ended === "not-found") throw new HeadgateError("GIT_MISSING", "git is gone");
    if (result.ended === "signal") {
      throw new HeadgateError("GIT_FAILED", `git ${args[0]} was ended by ${result.signal}`);
    }
    throw new HeadgateError("GIT_LIMIT", `git ${args[0]} went over its limit in ${showText(cwd)}`);
  };
  return {
    cwd,
    ask,
    run: async (args, more) => {
      const { code, stdout, stderr } = await ask(args, more);
      if (code === 0) return stdout;
      throw new HeadgateError("GIT_FAILED", `git ${args[0]}: ${firstWords(stderr, code)}`, {
        data: { code, command: args[0] ?? "" },
      });
    },
    converse: (args) =>
      startConversation([program(), ...guards, ...durable(), ...args], {
        cwd,
        env: base,
        timeoutMs: limits.gitTimeoutMs,
      }),
  };
};

const guards = ["--no-optional-locks", "--no-pager", "--literal-pathspecs"];

/** Git leaves objects to the file system's mercy unless told so; an index of our own needs no care. */
const durable = (index?: string): string[] => [
  "-c",
  `core.fsync=${index === undefined ? "all" : "objects,reference"}`,
];

/** The first line that says something. */
export const firstWords = (stderr: string, code: number): string => {
  const lines = stderr.split("\n").map((line) => line.trim());
  const told =
    lines.find((line) => /^(?:fatal|error):/.test(line)) ?? lines.find((line) => line !== "");
  return told === undefined ? `exit code ${code}` : showText(told, 400);
};

/** Git's own variables would move the index or the repository; who commits stays. */
const keptGit =
  /^GIT_(?:(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL)|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|SSH(?:_COMMAND)?)$/;
const dropped = /^(?:GIT_.*|NODE_OPTIONS|LD_PRELOAD|DYLD_INSERT_LIBRARIES)$/;

/** What programs of the user's choice get: everything but what would change what git or Node are. */
export const userEnvironment = ({ variables }: Environment): Record<string, string> => {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined && (keptGit.test(name) || !dropped.test(name))) result[name] = value;
  }
  return { ...result, GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: ":" };
};
