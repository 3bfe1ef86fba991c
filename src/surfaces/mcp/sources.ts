/**
 * Reading files of the repository for a caller: only what lies in it, never what git or Headgate keep.
 * Loaded by the first call that reads, because the gate comes with it.
 */
import { systemFiles } from "../../base/files.ts";
import { createGit, splitNul, type Repository } from "../../git/index.ts";
import { limits } from "../../base/limits.ts";
import { showText } from "../../base/text.ts";
import { type ErrorCode, HeadgateError } from "../../errors.ts";
import { checkPath, workingTree } from "../../gate/index.ts";
import { languageOf } from "../../structure/index.ts";

/** Throws PATH_… and FILE_ABSENT. Links are not followed. */
export const readSource = (root: string, path: string): Buffer => {
  const tree = workingTree(root);
  const problem = checkPath(path, tree, {});
  // Other names of a file matter to who writes it.
  if (problem && problem.code !== "PATH_HARD_LINK") {
    throw new HeadgateError(problem.code as ErrorCode, problem.message);
  }
  const bytes = tree.read(path);
  if (bytes === undefined)
    throw new HeadgateError("FILE_ABSENT", `no such file: ${showText(path)}`);
  return Buffer.from(bytes);
};

/** Sources in languages we know: all that git does not ignore; without git, all but installed ones. */
export const listSources = async (
  { kind, worktree }: Repository,
  below: string | undefined,
): Promise<{
  readonly paths: readonly string[];
  /** Why there are more than these. */
  readonly left?: string;
}> => {
  const isWanted = (path: string): boolean =>
    languageOf(path) !== "text" &&
    (below === undefined ||
      path === below ||
      path.startsWith(`${below.replace(/(?<!\/)\/+$/, "")}/`));
  if (kind === "folder") return bounded(walk(worktree, isWanted));
  const { stdout } = await createGit({ cwd: worktree }).run({
    args: ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    outputBytesMax: limits.gitOutputBytesMax,
  });
  return bounded([...new Set(splitNul(stdout))].filter(isWanted));
};

const bounded = (all: readonly string[]): { paths: string[]; left?: string } => {
  const paths = all.slice(0, limits.namesFilesMax);
  const isCut = all.length > paths.length;
  return { paths, ...(isCut && { left: `only the first ${paths.length} sources are looked at` }) };
};

const walk = (root: string, isWanted: (path: string) => boolean): string[] => {
  const found: string[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (found.length > limits.namesFilesMax) break;
    for (const entry of systemFiles.list(`${root}/${folder}`)) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !installed.test(entry.name)) folders.push(path);
      else if (entry.isFile() && isWanted(path)) found.push(path);
    }
  }
  return found.toSorted();
};

const installed = /^(?:node_modules|\.git|\.venv|venv|__pycache__|\.headgate)$/;
