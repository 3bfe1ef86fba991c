import { systemClock } from "../../../base/clock.ts";
import { limits } from "../../../base/limits.ts";
import { usageError } from "../arguments.ts";
import { reportCheck } from "../check-report.ts";
import type { Command } from "../command.ts";
import { durationFlag, durationForm } from "../duration.ts";
import { openFor } from "../open-for.ts";
import { withWaitingShown } from "../waiting-progress.ts";

const words = "headgate wait";
const timeoutDefaultMs = 60_000;

export const command: Command = {
  summary: "Wait until targets are free, without claiming them",
  usage: ["wait TARGET… [--timeout 60s] [--shared]"],
  description:
    "For scripts that only need a quiet moment. It stands in no line and takes nothing: somebody else may " +
    "be faster afterwards. To write, use `headgate claim --wait`.",
  options: {
    timeout: {
      type: "string",
      value: "TIME",
      description: `Give up after this, default 60s (${durationForm})`,
    },
    shared: { type: "boolean", description: "Until no exclusive claim is in the way" },
  },
  examples: [
    ["headgate wait src --timeout 10m && npm test", "run the tests when nobody edits"],
    ["headgate wait name:dev-server --json", "for programs: {clear, blockers, waitedMs}"],
  ],
  exits: [
    [0, "clear"],
    [1, "still held by others when the time was over"],
    [2, "not a target or a time"],
    [130, "Ctrl-C while waiting"],
  ],
  positionalsMax: Number.MAX_SAFE_INTEGER,
  completes: "files",
  run: async (context) => {
    const { positionals: targets, flags, output, signal } = context;
    if (targets.length === 0) throw usageError("name what to wait for", words);
    const bounds = { min: 0, max: limits.claimWaitMsMax, words };
    const waitMs = durationFlag(flags, "timeout", bounds) ?? timeoutDefaultMs;
    const isShared = flags.has("shared");
    const mode = isShared ? "shared" : "exclusive";
    await using headgate = await openFor(context, { readOnly: true });
    const { claims } = headgate;
    const startMs = systemClock.monoMs();
    const state = await withWaitingShown({ output, claims, targets, mode }, () =>
      claims.waitUntilClear(targets, { mode, waitMs, signal }),
    );
    const waitedMs = Math.round(systemClock.monoMs() - startMs);
    output.object({ clear: state.clear, blockers: state.blockers, waitedMs });
    const code = reportCheck(state, { targets, isShared }, context, systemClock.wallMs());
    return code === 1 && signal.aborted ? 130 : code;
  },
};
