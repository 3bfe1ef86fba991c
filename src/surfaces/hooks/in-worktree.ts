import { join } from "node:path";
import type { HookDependencies, HookHeadgate } from "./dependencies.ts";
import { placeOf } from "./place.ts";
import type { HookCall } from "./types.ts";

/** As the worktree sees it that the client works in. */
export const inWorktree = async (
  { cwd }: HookCall,
  headgate: HookHeadgate,
  { openWorktree, worktrees }: Pick<HookDependencies, "openWorktree" | "worktrees">,
): Promise<HookHeadgate> => {
  const { repository } = headgate;
  const roots = (await worktrees?.()) ?? repository.worktrees;
  const root = placeOf(join(cwd, "any"), roots)?.root ?? repository.worktree;
  return root === repository.worktree ? headgate : openWorktree(root);
};
