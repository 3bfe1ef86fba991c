/** Reviews and findings as tools answer them: bounded, and every word of a reviewer marked as data. */
import * as v from "valibot";
import type { KeptReview, LedgerFinding, ReviewRecord } from "../../review/index.ts";
import { plainData } from "./data-text.ts";
import { agentText, repositoryText } from "./shapes.ts";

export const reviewId = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(100),
  v.description("A review's id or its beginning; the newest review when left out."),
);

export const severity = v.picklist(["P0", "P1", "P2", "P3"]);
export const findingState = v.picklist([
  "new",
  "persisting",
  "fixed",
  "regressed",
  "accepted",
  "dismissed",
]);

export const reviewShape = v.object({
  id: v.string(),
  at: v.string(),
  subject: repositoryText,
  state: v.picklist(["running", "interrupted", "done", "failed"]),
  verdict: v.nullable(v.picklist(["go", "not-reviewed", "needs-changes", "blocked", "no-quorum"])),
  notJudged: v.optional(
    v.array(v.object({ what: v.string(), where: repositoryText, why: agentText })),
  ),
  problems: v.nullable(v.number()),
  costUsd: v.number(),
  reviewers: v.array(
    v.object({
      reviewer: agentText,
      state: v.string(),
      report: v.nullable(v.string()),
      findings: v.number(),
      problem: v.nullable(agentText),
    }),
  ),
});

export const findingShape = v.object({
  id: v.string(),
  severity,
  state: findingState,
  title: agentText,
  path: v.nullable(repositoryText),
  line: v.nullable(v.number()),
  reviewers: v.array(agentText),
  body: v.optional(agentText),
  addressedBy: v.nullable(v.string()),
});

export const toldReview = (review: ReviewRecord) =>
  plainData({
    ...{ id: review.id, at: review.at, subject: review.subject, state: review.state },
    verdict: review.verdict,
    ...(review.notJudged && { notJudged: review.notJudged }),
    problems: review.counts?.clusters ?? null,
    costUsd: review.costUsd,
    reviewers: review.reviewers.map(({ reviewer, state, report, findings, problem }) => ({
      ...{ reviewer, state, report, findings, problem },
    })),
  });

export const toldFinding = (finding: LedgerFinding) => {
  const { id, severity: grade, state, title, path, line, reviewers, body, addressedBy } = finding;
  return plainData({
    ...{ id, severity: grade, state, title, path, line, reviewers, addressedBy },
    ...(body !== undefined && { body }),
  });
};

export const findingText = (one: ReturnType<typeof toldFinding>): string =>
  `${one.id} ${one.severity} ${one.state} ${one.path === null ? "" : `${one.path}:${one.line ?? "?"} `}${one.title}`;

/** Most severe first; those that a person dismissed come last. */
export const resultFindings = ({ findings }: KeptReview) =>
  findings.toSorted(
    (a, b) =>
      Number(a.stateThen === "dismissed") - Number(b.stateThen === "dismissed") ||
      (a.severity < b.severity ? -1 : a.severity > b.severity ? 1 : a.id < b.id ? -1 : 1),
  );
