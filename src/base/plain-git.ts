/**
 * What git would answer about an ordinary repository, read from its files: starting git twice costs more
 * than the rest of a command together. Only the plainest layout is judged here, a repository or linked
 * worktree of this very user with settings that can be read in one way only. Whatever is not in every
 * respect ordinary gives undefined, and git is asked; a test compares the two over many layouts.
 */
import { join, resolve } from "node:path";
import type { Environment } from "./environment.ts";
import { type Files, errnoOf } from "./files.ts";
import { findProgram } from "./git-environment.ts";
import { readPlainGitSettings } from "./git-settings.ts";
import { limits } from "./limits.ts";

/** What the identity of a repository follows from. */
export interface GitFacts {
  readonly gitDir: string;
  readonly commonDir: string;
  /** Those of `settingNames`, as `git config` gives them, in the order of the file. */
  readonly settings: readonly (readonly [key: string, value: string])[];
}

/** The settings that matter: where a repository comes from and what kind it is. */
export const settingNames = "^(remote\\..*\\.url|core\\.(bare|worktree))$";

/** `holder` has a `.git` entry and no links in its path. */
export const readPlainGit = (
  holder: string,
  environment: Environment,
  files: Files,
): GitFacts | undefined => {
  const { user } = environment;
  // Without user numbers (Windows), who owns a folder is git's to find out.
  if (user === undefined || holder.includes("\n")) return undefined;
  // Where git is missing, other parts would fail later with less to say.
  if (findProgram("git", environment, files) === undefined) return undefined;
  try {
    return judge(holder, user, files);
  } catch (error) {
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
};

const judge = (holder: string, user: number, files: Files): GitFacts | undefined => {
  const isOwn = (path: string) => files.stat(path)?.uid === user;
  const isOwnFolder = (path: string) => {
    const stat = files.stat(path);
    return stat?.isDirectory() === true && stat.uid === user && (stat.mode & 0o100) !== 0;
  };
  const entry = join(holder, ".git");
  const stat = files.stat(entry);
  const gitDir = stat?.isDirectory() ? entry : stat?.isFile() && linkedGitDir(entry, files);
  // Git refuses the folders of other users, unless its own settings allow them.
  if (!gitDir || ![holder, entry, gitDir].every(isOwn)) return undefined;
  const head = readText(join(gitDir, "HEAD"), limits.gitPointerBytesMax, files);
  if (head === undefined || !headForm.test(head)) return undefined;
  const commonDir = gitDir === entry ? mainGitDir(gitDir, files) : sharedGitDir(gitDir, files);
  if (commonDir === undefined || !isOwn(commonDir)) return undefined;
  if (!["objects", "refs"].every((name) => isOwnFolder(join(commonDir, name)))) return undefined;
  if (files.stat(join(commonDir, "config.worktree"))) return undefined;
  const text = readText(join(commonDir, "config"), limits.gitSettingsBytesMax, files);
  const settings = text === undefined ? undefined : readPlainGitSettings(text);
  if (!settings || !isOrdinary(settings)) return undefined;
  const wanted = new RegExp(settingNames, "s");
  return { gitDir, commonDir, settings: settings.filter(([key]) => wanted.test(key)) };
};

// A branch, or a commit by its SHA-1 or SHA-256.
const headForm = /^(?:ref: refs\/[\w./-]+|[0-9a-f]{40}|[0-9a-f]{64})\n$/;

/** Of a main worktree; a `commondir` in it would move everything elsewhere. */
const mainGitDir = (gitDir: string, files: Files): string | undefined =>
  files.stat(join(gitDir, "commondir")) ? undefined : gitDir;

/** The folder a linked worktree's `.git` file names, if it is one that `git worktree add` has made. */
const linkedGitDir = (entry: string, files: Files): string | undefined => {
  const text = readText(entry, limits.gitPointerBytesMax, files);
  const [, path] = /^gitdir: (\/[^\0\r\n]+\/worktrees\/[^/\0\r\n]+)\n$/.exec(text ?? "") ?? [];
  if (path === undefined || files.realPath(path) !== path) return undefined;
  const back = readText(join(path, "gitdir"), limits.gitPointerBytesMax, files);
  return back === `${entry}\n` ? path : undefined;
};

const sharedGitDir = (gitDir: string, files: Files): string | undefined => {
  const text = readText(join(gitDir, "commondir"), limits.gitPointerBytesMax, files);
  return text === "../..\n" ? resolve(gitDir, "../..") : undefined;
};

/** Nothing that makes git look elsewhere, refuse the repository or read it in another way. */
const isOrdinary = (settings: GitFacts["settings"]): boolean =>
  settings.every(([key, value]) => {
    if (key === "core.repositoryformatversion") return value === "0";
    if (key === "core.bare") return value === "false";
    return key !== "core.worktree" && !/^(extensions|include|includeif)\./.test(key);
  });

/** Undefined for what is no plain file, is too large or is not plain text. */
const readText = (path: string, bytesMax: number, files: Files): string | undefined => {
  const stat = files.stat(path);
  if (!stat?.isFile() || stat.size > bytesMax) return undefined;
  const text = files.readFile(path).toString("utf8");
  return text.includes("\ufffd") ? undefined : text;
};
