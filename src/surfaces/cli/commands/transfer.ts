import { systemClock } from "../../../base/clock.ts";
import { showText } from "../../../base/text.ts";
import { usageError } from "../arguments.ts";
import { claimLines } from "../claim-lines.ts";
import { reportTransferRefusal } from "../claim-refusal.ts";
import type { Command } from "../command.ts";
import { openFor } from "../open-for.ts";
import { requirePerson } from "../require-person.ts";

const words = "headgate transfer";

export const command: Command = {
  summary: "Hand claims to another actor",
  usage: [
    "transfer CLAIM|TARGET… --to ACTOR [--force] [--reason TEXT]",
    "transfer --all --to ACTOR",
  ],
  description:
    "All of them or none. The claims get new fences, so that nothing can be written under the old ones any " +
    "more. It is refused when the receiver already holds something that overlaps them. With --force claims " +
    "of other actors are moved, too, by a person only; the event log says who did it and why.",
  options: {
    to: { type: "string", value: "ACTOR", description: "Who gets them, spelled as in `claims`" },
    all: { type: "boolean", description: "Everything you hold" },
    force: { type: "boolean", description: "Also move claims of other actors" },
    reason: { type: "string", value: "TEXT", description: "Why; written into the event log" },
  },
  examples: [
    ["headgate transfer src/auth.ts --to codex:0199c2f0", "hand on one of yours"],
    ["headgate transfer --all --to alice --reason 'end of day'", "hand on everything"],
    ["headgate transfer cl_01k5f8m2q3x7v9b4tz --to bob --force --reason 'stuck'", "as the lead"],
  ],
  exits: [
    [0, "handed over"],
    [1, "another actor's without --force, or the receiver holds what overlaps; nothing moved"],
    [2, "no receiver, or the receiver is you"],
    [4, "no such claim"],
  ],
  positionalsMax: Number.MAX_SAFE_INTEGER,
  completes: "files",
  run: async (context) => {
    const { positionals, flags, output } = context;
    const to = flags.text("to");
    if (flags.has("all") === positionals.length > 0) {
      throw usageError("name the claims or targets, or --all", words);
    }
    if (to === undefined) throw usageError("say who gets them: --to ACTOR", words);
    await using headgate = await openFor(context, { readOnly: false });
    const { claims } = headgate;
    const reason = flags.text("reason");
    const force = flags.has("force");
    if (force) {
      const more = reason === undefined ? [] : ["--reason", reason];
      const what = flags.has("all") ? ["--all"] : positionals;
      const words = ["transfer", ...what, "--to", to, "--force", ...more];
      await requirePerson(context, headgate, { what: "transfer --force", words });
    }
    const what = flags.has("all") ? ({ all: true } as const) : { claims: positionals };
    const result = await claims.transfer(what, {
      to,
      ...(force && { force }),
      ...(reason !== undefined && { reason }),
    });
    const nowMs = systemClock.wallMs();
    if (!result.ok) return reportTransferRefusal(result, to, context, nowMs);
    output.object({ ok: true, claims: result.claims });
    const { style } = output;
    for (const line of claimLines(`handed to ${showText(to, 60)}`, result.claims, {
      style,
      nowMs,
    })) {
      output.line(line);
    }
    if (result.claims.length === 0) output.line("nothing to hand over");
    return 0;
  },
};
