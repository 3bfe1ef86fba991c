/** GET /api/reviews…: reviews that were held, with what was found; POST /api/actions/finding decides about one. */
import * as v from "valibot";
import { limits } from "../../../base/limits.ts";
import type { KeptReview, ReviewRecord, SeenFinding } from "../../../review/index.ts";
import { readJsonBody } from "../json-body.ts";
import type { ApiContext, App } from "./context.ts";
import { parseBody } from "./parse-body.ts";
import type { FindingView, ReviewAnswer, ReviewsAnswer, ReviewView } from "./reviews-shape.ts";
import type { ActionAnswer } from "./shapes.ts";

export const addReviews = (app: App, { headgate }: ApiContext): void => {
  app.get("/api/reviews", async (context) => {
    const before = context.req.query("before");
    const ledger = await headgate.ledger();
    const found = await ledger.list({ limit: listed + 1, ...(before && { before }) });
    const reviews = found.slice(0, listed).map(reviewView);
    const more = found.length > listed ? (reviews.at(-1)?.id ?? null) : null;
    return context.json({ reviews, before: more } satisfies ReviewsAnswer);
  });
  app.get("/api/reviews/one", async (context) => {
    const ledger = await headgate.ledger();
    return context.json(wholeView(await ledger.show(context.req.query("id") ?? "")));
  });
  app.post("/api/actions/finding", async (context) => {
    const body = parseBody(decision, await readJsonBody(context.req.raw));
    const ledger = await headgate.ledger();
    const note = body.note === "" ? {} : { note: body.note };
    const { id, state, title } =
      body.outcome === "accepted"
        ? await ledger.accept(body.finding, note)
        : await ledger.dismiss(body.finding, { reason: body.reason, ...note });
    return context.json({ ok: true, text: `${state}: ${title} (${id})` } satisfies ActionAnswer);
  });
};

const listed = 50;

const note = v.optional(v.pipe(v.string(), v.maxLength(limits.claimReasonBytesMax)), "");
const decision = v.variant("outcome", [
  v.strictObject({ outcome: v.literal("accepted"), finding: v.string(), note }),
  v.strictObject({
    outcome: v.literal("dismissed"),
    finding: v.string(),
    reason: v.picklist([
      "wrong",
      "not-applicable",
      "deprioritized",
      "stale",
      "severity",
      "duplicate",
    ]),
    note,
  }),
]);

const reviewView = (review: ReviewRecord): ReviewView => {
  const { id, at, actor, subject, state, verdict, counts, costUsd, problem } = review;
  return {
    ...{ id, at, actor, subject, state, verdict, costUsd },
    clusters: counts?.clusters ?? 0,
    converged: counts?.converged ?? 0,
    bySeverity: counts?.bySeverity ?? {},
    ...(problem !== undefined && { problem }),
  };
};

const wholeView = (review: KeptReview): ReviewAnswer => ({
  ...reviewView(review),
  asked: review.reviewers.map(({ reviewer, state, report, findings, shadow, problem }) => ({
    ...{ reviewer, state: report ?? state, findings, isShadow: shadow },
    ...(problem !== null && { problem }),
  })),
  findings: review.findings
    .toSorted((a, b) => (a.severity < b.severity ? -1 : a.severity > b.severity ? 1 : 0))
    .slice(0, limits.dashboardRowsMax)
    .map(findingView),
  findingsTotal: review.findings.length,
  ...(review.notJudged && { notJudged: review.notJudged }),
});

const findingView = (finding: SeenFinding): FindingView => {
  const { id, severity, title, body, path, line, reviewers, state, stateThen } = finding;
  const { by, reason, note: said } = finding.decision ?? {};
  return {
    ...{ id, severity, title, reviewers, state, stateThen },
    ...(body !== undefined && { body: body.slice(0, 4000) }),
    ...(path !== null && { path }),
    ...(line !== null && { line }),
    ...(by !== undefined && {
      decision: { by, ...(reason && { reason }), ...(said && { note: said }) },
    }),
  };
};
