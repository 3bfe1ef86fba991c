/** T-07 for the tools of clients: what they may not write, wherever on the machine it is. */
import { type WriteGuard, openGuard, type Reason } from "../../gate/index.ts";
import { mayWrite } from "./concerns.ts";
import type { HookDependencies, HookHeadgate } from "./dependencies.ts";
import { filesOf } from "./proposal.ts";
import type { ToolUse } from "./types.ts";

export const guardFor = async (
  { repository }: Pick<HookHeadgate, "repository">,
  { environment, worktrees }: Pick<HookDependencies, "environment" | "worktrees">,
): Promise<WriteGuard> => {
  const { commonDir, localDir } = repository;
  const roots = (await worktrees?.()) ?? repository.worktrees;
  return openGuard({ environment, repository: { worktrees: roots, commonDir, localDir } });
};

export const guardedTool = async (
  tool: ToolUse,
  headgate: Pick<HookHeadgate, "repository">,
  dependencies: Pick<HookDependencies, "environment" | "worktrees">,
): Promise<Reason | undefined> => {
  if (!mayWrite(tool)) return undefined;
  const guard = await guardFor(headgate, dependencies);
  const extent = tool.kind === "move" || tool.kind === "delete" ? "tree" : "file";
  for (const file of filesOf(tool)) {
    const reason = guard(file, extent);
    if (reason) return reason;
  }
  return undefined;
};
