/** GET /api/runs: the newest plan executions with their tasks, and what each needs next. */
import type { RunStatus } from "../../../runs/index.ts";
import type { ApiContext, App } from "./context.ts";
import type { RunsAnswer, RunView } from "./runs-shape.ts";

export const addRuns = (app: App, { headgate }: ApiContext): void => {
  app.get("/api/runs", async (context) => {
    const newest = (await headgate.runs.list()).slice(0, runsShown);
    const runs: RunView[] = [];
    for (const { id } of newest) runs.push(runView(await headgate.runs.status(id)));
    return context.json({ runs } satisfies RunsAnswer);
  });
};

const runsShown = 10;

const runView = ({ run, agents }: RunStatus): RunView => {
  const { id, name, state, reason, createdAt, plans, next, claimed, executor, spent } = run;
  const working = agents.findLast(({ status }) => status === "spawned");
  return {
    ...{ id, name, startedAt: createdAt, next, claimed, costUsd: spent.costUsd },
    state: run.isInterrupted ? "interrupted" : state,
    tokens: spent.inputTokens + spent.outputTokens,
    ...(reason !== undefined && { reason }),
    ...(executor && { executor: executor.actor }),
    ...(working && { agentSince: working.started_at }),
    plans: plans.map(({ plan, title, state: planState, reason: why, tasks }) => ({
      ...{ plan, title, state: planState },
      ...(why !== undefined && { reason: why }),
      tasks: tasks.map((task) => ({
        ...{ name: task.name, state: task.state },
        ...(task.commit !== undefined && { commit: task.commit }),
        ...(task.reason !== undefined && { reason: task.reason }),
      })),
    })),
  };
};
