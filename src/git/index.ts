/**
 * Git: the only room that runs it. There are two starters. `createGit` reads, in a clean environment in which
 * nothing that a repository configures runs. `createWritingGit` writes as the user, whose identity, signature,
 * filters and hooks count. Repository identity (C-12) and git's layout are here too, read from git's files
 * where that is safe.
 */
export { readBlobBatch } from "./blobs.ts";
export {
  type Change,
  commitOf,
  digestOf,
  emptyTree,
  isNoObject,
  isObjectName,
  readBlobs,
  stagedChanges,
  treeChanges,
  worktreeChanges,
} from "./changes.ts";
export { keepTrailers, readTrailers } from "./commit/trailers.ts";
export { gitEnvironment } from "./git-environment.ts";
export { defaultBranch, isShallow, partedAt, shallowRemedy } from "./history.ts";
export { gitDirOf, hasHookRunner, hookRunnerName, realFolder } from "./layout.ts";
export {
  createGit,
  type Git,
  type GitCall,
  type GitOptions,
  type GitOutput,
  splitNul,
} from "./reading-git.ts";
export {
  findRepository,
  hasFiles,
  noFiles,
  type Repository,
  type ScopeIdentity,
} from "./repository.ts";
export { createWritingGit, type WritingGit } from "./writing-git.ts";
