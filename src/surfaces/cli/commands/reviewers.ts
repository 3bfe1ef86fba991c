import type { Command } from "../command.ts";
import { adopt, orphans, prune } from "./reviewers-care.ts";
import { command as generate } from "./reviewers-generate.ts";
import { command as qualify } from "./reviewers-qualify.ts";
import { diff, list } from "./reviewers-look.ts";

export const command: Command = {
  summary: "Show, generate and look after the reviewers of this project",
  usage: [
    "reviewers list [--domain NAME]… [--unused]",
    "reviewers generate --domain NAME… [REVIEWER…] [--update] [--strict] [--dry-run]",
    "reviewers diff [REVIEWER…] [--own]",
    "reviewers orphans --domain NAME…",
    "reviewers adopt [REVIEWER…]",
    "reviewers qualify [REVIEWER…] [--runner NAME] [--budget USD]",
    "reviewers prune --domain NAME… | REVIEWER…",
  ],
  description:
    "A roster of reviewers comes with Headgate. For the domains of a project more are generated as agent " +
    "files in .claude/agents, which are yours to change. Files that Headgate did not make are never touched.",
  options: {},
  examples: [
    ["headgate reviewers list", "who is there"],
    ["headgate reviewers generate --domain web-api --dry-run", "what would be written"],
    ["headgate reviewers diff", "what an update would change"],
  ],
  alone: list,
  positionalsMax: 0,
  subcommands: { list, generate, diff, orphans, adopt, prune, qualify },
};
