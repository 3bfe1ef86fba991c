/**
 * Commits that no hook judged: made with git's hooks off, or by plumbing (`git commit-tree`). Whichever hook comes next
 * sees that HEAD holds one and judges it late. Commits that a remote has were made elsewhere and are not looked at.
 */
import { join } from "node:path";
import { systemClock } from "../../base/clock.ts";
import type { Environment } from "../../base/environment.ts";
import { systemFiles } from "../../base/files.ts";
import { removeFile } from "../../base/open-file.ts";
import { plural, showText } from "../../base/text.ts";
import type { Headgate } from "../../compose.ts";
import { HeadgateError } from "../../errors.ts";
import type { Reason } from "../../gate/index.ts";
import {
  commitOf,
  createGit,
  digestOf,
  emptyTree,
  findUnfinished,
  type Git,
  gitDirOf,
  hasHookRunner,
  isObjectName,
  readHeadName,
  type Repository,
  treeChanges,
} from "../../git/index.ts";
import { readJson, updateJson } from "../../state/index.ts";

export interface LateParts {
  readonly headgate: Pick<Headgate, "config" | "events" | "repository" | "shared" | "structure">;
  readonly environment: Environment;
  readonly git?: Git;
}

/** Sessions whose command made it; empty where no hook saw it being made. */
interface Maker {
  readonly by: readonly string[];
}

export interface LateCommit extends Maker {
  readonly commit: string;
  /** It was judged against this commit. */
  readonly base: string;
  /** `CODE path#symbol`; empty: it is fine. */
  readonly problems: readonly string[];
  /** Of the first problem. */
  readonly message?: string;
}

/** HEAD went from one commit to another while these sessions were at work. */
interface Move extends Maker {
  readonly from: string;
  readonly tip: string;
}

interface Heads {
  /** Commits that were looked at, or there before the first look: they and all below them are known. */
  readonly known: readonly string[];
  /** Judged late, with problems that no commit has repaired yet. */
  readonly late: readonly LateCommit[];
  /** Seen, and not judged yet. */
  readonly moves: readonly Move[];
}

export const lateCommits = (localDir: string): readonly LateCommit[] =>
  readHeads(localDir)?.late ?? [];

/** Cheap: where nothing has moved, no git is started. */
export const isHeadNew = ({ worktree, kind, localDir }: Repository): boolean => {
  if (kind !== "git" || !hasHookRunner(worktree, systemFiles)) return false;
  const name = readHeadName(worktree, systemFiles);
  return name === undefined || !readHeads(localDir)?.known.includes(name);
};

/** The first look: all that there is now was made before. */
export const beginHeads = async (repository: Repository, environment: Environment) => {
  const { worktree, localDir } = repository;
  if (readHeads(localDir) || !systemFiles.stat(localDir)) return;
  const git = createGit({ cwd: worktree, environment });
  const { stdout } = await git.run({
    args: [
      "for-each-ref",
      "--sort=-committerdate",
      `--count=${knownMax - 1}`,
      "--format=%(objectname)",
      "refs/heads",
    ],
  });
  const tips = stdout.toString("latin1").split("\n").filter(isObjectName);
  const head = await commitOf(git, "HEAD");
  await changeHeads(localDir, (heads) => ({
    ...heads,
    known: [...tips.filter((one) => one !== head), ...(head === undefined ? [] : [head])],
  }));
};

/** Whose command moved HEAD is known now only, and the judgement may take long. Without `from`: since the last look. */
export const noteMove = async (
  { repository }: Pick<Headgate, "repository">,
  { from, by }: Maker & { readonly from?: string },
): Promise<void> => {
  const tip = readHeadName(repository.worktree, systemFiles);
  const start = from ?? readHeads(repository.localDir)?.known.at(-1);
  if (tip === undefined || start === undefined) return;
  await changeHeads(repository.localDir, (heads) => ({
    ...heads,
    moves: [...heads.moves, { from: start, tip, by }],
  }));
};

/** Without git's hooks there is nothing to compare with. */
export const endHeads = ({ localDir }: Pick<Repository, "localDir">): void => {
  removeFile(systemFiles, headsFile(localDir));
};

/** Judges what HEAD (or `tip`) holds and no hook judged. A judgement that runs out of time or room is repeated. */
export const judgeLate = async (
  parts: LateParts,
  options: { readonly tip?: string } = {},
): Promise<readonly LateCommit[]> => {
  const { repository } = parts.headgate;
  const { worktree, localDir } = repository;
  const heads = readHeads(localDir);
  if (!heads) {
    await beginHeads(repository, parts.environment);
    return [];
  }
  const gitDir = gitDirOf(worktree, systemFiles);
  // Commits on the way of a rebase are not the last word.
  if (gitDir === undefined || findUnfinished(gitDir, systemFiles) !== undefined) return [];
  const git = parts.git ?? createGit({ cwd: worktree, environment: parts.environment });
  const tip = options.tip ?? (await commitOf(git, "HEAD"));
  if (tip === undefined || heads.known.includes(tip)) return [];
  const found: LateCommit[] = [];
  try {
    const makers = new Map<string, readonly string[]>();
    for (const { from, tip: to, by } of heads.moves) {
      for (const one of await list(git, ["--ignore-missing"], [to, `^${from}`]))
        makers.set(one, by);
    }
    const commits = await notJudged(parts, git, { tip, known: heads.known, gitDir });
    for (const { commit, base, judge } of await judgings(parts, git, commits)) {
      const reasons = await judge();
      // Its own post-commit hook may have been under way.
      if ((await namedIn(parts, [commit])).has(commit)) continue;
      const [first] = reasons;
      const one = {
        ...{ commit, base, by: makers.get(commit) ?? [] },
        problems: [...new Set(reasons.map(problemName))].slice(0, problemsMax),
        ...(first && { message: showText(first.message, 300) }),
      };
      await note(parts, one, reasons);
      found.push(one);
    }
  } catch (error) {
    if (HeadgateError.isInstance(error) && error.code === "NOT_JUDGED") return [];
    throw error;
  }
  await changeHeads(localDir, ({ known, late, moves }) => ({
    known: [...known, tip],
    late: [...late, ...found.filter(({ problems }) => problems.length > 0)],
    moves: moves.filter((one) => one.tip !== tip),
  }));
  return found;
};

/** A commit that a hook saw: nothing below it is unknown. */
export const followHead = async (
  { repository }: Pick<Headgate, "repository">,
  { commit, base }: { readonly commit: string; readonly base: string },
): Promise<void> => {
  const { localDir } = repository;
  if (!readHeads(localDir)?.known.includes(base)) return;
  await changeHeads(localDir, (heads) => ({ ...heads, known: [...heads.known, commit] }));
};

/** Those whose problems are still in the tree that `changesFrom` leads to, with these problems. */
export const stillBroken = async (
  parts: LateParts & { readonly git: Git },
  {
    tip,
    changesFrom,
  }: {
    readonly tip: string;
    changesFrom(base: string): ReturnType<typeof treeChanges>;
  },
): Promise<readonly { readonly late: LateCommit; readonly reasons: readonly Reason[] }[]> => {
  const late = lateCommits(parts.headgate.repository.localDir);
  if (late.length === 0) return [];
  const { git } = parts;
  const own = new Set(await list(git, [], [tip, ...late.map(({ base }) => `^${base}`)]));
  const { openJudging } = await import("./judging.ts");
  const judging = openJudging({ ...parts, git });
  const broken: { late: LateCommit; reasons: Reason[] }[] = [];
  for (const one of late.filter(({ commit }) => own.has(commit))) {
    const { reasons } = await judging.judge(await changesFrom(one.base), { base: one.base });
    const left = reasons.filter((reason) => one.problems.includes(problemName(reason)));
    if (left.length > 0) broken.push({ late: one, reasons: left });
  }
  return broken;
};

/** After a commit: its repairs count. */
export const dropRepaired = async (
  parts: LateParts & { readonly git: Git },
  tip: string,
): Promise<void> => {
  const { localDir } = parts.headgate.repository;
  const late = lateCommits(localDir);
  if (late.length === 0) return;
  const { git } = parts;
  const broken = await stillBroken(parts, {
    ...{ tip, changesFrom: (base) => treeChanges(git, base, tip) },
  });
  const left = new Set(broken.map((one) => one.late.commit));
  const below = new Set(await list(git, [], [tip, ...late.map(({ base }) => `^${base}`)]));
  await changeHeads(localDir, (heads) => ({
    ...heads,
    late: heads.late.filter(({ commit }) => left.has(commit) || !below.has(commit)),
  }));
};

export const lateText = ({ commit, problems, message = "" }: LateCommit): string => {
  const name = `commit ${commit.slice(0, 10)} was made without git's hooks`;
  const [first] = problems;
  if (first === undefined) return `${name}; judged now: no problems.`;
  const count = plural(problems.length, "problem");
  return `${name}; judged now, it has ${count}: ${showText(first, 200)}: ${message}. Repair it with the next commit.`;
};

const problemName = ({ code, path, symbol }: Reason): string =>
  `${code} ${path}${symbol === undefined ? "" : `#${symbol}`}`;

const note = (
  { headgate }: LateParts,
  { commit, base, by, problems }: LateCommit,
  [first]: readonly Reason[],
): Promise<void> =>
  headgate.events.append({
    kind: "commit.unjudged",
    actor: by[0] ?? "headgate",
    subject: commit,
    data: {
      ...{ commit, base, late: true, problems: [...problems] },
      ...(first && { code: first.code, path: first.path }),
    },
  });

/** The oldest first. */
const notJudged = async (
  parts: LateParts,
  git: Git,
  {
    tip,
    known,
    gitDir,
  }: { readonly tip: string; readonly known: readonly string[]; readonly gitDir: string },
): Promise<readonly string[]> => {
  const commits = await list(
    git,
    ["--ignore-missing", "--not", "--remotes", "--not"],
    [tip, ...[...known, ...fetched(gitDir)].map((one) => `^${one}`)],
  );
  const named = await namedIn(parts, commits);
  const left: string[] = [];
  for (const commit of commits.filter((one) => !named.has(one))) {
    if (!(await wasJudged(parts, git, commit))) left.push(commit);
  }
  return left;
};

/** A pull from an address leaves no remote branch. */
const fetched = (gitDir: string): string[] => {
  const file = join(gitDir, "FETCH_HEAD");
  const stat = systemFiles.stat(file);
  if (!stat?.isFile() || stat.size > fetchedBytesMax) return [];
  const lines = systemFiles.readFile(file).toString("latin1").split("\n");
  return lines.map((line) => line.split("\t", 1)[0] ?? "").filter(isObjectName);
};

/** Its post-commit hook ran, or it was judged late before. */
const namedIn = async (
  { headgate }: LateParts,
  commits: readonly string[],
): Promise<ReadonlySet<string>> => {
  const named = new Set<string>();
  if (commits.length === 0) return named;
  const wanted = new Set(commits);
  for (const kind of ["commit.made", "commit.unjudged"]) {
    const { events } = await headgate.events.page({ kind, last: eventsMax, limit: eventsMax });
    for (const { subject } of events) if (subject && wanted.has(subject)) named.add(subject);
  }
  return named;
};

/** Pre-commit judged these very changes; a rollback of a run has no post-commit hook. */
const wasJudged = async ({ headgate }: LateParts, git: Git, commit: string): Promise<boolean> => {
  const digest = digestOf(await treeChanges(git, await baseBelow(git, commit), commit));
  const { events } = await headgate.events.page({ kind: "commit.judged", last: eventsMax });
  return events.some(({ subject }) => subject === digest);
};

/** Each by itself; a long history is judged as one. */
const judgings = async (
  parts: LateParts,
  git: Git,
  commits: readonly string[],
): Promise<
  readonly {
    readonly commit: string;
    readonly base: string;
    judge(): Promise<readonly Reason[]>;
  }[]
> => {
  const [oldest] = commits;
  const newest = commits.at(-1);
  if (oldest === undefined || newest === undefined) return [];
  const { openJudging } = await import("./judging.ts");
  const judging = openJudging({ ...parts, git });
  const sum = async (base: string, commit: string) =>
    (await judging.judge(await treeChanges(git, base, commit), { base })).reasons;
  if (commits.length > eachMax) {
    const base = await baseBelow(git, oldest);
    return [{ commit: newest, base, judge: () => sum(base, newest) }];
  }
  const { judgeMerge, mergesBetween } = await import("./merges.ts");
  return Promise.all(
    commits.map(async (commit) => {
      const base = await baseBelow(git, commit);
      const [merge] =
        (await commitOf(git, `${commit}^2`)) === undefined
          ? []
          : await mergesBetween(git, [commit, `^${base}`]).then((all) =>
              all.filter((one) => one.commit === commit),
            );
      const judge = async () =>
        merge ? (await judgeMerge(merge, { git, judging })).reasons : sum(base, commit);
      return { commit, base, judge };
    }),
  );
};

const baseBelow = async (git: Git, commit: string): Promise<string> =>
  (await commitOf(git, `${commit}^1`)) ?? (await emptyTree(git));

/** The oldest first. */
const list = async (
  git: Git,
  options: readonly string[],
  revisions: readonly string[],
): Promise<string[]> => {
  const { stdout } = await git.run({
    args: ["rev-list", "--reverse", "--topo-order", `--max-count=${commitsMax}`, ...options],
    revisions,
  });
  return stdout.toString("latin1").split("\n").filter(isObjectName);
};

const headsFile = (localDir: string): string => join(localDir, "heads.json");

/** A damaged file counts as absent: the next look is the first one. */
const readHeads = (localDir: string): Heads | undefined => {
  const file = headsFile(localDir);
  if (!systemFiles.stat(file)) return undefined;
  try {
    const { known, late, moves } = readJson<Heads>(file);
    return [known, late, moves].every(Array.isArray) ? { known, late, moves } : undefined;
  } catch {
    return undefined;
  }
};

const changeHeads = async (localDir: string, change: (heads: Heads) => Heads): Promise<void> => {
  const isWhole = readHeads(localDir) !== undefined;
  await updateJson<Heads>(
    headsFile(localDir),
    (present) => {
      const next = change((isWhole ? present : undefined) ?? { known: [], late: [], moves: [] });
      return {
        moves: next.moves.slice(-lateMax),
        known: [...new Set(next.known)].slice(-knownMax),
        late: [...new Map(next.late.map((one) => [one.commit, one])).values()].slice(-lateMax),
      };
    },
    { clock: systemClock, durability: "cache", mode: 0o600, waitMs: 1_000, root: localDir },
  );
};

const knownMax = 1_000;
const lateMax = 50;
const problemsMax = 20;
const commitsMax = 1_000;
const eachMax = 20;
const eventsMax = 1_000;
const fetchedBytesMax = 1024 * 1024;
