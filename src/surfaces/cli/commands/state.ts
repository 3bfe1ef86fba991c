import type { Command } from "../command.ts";
import { command as check } from "./state-check.ts";
import { command as recover } from "./state-recover.ts";
import { command as set } from "./state-set.ts";
import { command as write } from "./state-write.ts";

export const command: Command = {
  summary: "Write state files whole or not at all, check and recover them",
  usage: [
    "state check [PATH…]",
    "state recover [PATH…] [--explain] [--dry-run]",
    "state write FILE [--kind KIND] [--expect HASH|absent] < CONTENT",
    "state set FILE KEY VALUE [--heading] [--json-value] [--create]",
  ],
  description:
    "Plans, checkpoints and other small files that must survive a crash. A kill or a power cut at any " +
    "point leaves the old or the new content; check finds what an interrupted write left behind, recover " +
    "tidies it up.",
  options: {},
  examples: [
    ["headgate state check", "is everything whole?"],
    ["headgate state recover --dry-run --explain", "what would be repaired, and why"],
    ["headgate state set STATE.md Status executing", "change one value"],
  ],
  alone: check,
  positionalsMax: 0,
  subcommands: { check, recover, write, set },
};
