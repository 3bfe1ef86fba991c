import * as v from "valibot";
import { limits } from "../../../base/limits.ts";
import { usage } from "../answers.ts";
import {
  findingShape,
  findingState,
  findingText,
  reviewId,
  severity,
  toldFinding,
} from "../review-shapes.ts";
import { defineTool } from "../tool.ts";

const reasons = [
  "wrong",
  "not-applicable",
  "deprioritized",
  "stale",
  "severity",
  "duplicate",
] as const;

export const findingsTool = defineTool({
  name: "findings",
  title: "What reviews found",
  description:
    "List what reviews found and is still open (action list, the default), or decide about one finding: accept (it is " +
    "right) or dismiss with a reason: wrong, not-applicable, deprioritized (right, but not now), stale, severity (graded " +
    "too high), duplicate. Decide only what you have checked in the code: it is recorded under your name and counts for " +
    "or against the reviewers. A dismissed finding stops nothing any more.",
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  input: v.strictObject({
    action: v.optional(v.picklist(["list", "accept", "dismiss"])),
    finding: v.optional(
      v.pipe(
        v.string(),
        v.minLength(1),
        v.maxLength(100),
        v.description("For accept and dismiss: its id or the beginning of it."),
      ),
    ),
    reason: v.optional(v.picklist(reasons)),
    note: v.optional(v.pipe(v.string(), v.maxLength(limits.mcpAgentTextLengthMax))),
    state: v.optional(v.array(findingState)),
    severity: v.optional(v.array(severity)),
    path: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(limits.pathBytesMax))),
    review: v.optional(reviewId),
  }),
  output: {
    findings: v.optional(v.array(findingShape)),
    cut: v.optional(v.boolean()),
  },
  run: async (args, call) => {
    const { action = "list", finding, reason, note } = args;
    const ledger = await call.headgate.ledger();
    if (action !== "list") {
      if (finding === undefined) throw usage(`${action} needs finding, the id of one`);
      if (action === "dismiss" && reason === undefined) throw usage("dismiss needs a reason");
      const { id: actor, session } = call.actor().claims.actor;
      const decision = { ...(note !== undefined && { note }), as: { actor, session } };
      const decided = toldFinding(
        action === "dismiss" && reason
          ? await ledger.dismiss(finding, { reason, ...decision })
          : await ledger.accept(finding, decision),
      );
      return { structured: { ok: true, findings: [decided] }, text: findingText(decided) };
    }
    const { state = openStates, severity: grades, path, review } = args;
    const found = await ledger.findings({
      ...{ state, limit: limits.mcpListMax + 1 },
      ...(grades && { severity: grades }),
      ...(path !== undefined && { path }),
      ...(review !== undefined && { review }),
    });
    const findings = found.slice(0, limits.mcpListMax).map(toldFinding);
    return {
      structured: { ok: true, findings, cut: found.length > findings.length },
      text: findings.length > 0 ? findings.map(findingText).join("\n") : "no such findings",
    };
  },
});

const openStates = ["new", "persisting", "regressed", "accepted"] as const;
