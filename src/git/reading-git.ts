/**
 * Git as a source of facts: plumbing commands by argv, in a clean environment, bounded in time and
 * output. Nothing a repository configures is run: no hook, fsmonitor, pager, external diff, textconv,
 * filter or network transport. Commands that should respect the user's hooks do not belong here.
 */
import { devNull } from "node:os";
import { HeadgateError } from "../errors.ts";
import { assert } from "../base/assert.ts";
import { type Environment, systemEnvironment } from "../base/environment.ts";
import { type Files, systemFiles } from "../base/files.ts";
import { findProgram } from "../base/find-program.ts";
import { gitEnvironment } from "./git-environment.ts";
import { limits } from "../base/limits.ts";
import { type Processes, type RunResult, systemProcesses } from "../base/processes.ts";
import { plural, showText } from "../base/text.ts";

export interface GitOptions {
  /** Must exist: a missing folder cannot be told from a missing program. */
  readonly cwd: string;
  readonly environment?: Environment;
  readonly files?: Files;
  readonly processes?: Processes;
  /** Git looks for a repository no higher than below these folders. */
  readonly ceiling?: readonly string[];
  /** Instead of the worktree's own. */
  readonly index?: string;
}

export interface GitCall {
  /** The command and its options, written by us: never a value that came from outside. */
  readonly args: readonly [GitCommand, ...string[]];
  /** Names of commits, trees, refs. One that begins with a dash is refused. */
  readonly revisions?: readonly string[];
  /** Taken literally, after `--`: they may begin with a dash or hold `*`. */
  readonly paths?: readonly string[];
  readonly input?: string | Uint8Array;
  /** Exit codes that are answers, not failures. */
  readonly okCodes?: readonly number[];
  readonly timeoutMs?: number;
  readonly outputBytesMax?: number;
}

export interface GitOutput {
  readonly code: number;
  readonly stdout: Buffer;
}

export interface Git {
  /** Throws GIT_MISSING, GIT_FAILED, GIT_LIMIT. */
  run(call: GitCall): Promise<GitOutput>;
  /** Finds out meanwhile what commands that read the working tree need to know first. */
  warmUp?(): void;
}

export const createGit = (options: GitOptions): Git => {
  const startGuarded = createGuardedStart(options);
  let drivers: Promise<string[]> | undefined;

  const start = (call: GitCall, extra: readonly string[]): Promise<GitOutput> =>
    startGuarded([...extra, ...argvOf(call)], {
      ...call,
      name: `git ${call.args[0]}`,
      hasPlainPaths: call.args[0] === "check-ignore",
    });

  const queryDrivers = (): Promise<string[]> =>
    (drivers ??= start(driverQuery, []).then(({ stdout }) => splitNul(stdout).flatMap(switchOff)));

  return {
    run: async (call) => start(call, runsDrivers(call) ? await queryDrivers() : []),
    // Who needs the answer gets its error.
    warmUp: () => void queryDrivers().catch(() => undefined),
  };
};

/** A call under the guards, by its whole argument list. */
export interface GuardedCall extends Pick<
  GitCall,
  "input" | "okCodes" | "timeoutMs" | "outputBytesMax"
> {
  /** For messages. */
  readonly name: string;
  /** Its paths are never patterns, and it refuses the option that says so. */
  readonly hasPlainPaths?: boolean;
}

/** For this room only: nothing checks the arguments. Throws GIT_MISSING, GIT_FAILED, GIT_LIMIT. */
export const createGuardedStart = (options: GitOptions) => {
  const { environment = systemEnvironment(), files = systemFiles } = options;
  const { processes = systemProcesses, cwd, ceiling, index } = options;
  const env = {
    ...gitEnvironment(environment, ceiling ? { ceiling } : {}),
    ...(index !== undefined && { GIT_INDEX_FILE: index }),
  };
  return async (args: readonly string[], call: GuardedCall): Promise<GitOutput> => {
    const program = findProgram("git", environment, files);
    if (program === undefined) throw missing(cwd);
    const isGuard = (one: string): boolean => !(call.hasPlainPaths && one === literalPaths);
    const argv = [...guards.filter(isGuard), ...args];
    const result = await processes.run([program, ...argv], {
      cwd,
      env,
      timeoutMs: call.timeoutMs ?? limits.gitTimeoutMs,
      outputBytesMax: call.outputBytesMax ?? limits.gitOutputBytesMax,
      ...(call.input !== undefined && { input: call.input }),
    });
    return outputOf(result, call, { argv: ["git", ...argv], cwd });
  };
};

/** Output of a `-z` command as its parts. */
export const splitNul = (output: Buffer | string): string[] => {
  const parts = output.toString().split("\0");
  if (parts.at(-1) === "") parts.pop();
  return parts;
};

interface CommandRules {
  /** It does not know `--end-of-options`; that no revision begins with a dash has to be enough. */
  readonly hasNoEndMark?: boolean;
  /** Always added. */
  readonly flags?: readonly string[];
  /** It may read files of the working tree through configured filters. */
  readonly drivers?: boolean | ((args: readonly string[]) => boolean);
}

const noPrograms = ["--no-ext-diff", "--no-textconv"];
// Looking into a submodule would start another git there, with that repository's configuration.
const noSubmodules = "--ignore-submodules=dirty";

const commands = {
  blame: { flags: ["--no-textconv"], hasNoEndMark: true },
  "cat-file": {},
  "check-ignore": { hasNoEndMark: true },
  config: {},
  "diff-files": { flags: [...noPrograms, noSubmodules], drivers: true },
  "diff-index": {
    flags: [...noPrograms, noSubmodules],
    // Between the index and a tree, no file of the working tree is read.
    drivers: (args) => !args.includes("--cached"),
  },
  "diff-tree": { flags: noPrograms },
  "for-each-ref": {},
  // It reads the files as they lie there, through no filter.
  grep: { flags: ["--no-textconv", "--no-recurse-submodules"], hasNoEndMark: true },
  "hash-object": { flags: ["--no-filters"] },
  "ls-files": { drivers: (args) => args.some((arg) => /^-[a-z]*m|^--modified$/.test(arg)) },
  "ls-tree": {},
  "merge-base": {},
  "rev-list": {},
  "rev-parse": {},
  "symbolic-ref": {},
} as const satisfies Record<string, CommandRules>;

export type GitCommand = keyof typeof commands;

const literalPaths = "--literal-pathspecs";
// Second locks: the commands above run no hooks and fetch nothing by themselves. External diffs are
// switched off by --no-ext-diff, which an empty `diff.external` would not do reliably.
const guards = [
  "--no-optional-locks",
  "--no-pager",
  literalPaths,
  ...[
    `core.hooksPath=${devNull}`,
    "core.fsmonitor=false",
    "core.pager=cat",
    `core.attributesFile=${devNull}`,
    "protocol.allow=never",
  ].flatMap((setting) => ["-c", setting]),
];

const forbidden = new Set(["--ext-diff", "--textconv", "--filters", "--no-index"]);

const argvOf = (call: GitCall): string[] => {
  const { args, revisions = [], paths = [] } = call;
  const [command, ...rest] = args;
  for (const value of [...args, ...revisions, ...paths]) {
    if (value.includes("\0")) throw badValue(value, "holds NUL");
  }
  for (const value of revisions) {
    if (value.startsWith("-")) throw badValue(value, "begins with a dash");
    if (value === "") throw badValue(value, "is empty");
  }
  assert(!rest.some((arg) => forbidden.has(arg)), `git ${command}: an option runs programs`);
  const rules: CommandRules = commands[command];
  return [
    command,
    ...(rules.flags ?? []),
    ...rest,
    ...(revisions.length > 0 && !rules.hasNoEndMark ? ["--end-of-options"] : []),
    ...revisions,
    ...(paths.length > 0 ? ["--", ...paths] : []),
  ];
};

const runsDrivers = ({ args: [command, ...rest] }: GitCall): boolean => {
  const { drivers = false }: CommandRules = commands[command];
  return typeof drivers === "function" ? drivers(rest) : drivers;
};

/** Filters can only be switched off by name, and before git 2.41 attributes cannot be ignored. */
const driverQuery: GitCall = {
  args: ["config", "-z", "--name-only", "--get-regexp", "^filter\\..*\\.(clean|smudge|process)$"],
  okCodes: [0, 1],
};

const switchOff = (key: string): string[] => [
  "-c",
  `${key}=`,
  "-c",
  `${key.slice(0, key.lastIndexOf("."))}.required=false`,
];

const badValue = (value: string, why: string) =>
  new HeadgateError("USAGE", `a value for git ${why}: ${showText(value)}`);

const missing = (cwd: string) =>
  new HeadgateError("GIT_MISSING", `no git program on PATH for ${showText(cwd)}`);

const outputOf = (
  result: RunResult,
  call: GuardedCall,
  data: { readonly argv: readonly string[]; readonly cwd: string },
): GitOutput => {
  const { name } = call;
  const place = showText(data.cwd);
  switch (result.ended) {
    case "not-found":
      throw missing(data.cwd);
    case "timeout": {
      const timeoutMs = call.timeoutMs ?? limits.gitTimeoutMs;
      const message = `${name} did not end within ${timeoutMs} ms in ${place}`;
      throw new HeadgateError("GIT_LIMIT", message, { data });
    }
    case "output-limit": {
      const bytesMax = call.outputBytesMax ?? limits.gitOutputBytesMax;
      const message = `${name} printed more than ${plural(bytesMax, "byte")} in ${place}`;
      throw new HeadgateError("GIT_LIMIT", message, { data });
    }
    case "signal": {
      const message = `${name} was ended by ${result.signal} in ${place}`;
      throw new HeadgateError("GIT_FAILED", message, { data });
    }
    case "exit": {
      const { code, stdout } = result;
      if ((call.okCodes ?? [0]).includes(code)) return { code, stdout };
      const stderr = firstLines(result.stderr);
      const message = `${name} failed in ${place}: ${stderr[0] ?? `exit code ${code}`}`;
      throw new HeadgateError("GIT_FAILED", message, { data: { ...data, code, stderr } });
    }
  }
};

const stderrLinesMax = 8;
const firstLines = (stderr: string): string[] =>
  stderr
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, stderrLinesMax)
    .map((line) => showText(line.trim()));
