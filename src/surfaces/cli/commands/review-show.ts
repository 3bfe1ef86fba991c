import { plural, showText } from "../../../base/text.ts";
import { HeadgateError } from "../../../errors.ts";
import type { Command } from "../command.ts";
import { openFor } from "../open-for.ts";
import { alignedLines } from "../table.ts";

export const command: Command = {
  summary: "Show one review: who was asked, what they found, what became of it",
  usage: ["review show [ID] [--explain]"],
  options: {
    explain: { type: "boolean", description: "Show why each reviewer was chosen or not" },
  },
  examples: [["headgate review show", "the newest"]],
  exits: [[4, "no such review"]],
  positionalsMax: 1,
  run: async (context) => {
    const { positionals, output, flags } = context;
    await using headgate = await openFor(context, { readOnly: true });
    const ledger = await headgate.ledger();
    const [newest] = positionals.length > 0 ? [] : await ledger.list({ limit: 1 });
    const id = positionals[0] ?? newest?.id;
    if (id === undefined) throw new HeadgateError("REVIEW_UNKNOWN", "no review was held yet");
    const review = await ledger.show(id);
    output.object(review);
    const { bold, dim } = output.style;
    const { verdict, state, subject, at, reviewers, findings } = review;
    output.line(`${bold(review.id)}  ${verdict ?? state}  ${showText(subject)}  ${dim(at)}`);
    const asked = reviewers.map((one) => [
      `  ${showText(one.reviewer)}${one.shadow ? " (shadow)" : ""}`,
      one.report ?? one.state,
      one.report === null ? "" : plural(one.findings, "finding"),
      showText(one.problem ?? ""),
    ]);
    for (const line of alignedLines(asked)) output.line(line);
    for (const { where, why } of review.notJudged ?? []) {
      output.line(`  not judged: ${showText(where)}: ${showText(why)}`);
    }
    if (flags.has("explain")) {
      const { explainTriage } = await import("../review-run.ts");
      const told = { slots: 0, considered: review.considered, notes: [] };
      for (const line of explainTriage(told).slice(1)) output.line(`  ${line}`);
    }
    if (findings.length > 0) output.line();
    for (const one of findings) {
      const place = one.path === null ? "" : `${showText(one.path)}:${one.line ?? "?"}`;
      output.line(`  ${one.severity}  ${showText(one.title)}`);
      output.line(
        dim(
          `      ${one.id} · ${one.stateThen}${one.stateThen === one.state ? "" : `, now ${one.state}`} · ${place}`,
        ),
      );
    }
    return 0;
  },
};
