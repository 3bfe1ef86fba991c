/**
 * What the executor before this one left half done, when there was one: its agents end, commits that are in
 * the branch count, answers that people wrote are read, and what stopped is tried again.
 */
import { join } from "node:path";
import {
  changesBetween,
  clearStaleLocks,
  firstParent,
  followIndex,
  isAncestor,
  readHead,
  readTrailers,
  type WritingGit,
} from "../../git/index.ts";
import { newId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { ownIdentity } from "../../base/process-identity.ts";
import { processesMarked } from "../../base/process-marks.ts";
import { killProcess } from "../../base/processes.ts";
import { parseActor } from "../../claims/index.ts";
import { endWork, noteWork, readContent } from "../../state/index.ts";
import type { RunFiles } from "../state/run-files.ts";
import { readClarifications } from "../state/run-texts.ts";
import type { RunStore } from "../store/run-store.ts";
import type { PlanRecord, RunRecord, TaskRecord } from "../types.ts";
import { taskTrailer } from "./commit-task.ts";
import type { RunPorts } from "./ports.ts";
import { agentMark } from "./task.ts";

interface Recovery extends RunPorts {
  readonly store: RunStore;
  readonly runFiles: RunFiles;
  readonly run: RunRecord;
  readonly git: WritingGit;
  readonly actor: string;
  tell(what: string): void;
}

export const recoverRun = async (recovery: Recovery): Promise<void> => {
  await endAgents(recovery);
  await endClaims(recovery);
  await clearLocks(recovery);
  await readAnswers(recovery);
  const committed = await committedTasks(recovery);
  const { plans } = await recovery.store.load();
  for (const plan of plans) {
    if (plan.state === "done" || plan.state === "skipped") continue;
    for (const task of plan.tasks) await recoverTask(recovery, plan, task, committed);
    await reopen(recovery, plan.plan);
  }
};

/** Whoever wrote for the killed executor must not go on writing beside the next one. */
const endAgents = async ({ store, run, actor, clock, files, tell }: Recovery): Promise<void> => {
  const marked = () => processesMarked(agentMark, (value) => value.startsWith(`${run.id}/`), files);
  const deadlineMonoMs = clock.monoMs() + limits.runAgentEndMs;
  let count = 0;
  for (
    let found = marked();
    found.length > 0 && clock.monoMs() < deadlineMonoMs;
    found = marked()
  ) {
    count = Math.max(count, found.length);
    for (const pid of found) killProcess(pid);
    await clock.sleep(20);
  }
  if (count > 0) tell(`ended ${count} processes that a killed executor had left`);
  for (const agent of await store.agents(1_000)) {
    if (agent.status !== "spawned") continue;
    const problem = "its executor ended before it did";
    await store.endAgent(actor, agent.agent_id, {
      ...{ status: "lost", inputTokens: 0, outputTokens: 0, problem, notes: [] },
    });
  }
};

/** An executor that only slept still knows its claims: their fences must not count any more. */
const endClaims = async ({ as, run, actor }: Recovery): Promise<void> => {
  const { claims } = await as(parseActor(actor)).claims.list({ limit: limits.claimsListedMax });
  const holders = new Set(claims.map((claim) => claim.actor));
  for (const { plan } of run.plans) {
    const holder = planActor(run.id, plan);
    if (!holders.has(holder)) continue;
    await as({ ...parseActor(holder), process: ownIdentity() }).claims.release({ all: true });
  }
};

export const planActor = (run: string, plan: string): string => `run:${run}/plan-${plan}`;

const clearLocks = async ({ git, files, clock, run, store, tell }: Recovery): Promise<void> => {
  const commits: string[] = [];
  for (const { plan, tasks } of run.plans) {
    for (const { number, state } of tasks) {
      if (state !== "committing") continue;
      const { commit } = await store.facts({ plan, number });
      if (commit !== undefined) commits.push(commit);
    }
  }
  const { branch } = run;
  for (const name of await clearStaleLocks({ git, files, clock, branch, commits })) {
    tell(`removed ${name}, which a crash had left`);
  }
};

const readAnswers = async ({ store, runFiles, files, actor }: Recovery): Promise<void> => {
  const text = readContent(join(runFiles.dir, "clarifications.md"), files)?.toString("utf8");
  if (text === undefined) return;
  const written = readClarifications(text);
  for (const { id, answer } of await store.notes()) {
    const given = written.get(id);
    if (answer === undefined && given !== undefined) await store.answer(actor, id, given, true);
  }
};

/** Commits of this run in its branch, by task: the branch knows better than a store that was restored. */
export const committedTasks = async ({
  run,
  git,
}: {
  readonly run: Pick<RunRecord, "id" | "base">;
  readonly git: WritingGit;
}): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>();
  const head = await readHead(git);
  if (head.commit === undefined) return found;
  const range = run.base === undefined ? [head.commit] : [head.commit, `^${run.base}`];
  const { code, stdout } = await git.ask({
    args: ["log", "-z", "--format=%H%n%B", ...range],
  });
  if (code !== 0) return found;
  const takenBack = new Set<string>();
  // Newest first: what takes a commit back comes before it.
  for (const text of stdout.split("\0")) {
    const commit = text.split("\n", 1)[0] ?? "";
    for (const one of readTrailers(text, "Headgate-Reverts")) takenBack.add(one);
    if (takenBack.has(commit)) continue;
    for (const task of readTrailers(text, "Headgate-Task")) {
      if (task.startsWith(`${run.id} `) && !found.has(task)) found.set(task, commit);
    }
  }
  return found;
};

const recoverTask = async (
  recovery: Recovery,
  plan: PlanRecord,
  task: TaskRecord,
  committed: ReadonlyMap<string, string>,
): Promise<void> => {
  const { store, git, actor, run, runFiles, clock, repository, tell } = recovery;
  if (task.state === "done" || task.state === "skipped") return;
  const at = { plan: plan.plan, number: task.number };
  const facts = await store.facts(at);
  const isIn =
    task.state === "committing" &&
    facts.commit !== undefined &&
    (await isAncestor(git, facts.commit, "HEAD"));
  const commit = isIn ? facts.commit : committed.get(taskTrailer(run.id, plan.plan, task.number));
  if (commit !== undefined) {
    const base = await firstParent(git, commit);
    const changes = await changesBetween(git, base, commit);
    const left = await followIndex(git, changes, (ms) => clock.sleep(ms));
    const id = facts.operation ?? newId("operation");
    const note = { kind: "commit", id, worktree: run.worktree } as const;
    if (left.some(({ why }) => why === "locked")) {
      noteWork(repository.localDir, { ...note, commit, branch: run.branch, isLeft: true });
      tell(
        `plan ${plan.plan}, task ${task.number}: another git holds the index (index.lock), which does not ` +
          "show the commit yet; the next headgate command repairs it. If no git runs there, remove the lock",
      );
    } else endWork(repository.localDir, note);
    await store.setTask(actor, at, {
      state: "done",
      commit,
      reason: "",
      touched: false,
      ended: true,
    });
    await runFiles.checkpoint(plan.plan);
    tell(
      `plan ${plan.plan}, task ${task.number}: its commit ${commit.slice(0, 12)} was there already`,
    );
    return;
  }
  const open = (await store.notes()).some(
    (note) =>
      note.kind === "question" &&
      note.plan === plan.plan &&
      note.task === task.number &&
      note.answer === undefined,
  );
  if (task.state === "pending" || (task.state === "needs-decision" && open)) return;
  const clear = { operation: null, commit: null, parent: null };
  await store.setTask(actor, at, { state: "pending", ...clear });
};

/** A plan goes on unless a task of it still waits for an answer. */
const reopen = async ({ store, actor }: Recovery, id: string): Promise<void> => {
  const plan = (await store.load()).plans.find((one) => one.plan === id);
  if (!plan || plan.state === "done" || plan.state === "skipped") return;
  const waiting = plan.tasks.find(({ state }) => state === "needs-decision");
  const state = waiting ? "needs-decision" : "pending";
  if (plan.state === state) return;
  await store.setPlan(actor, id, { state, ...(waiting?.reason && { reason: waiting.reason }) });
};
