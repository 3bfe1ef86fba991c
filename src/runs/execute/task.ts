/**
 * One task: prepare → agent → verify → commit → checkpoint. Every step is in the store before the next one
 * begins, so that whoever goes on after a crash knows what was done.
 */
import { newId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { systemProcessGroups } from "../../base/process-group.ts";
import { showText } from "../../base/text.ts";
import type { Claim } from "../../claims/index.ts";
import type { RunAnswer } from "../../runners/index.ts";
import { isWithin } from "../plan/write-set.ts";
import { redactSecrets } from "../../base/secrets.ts";
import { keepPrinted } from "../state/printed.ts";
import type { TaskKey } from "../store/run-store.ts";
import type { Plan, Task, TaskState } from "../types.ts";
import { type AgentWords, readAgentWords } from "./agent-words.ts";
import { commitTask } from "./commit-task.ts";
import { promptOf } from "./prompt.ts";
import type { PlanContext } from "./run-context.ts";
import { setAside } from "./set-aside.ts";
import { readWorktree, userEnvironment } from "../../git/index.ts";

export type TaskEnd = { readonly state: "done" | "skipped" } | Stopped;

interface Stopped {
  /** Pending: it was told to stop; the next executor begins it anew. */
  readonly state: Exclude<TaskState, "done" | "skipped" | "running" | "committing">;
  readonly reason: string;
}

/** What one attempt came to; `again` where another one may help. */
export type AttemptEnd =
  | { readonly state: "done" | "skipped" }
  | (Stopped & { readonly again?: boolean; readonly afterMs?: number });

export const runTask = async (context: PlanContext, number: number): Promise<TaskEnd> => {
  const { plan, run, signal, clock } = context;
  const retries = plan.retries ?? run.options.retries;
  let reason = "";
  for (let attempt = 1; ; attempt += 1) {
    const end = await attemptTask(context, number, reason);
    if (!("reason" in end)) return end;
    const isOver = end.state === "pending" || !end.again || attempt > retries || signal.aborted;
    if (isOver) return await stop(context, number, end);
    reason = end.reason;
    const pause = Math.min(limits.runBackoffMs * 2 ** (attempt - 1), limits.runBackoffMsMax);
    const waitMs = Math.max(pause, end.afterMs ?? 0);
    context.tell(number, `${reason}; again in ${Math.round(waitMs / 100) / 10} s`);
    await clock.sleep(waitMs, signal);
  }
};

const stop = async (
  { store, actor, plan }: PlanContext,
  number: number,
  { state, reason }: Stopped,
): Promise<TaskEnd> => {
  await store.setTask(actor.id, { plan: plan.id, number }, { state, reason, ended: true });
  return { state, reason };
};

const taskOf = (plan: Plan, number: number): Task => {
  const task = plan.tasks[number - 1];
  if (!task) throw new RangeError(`plan ${plan.id} has no task ${number}`);
  return task;
};

const attemptTask = async (
  context: PlanContext,
  number: number,
  before: string,
): Promise<AttemptEnd> => {
  const { plan, run, git, step, signal } = context;
  const task = taskOf(plan, number);
  await context.store.requireHeld();
  const claimed = await claimWrites(context, number);
  if (!Array.isArray(claimed)) return claimed;
  const rescues = await clearLeftovers(context, number);
  step("before-task");
  const { head: start, dirty } = await readWorktree(git);
  if (start.branch !== run.branch) {
    const reason = `the worktree is on ${start.branch}, the run commits to ${run.branch}: switch back`;
    return { state: "needs-action", reason };
  }
  const foreign = dirty.find(({ path }) => isWithin(path, task.files));
  if (foreign) {
    const reason = `${showText(foreign.path)} has changes that are not committed and not the run's: commit or stash them`;
    return { state: "needs-action", reason };
  }
  if (signal.aborted) return stopped;
  const budget = run.options.budgetUsd;
  const spent = budget === undefined ? 0 : (await context.store.load()).spent.costUsd;
  if (budget !== undefined && spent >= budget) {
    const reason = `the budget of ${budget} USD is spent: headgate run resume ${run.id} --budget MORE`;
    return { state: "needs-action", reason };
  }
  const { answer, words } = await askAgent(context, number, {
    before: { reason: before, rescues },
    ...(budget !== undefined && { budgetUsd: budget - spent }),
  });
  step("agent-told");
  const ended = judgeAnswer(context, answer, words);
  if (ended) return ended.state === "skipped" ? await skip(context, number) : ended;
  const failed = await verify(context, task);
  if (failed) return failed;
  step("verified");
  const known = new Set(dirty.map(({ path }) => path));
  return commitTask(context, { task, number, start, known, claims: claimed });
};

export const stopped: AttemptEnd = { state: "pending", reason: "stopped" };

/** What the plan writes, for as long as the task takes; waits for whoever has it. */
const claimWrites = async (context: PlanContext, number: number): Promise<Claim[] | AttemptEnd> => {
  const { plan, run, acting, signal } = context;
  const root = run.worktree;
  const request = {
    targets: plan.writes.map((path) => `${root}/${path}`),
    ttlMs: context.claimTtlMs,
    reason: `run ${run.id}, plan ${plan.id}: ${plan.tasks[number - 1]?.name ?? ""}`.slice(0, 200),
    signal,
  };
  if (request.targets.length === 0) return [];
  const known = context.held();
  if (known.length > 0) {
    const fences = known.map(({ fence }) => fence);
    // The task before this one has them already; the commit asks again.
    if ((await acting.claims.verify(fences, request.targets)).ok) return [...known];
  }
  let result = await acting.claims.claim(request);
  if (!result.ok) {
    const [first] = result.blockers;
    context.tell(
      number,
      `waits for ${showText(first?.target ?? "")}, held by ${showText(first?.actor ?? "")}`,
    );
    result = await acting.claims.claim({ ...request, waitMs: context.claimWaitMs });
  }
  if (result.ok) {
    context.keep(result.claims);
    return [...result.claims];
  }
  if (signal.aborted) return stopped;
  const held = result.blockers
    .map(
      ({ target, actor, liveness }) =>
        `${showText(target)} is claimed by ${showText(actor)} (${liveness.evidence.join(", ")})`,
    )
    .join("; ");
  return {
    state: "needs-action",
    reason: `${held || result.code}: ask for it or wait, then resume`,
  };
};

/** An attempt before this one left something: it is kept, and taken out of the way. */
const clearLeftovers = async (context: PlanContext, number: number): Promise<readonly string[]> => {
  const { store, plan, run, git, files, actor, step } = context;
  const at: TaskKey = { plan: plan.id, number };
  const { isTouched, rescues } = await store.facts(at);
  if (!isTouched) return rescues;
  const kept = await setAside({
    ...{ git, files, scratch: context.scratch, writes: plan.writes },
    name: `${run.id}/${plan.id}-${number}`,
    about: `plan ${plan.id}, task ${number} of run ${run.id}`,
    pause: (ms) => context.clock.sleep(ms),
  });
  const all = kept && !rescues.includes(kept.ref) ? [...rescues, kept.ref] : rescues;
  await store.setTask(actor.id, at, { touched: false, rescues: all });
  if (kept) context.tell(number, `an earlier attempt's changes are kept: git show ${kept.ref}`);
  step("set-aside");
  return all;
};

const skip = async (context: PlanContext, number: number): Promise<AttemptEnd> => {
  const { store, plan, actor } = context;
  await clearLeftovers(context, number);
  const change = { state: "skipped", reason: "the agent ran out of time", ended: true } as const;
  context.tell(number, `${taskOf(plan, number).name}: the agent ran out of time, left out`);
  await store.setTask(actor.id, { plan: plan.id, number }, change);
  return { state: "skipped" };
};

const askAgent = async (
  context: PlanContext,
  number: number,
  about: {
    readonly before: { readonly reason: string; readonly rescues: readonly string[] };
    readonly budgetUsd?: number;
  },
): Promise<{ readonly answer: RunAnswer; readonly words: AgentWords }> => {
  const { plan, run, store, actor, agents, runFiles, step, signal } = context;
  const task = taskOf(plan, number);
  const at: TaskKey = { plan: plan.id, number };
  const record = await store.facts(at);
  const notes = await store.notes();
  const answers = notes.filter(
    (note) => note.plan === plan.id && note.task === number && note.answer !== undefined,
  );
  const agent = newId("agent");
  await store.spawn(actor.id, at, agent, record.tries + 1);
  agents.add(agent);
  step("agent-recorded");
  // Made from the store: they need not be there before the agent is.
  context.later(() => runFiles.history());
  context.later(() => runFiles.currentAgents([...agents]));
  const policy = plan.onTimeout ?? run.options.onTimeout;
  const timeoutMs = plan.timeoutMs ?? run.options.timeoutMs;
  const before =
    about.before.reason === "" && record.reason
      ? { ...about.before, reason: record.reason }
      : about.before;
  context.tell(number, `${task.name}: the agent works`);
  const printing = keepPrinted(agent, { ...context, dir: runFiles.dir }, context.later);
  const answer = await context.runner.run(
    {
      label: `${run.id}/${plan.id}/${number}`,
      prompt: promptOf({ run: run.id, plan, task, number, answers, before }),
      cwd: run.worktree,
      readOnly: false,
      timeoutMs: policy === "extend" ? timeoutMs * 3 : timeoutMs,
      ...(about.budgetUsd !== undefined && { budgetUsd: about.budgetUsd }),
      env: {
        HEADGATE_ACTOR: actor.id,
        [agentMark]: `${run.id}/${agent}`,
      },
    },
    { signal, onPrinted: printing.add },
  );
  printing.end();
  step("agent-ended");
  const words = readAgentWords(answer.text);
  const isSilent = answer.ended === "failed" && answer.exit === 0;
  const status = answer.ended === "answer" || isSilent ? "completed" : answer.ended;
  await store.endAgent(actor.id, agent, {
    status,
    inputTokens: answer.usage.inputTokens,
    outputTokens: answer.usage.outputTokens,
    ...(answer.exit !== undefined && { exit: answer.exit }),
    ...(answer.costUsd !== undefined && { costUsd: answer.costUsd }),
    ...(answer.problem !== undefined && { problem: answer.problem }),
    notes: words.notes.map((note) => ({ ...note, ...at })),
  });
  agents.delete(agent);
  context.later(() => runFiles.history());
  context.later(() => runFiles.currentAgents([...agents]));
  if (words.notes.length > 0) context.later(() => runFiles.notes());
  return { answer, words };
};

/** By this variable the agents of an executor that was killed are found. */
export const agentMark = "HEADGATE_AGENT";

/** Undefined when the work goes on to the verify command. */
const judgeAnswer = (
  { plan, run }: PlanContext,
  answer: RunAnswer,
  words: AgentWords,
): AttemptEnd | undefined => {
  if (answer.ended === "cancelled") return stopped;
  if (answer.ended === "timeout") {
    const policy = plan.onTimeout ?? run.options.onTimeout;
    const ms = (plan.timeoutMs ?? run.options.timeoutMs) * (policy === "extend" ? 3 : 1);
    if (policy === "skip") return { state: "skipped" };
    return { state: "timeout", reason: `the agent did not end within ${ms / 1000} s` };
  }
  if (words.stopped === "failed") {
    return { state: "failed", reason: `the agent gave up: ${words.reason ?? ""}`, again: true };
  }
  if (words.stopped !== undefined) return { state: words.stopped, reason: words.reason ?? "" };
  // One that ended well and said nothing has done its work silently, as programs do.
  const isSilent = answer.exit === 0 && answer.text.trim() === "";
  if (answer.ended === "answer" || isSilent) return undefined;
  return {
    state: "failed",
    reason: answer.problem ?? "the agent failed",
    again: true,
    ...(answer.retryAfterMs !== undefined && { afterMs: answer.retryAfterMs }),
  };
};

/** The plan's own text, as a command of the shell: it was shown and agreed to when the run was started. */
const verify = async (context: PlanContext, task: Task): Promise<AttemptEnd | undefined> => {
  const { plan, run, environment, signal, actor } = context;
  if (task.verify === undefined) return undefined;
  const timeoutMs = plan.timeoutMs ?? run.options.timeoutMs;
  const end = await systemProcessGroups.runGroup(["/bin/sh", "-c", task.verify], {
    cwd: run.worktree,
    env: { ...userEnvironment(environment), HEADGATE_ACTOR: actor.id },
    input: "",
    timeoutMs,
    outputBytesMax: limits.runAgentOutputBytesMax,
    stderrTailBytes: limits.runnerStderrTailBytes,
    signal,
  });
  if (end.ended === "cancelled") return stopped;
  if (end.ended === "exit" && end.code === 0) return undefined;
  const how =
    end.ended === "exit"
      ? `ended with exit code ${end.code}`
      : end.ended === "timeout"
        ? `did not end within ${timeoutMs / 1000} s, so the task is not verified`
        : `ended by ${end.signal ?? end.ended}`;
  const printed = `${end.stdout.toString("utf8")}\n${end.stderrTail}`.trim();
  const said = redactSecrets(printed.slice(-64_000)).slice(-1_000);
  const reason = `verify failed: \`${showText(task.verify)}\` ${how}${said === "" ? "" : `\n${said}`}`;
  return { state: "failed", reason, again: true };
};
