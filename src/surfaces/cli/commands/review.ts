import type { Command } from "../command.ts";
import { command as synth } from "./review-synth.ts";

export const command: Command = {
  summary: "Bring what reviewers report together into one verdict",
  usage: ["review synth REPORT… | --from FILE.jsonl"],
  description: "The same reports always give the same answer; no model takes part in it.",
  options: {},
  examples: [["headgate review synth fd-safety.md fd-tests.md", "one summary of two reports"]],
  positionalsMax: 0,
  subcommands: { synth },
};
