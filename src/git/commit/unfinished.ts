import { join } from "node:path";
import type { Files } from "../../base/files.ts";

/** The work of git that is in progress in a worktree: a commit in the middle of it would become part of it. */
export const findUnfinished = (gitDir: string, files: Files): string | undefined =>
  underWay.find(([name]) => files.stat(join(gitDir, name)) !== undefined)?.[1];

const underWay: readonly (readonly [file: string, what: string])[] = [
  ["MERGE_HEAD", "a merge"],
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase or git am"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a git revert"],
  ["sequencer", "a cherry-pick or git revert"],
  ["BISECT_LOG", "a bisection"],
];
