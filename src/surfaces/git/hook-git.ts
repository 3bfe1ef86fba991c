/**
 * Git as a hook must ask it. Git tells its hooks by variables which repository and which index it works
 * on; of all of them only the index counts here (`git commit -- path` uses one of its own), and the
 * repository must be the one that was found from the folder the hook runs in.
 */
import { resolve } from "node:path";
import type { Environment } from "../../base/environment.ts";
import { type Files, systemFiles } from "../../base/files.ts";
import { gitDirOf, realFolder, createGit, type Git, type Repository } from "../../git/index.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";

export interface HookGit {
  readonly git: Git;
  /** Of this worktree. */
  readonly gitDir: string;
}

/** Throws GIT_FAILED when git works on another repository than the one found here. */
export const openHookGit = (
  repository: Repository,
  environment: Environment,
  files: Files = systemFiles,
): HookGit => {
  const { worktree, commonDir } = repository;
  const gitDir = gitDirOf(worktree, files) ?? commonDir;
  if (gitDir === undefined) {
    throw new HeadgateError("REPOSITORY_NOT_FOUND", `no git repository: ${showText(worktree)}`);
  }
  const { GIT_DIR, GIT_INDEX_FILE } = environment.variables;
  if (GIT_DIR && realFolder(resolve(environment.cwd, GIT_DIR), files) !== gitDir) {
    throw new HeadgateError(
      "GIT_FAILED",
      `git works on ${showText(GIT_DIR)}, but the repository of ${showText(worktree)} is ${showText(gitDir)}`,
    );
  }
  const index = GIT_INDEX_FILE ? resolve(environment.cwd, GIT_INDEX_FILE) : undefined;
  return { gitDir, git: createGit({ cwd: worktree, environment, ...(index && { index }) }) };
};
