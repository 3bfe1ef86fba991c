import { plural, showText } from "../../../base/text.ts";
import type { Sweep } from "../../../claims/index.ts";
import { rescueLines } from "../claim-lines.ts";
import type { Command } from "../command.ts";
import { openFor } from "../open-for.ts";
import type { Output } from "../output.ts";
import { withProgress } from "../progress.ts";

export const command: Command = {
  summary: "End claims whose time is over or whose holder is dead",
  usage: ["sweep [--dry-run]"],
  description:
    "Nothing needs it: whoever claims next does the same for what is in the way. It tidies the list. A holder " +
    "counts as dead on proof only (its process is gone, or its machine was started anew). Files it had " +
    "changed and not committed are saved first, as a commit under refs/headgate/rescue.",
  options: {
    "dry-run": { type: "boolean", description: "Only say what would be ended" },
  },
  examples: [
    ["headgate sweep --dry-run", "what is over?"],
    ["headgate sweep", "end it, saving dead holders' work"],
  ],
  exits: [
    [0, "done, or nothing to do"],
    [69, "the store or git is not available"],
  ],
  positionalsMax: 0,
  run: async (context) => {
    const { flags, output } = context;
    const dryRun = flags.has("dry-run");
    await using headgate = await openFor(context, { readOnly: dryRun });
    // Looking first: where nothing was ever claimed, nothing is created.
    const isEmpty = (await headgate.storeIfAny()) === undefined;
    const swept: Sweep = isEmpty
      ? { expired: [], reclaimed: [], waiters: 0 }
      : await withProgress({ output, what: "saving files of dead holders" }, () =>
          headgate.claims.sweep({ dryRun }),
        );
    output.object({ ok: true, dryRun, ...swept });
    print(swept, dryRun, output);
    return 0;
  },
};

const print = (
  { expired, reclaimed, waiters }: Sweep,
  dryRun: boolean,
  { line, style }: Output,
): void => {
  const word = dryRun ? "would end" : "ended";
  const both = expired.length + reclaimed.length;
  for (const claim of expired.slice(0, shownMax)) {
    const whose = `${showText(claim.target, 4096)} of ${showText(claim.actor, 60)}`;
    line(`${style.yellow(word)} ${whose}  ${claim.id}: its time is over`);
  }
  for (const claim of reclaimed.slice(0, shownMax)) {
    const whose = `${showText(claim.target, 4096)} of ${showText(claim.actor, 60)}`;
    const evidence = claim.evidence.map((one) => showText(one)).join(", ");
    line(`${style.yellow(word)} ${whose}  ${claim.id}: the holder is dead (${evidence})`);
    for (const saved of rescueLines(claim.rescue ? [claim.rescue] : [], style)) line(`  ${saved}`);
  }
  if (both > shownMax) line(`${both} claims in all; --json lists them`);
  if (waiters > 0) line(`removed ${plural(waiters, "waiter")} that had gone`);
  if (expired.length + reclaimed.length + waiters === 0) line("nothing to sweep");
};

/** Of each kind. */
const shownMax = 20;
