/**
 * Where a cited line went in later commits, and which of them changed it. Along first parents: a merge counts as
 * one change. White space alone is no change.
 */
import { type Git, splitNul } from "../../git/index.ts";
import { hashLine, squeeze } from "./context.ts";

export interface CitedLine {
  readonly id: string;
  readonly path: string;
  readonly line: number;
  readonly lineHash: string | null;
}

export interface Start {
  readonly commit: string;
  /** The lines are those of a working tree on top of the commit: first the commit is sought that has them. */
  readonly isBelow: boolean;
}

/** Finding id → the first commit after `start` that changed its line. */
export const followLines = async (
  git: Git,
  {
    start,
    to,
    cited,
  }: { readonly start: Start; readonly to: string; readonly cited: readonly CitedLine[] },
): Promise<Map<string, string>> => {
  const changed = new Map<string, string>();
  if (start.commit === to || !(await isAncestor(git, start.commit, to))) return changed;
  const commits = await listCommits(git, start.commit, to);
  // Their lines were followed from the start or not at all: a gap would make other lines of them.
  if (commits.length === 0 || commits.length > commitsMax) return changed;
  const touched = await touchedFiles(git, commits);
  const texts = contentReader(git);
  const hunks = hunkReader(git);
  let open: Followed[] = [];
  for (const one of cited) {
    const known = { ...one, cited: one.line };
    const line = start.isBelow ? await anchor(texts, start.commit, known) : one.line;
    open.push({ ...known, line });
  }
  for (const commit of commits) {
    const changes = touched.get(commit);
    if (!changes) continue;
    const next: Followed[] = [];
    for (const one of open) {
      const change = changes.get(one.path);
      const moved = change ? await step(hunks, texts, { one, commit, change }) : one;
      if (moved === "changed") changed.set(one.id, commit);
      else next.push(moved);
    }
    open = next;
  }
  return changed;
};

interface Followed {
  readonly id: string;
  readonly path: string;
  /** Undefined while no commit has it yet. */
  readonly line: number | undefined;
  readonly cited: number;
  readonly lineHash: string | null;
}

interface FileChange {
  /** Undefined when the file is gone. */
  readonly to: string | undefined;
}

const step = async (
  hunksOf: HunkReader,
  texts: ContentReader,
  {
    one,
    commit,
    change,
  }: { readonly one: Followed; readonly commit: string; readonly change: FileChange },
): Promise<Followed | "changed"> => {
  const { line, path } = one;
  if (change.to === undefined) return line === undefined ? one : "changed";
  const moved = { ...one, path: change.to };
  if (line === undefined) {
    return { ...moved, line: await anchor(texts, commit, moved) };
  }
  const hunks = await hunksOf(commit, path, change.to);
  let shift = 0;
  for (const { oldStart, oldLines, newLines } of hunks) {
    // Of a pure insertion git names the line before it.
    if (oldLines === 0 ? oldStart >= line : oldStart > line) break;
    if (oldLines > 0 && line < oldStart + oldLines) return "changed";
    shift += newLines - oldLines;
  }
  return { ...moved, line: line + shift };
};

/** The line of the same text that is nearest to the cited one. */
const anchor = async (
  texts: ContentReader,
  commit: string,
  { path, cited, lineHash }: Pick<Followed, "path" | "cited" | "lineHash">,
): Promise<number | undefined> => {
  if (lineHash === null) return undefined;
  let best: number | undefined;
  for (const at of (await texts(commit, path)).get(lineHash) ?? []) {
    if (best === undefined || Math.abs(at - cited) < Math.abs(best - cited)) best = at;
  }
  return best;
};

/** The numbers of lines by what they say. Thousands of findings may cite one file. */
type LineNumbers = ReadonlyMap<string, readonly number[]>;
type ContentReader = (commit: string, path: string) => Promise<LineNumbers>;

const contentReader = (git: Git): ContentReader => {
  const known = new Map<string, Promise<LineNumbers>>();
  return (commit, path) => {
    const key = `${commit}:${path}`;
    let lines = known.get(key);
    if (!lines) known.set(key, (lines = readLines(git, key)));
    return lines;
  };
};

const readLines = async (git: Git, name: string): Promise<LineNumbers> => {
  const { code, stdout } = await git.run({
    args: ["cat-file", "blob"],
    revisions: [name],
    okCodes: [0, 128],
  });
  const numbers = new Map<string, number[]>();
  for (const [index, line] of (code === 0 ? stdout.toString("utf8").split("\n") : []).entries()) {
    const text = squeeze(line);
    if (text === "") continue;
    const hash = hashLine(text);
    const known = numbers.get(hash);
    if (known) known.push(index + 1);
    else numbers.set(hash, [index + 1]);
  }
  return numbers;
};

const isAncestor = async (git: Git, from: string, to: string): Promise<boolean> => {
  const { code } = await git.run({
    args: ["merge-base", "--is-ancestor"],
    revisions: [from, to],
    // 128: the commit is not here, after a fresh clone or a thrown-away branch.
    okCodes: [0, 1, 128],
  });
  return code === 0;
};

/** Oldest first. */
const listCommits = async (git: Git, from: string, to: string): Promise<string[]> => {
  const { stdout } = await git.run({
    args: ["rev-list", "--first-parent", `--max-count=${commitsMax + 1}`],
    revisions: [`${from}..${to}`],
  });
  return stdout.toString("latin1").split("\n").filter(Boolean).toReversed();
};

/** Commit → old path → where it went. */
const touchedFiles = async (
  git: Git,
  commits: readonly string[],
): Promise<Map<string, Map<string, FileChange>>> => {
  const { stdout } = await git.run({
    args: ["diff-tree", "--stdin", "-r", "-z", "-M", "-m", "--root", "--name-status"],
    input: `${commits.join("\n")}\n`,
  });
  const wanted = new Set(commits);
  const touched = new Map<string, Map<string, FileChange>>();
  const parts = splitNul(stdout);
  let changes = new Map<string, FileChange>();
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? "";
    const commit = part.trim();
    if (wanted.has(commit)) {
      changes = new Map();
      // A merge is told once for each parent; the first one is the branch that was merged into.
      if (!touched.has(commit)) touched.set(commit, changes);
    } else if (/^R\d*$/.test(part)) {
      changes.set(parts[at + 1] ?? "", { to: parts[at + 2] ?? "" });
      at += 2;
    } else if (/^[A-Z]\d*$/.test(part)) {
      const path = parts[at + 1] ?? "";
      changes.set(path, { to: part === "D" ? undefined : path });
      at += 1;
    }
  }
  return touched;
};

interface LineHunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newLines: number;
}

type HunkReader = (commit: string, from: string, to: string) => Promise<readonly LineHunk[]>;

/** One question to git for each changed file, however many findings cite it. */
const hunkReader = (git: Git): HunkReader => {
  const known = new Map<string, Promise<readonly LineHunk[]>>();
  return (commit, from, to) => {
    const key = `${commit}\0${from}\0${to}`;
    let hunks = known.get(key);
    if (!hunks) known.set(key, (hunks = readHunks(git, commit, [from, to])));
    return hunks;
  };
};

const readHunks = async (
  git: Git,
  commit: string,
  paths: readonly string[],
): Promise<LineHunk[]> => {
  const { stdout } = await git.run({
    args: ["diff-tree", "-r", "-p", "-U0", "-w", "-M"],
    revisions: [`${commit}^1`, commit],
    paths: [...new Set(paths)],
  });
  return [...stdout.toString("utf8").matchAll(/^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/gm)].map(
    ([, start, old = "1", now = "1"]) => ({
      oldStart: Number(start),
      oldLines: Number(old),
      newLines: Number(now),
    }),
  );
};

/** Commits after a review that are looked through; who reviews less often than that starts anew. */
const commitsMax = 500;
