/** Judges what is staged: the index git will commit, against the commit it will stand on. */
import { join } from "node:path";
import { systemFiles } from "../../base/files.ts";
import { conflictFinding } from "../../gate/index.ts";
import {
  type Change,
  commitOf,
  digestOf,
  emptyTree,
  isObjectName,
  readBlobs,
  stagedChanges,
} from "../../git/index.ts";
import { HeadgateError } from "../../errors.ts";
import { contentHash } from "../../state/index.ts";
import { UnjudgedWrites } from "../unjudged/index.ts";
import { endCommitTurn, takeCommitTurn } from "./commit-turn.ts";
import type { HookContext } from "./hook-context.ts";
import { openJudging } from "./judging.ts";
import { type HookOutcome, notJudgedReason, passed } from "./refusal.ts";

export const preCommit = async (context: HookContext): Promise<HookOutcome> => {
  const { headgate, git } = context;
  const { claims } = headgate;
  const head = await commitOf(git, "HEAD");
  const base = head ?? (await emptyTree(git));
  const staged = await stagedChanges(git, base);
  const blocker = await takeCommitTurn(context);
  if (blocker) {
    const { level: _, ...reason } = conflictFinding(blocker, "@git/index");
    return context.refuse("git commit", [reason]);
  }
  const merged = mergeHeads(context);
  const changes = await leaveOutMerged(context, staged, merged);
  const note = () => noteJudged(context, staged);
  if (changes.length === 0) {
    await note();
    return passed();
  }
  const judging = openJudging(context);
  try {
    const { reasons } = await judging.judge(changes, {
      claims,
      // A merge brings names that neither side of this comparison has.
      base: merged.length === 0 ? base : undefined,
    });
    if (reasons.length === 0) {
      await note();
      await settleStaged(context, staged);
      return passed();
    }
    await endCommitTurn(context);
    return await context.refuse("git commit", reasons);
  } catch (error) {
    if (!HeadgateError.isInstance(error) || error.code !== "NOT_JUDGED") throw error;
    await endCommitTurn(context);
    return await context.refuse("git commit", [notJudgedReason(error)]);
  } finally {
    judging.close();
  }
};

/** So that post-commit knows that these very changes were judged. */
const noteJudged = ({ headgate }: HookContext, staged: readonly Change[]): Promise<void> =>
  headgate.events.append({
    kind: "commit.judged",
    actor: headgate.claims.actor.id,
    subject: digestOf(staged),
    data: { count: staged.length },
  });

/** Settles the writes whose very content this commit judged. A register in trouble stops no commit. */
const settleStaged = async (
  { headgate, git }: HookContext,
  staged: readonly Change[],
): Promise<void> => {
  const { localDir, worktree } = headgate.repository;
  const register = new UnjudgedWrites({ localDir });
  try {
    const waiting = register.waiting(worktree);
    const changes = new Map(staged.map((change) => [change.path, change]));
    const names = waiting.flatMap(({ path }) => changes.get(path)?.after ?? []);
    const blobs = await readBlobs(git, names);
    for (const one of waiting) {
      const change = changes.get(one.path);
      if (!change) continue;
      const content = change.after === undefined ? null : blobs.get(change.after);
      const hash = content ? contentHash(content) : content;
      if (hash === one.after) await register.settle(one, "passed");
    }
  } catch {
    // They go on waiting, and are judged by the next hook.
  }
};

/** What is being merged; empty for an ordinary commit. */
const mergeHeads = ({ gitDir }: HookContext): string[] => {
  const file = join(gitDir, "MERGE_HEAD");
  if (!systemFiles.stat(file)?.isFile()) return [];
  return systemFiles.readFile(file).toString("latin1").split("\n").filter(isObjectName);
};

/** What a merge takes from one side as it is was judged there; what is like no side is this commit's. */
const leaveOutMerged = async (
  { git }: HookContext,
  staged: readonly Change[],
  heads: readonly string[],
): Promise<readonly Change[]> => {
  let own = staged;
  for (const head of heads) {
    const other = new Set((await stagedChanges(git, head)).map(({ path }) => path));
    own = own.filter(({ path }) => other.has(path));
  }
  return own;
};
