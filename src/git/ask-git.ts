/**
 * Which directories and settings a repository has, from git itself: for everything that plain-git.ts does
 * not dare to judge.
 */
import { join, resolve } from "node:path";
import { HeadgateError } from "../errors.ts";
import type { Environment } from "../base/environment.ts";
import type { Files } from "../base/files.ts";
import { type Git, createGit, splitNul } from "./reading-git.ts";
import { type GitFacts, settingNames } from "./plain-git.ts";
import type { Processes } from "../base/processes.ts";
import { showText } from "../base/text.ts";

interface AskOptions {
  readonly files: Files;
  readonly processes: Processes;
  readonly environment: Environment;
}

/** Undefined when git sees no repository here. Throws GIT_MISSING, GIT_FAILED, GIT_LIMIT. */
export const askGit = async (
  holder: string,
  options: AskOptions,
): Promise<GitFacts | undefined> => {
  const directories = await gitDirectories(createGit({ cwd: holder, ...options }), holder, options);
  if (!directories) return undefined;
  const git = createGit({ cwd: directories.commonDir, ...options });
  return { ...directories, settings: await readSettings(git, directories.commonDir, options) };
};

const gitDirectories = async (
  git: Git,
  holder: string,
  { files }: { readonly files: Files },
): Promise<Omit<GitFacts, "settings"> | undefined> => {
  try {
    const { stdout } = await git.run({
      args: ["rev-parse", "--absolute-git-dir", "--git-common-dir"],
    });
    const [gitDir, commonDir, ...rest] = stdout.toString("utf8").replace(/\n$/, "").split("\n");
    if (gitDir === undefined || commonDir === undefined || rest.length > 0) {
      throw new HeadgateError(
        "GIT_FAILED",
        `the repository's path holds a line break, rename the folder: ${showText(holder)}`,
      );
    }
    return {
      gitDir: files.realPath(gitDir),
      commonDir: files.realPath(resolve(holder, commonDir)),
    };
  } catch (error) {
    // An empty `.git` folder is not a repository for git either. A `.git` file that leads nowhere is
    // another message, and an error: the folder would silently become a scope of its own.
    if (
      HeadgateError.isInstance(error) &&
      error.code === "GIT_FAILED" &&
      /not a git repository \(or any/.test(error.message)
    ) {
      return undefined;
    }
    throw error;
  }
};

/**
 * From the common directory's own files only. What a linked worktree, the user or an include adds could
 * differ between two callers, and then they would not agree on the identity.
 */
const readSettings = async (
  git: Git,
  commonDir: string,
  { files }: { readonly files: Files },
): Promise<GitFacts["settings"]> => {
  const found: [string, string][] = [];
  for (const name of ["config", "config.worktree"]) {
    const file = join(commonDir, name);
    if (!files.statFollowing(file)?.isFile()) continue;
    const { stdout } = await git.run({
      args: ["config", "-z", "--file", file, "--get-regexp", settingNames],
      okCodes: [0, 1],
    });
    for (const entry of splitNul(stdout)) {
      const [key = "", ...value] = entry.split("\n");
      found.push([key, value.length > 0 ? value.join("\n") : "true"]);
    }
  }
  return found;
};
