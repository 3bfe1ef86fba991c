import { plural, showText } from "../../../base/text.ts";
import type { Qualified } from "../../../review/index.ts";
import type { Command, CommandContext } from "../command.ts";
import { openFor } from "../open-for.ts";
import { askingOptions } from "./routing-probe.ts";

export const command: Command = {
  summary: "Try reviewers on planted faults",
  usage: ["reviewers qualify [REVIEWER…] [--runner NAME] [--model NAME] [--budget USD]"],
  description:
    "Each reviewer gets small files of its area, some with one known fault and some without, and is asked for a " +
    "review like any other. It qualifies if it finds half of the faults and raises fewer false alarms than it finds " +
    "faults. The result is kept: a generated or own reviewer that failed takes no slot in reviews until its " +
    "instructions change or it is tried again. Without names, all are tried that there are faults for.",
  options: {
    runner: { type: "string", value: "NAME", description: "Who is asked (default: review.runner)" },
    model: { type: "string", value: "NAME", description: "The model, as the runner names it" },
    budget: { type: "string", value: "USD", description: "What it may cost at most" },
  },
  examples: [
    ["headgate reviewers qualify safety --runner claude", "one, by Claude Code"],
    ["headgate reviewers qualify --budget 1 --json", "all: {results: […], untried: […]}"],
  ],
  exits: [
    [0, "all that were tried are qualified"],
    [1, "one is not, or could not be judged"],
    [2, "no such reviewer, or no runner"],
  ],
  positionalsMax: 100,
  run: async (context) => {
    const { flags, positionals, output, signal } = context;
    const asking = askingOptions(flags, "reviewers");
    await using headgate = await openFor(context, { readOnly: false });
    const { watchFor } = await import("../review-run.ts");
    const qualified = await headgate.review.qualify(
      {
        ...(positionals.length > 0 && { reviewers: positionals }),
        ...asking,
      },
      watchFor(context),
    );
    if (signal.aborted) return 130;
    const { results, untried } = qualified;
    const isOk = untried.length === 0 && results.every((one) => one.qualified);
    output.object({ ok: isOk, results, untried, totals: qualified.totals });
    print(qualified, context);
    return isOk ? 0 : 1;
  },
};

const print = ({ results, untried, totals }: Qualified, { output }: CommandContext): void => {
  const { bold, red, green, dim } = output.style;
  for (const { reviewer, qualified, planted, found, missed, clean, alarms } of results) {
    const verdict = qualified ? green("qualified") : red("not qualified");
    const wolf = `${alarms.length} of ${plural(clean, "clean file")} reported as P0 or P1`;
    output.line(
      `${bold(showText(reviewer))}  ${verdict}  ${found.length} of ${plural(planted, "fault")} found, ${wolf}`,
    );
    for (const id of missed) output.line(dim(`  missed  ${id}`));
    for (const id of alarms) output.line(dim(`  alarm   ${id}`));
  }
  for (const { reviewer, why } of untried) {
    output.line(`${bold(showText(reviewer))}  not judged  ${showText(why)}`);
  }
  if (totals.costUsd > 0) output.line(dim(`$${totals.costUsd.toFixed(4)}`));
};
