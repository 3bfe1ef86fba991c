/**
 * What git would answer about an ordinary repository, read from its files: starting git twice costs more
 * than the rest of a command together. Only the plainest layout is judged here, a repository or linked
 * worktree of this very user with settings that can be read in one way only. Whatever is not in every
 * respect ordinary gives undefined, and git is asked; a test compares the two over many layouts.
 */
import { dirname } from "node:path";
import type { Environment } from "../base/environment.ts";
import { type Files, errnoOf } from "../base/files.ts";
import { findProgram } from "../base/find-program.ts";
import { readPlainGitSettings } from "./plain-settings.ts";
import { limits } from "../base/limits.ts";

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
  if (user === undefined || holder === "/" || holder.includes("\n")) return undefined;
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
  const entry = `${holder}/.git`;
  const stat = files.stat(entry);
  const gitDir = stat?.isDirectory() ? entry : stat?.isFile() && linkedGitDir(entry, files);
  if (!gitDir) return undefined;
  const head = readText(`${gitDir}/HEAD`, limits.gitPointerBytesMax, files);
  if (head === undefined || !headForm.test(head)) return undefined;
  const commonDir = gitDir === entry ? mainGitDir(gitDir, files) : sharedGitDir(gitDir, files);
  if (commonDir === undefined) return undefined;
  // Git refuses the folders of other users, unless its own settings allow them.
  const isOwn = (path: string) => files.stat(path)?.uid === user;
  if (stat?.uid !== user || !isOwn(holder)) return undefined;
  if (gitDir !== entry && !(isOwn(gitDir) && isOwn(commonDir))) return undefined;
  for (const name of ["objects", "refs"]) {
    const inner = files.stat(`${commonDir}/${name}`);
    if (!inner?.isDirectory() || inner.uid !== user || (inner.mode & 0o100) === 0) return undefined;
  }
  if (files.stat(`${commonDir}/config.worktree`)) return undefined;
  const text = readText(`${commonDir}/config`, limits.gitSettingsBytesMax, files);
  const settings = text === undefined ? undefined : readPlainGitSettings(text);
  if (!settings?.every(isOrdinary)) return undefined;
  return { gitDir, commonDir, settings: settings.filter(isWanted) };
};

// A branch, or a commit by its SHA-1 or SHA-256.
const headForm = /^(?:ref: refs\/[\w./-]+|[0-9a-f]{40}|[0-9a-f]{64})\n$/;

/** Of a main worktree; a `commondir` in it would move everything elsewhere. */
const mainGitDir = (gitDir: string, files: Files): string | undefined =>
  files.stat(`${gitDir}/commondir`) ? undefined : gitDir;

/** The folder a linked worktree's `.git` file names, if it is one that `git worktree add` has made. */
const linkedGitDir = (entry: string, files: Files): string | undefined => {
  const text = readText(entry, limits.gitPointerBytesMax, files);
  const [, path] = /^gitdir: (\/[^\0\r\n]+\/worktrees\/[^/\0\r\n]+)\n$/.exec(text ?? "") ?? [];
  if (path === undefined || files.realPath(path) !== path) return undefined;
  const back = readText(`${path}/gitdir`, limits.gitPointerBytesMax, files);
  return back === `${entry}\n` ? path : undefined;
};

const sharedGitDir = (gitDir: string, files: Files): string | undefined => {
  const text = readText(`${gitDir}/commondir`, limits.gitPointerBytesMax, files);
  return text === "../..\n" ? dirname(dirname(gitDir)) : undefined;
};

type PlainSetting = GitFacts["settings"][number];

/** Nothing that makes git look elsewhere, refuse the repository or read it in another way. */
const isOrdinary = ([key, value]: PlainSetting): boolean => {
  if (key === "core.repositoryformatversion") return value === "0";
  if (key === "core.bare") return value === "false";
  return key !== "core.worktree" && !unusual.some((section) => key.startsWith(section));
};

const unusual = ["extensions.", "include.", "includeif."];

/** `settingNames`, without a pattern to compile. */
const isWanted = ([key]: PlainSetting): boolean => {
  if (key === "core.bare" || key === "core.worktree") return true;
  return key.length >= "remote..url".length && key.startsWith("remote.") && key.endsWith(".url");
};

/** Undefined for what is no plain file, is too large or is not plain text. */
const readText = (path: string, bytesMax: number, files: Files): string | undefined => {
  const stat = files.stat(path);
  if (!stat?.isFile() || stat.size > bytesMax) return undefined;
  const text = files.readFile(path).toString("utf8");
  return text.includes("\ufffd") ? undefined : text;
};
