import { plural } from "../../../base/text.ts";
import type { EventLog } from "../../../compose-events.ts";
import { HeadgateError } from "../../../errors.ts";
import type { Command } from "../command.ts";
import { usageError } from "../arguments.ts";
import { openFor } from "../open-for.ts";
import { withProgress } from "../progress.ts";

type Onward = Awaited<ReturnType<EventLog["verifyOnward"]>>;

const wholeWords: Readonly<Record<NonNullable<Onward["whole"]>, string>> = {
  first: "nothing was checked with --onward before: the whole log is checked",
  unproven:
    "the checkpoint is damaged or was not written by Headgate here: the whole log is checked",
  unfit: "the checkpoint does not fit this log: the whole log is checked",
};

const checkedWords = ({ events, onwardFrom, prunedTo }: Extract<Onward, { ok: true }>): string => {
  if (onwardFrom === undefined) return `${plural(events, "event")}, none altered`;
  const fresh = plural(events + prunedTo - onwardFrom, "event");
  return `${fresh} after event ${onwardFrom}, none altered; those up to it were checked before`;
};

export const command: Command = {
  summary: "Check that no event was removed or altered",
  usage: ["events verify [--head SEQ:HASH] [--onward]"],
  description:
    "Each event carries a hash over itself and the event before it. Verify recomputes the whole chain " +
    "and prints its head. A chain cut off at the end is still a good chain: keep the printed head " +
    "somewhere else and give it as --head later to notice that, too. With --onward it begins where the last " +
    "run with --onward came to, also one that was killed, and says where; damage before that is found only without it.",
  options: {
    head: { type: "string", value: "SEQ:HASH", description: "A head printed earlier" },
    onward: { type: "boolean", description: "Check only what an earlier --onward has not checked" },
  },
  examples: [
    ["headgate events verify", "check, and print the head to keep as a witness"],
    ["headgate events verify --head 120:3f…", "also check that event 120 is still the same"],
    ["headgate events verify --onward", "every hour, in a long log"],
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
    const { events: log } = headgate;
    const noted = witness === undefined ? {} : { head: witness };
    const result: Onward = await withProgress({ output, what: "verifying the event log" }, () =>
      flags.has("onward") ? log.verifyOnward(noted) : log.verify(noted),
    );
    if (!result.ok) {
      const { code, seq, reason } = result;
      throw new HeadgateError(code, `event ${seq}: ${reason}`, { data: { seq, reason } });
    }
    const { head, events, prunedTo, onwardFrom, whole } = result;
    const from = onwardFrom === undefined ? {} : { onwardFrom };
    output.object({ ok: true, head: head === "" ? null : head, events, prunedTo, ...from });
    if (whole !== undefined) output.line(wholeWords[whole]);
    if (head === "") output.line("no events yet");
    else {
      const pruned = prunedTo === 0 ? "" : ` (1 to ${prunedTo} were pruned, with a record)`;
      output.line(`${output.style.green("ok")}    ${checkedWords(result)}${pruned}`);
      output.line(`head  ${head}`);
    }
    return 0;
  },
};
