/**
 * Git as the user runs it: for making commits. The user's identity, signing and hooks count here, which
 * git.ts leaves out on purpose. Still by argv only, bounded in time and output, and never moved to another
 * repository or index by inherited variables. Nothing here can skip a hook.
 */
import { HeadgateError } from "../errors.ts";
import { type Environment, systemEnvironment } from "../base/environment.ts";
import { type Files, systemFiles } from "../base/files.ts";
import { findProgram } from "../base/find-program.ts";
import { limits } from "../base/limits.ts";
import { type Processes, systemProcesses } from "../base/processes.ts";
import { showText } from "../base/text.ts";

export interface WritingGitOptions {
  readonly cwd: string;
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
  readonly timeoutMs?: number;
}

export interface WritingAnswer {
  readonly code: number;
  readonly stdout: string;
  /** Its last lines, made safe to show. */
  readonly lines: readonly string[];
}

export interface WritingGit {
  /** Any exit code is an answer. Throws GIT_MISSING, GIT_FAILED (ended by a signal), GIT_LIMIT. */
  ask(call: WritingCall): Promise<WritingAnswer>;
  /** The trimmed output; throws GIT_FAILED on any exit code but 0. */
  run(call: WritingCall): Promise<string>;
}

export type WritingCommand =
  | "cat-file"
  | "commit-tree"
  | "config"
  | "hash-object"
  | "hook"
  | "log"
  | "ls-files"
  | "ls-tree"
  | "merge-base"
  | "read-tree"
  | "rev-parse"
  | "symbolic-ref"
  | "update-index"
  | "update-ref"
  | "write-tree";

export const createWritingGit = (options: WritingGitOptions): WritingGit => {
  const { environment = systemEnvironment(), files = systemFiles, cwd } = options;
  const { processes = systemProcesses } = options;
  const base = userEnvironment(environment);

  const ask = async (call: WritingCall): Promise<WritingAnswer> => {
    const program = findProgram("git", environment, files);
    const missing = () =>
      new HeadgateError("GIT_MISSING", `no git program on PATH for ${showText(cwd)}`);
    if (program === undefined) throw missing();
    const name = `git ${call.args[0]}`;
    const timeoutMs = call.timeoutMs ?? limits.gitTimeoutMs;
    const result = await processes.run(
      [program, "--no-pager", "--literal-pathspecs", ...plain(call.args[0]), ...call.args],
      {
        cwd,
        env: {
          ...base,
          ...(call.index !== undefined && { GIT_INDEX_FILE: call.index }),
          ...(call.date !== undefined && {
            GIT_AUTHOR_DATE: call.date,
            GIT_COMMITTER_DATE: call.date,
          }),
        },
        timeoutMs,
        outputBytesMax: limits.gitOutputBytesMax,
        ...(call.input !== undefined && { input: call.input }),
      },
    );
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
        ? `${name} did not end within ${timeoutMs} ms in ${showText(cwd)}`
        : `${name} printed too much in ${showText(cwd)}`,
    );
  };

  return {
    ask,
    run: async (call) => {
      const { code, stdout, lines } = await ask(call);
      if (code === 0) return stdout.trim();
      const why = lines[0] ?? `exit code ${code}`;
      throw new HeadgateError(
        "GIT_FAILED",
        `git ${call.args[0]} failed in ${showText(cwd)}: ${why}`,
        { data: { code, stderr: lines } },
      );
    },
  };
};

/**
 * Settings that would change what plumbing prints, the bytes it records, or run a program that no commit
 * needs. Hooks get the user's own, because they call git themselves.
 */
const plain = (command: WritingCommand): readonly string[] => (command === "hook" ? [] : plainly);

const plainly = Object.entries({
  "color.ui": "false",
  "core.fsmonitor": "false",
  "i18n.commitEncoding": "UTF-8",
  "i18n.logOutputEncoding": "UTF-8",
  "log.follow": "false",
  "log.showSignature": "false",
}).flatMap(([name, value]) => ["-c", `${name}=${value}`]);

/** Everything the user's own commit would get, but which repository and index are meant is ours to say. */
const userEnvironment = ({ variables }: Environment): Record<string, string> => {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) continue;
    if (!/^GIT_/i.test(name) || kept.has(name.toUpperCase())) result[name] = value;
  }
  return { ...result, GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: ":", LC_ALL: "C" };
};

/** Who commits, and where the user's settings lie. */
const kept = new Set([
  "GIT_AUTHOR_NAME",
  "GIT_AUTHOR_EMAIL",
  "GIT_COMMITTER_NAME",
  "GIT_COMMITTER_EMAIL",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
]);

const lastLines = (text: string): string[] =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-linesMax)
    .map((line) => showText(line.trim()));

const linesMax = 8;
