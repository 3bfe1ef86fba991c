import { plural } from "../../../base/text.ts";
import type { Command } from "../command.ts";
import { usageError } from "../arguments.ts";
import { openFor } from "../open-for.ts";
import { withProgress } from "../progress.ts";

const words = "headgate events prune";

export const command: Command = {
  summary: "Remove old events for good",
  usage: ["events prune --keep-days N --yes", "events prune --before CURSOR --yes"],
  description:
    "What is removed cannot be brought back; the rest of the chain can still be verified. The setting " +
    "events.keepDays does the same by itself while `headgate up` runs.",
  options: {
    "keep-days": { type: "string", value: "N", description: "Remove events older than N days" },
    before: { type: "string", value: "CURSOR", description: "Remove events before this number" },
    yes: { type: "boolean", short: "y", description: "Really do it" },
  },
  examples: [
    ["headgate events prune --keep-days 90 --yes", "keep a quarter of a year"],
    ["headgate events prune --before 1000 --yes", "keep event 1000 and what came after it"],
  ],
  exits: [
    [0, "done; nothing to remove is also fine"],
    [2, "--yes or the choice of what to remove is missing"],
  ],
  positionalsMax: 0,
  run: async (context) => {
    const { flags, output } = context;
    const keepDays = flags.integer("keep-days", { min: 1, max: 36_500 });
    const before = flags.integer("before", { min: 1, max: Number.MAX_SAFE_INTEGER });
    if ((keepDays === undefined) === (before === undefined)) {
      throw usageError("say what to remove: --keep-days N or --before CURSOR", words);
    }
    if (!flags.has("yes")) {
      throw usageError("removing events cannot be undone: add --yes to do it", words);
    }
    await using headgate = await openFor(context, { readOnly: false });
    const { count, oldest } = await withProgress({ output, what: "removing old events" }, () =>
      headgate.events.prune(
        before === undefined ? { keepDays: keepDays ?? 0 } : { beforeSeq: before },
      ),
    );
    output.object({ ok: true, removed: count, oldest });
    output.line(
      count === 0
        ? "nothing to remove"
        : `removed ${plural(count, "event")}; the oldest kept one is ${oldest}`,
    );
    return 0;
  },
};
