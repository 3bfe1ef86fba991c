/** The judgement of a range of commits, for servers: no store, no claims, nothing is written. */
import type { Environment } from "../../base/environment.ts";
import { systemFiles } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import {
  createGit,
  type Git,
  commitOf,
  emptyTree,
  isObjectName,
  readBlobs,
  splitNul,
  treeChanges,
  defaultBranch,
  isShallow,
  partedAt,
  shallowRemedy,
} from "../../git/index.ts";
import { showText } from "../../base/text.ts";
import type { Headgate } from "../../compose.ts";
import { HeadgateError } from "../../errors.ts";
import type { Reason } from "../../gate/index.ts";
import type { Analyser } from "../../structure/index.ts";
import { openJudging } from "./judging.ts";
import { judgeMerge, mergesBetween, sameness } from "./merges.ts";

export interface RangeOptions {
  readonly headgate: Pick<Headgate, "config" | "repository" | "shared" | "structure">;
  readonly environment: Environment;
  /** `A..B`, `A...B` or `A` (up to HEAD), as git names commits. Default: what `base` says. */
  readonly range?: string | undefined;
  /** Judged is what HEAD has since it parted from this. Default: the default branch. */
  readonly base?: string | undefined;
  /** Every commit against its parents, instead of the last against the first. */
  readonly isEach?: boolean;
  readonly signal: AbortSignal;
  /** Of a caller that keeps one; else it is this call's own. */
  readonly analyser?: Analyser;
}

export interface CiFinding extends Reason {
  readonly commit: string;
}

export interface CiResult {
  readonly base: string;
  readonly head: string;
  /** Without merges. */
  readonly commits: number;
  readonly merges: number;
  readonly files: number;
  readonly notAnalysed: number;
  readonly reasons: readonly CiFinding[];
  readonly notes: readonly CiFinding[];
}

/**
 * Throws USAGE when the range is unknown or a shallow clone does not have enough of the history, and
 * NOT_JUDGED where the judgement ran out of time or room: a part of a result would look clean.
 */
export const judgeRange = async (options: RangeOptions): Promise<CiResult> => {
  const { headgate, environment, isEach = false, signal } = options;
  const { worktree, commonDir } = headgate.repository;
  if (commonDir === undefined) {
    throw new HeadgateError("REPOSITORY_NOT_FOUND", `no git repository: ${showText(worktree)}`);
  }
  const git = createGit({ cwd: worktree, environment });
  const { base, head } = await resolveRange(git, options);
  const revisions = [head, ...((await commitOf(git, base)) === undefined ? [] : [`^${base}`])];
  const commits = await commitsBetween(git, revisions);
  const merges = base === head ? [] : await mergesBetween(git, revisions);
  await refuseShallow(git, isEach ? commits : []);
  const steps = isEach ? await stepsOf(git, commits) : [{ base, commit: head }];
  const total = { files: 0, notAnalysed: 0, reasons: [] as CiFinding[], notes: [] as CiFinding[] };
  const { analyser } = options;
  const judging = openJudging({ headgate, git, environment, ...(analyser && { analyser }) });
  for (const step of base === head ? [] : steps) {
    signal.throwIfAborted();
    const changes = await treeChanges(git, step.base, step.commit);
    const found = await judging.judge(changes, { base: step.base });
    total.files += found.files;
    total.notAnalysed += found.notAnalysed;
    total.reasons.push(...found.reasons.map((one) => ({ ...one, commit: step.commit })));
    total.notes.push(...found.notes.map((one) => ({ ...one, commit: step.commit })));
  }
  // Where a clone is shallow, the sum is judged all the same.
  const isLooked = isEach || !(await isShallow(git));
  for (const merge of isLooked ? merges : []) {
    signal.throwIfAborted();
    // In the sum only what is still so counts: a later commit may have made it right.
    const later = isEach ? [] : await treeChanges(git, merge.commit, head);
    const changed = new Set(later.map(({ path }) => path));
    const found = await judgeMerge(merge, { git, judging, isWanted: (path) => !changed.has(path) });
    const { commit } = merge;
    const known = new Set(isEach ? [] : [...total.reasons, ...total.notes].map(sameness));
    const isNew = (one: Reason): boolean => !known.has(sameness(one));
    total.reasons.push(...found.reasons.filter(isNew).map((one) => ({ ...one, commit })));
    total.notes.push(...found.notes.filter(isNew).map((one) => ({ ...one, commit })));
    if (isEach) total.files += found.files;
    if (isEach) total.notAnalysed += found.notAnalysed;
  }
  total.notes.push(...(await differingNotes(git, head)));
  return { base, head, commits: commits.length, merges: merges.length, ...total };
};

/** Clients start these files of ours from the tree (T-01). */
const differingNotes = async (git: Git, commit: string): Promise<CiFinding[]> => {
  const { differingFiles, differingRemedy, differingText, treeFiles } =
    await import("../setup/index.ts");
  const { stdout } = await git.run({
    args: ["ls-tree", "-r", "-z", "-l"],
    revisions: [commit],
    paths: Object.keys(treeFiles),
  });
  const found = new Map<string, string>();
  for (const line of splitNul(stdout)) {
    const [, object = "", size, path = ""] =
      /^100\d+ blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(line) ?? [];
    // A link, and what is larger than anything of ours, differs unread.
    const isRead = Number(size) < limits.gitSettingsBytesMax;
    const blobs = isRead ? await readBlobs(git, [object]) : new Map<string, Buffer>();
    found.set(path || line.replace(/^[^\t]*\t/, ""), blobs.get(object)?.toString("utf8") ?? "");
  }
  return differingFiles((path) => found.get(path)).map((path) => ({
    ...{ code: "PATH_OWN", path, commit, message: differingText(path), remedy: differingRemedy },
  }));
};

const resolveRange = async (
  git: Git,
  { range, base }: RangeOptions,
): Promise<{ base: string; head: string }> => {
  if (range !== undefined) {
    if (base !== undefined) throw new HeadgateError("USAGE", "give a range or --base, not both");
    const [, from = "", dots, to = ""] = /^(.*?)(?:(\.\.\.?)(.*))?$/s.exec(range) ?? [];
    const start = await known(git, from || "HEAD");
    const head = await known(git, to || "HEAD");
    return { base: dots === "..." ? await partedAt(git, start, head) : start, head };
  }
  const head = await known(git, "HEAD");
  const start = base === undefined ? await baseBranch(git) : await known(git, base);
  return { base: await partedAt(git, start, head), head };
};

const known = async (git: Git, name: string): Promise<string> => {
  const commit = name.startsWith("-") ? undefined : await commitOf(git, name);
  if (commit !== undefined) return commit;
  const why = (await isShallow(git)) ? `; ${shallowRemedy}` : "";
  throw new HeadgateError("USAGE", `git knows no commit called ${showText(name)} here${why}`);
};

const baseBranch = async (git: Git): Promise<string> => {
  const found = await defaultBranch(git);
  if (found !== undefined) return found.commit;
  const why = (await isShallow(git)) ? `; ${shallowRemedy}` : "";
  throw new HeadgateError("USAGE", `which branch is the base? Say so with --base${why}`);
};

const commitsBetween = async (git: Git, revisions: readonly string[]): Promise<string[]> => {
  const { stdout } = await git.run({
    args: ["rev-list", "--no-merges", "--reverse", "--topo-order"],
    revisions: [...revisions],
  });
  return stdout.toString("latin1").split("\n").filter(isObjectName);
};

/** Where a shallow clone ends, commits look as if they had no parent: all of their files would be new. */
const refuseShallow = async (git: Git, commits: readonly string[]): Promise<void> => {
  if (commits.length === 0 || !(await isShallow(git))) return;
  const { stdout } = await git.run({
    args: ["rev-parse", "--path-format=absolute", "--git-path", "shallow"],
  });
  const ends = systemFiles.readFile(stdout.toString("utf8").trim()).toString("latin1").split("\n");
  if (commits.some((commit) => ends.includes(commit))) {
    throw new HeadgateError("USAGE", `not all commits have their parent here; ${shallowRemedy}`);
  }
};

const stepsOf = async (git: Git, commits: readonly string[]) => {
  const steps: { base: string; commit: string }[] = [];
  for (const commit of commits) {
    steps.push({ base: (await commitOf(git, `${commit}^1`)) ?? (await emptyTree(git)), commit });
  }
  return steps;
};
