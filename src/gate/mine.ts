/**
 * What the gate would have said to the commits of a repository: each changed file of each commit is
 * judged as a proposal against its parent's version. Nothing of the working tree is read or changed.
 */
import { type Git, readBlobBatch } from "../git/index.ts";
import { limits } from "../base/limits.ts";
import { showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";
import type { Analyser } from "../structure/index.ts";
import { judge } from "./judge.ts";
import type { Policy } from "./policy.ts";
import type { Reason } from "./types.ts";

export interface MineOptions {
  readonly git: Git;
  readonly analyser: Analyser;
  readonly policy: Policy;
  /** As git names it: `main~100..main`; default: everything that HEAD reaches. */
  readonly range?: string;
  /** At most so many commits, the newest ones. */
  readonly commitsMax: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: MineProgress) => void;
}

export interface MineProgress {
  readonly commits: number;
  readonly commitsTotal: number;
  readonly edits: number;
  readonly refused: number;
}

export interface Mined {
  readonly commit: string;
  readonly path: string;
  readonly reasons: readonly Reason[];
}

export interface MineSummary extends MineProgress {
  /** Edits whose structure was not looked at. */
  readonly notAnalysed: number;
}

interface Change {
  readonly commit: string;
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
}

/** Tells of each edit that would have been refused, the newest commit first. */
export const mineHistory = async (
  options: MineOptions,
  onFound: (mined: Mined) => void,
): Promise<MineSummary> => {
  const { git, range = "HEAD", commitsMax, signal, onProgress } = options;
  const { code, stdout } = await git.run({
    args: ["rev-list", "--no-merges", `--max-count=${commitsMax}`],
    revisions: [range],
    okCodes: [0, 128, 129],
  });
  if (code !== 0) {
    const message = `git knows no commits called ${showText(range)} here; write a range as git does, such as HEAD~100..HEAD`;
    throw new HeadgateError("USAGE", message);
  }
  const commits = stdout.toString("latin1").split("\n").slice(0, -1);
  const total = { commits: 0, commitsTotal: commits.length, edits: 0, refused: 0, notAnalysed: 0 };
  for (let start = 0; start < commits.length && !signal.aborted; start += commitsAtOnce) {
    const part = commits.slice(start, start + commitsAtOnce);
    const changes = await readChanges(git, part);
    const contents = await readContents(git, changes);
    for (const change of changes) {
      if (signal.aborted) break;
      const mined = await judgeOne(options, change, contents);
      if (mined === undefined) continue;
      total.edits += 1;
      if (mined.isSilent) total.notAnalysed += 1;
      if (mined.reasons.length === 0) continue;
      total.refused += 1;
      onFound({ commit: change.commit, path: change.path, reasons: mined.reasons });
    }
    total.commits += part.length;
    onProgress?.(total);
  }
  return total;
};

/** So many at once that starting git costs little, and so few that their files fit into memory. */
const commitsAtOnce = 20;

/** Files that a commit added or changed, with the names of their contents. */
const readChanges = async (git: Git, commits: readonly string[]): Promise<Change[]> => {
  const { stdout } = await git.run({
    args: ["diff-tree", "--stdin", "-r", "-z", "--raw", "--root", "--no-renames"],
    input: `${commits.join("\n")}\n`,
    outputBytesMax: limits.mineOutputBytesMax,
  });
  const changes: Change[] = [];
  let commit = "";
  const words = stdout.toString("utf8").split("\0");
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    // The commit's name stands in front of the first of its lines.
    const line = /^([0-9a-f]{40,64})?\n?(:\d+ (\d+) ([0-9a-f]+) ([0-9a-f]+) ([AMT]|D))?$/.exec(
      word,
    );
    if (!line) continue;
    commit = line[1] ?? commit;
    if (line[2] === undefined) continue;
    const path = words[(at += 1)] ?? "";
    const [mode = "", before = "", after = "", status] = line.slice(3);
    const isFile = mode === "100644" || mode === "100755";
    if (!isFile || status === "D") continue;
    changes.push({ commit, path, before: status === "A" ? undefined : before, after });
  }
  return changes;
};

const readContents = async (
  git: Git,
  changes: readonly Change[],
): Promise<ReadonlyMap<string, Buffer>> => {
  const names = [
    ...new Set(changes.flatMap(({ before, after }) => (before ? [before, after] : [after]))),
  ];
  const known = new Map<string, Buffer>();
  for (let start = 0; start < names.length; start += blobsAtOnce) {
    await readBlobBatch(git, names.slice(start, start + blobsAtOnce), known);
  }
  return known;
};

const blobsAtOnce = 200;

const unjudged = { reasons: [], notes: [{ code: "NOT_ANALYSED" }] };

const judgeOne = async (
  { analyser, policy }: MineOptions,
  { path, before, after }: Change,
  contents: ReadonlyMap<string, Buffer>,
): Promise<{ readonly reasons: readonly Reason[]; readonly isSilent: boolean } | undefined> => {
  const [old, now] = [before === undefined ? undefined : contents.get(before), contents.get(after)];
  if (!now || (before !== undefined && !old)) return undefined;
  const { reasons, notes } = await judge(
    { writes: [{ path, after: now }] },
    { analyser, policy, tree: { read: (asked) => (asked === path ? old : undefined) } },
  ).catch((error: unknown) => {
    // One edit of thousands; it is counted as not looked at.
    if (HeadgateError.isInstance(error) && error.code === "NOT_JUDGED") return unjudged;
    throw error;
  });
  return {
    // What is committed of Headgate's own files came from its commands or from a person, who may.
    reasons: reasons.filter(({ code }) => code !== "PATH_OWN"),
    isSilent: notes.some(({ code }) => code === "NOT_ANALYSED" || code === "NOT_JUDGEABLE"),
  };
};
