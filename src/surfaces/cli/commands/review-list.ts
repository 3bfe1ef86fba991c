import { plural, showText } from "../../../base/text.ts";
import type { Command } from "../command.ts";
import { openFor } from "../open-for.ts";
import { alignedLines } from "../table.ts";

export const command: Command = {
  summary: "Show the reviews that were held, newest first",
  usage: ["review list [--limit N]"],
  options: {
    limit: { type: "string", value: "N", description: "At most so many (default: 20)" },
  },
  examples: [["headgate review list", "the last twenty"]],
  positionalsMax: 0,
  run: async (context) => {
    const { flags, output } = context;
    const limit = flags.integer("limit", { min: 1, max: 1000 }) ?? 20;
    await using headgate = await openFor(context, { readOnly: true });
    const reviews = await (await headgate.ledger()).list({ limit });
    output.object({ reviews });
    if (reviews.length === 0) output.line("no review yet; start one with `headgate review`");
    const rows = reviews.map(({ id, at, state, verdict, counts, subject }) => [
      id,
      at.slice(0, 16).replace("T", " "),
      verdict ?? state,
      counts ? plural(counts.clusters, "problem") : "",
      showText(subject),
    ]);
    for (const line of alignedLines(rows)) output.line(line);
    return 0;
  },
};
