import { plural, showText } from "../../../base/text.ts";
import type { Replayed } from "../../../review/index.ts";
import { ownFixesDomain } from "../../../routing/index.ts";
import { usageError } from "../arguments.ts";
import type { Command, CommandContext } from "../command.ts";
import { openFor } from "../open-for.ts";
import { askingOptions } from "./routing-probe.ts";

export const command: Command = {
  summary: "Show how many of the faults fixed here each reviewer finds",
  usage: ["routing replay [REVIEWER…] [--fixes N] [--runner NAME] [--model NAME] [--budget USD]"],
  description:
    "The newest small fixes of this repository are taken back, without their tests, and each reviewer reviews each of " +
    "them as a change. A report on the lines that the fix had changed has found the fault. Besides those named, safety " +
    "and correctness are asked; without names also the project's own and generated reviewers. The result is kept and " +
    "shown with proposals. No file is changed.",
  options: {
    fixes: { type: "string", value: "N", description: "How many fixes at most (default: 12)" },
    runner: { type: "string", value: "NAME", description: "Who is asked (default: review.runner)" },
    model: { type: "string", value: "NAME", description: "The model, as the runner names it" },
    budget: { type: "string", value: "USD", description: "The most that it may cost" },
  },
  examples: [
    ["headgate routing replay performance --runner claude", "before `routing propose performance`"],
    ["headgate routing replay --fixes 5 --json", "for programs: {fixes, results, untried}"],
  ],
  exits: [
    [0, "every report counts"],
    [1, "a reviewer gave no usable report on a fix"],
    [2, "no such reviewer, no fix in the last 500 commits, or no runner"],
  ],
  positionalsMax: 100,
  run: async (context) => {
    const { flags, positionals, output, signal } = context;
    const help = "headgate routing replay";
    const fixes = flags.text("fixes");
    if (fixes !== undefined && !/^(?:[1-9]|[1-9]\d|100)$/.test(fixes)) {
      throw usageError(`--fixes must be a number from 1 to 100, not ${fixes}`, help);
    }
    const asking = askingOptions(flags, help);
    await using headgate = await openFor(context, { readOnly: false });
    const { watchFor } = await import("../review-run.ts");
    const replayed = await headgate.review.replay(
      {
        ...(positionals.length > 0 && { reviewers: positionals }),
        ...(fixes !== undefined && { fixes: Number(fixes) }),
        ...asking,
      },
      watchFor(context),
    );
    if (signal.aborted) return 130;
    for (const { reviewer, both, onlyWith, none } of replayed.results) {
      await headgate.routing.recordProbe({
        ...{ reviewer, both, onlyWith, onlyWithout: 0, none, domain: ownFixesDomain },
      });
    }
    const isOk = replayed.untried.length === 0;
    output.object({ ok: isOk, ...replayed });
    print(replayed, context);
    return isOk ? 0 : 1;
  },
};

const print = ({ fixes, results, untried, totals }: Replayed, { output }: CommandContext): void => {
  const { bold, dim } = output.style;
  const titles = new Map(fixes.map(({ id, title }) => [id, title]));
  output.line(`${plural(fixes.length, "fix", "fixes")} taken back`);
  for (const { reviewer, found, missed, onlyWith } of results) {
    const of = found.length + missed.length;
    const alone = onlyWith === 0 ? "" : `, ${onlyWith} by no other`;
    output.line(`${bold(showText(reviewer))}  found ${found.length} of ${of}${alone}`);
    for (const id of missed) {
      output.line(dim(`  missed  ${id.slice(0, 10)} ${showText(titles.get(id) ?? "", 100)}`));
    }
  }
  for (const { reviewer, why } of untried) {
    output.line(`${bold(showText(reviewer))}  not judged  ${showText(why)}`);
  }
  if (totals.costUsd > 0) output.line(dim(`$${totals.costUsd.toFixed(4)}`));
};
