/** Common to the commands about lines: the worktree, the files that are meant, whose edits. */
import { relative, resolve, sep } from "node:path";
import { resolveInRepository } from "../../base/paths.ts";
import { showText } from "../../base/text.ts";
import type { Headgate } from "../../compose.ts";
import { HeadgateError } from "../../errors.ts";
import {
  commitOf,
  createGit,
  emptyTree,
  type Git,
  splitNul,
  worktreeChanges,
} from "../../git/index.ts";
import { type EditChoice, readContents } from "../../landing/index.ts";
import { type CommittedFiles, type FileRecord, isBackAtCommit } from "../../lines/index.ts";
import type { CommandContext } from "./command.ts";

export interface LinesPlace {
  readonly headgate: Headgate;
  readonly git: Git;
  /** Undefined before the first commit. */
  readonly head: string | undefined;
}

/** Throws LINES_WITHOUT_GIT: where nothing is committed, nothing is uncommitted. */
export const findLines = async (
  headgate: Headgate,
  { environment }: CommandContext,
): Promise<LinesPlace> => {
  const { worktree, kind } = headgate.repository;
  if (kind !== "git") {
    throw new HeadgateError(
      "LINES_WITHOUT_GIT",
      `${showText(worktree)} is a folder without git: whose lines are whose is known between two commits`,
    );
  }
  const git = createGit({ cwd: worktree, environment });
  return { headgate, git, head: await commitOf(git, "HEAD") };
};

/** Relative to the worktree; empty: all of it. Throws PATH_OUTSIDE, PATH_INVALID. */
export const pathInWorktree = (
  { repository }: Headgate,
  { flags, environment }: CommandContext,
  written: string,
): string => {
  const { worktree, caseInsensitive } = repository;
  const cwd = resolve(environment.cwd, flags.text("repo") ?? ".");
  const found = resolveInRepository([worktree], written, { cwd, caseInsensitive });
  if (!found.ok) throw new HeadgateError(found.code, found.message);
  return relative(found.root, found.absolute).split(sep).join("/");
};

export interface LinesRead {
  readonly records: ReadonlyMap<string, FileRecord>;
  readonly committed: CommittedFiles;
}

export interface LinesWish {
  /** Files and folders; none: everything. */
  readonly within: readonly string[];
  /** Also files of which nothing was noted, whose lines are then of an unknown author. */
  readonly withUnknown: boolean;
  /** The findings are written down. */
  readonly keeps?: boolean;
}

/** The files that differ from HEAD, with whose lines are whose. */
export const readLines = async (
  { headgate, git, head }: LinesPlace,
  { within, withUnknown, keeps = false }: LinesWish,
): Promise<LinesRead> => {
  const noted = [...(await headgate.lines.noted()).keys()];
  const changed = withUnknown ? await changedPaths(git, head) : [];
  const isMeant = (path: string): boolean =>
    within.length === 0 ||
    within.some((one) => one === "" || path === one || path.startsWith(`${one}/`));
  const paths = [...new Set([...noted, ...changed])].filter(isMeant).toSorted();
  const committed = await readContents(git, head, paths);
  const { lines } = headgate;
  const records = await (keeps ? lines.refresh(committed) : lines.view(committed));
  const open = [...records].filter(([, { weave }]) => !isBackAtCommit(weave));
  return { records: new Map(open), committed };
};

const changedPaths = async (git: Git, head: string | undefined): Promise<string[]> => {
  const changes = await worktreeChanges(git, head ?? (await emptyTree(git)));
  const { stdout } = await git.run({
    args: ["ls-files", "-z", "--others", "--exclude-standard", "--full-name"],
  });
  return [
    ...changes
      .filter(({ kind }) => kind === "file")
      .flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])),
    ...splitNul(stdout).filter((path) => !path.endsWith("/")),
  ];
};

/** Permission bits of files in HEAD, as far as git keeps them. */
export const committedModes = async (
  { git, head }: LinesPlace,
  paths: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  if (head === undefined || paths.length === 0) return new Map();
  const { stdout } = await git.run({
    args: ["ls-tree", "-z", "--full-tree"],
    revisions: [head],
    paths,
  });
  return new Map(
    splitNul(stdout).flatMap((line): [string, number][] => {
      const [, mode = "", path = ""] = /^100(\d+) [^\t]*\t([^]*)$/.exec(line) ?? [];
      return mode === "" ? [] : [[path, Number.parseInt(mode, 8)]];
    }),
  );
};

export const unknownName = "unknown";

/** An actor, or a session with all its sub-agents. */
export const editsBy =
  (name: string): EditChoice =>
  ({ actor, session, kind }) =>
    name === unknownName ? kind === "unknown" : actor === name || session === name;
