import { systemClock } from "../../../base/clock.ts";
import { limits } from "../../../base/limits.ts";
import { showText } from "../../../base/text.ts";
import { HeadgateError } from "../../../errors.ts";
import { printAsked } from "../asked.ts";
import { claimLines } from "../claim-lines.ts";
import type { Command } from "../command.ts";
import { durationFlag, durationForm } from "../duration.ts";
import { openFor } from "../open-for.ts";

const words = "headgate renew";

export const command: Command = {
  summary: "Keep claims for longer",
  usage: ["renew [CLAIM|TARGET…] [--ttl 15m]"],
  description:
    "Without names, everything you hold. It is a sign of life, too. A claim that has ended cannot be " +
    "renewed: somebody else may have written meanwhile, so claim it again and read anew. Renewing never " +
    "shortens a claim.",
  options: {
    ttl: {
      type: "string",
      value: "TIME",
      description: `From now on, default as it was claimed (${durationForm})`,
    },
  },
  examples: [
    ["headgate renew", "everything you hold, each for its own time"],
    ["headgate renew src/auth.ts --ttl 1h", "one of them, for an hour"],
  ],
  exits: [
    [0, "renewed"],
    [1, "the claim is another actor's"],
    [4, "no such claim of yours any more, or you hold none"],
  ],
  positionalsMax: Number.MAX_SAFE_INTEGER,
  completes: "files",
  run: async (context) => {
    const { positionals, flags, output } = context;
    const bounds = { min: limits.claimTtlMsMin, max: limits.claimTtlMsMax, words };
    const ttlMs = durationFlag(flags, "ttl", bounds);
    await using headgate = await openFor(context, { readOnly: false });
    const room = headgate.claims;
    const selection = positionals.length === 0 ? ({ all: true } as const) : { claims: positionals };
    // Looking first: where nothing was ever claimed, nothing is created.
    const isEmpty = (await headgate.storeIfAny()) === undefined;
    const { claims, asked = [] } = isEmpty
      ? { claims: [] }
      : await room.renew(selection, ttlMs === undefined ? {} : { ttlMs });
    if (claims.length === 0) {
      throw new HeadgateError("CLAIM_UNKNOWN", `${showText(room.actor.id)} holds no claims here`);
    }
    output.object({ ok: true, claims, ...(asked.length > 0 && { asked }) });
    const shown = { style: output.style, nowMs: systemClock.wallMs() };
    for (const line of claimLines("renewed", claims, shown)) output.line(line);
    printAsked(asked, output);
    return 0;
  },
};
