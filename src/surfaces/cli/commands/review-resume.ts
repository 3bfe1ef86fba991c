import { limits } from "../../../base/limits.ts";
import { HeadgateError } from "../../../errors.ts";
import type { Headgate } from "../../../compose.ts";
import type { Command } from "../command.ts";
import { openFor } from "../open-for.ts";
import { failOption, formatOption } from "../review-output.ts";

export const command: Command = {
  summary: "Go on with an interrupted review; only who has not answered is asked",
  usage: ["review resume [ID] [--runner NAME]"],
  options: {
    runner: { type: "string", value: "NAME", description: "Who is asked (default: as before)" },
    stdin: {
      type: "boolean",
      description: "The patch that is reviewed comes again on standard input",
    },
    explain: { type: "boolean", description: "Show why each reviewer was chosen or not" },
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
    const id = positionals[0] ?? (await newestOpen(headgate));
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

/** One that somebody works on is not meant, unless it is the only one: then that is the answer. */
const newestOpen = async (headgate: Headgate): Promise<string> => {
  const reviews = await (await headgate.ledger()).list({ limit: 50 });
  const open = reviews.filter(({ state }) => state === "interrupted" || state === "running");
  const [newest] = open;
  if (!newest) throw new HeadgateError("REVIEW_UNKNOWN", "no review was interrupted");
  return (open.find(({ state }) => state === "interrupted") ?? newest).id;
};
