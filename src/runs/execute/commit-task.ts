/** The end of a task that worked out: judged by the gate, committed, recorded. */
import { join } from "node:path";
import { newId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { showText } from "../../base/text.ts";
import type { Claim } from "../../claims/index.ts";
import { HeadgateError } from "../../errors.ts";
import type { Reason, Write } from "../../gate/index.ts";
import {
  changesBetween,
  createGit,
  type DirtyFile,
  followIndex,
  type Head,
  type HeldAnswer,
  moveBranch,
  prepareCommit,
  type PreparedCommit,
  readBlobBatch,
  readHead,
  readWorktree,
  runPostCommit,
} from "../../git/index.ts";
import { endWork, noteWork, type WorkNote } from "../../state/index.ts";
import { isWithin } from "../plan/write-set.ts";
import type { Task } from "../types.ts";
import type { PlanContext } from "./run-context.ts";
import { syncFiles } from "./sync-files.ts";
import type { AttemptEnd } from "./task.ts";

interface Finished {
  readonly task: Task;
  readonly number: number;
  /** What the agent began on. */
  readonly start: Head;
  /** What was not committed before the agent began. */
  readonly known: ReadonlySet<string>;
  readonly claims: readonly Claim[];
}

export const commitTask = async (context: PlanContext, done: Finished): Promise<AttemptEnd> => {
  const { plan, git, signal } = context;
  const { task, number } = done;
  const now = await readWorktree(git);
  const listed = now.dirty.filter(({ path }) => isWithin(path, task.files));
  const changed = listed.map(({ path }) => path);
  await noteOutside(
    context,
    done,
    now.dirty.map(({ path }) => path),
  );
  if (changed.length === 0) {
    return finish(context, number, await committedByAgent(context, done, now.head));
  }
  const judged = await judge(context, listed, done.start);
  if (judged.refused) return judged.refused;
  if (judged.unjudged.length > 0) await noteUnjudged(context, number, judged.unjudged);
  // Whoever is told to stop from here on first finishes what is about to be in the branch.
  return context.inTurn(async () => {
    for (let attempt = 1; attempt <= limits.runCommitAttemptsMax; attempt += 1) {
      const head = attempt === 1 && !context.isShared() ? now.head : await readHead(git);
      const end = await tryCommit(context, done, { changed, head });
      if (end !== "again") return end;
      if (signal.aborted) return { state: "pending", reason: "stopped" };
    }
    const reason = `plan ${plan.id} could not commit: somebody else commits all the time`;
    return { state: "failed", reason, again: true };
  });
};

const tryCommit = async (
  context: PlanContext,
  { task, number, start, claims }: Finished,
  { changed, head }: { readonly changed: readonly string[]; readonly head: Head },
): Promise<AttemptEnd | "again"> => {
  const { plan, run, store, git, files, actor, step } = context;
  const at = { plan: plan.id, number };
  if (head.branch !== run.branch) {
    return {
      state: "needs-action",
      reason: `the worktree is on ${head.branch}, not on ${run.branch}`,
    };
  }
  const overtaken = await changedSince(context, start, head, changed);
  if (overtaken !== undefined) {
    const reason = `${showText(overtaken)} was committed by somebody else while the agent worked`;
    return { state: "failed", reason, again: true };
  }
  const operation = newId("operation");
  const made = await prepareCommit({
    ...{ git, files, scratch: context.scratch, operation, head, paths: changed },
    isAllowed: (path) => isWithin(path, task.files),
    hookMs: limits.runTimeoutMs,
    message: messageOf(context, { task, number, operation }),
  });
  if (!made.ok) {
    if (made.why === "nothing") return finish(context, number, undefined);
    const isForAgent = made.why === "hook" || made.why === "outside";
    if (!isForAgent) return { state: "needs-action", reason: made.reason };
    return { state: "failed", reason: made.reason, again: true };
  }
  const { prepared } = made;
  syncFiles(
    run.worktree,
    prepared.changes.map(({ path }) => path),
    files,
  );
  step("commit-made");
  const names = { operation, commit: prepared.commit, parent: head.commit ?? null };
  await store.setTask(actor.id, at, { state: "committing", ...names });
  const note = { kind: "commit", id: operation, worktree: run.worktree } as const;
  noteWork(context.stateFolder, { ...note, commit: prepared.commit, branch: head.branch });
  step("commit-recorded");
  const whileHeld = async (act: () => void): Promise<HeldAnswer> => {
    const targets = prepared.changes.map(({ path }) => ({
      path: join(run.worktree, path),
      extent: "file" as const,
    }));
    const fences = [...new Set(claims.map(({ fence }) => fence))];
    const held = await context.acting.claims.whileHeld(fences, targets, act);
    if (held.ok) return held;
    return {
      ok: false,
      reason: held.problems.map(({ target, problem }) => `${target}: ${problem}`).join("; "),
    };
  };
  const moved = await moveBranch(git, prepared, {
    note: `headgate run ${run.id}`,
    ...(claims.length > 0 && { whileHeld }),
  });
  if (!moved.ok) {
    endWork(context.stateFolder, note);
    const clear = { operation: null, commit: null, parent: null };
    await store.setTask(actor.id, at, { state: "running", ...clear });
    if (moved.why === "moved") return "again";
    if (moved.why === "read-only") return { state: "needs-action", reason: moved.reason };
    const words = moved.why === "fence" ? "the claim was lost before the commit" : "git refused";
    return { state: "failed", reason: `${words}: ${moved.reason}`, again: true };
  }
  step("branch-moved");
  await followBranch(context, prepared, note);
  step("index-followed");
  return finish(context, number, prepared.commit);
};

const followBranch = async (
  { git, clock, files, stateFolder }: PlanContext,
  { changes, commit, head }: PreparedCommit,
  note: Pick<WorkNote, "kind" | "id" | "worktree">,
): Promise<void> => {
  const left = await followIndex(git, changes, (ms) => clock.sleep(ms));
  // While another git has the index, the next command of any kind takes care of it.
  if (left.some(({ why }) => why === "locked")) {
    noteWork(stateFolder, { ...note, commit, branch: head.branch, isLeft: true });
  } else endWork(stateFolder, note);
  await runPostCommit(git, files);
};

const finish = async (
  context: PlanContext,
  number: number,
  commit: string | undefined,
): Promise<AttemptEnd> => {
  const { store, plan, actor, runFiles, step } = context;
  await store.setTask(
    actor.id,
    { plan: plan.id, number },
    {
      ...{ state: "done", reason: "", touched: false, ended: true },
      commit: commit ?? null,
    },
  );
  step("task-recorded");
  context.later(async () => {
    await runFiles.checkpoint(plan.id);
    step("checkpoint-written");
  });
  const name = plan.tasks[number - 1]?.name ?? "";
  context.tell(
    number,
    `${name}: ${commit === undefined ? "done, nothing to commit" : `committed as ${commit.slice(0, 12)}`}`,
  );
  return { state: "done" };
};

/** The first of these that somebody else's commit has changed since the agent began. */
const changedSince = async (
  { git }: PlanContext,
  start: Head,
  head: Head,
  changed: readonly string[],
): Promise<string | undefined> => {
  if (head.commit === undefined || head.commit === start.commit) return undefined;
  const between = new Set(
    (await changesBetween(git, start.commit, head.commit)).map(({ path }) => path),
  );
  return changed.find((path) => between.has(path));
};

/** An agent that commits although it was told not to: its commit counts as the task's. */
const committedByAgent = async (
  { git, store, actor, plan, runFiles }: PlanContext,
  { task, number, start }: Finished,
  head: Head,
): Promise<string | undefined> => {
  if (head.commit === undefined || head.commit === start.commit) return undefined;
  const between = await changesBetween(git, start.commit, head.commit);
  if (!between.some(({ path }) => isWithin(path, task.files))) return undefined;
  const text = `the agent committed by itself (${head.commit.slice(0, 12)}), although it was told not to`;
  await store.addNote(actor.id, { kind: "issue", plan: plan.id, number, text });
  await runFiles.notes();
  return head.commit;
};

/** Files that nobody listed stay as they are and are written down (deviation rule: log as issue). */
const noteOutside = async (
  context: PlanContext,
  { task, number, known }: Finished,
  dirty: readonly string[],
): Promise<void> => {
  const { store, plan, actor, runFiles } = context;
  const others = context.othersWrite();
  const outside = dirty.filter(
    (path) => !known.has(path) && !isWithin(path, task.files) && !isWithin(path, others),
  );
  if (outside.length === 0) return;
  const shown = outside.slice(0, 10).map((path) => showText(path));
  const more = outside.length > shown.length ? ` and ${outside.length - shown.length} more` : "";
  const text = `changed without being listed, and left uncommitted: ${shown.join(", ")}${more}`;
  await store.addNote(actor.id, { kind: "issue", plan: plan.id, number, text });
  await runFiles.notes();
};

/** The same judgement that every write passes, on what is about to be committed. */
const judge = async (
  { acting, git, files, environment, run }: PlanContext,
  changed: readonly DirtyFile[],
  start: Head,
): Promise<{ readonly refused?: AttemptEnd; readonly unjudged: readonly Unjudged[] }> => {
  const old = changed.filter(({ isUntracked }) => !isUntracked).map(({ path }) => path);
  const before = await contentsAt(createGit({ cwd: git.cwd, environment }), start, old);
  const writes: Write[] = [];
  const unjudged: Unjudged[] = [];
  for (const { path } of changed) {
    const absolute = join(run.worktree, path);
    const stat = files.stat(absolute);
    const why = whyUnjudged(stat, writes.length);
    if (why !== undefined) unjudged.push({ path, why });
    else writes.push({ path, after: stat ? files.readFile(absolute) : null });
  }
  if (writes.length === 0) return { unjudged };
  const verdict = await acting.gate.judge({ writes, files: before }).catch((error: unknown) => {
    if (HeadgateError.isInstance(error) && error.code === "NOT_JUDGED") return error;
    throw error;
  });
  if (HeadgateError.isInstance(verdict)) {
    return { refused: { state: "failed", reason: verdict.message, again: true }, unjudged };
  }
  if (verdict.verdict === "allow") return { unjudged };
  const reason = `the gate refused: ${verdict.reasons.slice(0, 5).map(reasonText).join("; ")}`;
  return { refused: { state: "failed", reason, again: true }, unjudged };
};

interface Unjudged {
  readonly path: string;
  readonly why: string;
}

const whyUnjudged = (
  stat: ReturnType<PlanContext["files"]["stat"]>,
  count: number,
): string | undefined => {
  if (count >= limits.proposalWritesMax) return `over ${limits.proposalWritesMax} files`;
  if (stat && !stat.isFile()) return "not a plain file";
  const isLarge = stat !== undefined && stat.size > limits.structureBytesMax;
  return isLarge ? `${stat.size} bytes, over ${limits.structureBytesMax}` : undefined;
};

/** Commits the file all the same, because a limit proves no mistake, and notes that it was not judged. */
const noteUnjudged = async (
  { store, plan, actor, runFiles }: PlanContext,
  number: number,
  unjudged: readonly Unjudged[],
): Promise<void> => {
  const shown = unjudged.slice(0, 10).map(({ path, why }) => `${showText(path)} (${why})`);
  const more = unjudged.length > shown.length ? ` and ${unjudged.length - shown.length} more` : "";
  const text = `committed without being judged: ${shown.join(", ")}${more}`;
  await store.addNote(actor.id, {
    ...{ kind: "issue", plan: plan.id, number, text },
    missed: unjudged.map(({ path, why }) => ({ what: "file", where: path, why })),
  });
  await runFiles.notes();
};

const reasonText = ({ code, path, line, message }: Reason): string =>
  `${code} ${showText(path)}${line === undefined ? "" : `:${line}`}: ${showText(message, 300)}`;

const contentsAt = async (
  git: ReturnType<typeof createGit>,
  { commit }: Head,
  paths: readonly string[],
): Promise<Record<string, string>> => {
  if (commit === undefined || paths.length === 0) return {};
  const { stdout } = await git.run({
    args: ["ls-tree", "-r", "-z", "--full-tree"],
    revisions: [commit],
    paths,
  });
  const names = new Map<string, string>();
  for (const line of stdout.toString("utf8").split("\0")) {
    const [, blob, path] = /^100\d+ blob ([0-9a-f]+)\t([^]*)$/.exec(line) ?? [];
    if (blob !== undefined && path !== undefined) names.set(path, blob);
  }
  if (names.size === 0) return {};
  const blobs = new Map<string, Buffer>();
  await readBlobBatch(git, [...new Set(names.values())], blobs);
  const found: Record<string, string> = {};
  for (const [path, blob] of names) found[path] = blobs.get(blob)?.toString("utf8") ?? "";
  return found;
};

const messageOf = (
  { plan, run }: PlanContext,
  { task, number, operation }: { task: Task; number: number; operation: string },
): string =>
  [
    showText(task.name, 100),
    "",
    `Plan ${plan.id}: ${showText(plan.title, 100)}`,
    "",
    `Headgate-Op: ${operation}`,
    `Headgate-Task: ${taskTrailer(run.id, plan.id, number)}`,
    "",
  ].join("\n");

export const taskTrailer = (run: string, plan: string, number: number): string =>
  `${run} ${plan}/${number}`;
