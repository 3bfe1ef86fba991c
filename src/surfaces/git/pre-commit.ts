/** Judges what is staged: the index git will commit, against the commit it will stand on. */
import { join } from "node:path";
import { systemFiles } from "../../base/files.ts";
import { conflictFinding, type Reason } from "../../gate/index.ts";
import { commitVariable, findNeeds, othersIn, type PartFile } from "../../landing/index.ts";
import { shellWord } from "../../base/shell-word.ts";
import { plural, showText } from "../../base/text.ts";
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
import { missedIn, noteMissed } from "../note-missed.ts";
import { noteRunning } from "../note-running.ts";
import { UnjudgedWrites } from "../unjudged/index.ts";
import { endCommitTurn, noteOwnLock, takeCommitTurn } from "./commit-turn.ts";
import type { HookContext } from "./hook-context.ts";
import { findAmended } from "./amended.ts";
import { changedReason, readPlan, savePlan } from "./commit-plan.ts";
import { openJudging } from "./judging.ts";
import { checkLate, noteLate } from "./late-checks.ts";
import { commitsOwnLines, narrowIndex } from "./narrow.ts";
import { moreWord, ranWord } from "./hook-script.ts";
import { noteOpenEnds, splitOpenEnds } from "./open-ends.ts";
import { type HookOutcome, notJudgedReason, passed } from "./refusal.ts";
import { dropNote, readyUserHooks, takeUserHooks } from "./user-hooks.ts";

export const preCommit = async (context: HookContext): Promise<HookOutcome> => {
  // `commit -a` and `commit -- paths` hold git's lock. Narrowing puts another file in its place.
  noteOwnLock(context);
  const outcome = await judgeCommit(context);
  noteOwnLock(context);
  return outcome;
};

const judgeCommit = async (context: HookContext): Promise<HookOutcome> => {
  const { headgate, git } = context;
  const { claims } = headgate;
  const [word, code] = context.args;
  if (word === ranWord) return afterUserHooks(context, { isPassed: code === "0" });
  dropNote(context);
  // `headgate commit` has an index and a part of its own already.
  const isPart = context.environment.variables[commitVariable] !== undefined;
  const blocker = isPart ? undefined : await takeCommitTurn(context);
  if (blocker) {
    const { level: _, ...reason } = conflictFinding(blocker, "@git/index");
    return context.refuse("git commit", [reason]);
  }
  const half = isPart ? [] : await repairKilled(context);
  if (half.length > 0) {
    await endCommitTurn(context);
    return context.refuse("git commit", half);
  }
  // Looked at when it is this commit's turn: others may have staged while it waited.
  const head = await commitOf(git, "HEAD");
  const base = head ?? (await emptyTree(git));
  const staged = await stagedChanges(git, base);
  const merged = mergeHeads(context);
  const isOwn = !isPart && staged.length > 0 && commitsOwnLines(claims.actor);
  if (isOwn) await noteRunning(headgate, { environment: context.environment, git });
  const judging = openJudging(context);
  const late = await noteLate(context);
  let missed: readonly Reason[] = [];
  try {
    const judge = async (all: readonly Change[]): Promise<readonly Reason[]> => {
      const changes = await leaveOutMerged(context, all, merged);
      if (changes.length === 0) return [];
      // A merge brings names that neither side of this comparison has.
      const from = merged.length === 0 ? base : undefined;
      const { reasons, notes } = await judging.judge(changes, { claims, base: from });
      missed = missedIn(notes);
      return reasons;
    };
    const part = isOwn
      ? await ownPart(context, { head, base, staged, brings: bringsLines(context), judge })
      : await wholePart(context, {
          ...{ staged, reasons: await judge(staged) },
          isOwn: !isPart && commitsOwnLines(claims.actor),
        });
    if (part.reasons.length > 0) {
      await endCommitTurn(context);
      return await context.refuse("git commit", withRest(part.reasons, part.staged));
    }
    const broken = await checkLate(context, {
      ...{ tip: head, changesFrom: (from) => stagedChanges(git, from) },
    });
    if (broken.reasons.length > 0) {
      await endCommitTurn(context);
      return await context.refuse("git commit", broken.reasons);
    }
    await noteJudged(context, part.staged);
    await noteMissed(headgate, { notes: missed, actor: claims.actor.id });
    await settleStaged(context, part.staged);
    const isNeeded = word === moreWord && (isPart || isOwn);
    const notReady = isNeeded ? await readyUserHooks(context, part) : undefined;
    if (!notReady) return passed(...late, ...broken.notes, ...part.notes, ...missedNotes(missed));
    await endCommitTurn(context);
    return await context.refuse("git commit", [notReady]);
  } catch (error) {
    if (!HeadgateError.isInstance(error) || error.code !== "NOT_JUDGED") throw error;
    await endCommitTurn(context);
    return await context.refuse("git commit", [notJudgedReason(error)]);
  }
};

/** Open ends stop only the files that have them: the first reason says how to commit the others. */
const withRest = (reasons: readonly Reason[], staged: readonly Change[]): readonly Reason[] => {
  const [first, ...more] = reasons;
  const open = new Set(reasons.map(({ path }) => path));
  const isRest = staged.some(({ path }) => !open.has(path));
  const isOpen = reasons.every(({ missing }) => missing !== undefined);
  if (!first || !isRest || !isOpen || open.size > filesLeftOut) return reasons;
  const without = [...open].map((path) => shellWord(`:(exclude,top)${path}`));
  const line = `git commit -m "…" -- ':(top)' ${without.join(" ")}`;
  return [{ ...first, remedy: `${first.remedy} To commit the other files now: ${line}` }, ...more];
};

/** More names than this are no line to copy. */
const filesLeftOut = 5;

/**
 * A killed commit left the index as it was before; committed so, it would be taken back. A killed edit left half
 * of its files; what of it is staged already is refused.
 */
const repairKilled = async ({ headgate, git, gitDir }: HookContext): Promise<readonly Reason[]> => {
  if (!headgate.leftWork.isThere({ onlyEdits: true })) return [];
  // `git commit -a` has staged the files as they are, and post-commit comes here again.
  const onlyEdits = systemFiles.stat(join(gitDir, "index.lock")) !== undefined;
  const repaired = await headgate.leftWork.repair({ onlyEdits });
  const paths = new Set(repaired.flatMap(({ takenBack = [] }) => takenBack));
  if (paths.size === 0) return [];
  const base = (await commitOf(git, "HEAD")) ?? (await emptyTree(git));
  return (await stagedChanges(git, base))
    .filter(({ path }) => paths.has(path))
    .map(({ path }) => ({
      ...{ code: "EDIT_TAKEN_BACK", path },
      message: `${showText(path)} is staged with half of an edit that was killed and is taken back now`,
      remedy: "Stage the file again and repeat the commit; nothing was committed.",
    }));
};

/** The hooks of the user have run apart. */
const afterUserHooks = async (
  context: HookContext,
  { isPassed }: { readonly isPassed: boolean },
): Promise<HookOutcome> => {
  const { paths, notes } = await takeUserHooks(context, { isPassed });
  if (paths.length === 0) return passed(...notes);
  const { git, headgate } = context;
  const head = await commitOf(git, "HEAD");
  const base = head ?? (await emptyTree(git));
  const staged = await stagedChanges(git, base);
  const judging = openJudging(context);
  const changes = await leaveOutMerged(context, staged, mergeHeads(context));
  const judged = await judging.judge(changes, { claims: headgate.claims, base });
  const { reasons, open } = await splitOpenEnds(context, judged.reasons);
  if (reasons.length > 0) return await context.refuse("git commit", reasons);
  const plan = readPlan(context);
  if (plan) {
    const { carried } = plan;
    const all = [...new Set([...plan.paths, ...paths])];
    await savePlan(context, {
      ...{ carried, paths: all, head: head ?? null, digest: digestOf(staged) },
    });
  }
  noteOpenEnds(context, open);
  await noteJudged(context, staged);
  return passed(...notes);
};

interface StagedPart {
  /** The changes that will be committed. */
  readonly staged: readonly Change[];
  readonly notes: readonly string[];
  readonly reasons: readonly Reason[];
  readonly parts: readonly PartFile[];
  /** Something of others was left out. */
  readonly isLeft: boolean;
}

/** The session's own lines; with edits of others in the same file only where they do not stand alone. */
const ownPart = async (
  context: HookContext,
  {
    head,
    base,
    staged: given,
    brings,
    judge,
  }: {
    readonly head: string | undefined;
    readonly base: string;
    readonly staged: readonly Change[];
    readonly brings: boolean;
    readonly judge: (changes: readonly Change[]) => Promise<readonly Reason[]>;
  },
): Promise<StagedPart> => {
  const before = readPlan(context);
  const isAgain = before !== undefined && before.git !== "" && before.head === (head ?? null);
  const attempt = async (extra?: ReadonlyMap<string, ReadonlySet<string>>) => {
    let staged = given;
    for (let tries = 1; ; tries += 1) {
      const narrowed = await narrowIndex(context, {
        ...{ head, staged, brings, isAgain },
        ...(extra && { extra }),
      });
      const { reason } = narrowed;
      if (reason) return { narrowed, staged, reasons: [reason], open: [] };
      const isSame = narrowed.paths.length === 0 && !extra;
      const now = isSame ? staged : await stagedChanges(context.git, base);
      const known = new Set(staged.flatMap(({ path, from }) => [path, ...(from ? [from] : [])]));
      const stranger = now.find(({ path }) => !known.has(path));
      if (!stranger) {
        return { narrowed, staged: now, ...(await splitOpenEnds(context, await judge(now))) };
      }
      // Another program has just staged it: it is narrowed as well.
      if (tries === narrowingsMax) {
        return { narrowed, staged: now, reasons: [changedReason(stranger.path)], open: [] };
      }
      staged = now;
    }
  };
  let result = await attempt();
  const needs = await findNeeds(result.narrowed.files, context.headgate.structure.outline);
  if (needs.size > 0 && !result.narrowed.reason) result = await attempt(needs);
  if (result.reasons.length > 0 && !result.narrowed.reason) {
    const along = new Map([...needs, ...othersIn(result.narrowed.files)]);
    const together = along.size === 0 ? result : await attempt(along);
    // Broken with theirs as well: then it is this part that is wrong, and it is judged alone.
    if (together.reasons.length === 0) result = together;
  }
  const { narrowed, reasons, open } = result;
  const { carried, paths, notes } = narrowed;
  if (reasons.length === 0) {
    const digest = digestOf(result.staged);
    const amended = await findAmended(context, "HEAD");
    const plan = { carried, paths, head: head ?? null, digest, ...(amended && { amended }) };
    await savePlan(context, plan);
    noteOpenEnds(context, open);
  }
  const along = carried.map((actor) => showText(actor)).join(", ");
  const told = carried.length === 0 ? [] : [`headgate: needed lines of ${along} go along`];
  const { files: parts } = narrowed;
  const isLeft = parts.some(({ left }) => left.length > 0);
  const all = [...notes, ...told, ...openNotes(open)];
  return { staged: result.staged, notes: all, reasons, parts, isLeft };
};

const narrowingsMax = 3;

/** A commit that is not narrowed: a person's, a run's, or `headgate commit`, which has narrowed it. */
const wholePart = async (
  context: HookContext,
  {
    staged,
    reasons: all,
    isOwn,
  }: {
    readonly staged: readonly Change[];
    readonly reasons: readonly Reason[];
    readonly isOwn: boolean;
  },
): Promise<StagedPart> => {
  const { reasons, open } = await splitOpenEnds(context, all);
  if (reasons.length === 0) noteOpenEnds(context, open);
  if (reasons.length === 0 && isOwn) await planWords(context);
  return { staged, notes: openNotes(open), parts: [], isLeft: false, reasons };
};

/** An amended message is without a change, and still the commit of others. */
const planWords = async (context: HookContext): Promise<void> => {
  const amended = await findAmended(context, "HEAD");
  if (!amended) return;
  const head = amended.commit;
  await savePlan(context, { carried: [], paths: [], head, digest: digestOf([]), amended });
};

const openNotes = (open: readonly string[]): string[] =>
  open.length === 0
    ? []
    : [
        `headgate: ${plural(open.length, "open end")} in this commit, refused on the default branch:`,
        ...open.slice(0, filesLeftOut).map((text) => `headgate:   ${showText(text, 200)}`),
      ];

const missedNotes = (missed: readonly Reason[]): string[] =>
  missed.slice(0, filesLeftOut).map(({ message }) => `headgate: note: ${showText(message, 200)}`);

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

/** Git is in the middle of something that brings changes of its own, written elsewhere. */
const bringsLines = ({ gitDir }: HookContext): boolean =>
  ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"].some(
    (name) => systemFiles.stat(join(gitDir, name)) !== undefined,
  );

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
