import * as v from "valibot";
import { HeadgateError } from "../../../errors.ts";
import { reviewId, reviewShape, toldReview } from "../review-shapes.ts";
import { defineTool, looking, type ToolCall } from "../tool.ts";

export const reviewStatusTool = defineTool({
  name: "review_status",
  title: "How far is a review?",
  description:
    "How far a review is: running, interrupted, done or failed, and for each reviewer whether it has answered and how " +
    "usable its report is. An interrupted one can be taken up again by a person with `headgate review resume`.",
  annotations: looking,
  input: v.strictObject({ review: v.optional(reviewId) }),
  output: { review: v.optional(reviewShape) },
  run: async ({ review }, call) => {
    const told = toldReview(await findReview(call, review));
    const lines = told.reviewers.map(
      (one) => `${one.reviewer} ${one.report ?? one.state} ${one.findings}`,
    );
    return {
      structured: { ok: true, review: told },
      text: [`${told.id} ${told.verdict ?? told.state} ${told.subject}`, ...lines].join("\n"),
    };
  },
});

/** Throws REVIEW_UNKNOWN. */
export const findReview = async ({ headgate }: ToolCall, wanted: string | undefined) => {
  const ledger = await headgate.ledger();
  const [newest] = wanted === undefined ? await ledger.list({ limit: 1 }) : [];
  const id = wanted ?? newest?.id;
  if (id === undefined) throw new HeadgateError("REVIEW_UNKNOWN", "no review was held yet");
  return ledger.show(id);
};
