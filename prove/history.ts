/**
 * A window of a real history as tasks. A task is one commit, merges left out, as an agent would
 * write it: an Edit for each hunk in the order of the file, a Write for a new file, an `rm` for a deleted one.
 */
import { type Analyser, findDuplicates, newDuplicates } from "../src/structure/index.ts";
import { type ChangedFile, git, listChanges, readChange } from "./git.ts";
import { applyHunks, type Hunk, joinHunks, toHunks } from "./hunks.ts";

export type TaskStep =
  | { readonly do: "edit"; readonly file: string; readonly hunk: Hunk }
  | { readonly do: "write"; readonly file: string; readonly text: string }
  | { readonly do: "remove"; readonly file: string };

export interface AgentTask {
  readonly id: number;
  readonly commit: string;
  readonly steps: readonly TaskStep[];
  /** Files that the commit itself left broken or with a duplicate. */
  readonly faulty: readonly string[];
}

export interface HistoryWindow {
  readonly start: string;
  readonly tasks: readonly AgentTask[];
}

export interface WindowRequest {
  readonly repo: string;
  readonly commits: number;
  /** Only commits on the three most changed source files. */
  readonly isHot: boolean;
  /** The newest commit of the window. */
  readonly end: string;
}

/** A change of more is a migration, not a task for one agent beside seven others. */
const filesMax = 30;
const linesMax = 400;
/** Enough to see which files are hot now; older heat has other files. */
const hotCommits = 200;
const hotFiles = 3;
const sourceFile = /\.([cm]?[jt]sx?|py|go|java|rb|php|rs|cs|c|h|cc|cpp|vue)$/;
/** Tools write these, not agents. */
const generatedFile = /(^|\/)[^/]*(-lock\.|\.lock|lock\.ya?ml$|\.snap$|\.min\.)/;

export const readWindow = async (
  request: WindowRequest,
  analyser: Analyser,
): Promise<HistoryWindow> => {
  const { repo, commits, end } = request;
  const paths = request.isHot ? ["--", ...findHotFiles(repo, end)] : [];
  const log = ["log", "--no-merges", "--topo-order", "--format=%H %P", end, ...paths];
  const chosen: { commit: string; parent: string; files: readonly ChangedFile[] }[] = [];
  for (const line of git(repo, ...log).split("\n")) {
    if (chosen.length === commits) break;
    const [commit = "", parent = ""] = line.split(" ");
    if (!parent) continue;
    const files = readFiles(repo, parent, commit);
    if (files) chosen.push({ commit, parent, files });
  }
  const oldest = chosen.at(-1);
  if (!oldest) throw new Error(`no commit of ${repo} can be a task`);
  const tasks: AgentTask[] = [];
  for (const { commit, files } of chosen.toReversed()) {
    tasks.push(await toTask(tasks.length + 1, commit, files, analyser));
  }
  return { start: oldest.parent, tasks };
};

const findHotFiles = (repo: string, end: string): string[] => {
  const log = ["log", "--no-merges", "-n", String(hotCommits), "--format=", "--name-only", end];
  const counts = new Map<string, number>();
  for (const file of git(repo, ...log).split("\n")) {
    if (sourceFile.test(file)) counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, hotFiles)
    .map(([file]) => file);
};

/** Undefined for a commit that is not a task: renames, modes, links, binary or generated files, too large. */
const readFiles = (repo: string, parent: string, commit: string): ChangedFile[] | undefined => {
  const changes = listChanges(repo, parent, commit);
  const isPlain = changes.every(({ path, modes: [from, to] }) => {
    const areModes = [from, to].every((mode) => /^(100644|100755|000000)$/.test(mode));
    const isKept = from === to || from === "000000" || to === "000000";
    return areModes && isKept && to !== "100755" && !generatedFile.test(path);
  });
  if (!isPlain || changes.length === 0 || changes.length > filesMax) return undefined;
  if (git(repo, "diff-tree", "-r", "-M", "--diff-filter=R", parent, commit) !== "")
    return undefined;
  const files = changes.map((change) => readChange(repo, change));
  const texts = files.flatMap(({ before, after }) => [before ?? "", after ?? ""]);
  if (texts.some((text) => text.includes("\0") || text.includes("\u{FFFD}"))) return undefined;
  const numbers = git(repo, "diff-tree", "-r", "--numstat", parent, commit).matchAll(/^\d+/gm);
  const lines = [...numbers].reduce((sum, [count]) => sum + Number(count), 0);
  return lines > linesMax ? undefined : files;
};

const toTask = async (
  id: number,
  commit: string,
  files: readonly ChangedFile[],
  analyser: Analyser,
): Promise<AgentTask> => {
  const steps: TaskStep[] = [];
  const faulty: string[] = [];
  for (const file of files) {
    steps.push(...(await toSteps(file, analyser)));
    if ((await findFaults(file, analyser)).length > 0) faulty.push(file.path);
  }
  return { id, commit, steps, faulty };
};

const toSteps = async (
  { path: file, before, after }: ChangedFile,
  analyser: Analyser,
): Promise<TaskStep[]> => {
  if (after === null) return [{ do: "remove", file }];
  if (before === null) return [{ do: "write", file, text: after }];
  const hunks = await joinBroken(file, before, toHunks(before, after), analyser);
  return hunks.map((hunk) => ({ do: "edit", file, hunk }));
};

/** No agent writes half a statement: hunks that parse only together become one. */
const joinBroken = async (
  path: string,
  before: string,
  hunks: readonly Hunk[],
  analyser: Analyser,
): Promise<Hunk[]> => {
  const isBroken = async (text: string): Promise<boolean> =>
    (await analyser.syntax(text, path)).state === "invalid";
  if (hunks.length < 2 || (await isBroken(before))) return [...hunks];
  const made: Hunk[] = [];
  let open: Hunk | undefined;
  for (const hunk of hunks) {
    open = open ? joinHunks(open, hunk, before) : hunk;
    const isLast = hunk === hunks.at(-1);
    if (!isLast && (await isBroken(applyHunks(before, [...made, open])))) continue;
    made.push(open);
    open = undefined;
  }
  return made;
};

/** The faults that a change brings into a file: its syntax, or that each name is defined once. */
export const findFaults = async (
  { path, before, after }: ChangedFile,
  analyser: Analyser,
): Promise<string[]> => {
  if (after === null) return [];
  const [old, now] = await Promise.all([
    analyser.syntax(before ?? "", path),
    analyser.syntax(after, path),
  ]);
  if (now.state === "invalid") {
    return before !== null && old.state === "invalid" ? [] : [`${path} does not parse`];
  }
  const [was, is] = await Promise.all([
    analyser.outline(before ?? "", path),
    analyser.outline(after, path),
  ]);
  if (is.outline.coverage.duplicates.state === "off") return [];
  return newDuplicates(
    findDuplicates(was.outline, was.source),
    findDuplicates(is.outline, is.source),
  ).map(({ name }) => `${path} defines ${name} twice`);
};
