import * as v from "valibot";
import type { Check } from "../../../claims/index.ts";
import { blockerLine } from "../answers.ts";
import { plainData } from "../data-text.ts";
import { blocker, mode, targets } from "../shapes.ts";
import { defineTool, looking } from "../tool.ts";

export const checkOutput = {
  clear: v.optional(
    v.pipe(v.boolean(), v.description("No claim of anybody else overlaps the targets.")),
  ),
  blockers: v.optional(v.array(blocker)),
};

export const checkTool = defineTool({
  name: "check",
  title: "Are targets free?",
  description:
    "Say whether targets are free, without claiming them: no claim of anybody else overlaps them. Looking " +
    "promises nothing; to write, claim at once, because claiming is the check.",
  annotations: looking,
  input: v.strictObject({ targets, mode }),
  output: checkOutput,
  run: async (args, call) => {
    const state = await call.looker.claims.check(args.targets, { mode: args.mode ?? "exclusive" });
    return checkAnswer(state);
  },
});

/** Being held is an answer here, not a refusal. */
export const checkAnswer = ({ clear, blockers }: Check) => ({
  structured: { ok: true, clear, blockers: plainData(blockers) },
  text: [clear ? "clear" : "not clear", ...blockers.map((one) => blockerLine(one))].join("\n"),
});
