import * as v from "valibot";
import { limits } from "../../../base/limits.ts";
import { showText } from "../../../base/text.ts";
import { answerFrom, answerWords } from "../../answer-words.ts";
import { plainData } from "../data-text.ts";
import { releaseRequest } from "../shapes.ts";
import { defineTool, sending } from "../tool.ts";

export const answerTool = defineTool({
  name: "answer",
  title: "Answer a request for what you hold",
  description:
    "Reply to a request (rq_…): yes releases the claim, no closes the request, later keeps it open. The asker " +
    "reads the answer and your words with its next tool call. To keep a part, use release with answer and keep.",
  annotations: sending,
  input: v.strictObject({
    request: v.pipe(v.string(), v.minLength(1)),
    answer: v.picklist(answerWords),
    text: v.optional(v.pipe(v.string(), v.maxLength(limits.claimReasonBytesMax))),
    laterMs: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(1000), v.maxValue(limits.releaseRequestMsMax)),
    ),
  }),
  output: { request: v.optional(releaseRequest) },
  run: async ({ request: id, answer, text: note = "", laterMs }, call) => {
    const given = answerFrom(answer, { note, laterMs });
    const request = await call.actor().claims.answer(id, given);
    return {
      structured: { ok: true, request: plainData(request) },
      text: `answered ${showText(request.asker, 80)} about ${showText(request.target)}: ${answer}`,
    };
  },
});
