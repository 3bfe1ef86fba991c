import { systemClock } from "../../../base/clock.ts";
import { usageError } from "../arguments.ts";
import { reportCheck } from "../check-report.ts";
import type { Command } from "../command.ts";
import { openFor } from "../open-for.ts";

const words = "headgate check";

export const command: Command = {
  summary: "Say whether targets are free, without claiming them",
  usage: ["check TARGET… [--shared]"],
  description:
    "Free means: no claim of anybody else overlaps them. Looking changes nothing and promises nothing: to " +
    "write, claim at once, because claiming is the check.",
  options: {
    shared: { type: "boolean", description: "Free for a shared claim: exclusive ones only count" },
  },
  examples: [
    ["headgate check src/auth.ts", "may I?"],
    ["headgate check 'src/**' --json", "for programs: {clear, blockers}"],
  ],
  exits: [
    [0, "clear"],
    [1, "held by others"],
    [2, "not a target"],
  ],
  positionalsMax: Number.MAX_SAFE_INTEGER,
  completes: "files",
  run: async (context) => {
    const { positionals: targets, flags } = context;
    if (targets.length === 0) throw usageError("name what to look at", words);
    const isShared = flags.has("shared");
    await using headgate = await openFor(context, { readOnly: true });
    const state = await headgate.claims.check(targets, { mode: isShared ? "shared" : "exclusive" });
    context.output.object({ clear: state.clear, blockers: state.blockers });
    return reportCheck(state, { targets, isShared }, context, systemClock.wallMs());
  },
};
