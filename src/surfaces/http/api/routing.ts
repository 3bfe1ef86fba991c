/** GET /api/routing: patterns, proposals, overrides and canaries. Empty until there is routing. */
import type { ApiContext, App } from "./context.ts";
import type { RoutingAnswer } from "./routing-shape.ts";

export const addRouting = (app: App, api: ApiContext): void => {
  app.get("/api/routing", async (context) => context.json(await routing(api)));
};

const routing = async (_api: ApiContext): Promise<RoutingAnswer> => ({
  patterns: [],
  proposals: [],
  overrides: [],
  canaries: [],
});
