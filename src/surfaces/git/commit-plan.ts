/**
 * The findings of pre-commit, for the hooks of the same commit that come after it: each is a process or a
 * request of its own. It is in the worktree's own git folder, where one commit is made at a time and where
 * the hook of the message sees with one look that there is nothing to do.
 */
import { join } from "node:path";
import { systemFiles } from "../../base/files.ts";
import { readContent, writeFileAtomic } from "../../state/index.ts";
import { showText } from "../../base/text.ts";
import type { Reason } from "../../gate/index.ts";
import type { Amended } from "./amended.ts";
import { findGit } from "./commit-turn.ts";
import type { HookContext } from "./hook-context.ts";

export interface CommitPlan {
  readonly actor: string;
  /** Authors of others' edits that go along. */
  readonly carried: readonly string[];
  /** Files of which something of others was left out. */
  readonly paths: readonly string[];
  /** The commit it is made on; null: it is the first one. */
  readonly head: string | null;
  /** Of the changes that it will hold (`digestOf`). */
  readonly digest: string;
  /** The commit of others that this one takes the place of. */
  readonly amended?: Amended;
  /** The git that makes the commit; empty where the system does not tell. */
  readonly git: string;
}

type CommitContext = Pick<HookContext, "headgate" | "gitDir" | "processTree">;

/** As the hook's lines name it (hook-script.ts). */
export const planName = "headgate-commit";

/** Beside the index that git commits: hooks of the user run apart, and where (user-hooks.ts). */
export const noteEnding = ".headgate";

export const savePlan = async (
  context: CommitContext,
  plan: Omit<CommitPlan, "actor" | "git">,
): Promise<void> => {
  const file = join(context.gitDir, planName);
  const { id: actor } = context.headgate.claims.actor;
  await writeFileAtomic(file, JSON.stringify({ actor, git: gitName(context), ...plan }), {
    durability: "cache",
  });
};

const gitName = ({ processTree }: CommitContext): string => {
  const git = findGit(processTree());
  return typeof git === "string" ? "" : `${git.pid} ${git.startTime}`;
};

/** Of this very commit; undefined where there is none, or another's. */
export const readPlan = (context: CommitContext): CommitPlan | undefined => {
  const text = readContent(join(context.gitDir, planName), systemFiles)?.toString("utf8");
  if (text === undefined) return undefined;
  const plan = JSON.parse(text) as CommitPlan;
  const isOwn = plan.actor === context.headgate.claims.actor.id && plan.git === gitName(context);
  return isOwn ? plan : undefined;
};

export const dropPlan = (context: CommitContext): void => {
  const file = join(context.gitDir, planName);
  if (systemFiles.stat(file)) systemFiles.unlink(file);
};

/** Files were staged between the narrowing and the commit. */
export const changedReason = (path: string): Reason => ({
  ...{ code: "COMMIT_CHANGED", path },
  message: `another program staged lines of others in ${showText(path)} while this commit was being made`,
  remedy:
    "Repeat the commit; nothing was committed. If a hook of yours stages whole files (git add), let it stage what it was given.",
});
