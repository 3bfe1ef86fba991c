/**
 * Linters that the repository configures and the user allows, over the files of a change: each on the text before
 * and after, with the configuration from before, and only findings that the change caused come out. A linter gets a folder of
 * its own that holds these files and its configuration, never the working tree.
 */
import { dirname, join, posix } from "node:path";
import type { Environment } from "../../base/environment.ts";
import { systemFiles } from "../../base/files.ts";
import { findProgram, findProgramOutside } from "../../base/find-program.ts";
import { limits } from "../../base/limits.ts";
import { systemProcesses } from "../../base/processes.ts";
import { systemRandom } from "../../base/random.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import {
  commitOf,
  createGit,
  type Git,
  readBlobs,
  type Repository,
  splitNul,
} from "../../git/index.ts";
import { writeFileAtomic } from "../../state/index.ts";
import { readCheckstyle, readEslint, readSarif } from "../report/linter.ts";
import type { Subject, SubjectFile } from "../subject/types.ts";
import type { Finding, Report } from "../types.ts";
import { causedBy, textBefore } from "./caused.ts";
import { ruffFor } from "./ruff.ts";
import { type LinterTool, tools } from "./tools.ts";

export const linterFamily = "linters";

export interface LinterParts {
  readonly repository: Repository;
  readonly environment: Environment;
  readonly review: string;
  /** By name; `always`: also where the repository does not configure it. */
  readonly linters: Readonly<Record<string, boolean | "always">>;
  /** Linters whose configuration is code may run here. */
  readonly mayRunCode?: boolean;
  /** Where a program is; else it is looked for in PATH. */
  readonly programs?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Linted {
  readonly findings: readonly Finding[];
  /** One per linter that ran. */
  readonly reports: readonly Report[];
  /** Which did not run, and why. */
  readonly notes: readonly string[];
}

export const runLinters = async (subject: Subject, parts: LinterParts): Promise<Linted> => {
  const { repository, environment, linters } = parts;
  const notes: string[] = [];
  const reports: Report[] = [];
  if (subject.kind !== "change" || repository.kind !== "git")
    return { findings: [], reports, notes };
  const git = createGit({ cwd: repository.worktree, environment });
  const revision = subject.base ?? (await commitOf(git, "HEAD"));
  for (const tool of tools) {
    const allowed = linters[tool.name] ?? false;
    const files = subject.files.filter(
      ({ path, after, hunks }) => tool.files.test(path) && after !== undefined && hunks.length > 0,
    );
    if (allowed === false || files.length === 0 || parts.signal?.aborted) continue;
    try {
      const configs =
        revision === undefined ? [] : await configsBefore(git, revision, { tool, files });
      if (configs.length === 0 && allowed !== "always") continue;
      if (tool.isCode && !parts.mayRunCode) {
        notes.push(
          `${tool.name} did not run: its configuration is a program; review.linterRepositories names where it may`,
        );
        continue;
      }
      const found = await lint(tool, { files, configs, parts });
      const findings = found.map((one) => ({ ...one, review: parts.review, family: linterFamily }));
      reports.push({
        ...{ reviewer: tool.name, family: linterFamily, state: "strict", findings, problems: [] },
      });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      notes.push(`${tool.name} did not run: ${showText(error.message, 300)}`);
    }
  }
  return { findings: reports.flatMap(({ findings }) => findings), reports, notes };
};

interface LinterConfig {
  readonly path: string;
  readonly text: string;
}

/** Above the changed files, as they were before the change. */
const configsBefore = async (
  git: Git,
  revision: string,
  { tool, files }: { readonly tool: LinterTool; readonly files: readonly SubjectFile[] },
): Promise<LinterConfig[]> => {
  const folders = new Set(files.flatMap(({ path }) => foldersAbove(path)));
  const wanted = [...folders].flatMap((folder) =>
    [...tool.configs, ...(tool.beside ?? [])].map((one) => posix.join(folder, one)),
  );
  const { stdout } = await git.run({
    args: ["ls-tree", "-z"],
    revisions: [revision],
    paths: wanted.slice(0, pathsMax),
  });
  const found = splitNul(stdout).flatMap((line) => {
    const [, name = "", path = ""] = /^100\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
    return path === "" ? [] : [{ name, path }];
  });
  const blobs = await readBlobs(
    git,
    found.map(({ name }) => name),
  );
  const configs = found.flatMap(({ name, path }) => {
    const text = blobs.get(name)?.toString("utf8");
    const isOther = path.endsWith("pyproject.toml") && tool.marker?.test(text ?? "") === false;
    return text === undefined || isOther ? [] : [{ path, text }];
  });
  const isBeside = ({ path }: LinterConfig): boolean =>
    tool.beside?.includes(posix.basename(path)) ?? false;
  return configs.every(isBeside) ? [] : configs;
};

const pathsMax = 1000;

const foldersAbove = (path: string): string[] => {
  const parts = path.split("/").slice(0, -1);
  return [".", ...parts.map((_, at) => parts.slice(0, at + 1).join("/"))];
};

interface LinterWork {
  readonly files: readonly SubjectFile[];
  readonly configs: readonly LinterConfig[];
  readonly parts: LinterParts;
}

type LinterFinding = Omit<Finding, "review">;

const lint = async (tool: LinterTool, work: LinterWork): Promise<LinterFinding[]> => {
  const { files, configs, parts } = work;
  const known = files.flatMap((file) => {
    const before = textBefore(file);
    return before === undefined ? [] : [{ file, before, after: file.after ?? "" }];
  });
  if (!tool.run) return byRuff(known, configs);
  const program = parts.programs?.[tool.name] ?? programFor(tool, parts);
  if (program === undefined) throw new Error("it is not installed");
  const sides = {
    before: new Map<string, LinterFinding[]>(),
    after: new Map<string, LinterFinding[]>(),
  };
  for (const side of ["before", "after"] as const) {
    const texts = known.map((one) => ({ path: one.file.path, text: one[side] }));
    for (const one of await runProgram(tool, program, { texts, configs, parts })) {
      const own = sides[side].get(one.path ?? "") ?? [];
      sides[side].set(one.path ?? "", [...own, one]);
    }
  }
  return known.flatMap(({ file }) => {
    const [before = [], after = []] = [sides.before.get(file.path), sides.after.get(file.path)];
    return causedBy(file, { before: before as Finding[], after: after as Finding[] });
  });
};

/** A program in the repository is code of the repository: it runs where the user allows that. */
const programFor = (
  { name }: LinterTool,
  { repository: { worktree }, environment, mayRunCode }: LinterParts,
): string | undefined => {
  const { variables } = environment;
  const own = { ...variables, PATH: join(worktree, "node_modules", ".bin") };
  const found = mayRunCode
    ? findProgram(name, { ...environment, variables: own }, systemFiles)
    : undefined;
  return found ?? findProgramOutside(name, worktree, environment, systemFiles);
};

const byRuff = async (
  known: readonly { readonly file: SubjectFile; readonly before: string; readonly after: string }[],
  configs: readonly LinterConfig[],
): Promise<LinterFinding[]> => {
  const found: LinterFinding[] = [];
  for (const { file, before, after } of known) {
    const config = configs
      .filter(({ path }) => dirname(path) === "." || file.path.startsWith(`${dirname(path)}/`))
      .toSorted((a, b) => b.path.length - a.path.length)[0];
    const check = await ruffFor(config && { name: config.path, text: config.text });
    found.push(
      ...causedBy(file, {
        before: check(file.path, before) as Finding[],
        after: check(file.path, after) as Finding[],
      }),
    );
  }
  return found;
};

const runProgram = async (
  tool: LinterTool,
  program: string,
  given: {
    readonly texts: readonly { readonly path: string; readonly text: string }[];
    readonly configs: readonly LinterConfig[];
    readonly parts: LinterParts;
  },
): Promise<LinterFinding[]> => {
  const { texts, configs, parts } = given;
  const { run } = tool;
  if (!run) return [];
  const name = Buffer.from(systemRandom.bytes(9)).toString("hex");
  const folder = join(parts.repository.localDir, "cache", `lint-${name}`);
  try {
    for (const { path, text } of [...configs, ...texts]) {
      const file = join(folder, path);
      systemFiles.makeDirectory(dirname(file), 0o700);
      await writeFileAtomic(file, text, { mode: 0o600, durability: "normal" });
    }
    // A name may begin with a dash and be taken for an option.
    const paths = texts.map(({ path }) => `./${path}`);
    const result = await systemProcesses.run(run.argv(program, paths), {
      ...{
        cwd: folder,
        env: plainEnvironment(parts.environment),
        timeoutMs: limits.linterTimeoutMs,
      },
      outputBytesMax: limits.linterOutputBytesMax,
    });
    if (result.ended !== "exit") throw new Error(`it ended by ${result.ended}`);
    const text = result.stdout.toString("utf8");
    const options = { run: parts.review, reviewer: tool.name, family: linterFamily, root: folder };
    if (run.nothing?.test(text)) return [];
    const read = { checkstyle: readCheckstyle, eslint: readEslint, sarif: readSarif }[run.format];
    return readOrSay(() => read(text, options), result.stderr).map((one) => ({
      ...one,
      // Its own grades are about style; nothing of it stops a change by itself.
      severity: one.kind === "security" || one.severity === "P3" ? (one.severity ?? "P2") : "P2",
    }));
  } catch (error) {
    if (HeadgateError.isInstance(error)) throw new Error(error.message, { cause: error });
    throw error;
  } finally {
    removeTree(folder);
  }
};

/** A linter that could not begin prints no report, and why on its other stream. */
const readOrSay = (read: () => Finding[], said: string): Finding[] => {
  try {
    return read();
  } catch (error) {
    if (!HeadgateError.isInstance(error)) throw error;
    const why = said.split("\n").filter((line) => /\p{L}{2}/u.test(line));
    throw new Error([error.message, ...why.slice(0, 3)].join(" ").trim(), { cause: error });
  }
};

/** No key and no setting of the user reaches a linter. */
const plainEnvironment = ({ variables }: Environment): Record<string, string> =>
  Object.fromEntries(
    ["PATH", "HOME", "LANG", "TMPDIR", "SystemRoot"].flatMap((name) => {
      const value = variables[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Links are removed, never followed. */
const removeTree = (folder: string): void => {
  if (systemFiles.stat(folder) === undefined) return;
  for (const entry of systemFiles.list(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeTree(path);
    else systemFiles.unlink(path);
  }
  systemFiles.removeDirectory(folder);
};
