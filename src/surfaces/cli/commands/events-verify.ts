import { plural } from "../../../base/text.ts";
import { HeadgateError } from "../../../errors.ts";
import type { Command } from "../command.ts";
import { usageError } from "../arguments.ts";
import { openFor } from "../open-for.ts";
import { withProgress } from "../progress.ts";

export const command: Command = {
  summary: "Check that no event was removed or altered",
  usage: ["events verify [--head SEQ:HASH]"],
  description:
    "Each event carries a hash over itself and the event before it. Verify recomputes the whole chain " +
    "and prints its head. A chain cut off at the end is still a good chain: keep the printed head " +
    "somewhere else and give it as --head later to notice that, too.",
  options: {
    head: { type: "string", value: "SEQ:HASH", description: "A head printed earlier" },
  },
  examples: [
    ["headgate events verify", "check, and print the head to keep as a witness"],
    ["headgate events verify --head 120:3f…", "also check that event 120 is still the same"],
  ],
  exits: [
    [0, "the chain holds"],
    [1, "an event was removed or altered (EVENTS_TAMPERED names the first)"],
  ],
  positionalsMax: 0,
  run: async (context) => {
    const { flags, output } = context;
    const witness = flags.text("head");
    if (witness !== undefined && !/^[1-9]\d{0,15}:[0-9a-f]{64}$/.test(witness)) {
      throw usageError("option --head is SEQ:HASH as printed before", "headgate events verify");
    }
    await using headgate = await openFor(context, { readOnly: true });
    const result = await withProgress({ output, what: "verifying the event log" }, () =>
      headgate.events.verify(witness === undefined ? {} : { head: witness }),
    );
    if (!result.ok) {
      const { code, seq, reason } = result;
      throw new HeadgateError(code, `event ${seq}: ${reason}`, { data: { seq, reason } });
    }
    const { head, events, prunedTo } = result;
    output.object({ ok: true, head: head === "" ? null : head, events, prunedTo });
    if (head === "") output.line("no events yet");
    else {
      const pruned = prunedTo === 0 ? "" : ` (1 to ${prunedTo} were pruned, with a record)`;
      output.line(
        `${output.style.green("ok")}    ${plural(events, "event")}, none altered${pruned}`,
      );
      output.line(`head  ${head}`);
    }
    return 0;
  },
};
