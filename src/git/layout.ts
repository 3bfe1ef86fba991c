/**
 * The few files of git's layout that say which folder belongs to which repository. Read here because
 * git reports what they claim; both ends of a link must agree before a folder counts as a worktree.
 */
import { dirname, join, resolve } from "node:path";
import { type Files, errnoOf } from "../base/files.ts";
import { limits } from "../base/limits.ts";

/** The real path, if there is a folder that we may look at. */
export const realFolder = (path: string, files: Files): string | undefined => {
  try {
    const real = files.realPath(path);
    return files.stat(real)?.isDirectory() ? real : undefined;
  } catch (error) {
    if (noFolder.has(errnoOf(error) ?? "")) return undefined;
    throw error;
  }
};

/** The git directory that a folder's `.git` (folder, link or `gitdir:` file) leads to. */
export const gitDirOf = (folder: string, files: Files): string | undefined => {
  const entry = join(folder, ".git");
  const text = smallFile(entry, files);
  if (text === undefined) return realFolder(entry, files);
  const [, target] = /^gitdir: (.*[^\r\n])[\r\n]*$/s.exec(text) ?? [];
  return target === undefined ? undefined : realFolder(resolve(folder, target), files);
};

/** The script that our git hooks run, in the git directory that all worktrees share. */
export const hookRunnerName = "headgate-hook";

/** Whether git's hooks here lead to Headgate. */
export const hasHookRunner = (worktree: string, files: Files): boolean => {
  const gitDir = gitDirOf(worktree, files);
  if (gitDir === undefined) return false;
  return files.stat(join(sharedDir(gitDir, files), hookRunnerName)) !== undefined;
};

const sharedDir = (gitDir: string, files: Files): string => {
  // Only a linked worktree has this file.
  const shared = smallFile(join(gitDir, "commondir"), files)?.trimEnd();
  return shared === undefined ? gitDir : resolve(gitDir, shared);
};

/** The commit that is checked out, from git's own files; undefined where these do not say it plainly: then ask git. */
export const readHeadName = (worktree: string, files: Files): string | undefined => {
  const gitDir = gitDirOf(worktree, files);
  if (gitDir === undefined) return undefined;
  const head = smallFile(join(gitDir, "HEAD"), files)?.trimEnd();
  const [, ref] = /^ref: (refs\/heads\/[^\0\n]+)$/.exec(head ?? "") ?? [];
  if (ref === undefined || ref.split("/").includes("..")) return head;
  return smallFile(join(sharedDir(gitDir, files), ref), files)?.trimEnd();
};

/** Git's own name of a linked worktree; empty for the main one. Unlike its path, it survives a move or a copy. */
export const worktreeName = (worktree: string, files: Files): string =>
  /[\\/]worktrees[\\/]([^\\/]+)$/.exec(gitDirOf(worktree, files) ?? "")?.[1] ?? "";

/** Git has forgotten a linked worktree of that name, seen from any other. */
export const isWorktreeGone = (name: string, worktree: string, files: Files): boolean => {
  const gitDir = gitDirOf(worktree, files);
  const commonDir = gitDir?.replace(/[\\/]worktrees[\\/][^\\/]+$/, "");
  return commonDir !== undefined && !files.stat(join(commonDir, "worktrees", name));
};

/** All linked worktrees that exist and point back; `git worktree list` would not check the latter. */
export const linkedWorktrees = (commonDir: string, files: Files): string[] => {
  const administration = realFolder(join(commonDir, "worktrees"), files);
  if (administration === undefined) return [];
  const found: string[] = [];
  for (const { name } of files.list(administration)) {
    const gitDir = realFolder(join(administration, name), files);
    if (gitDir === undefined) continue;
    const pointer = smallFile(join(gitDir, "gitdir"), files)?.replace(/(?<![\r\n])[\r\n]+$/, "");
    if (!pointer) continue;
    const folder = realFolder(dirname(resolve(gitDir, pointer)), files);
    if (folder !== undefined && gitDirOf(folder, files) === gitDir) found.push(folder);
  }
  return found.toSorted();
};

export const isBareGitDir = (folder: string, files: Files): boolean =>
  files.stat(join(folder, "HEAD")) !== undefined &&
  files.stat(join(folder, "objects"))?.isDirectory() === true &&
  files.stat(join(folder, "refs"))?.isDirectory() === true;

// The last is Node's own word for a path with NUL in it.
const noFolder = new Set([
  "ENOENT",
  "ENOTDIR",
  "ELOOP",
  "EACCES",
  "EPERM",
  "ERR_INVALID_ARG_VALUE",
]);

const smallFile = (path: string, files: Files): string | undefined => {
  const stat = files.statFollowing(path);
  if (!stat?.isFile() || stat.size > limits.gitPointerBytesMax) return undefined;
  return files.readFile(path).toString("utf8");
};
