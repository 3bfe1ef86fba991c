import { limits } from "../../../base/limits.ts";
import { HeadgateError } from "../../../errors.ts";
import type { Command } from "../command.ts";
import { openFor } from "../open-for.ts";
import { failOption, formatOption } from "../review-output.ts";

export const command: Command = {
  summary: "Go on with an interrupted review; only who has not answered is asked",
  usage: ["review resume [ID] [--runner NAME]"],
  options: {
    runner: { type: "string", value: "NAME", description: "Who is asked (default: as configured)" },
    stdin: {
      type: "boolean",
      description: "The patch that is reviewed comes again on standard input",
    },
    format: formatOption,
    "fail-on": failOption,
  },
  examples: [["headgate review resume", "the newest that was interrupted"]],
  exits: [
    [1, "with --fail-on, as `headgate review`"],
    [3, "what is reviewed has changed since"],
    [4, "no such review"],
  ],
  positionalsMax: 1,
  run: async (context) => {
    const { positionals, flags, readInput } = context;
    await using headgate = await openFor(context, { readOnly: false });
    const ledger = await headgate.ledger();
    const open = positionals.length > 0 ? [] : await ledger.list({ limit: 50 });
    const newest = open.find(({ state }) => state === "interrupted" || state === "running");
    const id = positionals[0] ?? newest?.id;
    if (id === undefined) {
      throw new HeadgateError("REVIEW_UNKNOWN", "no review was interrupted");
    }
    const runner = flags.text("runner");
    const { printOutcome, watchFor } = await import("../review-run.ts");
    const outcome = await headgate.review.resume(
      id,
      {
        ...(runner !== undefined && { runner }),
        ...(flags.has("stdin") && { patch: await readInput(limits.reviewPatchBytesMax) }),
      },
      watchFor(context),
    );
    return printOutcome(outcome, context, headgate);
  },
};
