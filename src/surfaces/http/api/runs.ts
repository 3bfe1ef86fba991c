/** GET /api/runs: plan executions with their tasks. Empty until there are runs. */
import type { ApiContext, App } from "./context.ts";
import type { RunsAnswer } from "./runs-shape.ts";

export const addRuns = (app: App, api: ApiContext): void => {
  app.get("/api/runs", async (context) => context.json(await runs(api)));
};

const runs = async (_api: ApiContext): Promise<RunsAnswer> => ({ runs: [] });
