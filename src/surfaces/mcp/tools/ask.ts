import * as v from "valibot";
import { isId } from "../../../base/ids.ts";
import { limits } from "../../../base/limits.ts";
import { showText } from "../../../base/text.ts";
import { plainData } from "../data-text.ts";
import { releaseRequest } from "../shapes.ts";
import { defineTool, sending } from "../tool.ts";

const withinDefaultMs = 5 * 60_000;

export const askTool = defineTool({
  name: "ask",
  title: "Ask the holder of a target to release it",
  description:
    "Every other holder of something that overlaps the target (or of the one claim cl_…) reads your request " +
    "with its next tool call and can answer yes, no or later; you read the answer the same way. Nothing is " +
    "taken from a living holder. Do other work until then.",
  annotations: sending,
  input: v.strictObject({
    target: v.pipe(v.string(), v.minLength(1), v.maxLength(limits.targetBytesMax)),
    text: v.pipe(v.string(), v.minLength(1), v.maxLength(limits.claimReasonBytesMax)),
    withinMs: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(1000), v.maxValue(limits.releaseRequestMsMax)),
    ),
  }),
  output: { requests: v.optional(v.array(releaseRequest)) },
  run: async ({ target, text, withinMs = withinDefaultMs }, call) => {
    const { claims } = call.actor();
    const how = { reason: text, withinMs };
    const requests = isId("claim", target)
      ? [await claims.ask(target, how)]
      : await claims.askFor(target, how);
    const lines = requests.map(
      (one) => `asked ${showText(one.holder, 80)} for ${showText(one.target)} (${one.id})`,
    );
    return {
      structured: { ok: true, requests: plainData(requests) },
      text: lines.join("\n"),
    };
  },
});
