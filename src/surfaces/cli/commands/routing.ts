import type { Command } from "../command.ts";
import { apply, approve, blacklist, propose, revert, unblock } from "./routing-change.ts";
import { patterns, rebuild, status, verify } from "./routing-look.ts";
import { command as probe } from "./routing-probe.ts";
import { command as replay } from "./routing-replay.ts";
import { evidence } from "./routing-evidence.ts";
import { autonomy, canary } from "./routing-watch.ts";

export const command: Command = {
  summary: "Change which reviewers are asked: on evidence, under watch",
  usage: [
    "routing status | patterns [--explain] | verify | rebuild",
    "routing evidence add … | import FILE | export | held | confirm | discard",
    "routing propose REVIEWER [--action …] | approve PROPOSAL | apply PROPOSAL",
    "routing revert REVIEWER | unblock REVIEWER | blacklist",
    "routing probe REVIEWER | replay [REVIEWER…] [--runner NAME]",
    "routing canary [record REVIEWER --clean N --loss N | escape | extend | check] | autonomy [on | off]",
  ],
  description:
    "What became of findings is counted per reviewer. When a pattern is certain, a change is proposed, " +
    "approved and applied as a commit to .headgate/routing-overrides.json; from then on a canary runs the " +
    "reviewer in shadow now and then and alerts when something is lost. One command takes it back.",
  options: {},
  examples: [
    ["headgate routing status", "overrides, canaries, proposals"],
    ["headgate routing patterns --explain", "who is noise here, and how certain that is"],
  ],
  alone: status,
  positionalsMax: 0,
  subcommands: {
    status,
    patterns,
    evidence,
    propose,
    approve,
    apply,
    revert,
    unblock,
    blacklist,
    probe,
    replay,
    canary,
    autonomy,
    verify,
    rebuild,
  },
};
