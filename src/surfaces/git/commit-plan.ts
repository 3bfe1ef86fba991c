/**
 * What pre-commit found out, for the hooks of the same commit that come after it: each is a process or a
 * request of its own. It lies in the worktree's own git folder, where one commit is made at a time and where
 * the hook of the message sees with one look that there is nothing to do.
 */
import { join } from "node:path";
import { systemFiles } from "../../base/files.ts";
import { readContent, writeFileAtomic } from "../../state/index.ts";
import type { HookContext } from "./hook-context.ts";

export interface CommitPlan {
  readonly actor: string;
  /** Authors of others' edits that go along. */
  readonly carried: readonly string[];
  /** Files of which something of others was left out. */
  readonly paths: readonly string[];
}

type CommitContext = Pick<HookContext, "headgate" | "gitDir">;

/** As the hook's lines name it (hook-script.ts). */
export const planName = "headgate-commit";

export const savePlan = async (
  context: CommitContext,
  plan: Omit<CommitPlan, "actor">,
): Promise<void> => {
  if (plan.carried.length === 0 && plan.paths.length === 0) return dropPlan(context);
  const file = join(context.gitDir, planName);
  const { id: actor } = context.headgate.claims.actor;
  await writeFileAtomic(file, JSON.stringify({ actor, ...plan }), { durability: "cache" });
};

/** Of this very actor; undefined where there is none, or somebody else's. */
export const readPlan = (context: CommitContext): CommitPlan | undefined => {
  const text = readContent(join(context.gitDir, planName), systemFiles)?.toString("utf8");
  if (text === undefined) return undefined;
  const plan = JSON.parse(text) as CommitPlan;
  return plan.actor === context.headgate.claims.actor.id ? plan : undefined;
};

export const dropPlan = (context: CommitContext): void => {
  const file = join(context.gitDir, planName);
  if (systemFiles.stat(file)) systemFiles.unlink(file);
};
