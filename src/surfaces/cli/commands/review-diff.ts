import { showText } from "../../../base/text.ts";
import { usageError } from "../arguments.ts";
import type { Command } from "../command.ts";
import { openFor } from "../open-for.ts";

export const command: Command = {
  summary: "Show what two reviews have in common and what not",
  usage: ["review diff OLD NEW"],
  options: {},
  examples: [["headgate review diff re_1m7h re_1m7k", "by the beginnings of their ids"]],
  exits: [[4, "no such review"]],
  positionalsMax: 2,
  run: async (context) => {
    const { positionals, output } = context;
    const [from, to] = positionals;
    if (from === undefined || to === undefined)
      throw usageError("two reviews are needed", "review diff");
    await using headgate = await openFor(context, { readOnly: true });
    const found = await (await headgate.ledger()).diff(from, to);
    output.object(found);
    const { red, green, dim } = output.style;
    const line = (one: (typeof found.added)[number]): string =>
      `${one.severity}  ${showText(one.title)}${one.path === null ? "" : dim(`  ${showText(one.path)}:${one.line ?? "?"}`)}`;
    for (const one of found.added) output.line(`${red("+")} ${line(one)}`);
    for (const one of found.gone) output.line(`${green("-")} ${line(one)}`);
    for (const one of found.kept) output.line(`  ${line(one)}`);
    return 0;
  },
};
