/**
 * The door of git: what its hooks ask, and how they get there.
 *
 *   git ──▶ hook file ──▶ <git>/headgate-hook ──▶ the server, or `headgate git-hook NAME` ──▶ runGitHook
 *
 * `hook-script` holds the shell texts, `install` puts them beside what others have there and takes them
 * away again, byte for byte. `pre-commit` judges what is staged, never the working tree; `fences` judges
 * commits that became part of a branch or are about to be pushed; `range` judges commits on a server.
 */
import type { CiResult, RangeOptions } from "./range.ts";

export type * from "./types.ts";
export { hookNames } from "./types.ts";
export { gitHooksState, installGitHooks, uninstallGitHooks } from "./install.ts";
export { runGitHook, type RunGitHookOptions } from "./run-hook.ts";
export { answerGitHookRequest } from "./http-route.ts";
export type { CiFinding, CiResult, RangeOptions } from "./range.ts";
/** Loaded when it is needed: hooks run often and must start quickly. */
export const judgeRange = async (options: RangeOptions): Promise<CiResult> =>
  (await import("./range.ts")).judgeRange(options);
export type { HookOutcome } from "./refusal.ts";
export {
  beginHeads,
  isHeadNew,
  judgeLate,
  type LateCommit,
  lateCommits,
  lateText,
  noteMove,
} from "./late-commits.ts";
