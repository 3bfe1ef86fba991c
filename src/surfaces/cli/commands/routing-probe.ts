import { showText } from "../../../base/text.ts";
import { usageError } from "../arguments.ts";
import type { Command, CommandContext } from "../command.ts";
import { openFor } from "../open-for.ts";

/** `--runner`, `--model` and `--budget` of those who try reviewers. */
export const askingOptions = (flags: CommandContext["flags"], help: string) => {
  const budget = flags.text("budget");
  const budgetUsd = budget === undefined ? undefined : Number(budget);
  if (budgetUsd !== undefined && !(budgetUsd >= 0 && budgetUsd < 1e6)) {
    throw usageError(`--budget must be a number of US dollars, not ${budget}`, help);
  }
  const [runner, model] = [flags.text("runner"), flags.text("model")];
  return {
    ...(runner !== undefined && { runner }),
    ...(model !== undefined && { model }),
    ...(budgetUsd !== undefined && { budgetUsd }),
  };
};

export const command: Command = {
  summary: "Show what excluding a reviewer would lose, on planted faults",
  usage: ["routing probe REVIEWER [--runner NAME] [--model NAME] [--budget USD]"],
  description:
    "The reviewer and those who would still look get the same small files with severe faults in them. What only " +
    "the reviewer finds would be lost. The result is kept and shown with proposals; no repository is needed to have " +
    "any faults, and none gets one.",
  options: {
    runner: { type: "string", value: "NAME", description: "Who is asked (default: review.runner)" },
    model: { type: "string", value: "NAME", description: "The model, as the runner names it" },
    budget: { type: "string", value: "USD", description: "What it may cost at most" },
  },
  examples: [["headgate routing probe game-design --runner claude", "before `routing approve`"]],
  exits: [
    [0, "at most one severe fault would be lost"],
    [1, "more would be"],
    [2, "no such reviewer, no faults in its area, or no runner"],
  ],
  positionalsMax: 1,
  run: async (context) => {
    const { flags, positionals, output, signal } = context;
    const [reviewer] = positionals;
    if (reviewer === undefined) throw usageError("a reviewer is needed", "headgate routing probe");
    const asking = askingOptions(flags, "headgate routing probe");
    await using headgate = await openFor(context, { readOnly: false });
    const { watchFor } = await import("../review-run.ts");
    const loss = await headgate.review.loss({ reviewer, ...asking }, watchFor(context));
    if (signal.aborted) return 130;
    const { both, onlyWith, none, domain } = loss;
    const probe = await headgate.routing.recordProbe({
      ...{ reviewer, both: both.length, onlyWith: onlyWith.length, onlyWithout: 0 },
      none: none.length,
      ...(domain !== undefined && { domain }),
    });
    output.object({ ok: onlyWith.length <= 1, probe, loss });
    output.line(showText(probe.summary));
    for (const id of onlyWith) output.line(`  would be lost  ${id}`);
    for (const id of none) output.line(`  found by nobody  ${id}`);
    for (const one of loss.untried) {
      output.line(`  not judged  ${showText(one.reviewer)}: ${showText(one.why)}`);
    }
    return onlyWith.length <= 1 ? 0 : 1;
  },
};
