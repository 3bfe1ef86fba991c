import type { Command } from "../command.ts";
import { accept, dismiss } from "./findings-decide.ts";
import { exporting } from "./findings-export.ts";
import { list, show } from "./findings-look.ts";

export const command: Command = {
  summary: "Show what reviews found, and decide about it",
  usage: [
    "findings list [--state STATE]… [--severity P0|P1|P2|P3]… [--path PATH] [--reviewer NAME] [--review ID]",
    "findings show ID",
    "findings accept ID…",
    "findings dismiss ID… --reason REASON [--note TEXT]",
    "findings export [--format sarif|rdjson]",
  ],
  description:
    "A finding is one problem over all reviews that saw it: new, persisting, fixed, regressed, accepted or dismissed. " +
    "It is known again when lines move and files are renamed. Ids may be shortened as long as they are unique.",
  options: {},
  examples: [
    ["headgate findings list", "what is open, most severe first"],
    [
      "headgate findings dismiss fi_01k9 --reason wrong --note 'the caller holds the lock'",
      "and stay away",
    ],
    ["headgate findings export --format sarif > findings.sarif", "for a code host"],
  ],
  alone: list,
  positionalsMax: 0,
  subcommands: { list, show, accept, dismiss, export: exporting },
};
