/**
 * A run that the store has lost, or that another tool has made, from its files (S-07). What the files do not
 * tell is listed; nothing is taken for done that no file calls done.
 */
import { join } from "node:path";
import type { Files } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { planFileName, parseSources } from "../plan/read-plans.ts";
import type { RunStore } from "../store/run-store.ts";
import type { Plan, PlanState, RunState, TaskState } from "../types.ts";
import { readRunFolder, type ReadSummary } from "./read-summaries.ts";
import { type SummaryStatus } from "./run-texts.ts";

export interface Restored {
  readonly run: string;
  readonly plans: readonly { readonly plan: string; readonly status: SummaryStatus | "pending" }[];
  readonly agents: number;
  /** What could not be known. */
  readonly unknown: readonly string[];
}

export interface RestorePlace {
  readonly dir: string;
  readonly files: Files;
  readonly store: RunStore;
  readonly actor: string;
  readonly name: string;
  readonly worktree: string;
  readonly branch: string;
  readonly base?: string;
  /** Commits of the run by plan and task, as far as the branch tells. */
  readonly commits: ReadonlyMap<string, string>;
}

export const restoreRun = async (place: RestorePlace): Promise<Restored> => {
  const { dir, files, store, actor } = place;
  const read = await readRunFolder(dir, files);
  const unknown = [...read.unknown];
  const sources = planSources(dir, files);
  const parsed = await parseSources(sources);
  for (const { level, file, line, message } of parsed.problems) {
    if (level === "error") unknown.push(`${file}:${line ?? 1}: ${message}`);
  }
  const summaryOf = new Map(read.summaries.map((summary) => [summary.plan, summary]));
  const known = new Set(parsed.plans.map(({ id }) => id));
  const plans = [
    ...parsed.plans.map((plan) =>
      restorePlan(place, plan, summaryOf.get(plan.id), sources, unknown),
    ),
    ...read.summaries
      .filter(({ plan }) => !known.has(plan))
      .map((summary) =>
        restorePlan(place, planFromSummary(summary, unknown), summary, sources, unknown),
      ),
  ].toSorted((a, b) => (a.plan.id < b.plan.id ? -1 : 1));
  unknown.push("how its agents are started: give --exec or --agent to resume it");
  const isDone =
    plans.length > 0 && plans.every(({ state }) => state === "done" || state === "skipped");
  const state: RunState = isDone ? "done" : "paused";
  const { name, worktree, branch, base } = place;
  await store.create(actor, {
    ...{ id: store.id, name, state, actor, source: dir, worktree, branch, plans },
    ...(base !== undefined && { base }),
    options: {
      parallel: limits.runParallel,
      timeoutMs: limits.runTimeoutMs,
      onTimeout: "fail",
      retries: 0,
    },
  });
  await store.restoreAgents(actor, read.agents);
  for (const text of read.issues)
    await store.addNote(actor, { kind: "issue", plan: "", number: 0, text });
  return {
    run: store.id,
    plans: plans.map(({ plan }) => ({
      plan: plan.id,
      status: summaryOf.get(plan.id)?.status ?? "pending",
    })),
    agents: read.agents.length,
    unknown,
  };
};

/** Beside the state, or in a folder of their own. */
const planSources = (dir: string, files: Files): Record<string, string> => {
  const found: Record<string, string> = {};
  for (const folder of [dir, join(dir, "plans")]) {
    if (!files.statFollowing(folder)?.isDirectory()) continue;
    for (const { name } of files.list(folder)) {
      const path = join(folder, name);
      const stat = planFileName.test(name) ? files.statFollowing(path) : undefined;
      if (stat?.isFile() && stat.size <= limits.runPlanBytesMax)
        found[name] ??= files.readFile(path).toString("utf8");
    }
  }
  return found;
};

const planStates: Readonly<Record<SummaryStatus, PlanState>> = {
  completed: "done",
  failed: "failed",
  skipped: "skipped",
  timeout: "timeout",
  // What is left of it is still to be done.
  partial: "pending",
};

const restorePlan = (
  { commits }: RestorePlace,
  plan: Plan,
  summary: ReadSummary | undefined,
  sources: Readonly<Record<string, string>>,
  unknown: string[],
) => {
  if (!summary) unknown.push(`plan ${plan.id} has no summary: it is taken as not begun`);
  const state = summary ? planStates[summary.status] : "pending";
  const tasks = plan.tasks.map((_, index): { state: TaskState; commit?: string } => {
    const told = summary?.tasks[index];
    const commit = commits.get(`${plan.id}/${index + 1}`) ?? told?.commit;
    return {
      state: taskState(state, told?.state, commit),
      ...(commit !== undefined && { commit }),
    };
  });
  if (summary && summary.tasks.length === 0 && state !== "done" && state !== "skipped") {
    unknown.push(`plan ${plan.id}: which of its tasks were done`);
  }
  return {
    plan,
    source: sources[plan.file] ?? "",
    state,
    tasks,
    reason: summary ? "restored from its summary" : "",
  };
};

const taskState = (
  plan: PlanState,
  told: TaskState | undefined,
  commit: string | undefined,
): TaskState => {
  if (plan === "done" || plan === "skipped")
    return told === "skipped" || plan === "skipped" ? "skipped" : "done";
  if (told === "done" || told === "skipped") return told;
  return commit !== undefined && told === undefined ? "done" : "pending";
};

const planFromSummary = (summary: ReadSummary, unknown: string[]): Plan => {
  unknown.push(`plan ${summary.plan}: its text, its files and its verify commands`);
  return {
    id: summary.plan,
    title: summary.title ?? `Plan ${summary.plan}`,
    dependsOn: [],
    writes: [],
    text: "",
    tasks: summary.tasks.map(({ name }) => ({ name, files: [], action: "", line: 1 })),
    file: "",
    line: 1,
  };
};
