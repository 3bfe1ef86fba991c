/** GET /api/routing: patterns, proposals, overrides and canaries. */
import type { ApiContext, App } from "./context.ts";
import type { RoutingAnswer } from "./routing-shape.ts";

export const addRouting = (app: App, { headgate }: ApiContext): void => {
  app.get("/api/routing", async (context) => {
    const { routing } = headgate;
    const [status, patterns] = [await routing.status(), await routing.patterns()];
    const { proposals, overrides, canaries, problem } = status;
    return context.json({
      patterns: patterns.map(({ reviewer, class: kind, state, outcomes, wrong, eValue }) => ({
        ...{ reviewer, class: kind, state, outcomes, wrong, eValue },
      })),
      proposals: proposals.map(({ id, reviewer, action, reason, state }) => ({
        ...{ id, reviewer, action, reason, state },
      })),
      overrides: overrides.map(({ reviewer, action, reason, commit, vanished }) => ({
        ...{ reviewer, action, reason, vanished },
        ...(commit !== null && { commit }),
      })),
      canaries: canaries.map(({ reviewer, state, shadows, losses, needed, ...rest }) => {
        const { process, alarmAt, clearAt } = rest;
        return { reviewer, state, shadows, losses, needed, process, alarmAt, clearAt };
      }),
      ...(problem !== undefined && { problem }),
    } satisfies RoutingAnswer);
  });
};
