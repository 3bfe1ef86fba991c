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
export { followIndex, type LeftEntry } from "./commit/follow-index.ts";
export { changeIndex, clearDeadIndexLock, isDeadIndexLock } from "./commit/index-lock.ts";
export {
  clearLeftIndexLock,
  lockNoteNames,
  noteGitBegins,
  noteGitEnded,
  noteIndexLock,
} from "./commit/killed-git.ts";
export { runPostCommit } from "./commit/hooks.ts";
export { readIndexEntries, type TreeEntry } from "./commit/index-entries.ts";
export { type HeldAnswer, moveBranch, type Moved, type MoveOptions } from "./commit/move-branch.ts";
export {
  type CommitRequest,
  type CommitStep,
  type NewContent,
  type NotPrepared,
  prepareCommit,
  type Prepared,
  type PreparedCommit,
  removeScratch,
  type RevisedEntry,
} from "./commit/prepare-commit.ts";
export {
  fillScratch,
  readScratch,
  type ScratchResult,
  scratchFolder,
  type ScratchTree,
  scratchTree,
  takeStaged,
} from "./commit/scratch-tree.ts";
export { clearStaleLocks } from "./commit/stale-locks.ts";
export { keepTrailers, readTrailers } from "./commit/trailers.ts";
export { findUnfinished } from "./commit/unfinished.ts";
export { gitEnvironment } from "./git-environment.ts";
export { ignoreInGit } from "./ignore-in-git.ts";
export { defaultBranch, isShallow, partedAt, shallowRemedy } from "./history.ts";
export { blameLines, type LineCommit } from "./line-commits.ts";
export { isStateLeft, moveState, refuseTrackedState, stateInTree } from "./old-place.ts";
export {
  gitDirOf,
  hasHookRunner,
  hookRunnerName,
  isWorktreeGone,
  readHeadName,
  realFolder,
  worktreeName,
} from "./layout.ts";
export {
  createGit,
  type Git,
  type GitCall,
  type GitOptions,
  type GitOutput,
  splitNul,
} from "./reading-git.ts";
export { createRef, type GitPorts, storePack } from "./rescue-writes.ts";
export {
  findRepository,
  hasFiles,
  listWorktrees,
  noFiles,
  type Repository,
  type ScopeIdentity,
} from "./repository.ts";
export {
  changesBetween,
  type DirtyFile,
  dirtyFiles,
  firstParent,
  type Head,
  isAncestor,
  readHead,
  readWorktree,
  type TreeChange,
  type WorktreeStatus,
} from "./worktree-status.ts";
export {
  createWritingGit,
  userEnvironment,
  type WritingAnswer,
  type WritingCall,
  type WritingGit,
  type WritingGitOptions,
} from "./writing-git.ts";
