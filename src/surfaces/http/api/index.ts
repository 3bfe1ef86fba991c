/**
 * The dashboard's addresses: a file per page, each adding its own. Reading changes nothing and answers in
 * windows; changes are POSTs under /api/actions. The guard has judged every request before it comes here.
 * shapes.ts (and the files named …-shape.ts) is what the page in ../../dashboard relies on.
 */
import { addActions } from "./actions.ts";
import { addClaims } from "./claims.ts";
import type { ApiContext, App } from "./context.ts";
import { addHealth } from "./health.ts";
import { addNotices } from "./notices.ts";
import { addNow } from "./now.ts";
import { Overviews } from "./overviews.ts";
import { addPersonRequests } from "./person-requests.ts";
import { addProfile } from "./profile.ts";
import { addRefusals } from "./refusals.ts";
import { addReviews } from "./reviews.ts";
import { addRouting } from "./routing.ts";
import { addRuns } from "./runs.ts";
import { addTimeline } from "./timeline.ts";

const parts = [
  addNow,
  addNotices,
  addPersonRequests,
  addClaims,
  addTimeline,
  addRefusals,
  addReviews,
  addRouting,
  addRuns,
  addProfile,
  addHealth,
  addActions,
];

export const addApi = (app: App, options: Omit<ApiContext, "overviews">): void => {
  const context = { ...options, overviews: new Overviews(options.headgate, options.clock) };
  for (const add of parts) add(app, context);
};
