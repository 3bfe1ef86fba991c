import * as v from "valibot";
import { limits } from "../../../base/limits.ts";
import { usage } from "../answers.ts";
import { defineTool } from "../tool.ts";

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(100));

export const reviewStartTool = defineTool({
  name: "review_start",
  title: "Start a review",
  description:
    "Start a review of the working tree, or of target: a commit, a range (main...HEAD), a branch, a file, a folder, " +
    "a document. It answers at once with the review's id and goes on in the background; review_status tells how far it " +
    "is, review_result what came out. One review runs at a time. Who is asked and what it may cost is set by the user, " +
    "not here; without a runner only static rules look. No file is changed.",
  // Models outside may be asked, with what is reviewed in the question.
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
  input: v.strictObject({
    target: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(limits.pathBytesMax))),
    staged: v.optional(v.pipe(v.boolean(), v.description("What is staged, without a target."))),
    reviewers: v.optional(
      v.pipe(
        v.array(name),
        v.minLength(1),
        v.maxLength(20),
        v.description("These and no others; chosen by the change when left out."),
      ),
    ),
  }),
  output: {
    review: v.optional(v.pipe(v.string(), v.description("Absent when nothing differs."))),
    state: v.optional(v.picklist(["running", "nothing-to-review"])),
  },
  run: async ({ target, staged, reviewers }, call) => {
    call.actor();
    if (target === "-") throw usage("a patch cannot be given here; apply it, or name a commit");
    const request = {
      ...(target !== undefined && { target }),
      ...(staged !== undefined && { staged }),
      ...(reviewers && { reviewers }),
    };
    const review = await call.background((headgate, signal, began) =>
      headgate.review.run(request, { signal, onBegin: began }),
    );
    if (review === undefined) {
      return {
        structured: { ok: true, state: "nothing-to-review" as const },
        text: "nothing to review: no file differs",
      };
    }
    return {
      structured: { ok: true, review, state: "running" as const },
      text: `review ${review} runs; ask review_status, then review_result`,
    };
  },
});
