import * as v from "valibot";
import { limits } from "../../../base/limits.ts";
import { showText } from "../../../base/text.ts";
import { HeadgateError } from "../../../errors.ts";
import { claimLine } from "../answers.ts";
import { plainData } from "../data-text.ts";
import { claim, releaseRequest, ttlMs } from "../shapes.ts";
import { defineTool } from "../tool.ts";

export const renewTool = defineTool({
  name: "renew",
  title: "Keep claims for longer",
  description:
    "Keep claims for longer; without names, everything you hold. It is a sign of life, too, and tells you " +
    "who asks for what you hold. A claim that has ended cannot be renewed: somebody else may have written " +
    "meanwhile, so claim it again and read the files anew. Renewing never shortens a claim.",
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  input: v.strictObject({
    claims: v.optional(
      v.pipe(
        v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(limits.targetBytesMax))),
        v.minLength(1),
        v.maxLength(limits.claimTargetsMax),
        v.description("Ids (cl_…) or targets as they were claimed; default: all of yours."),
      ),
    ),
    ttlMs,
  }),
  output: {
    claims: v.optional(v.array(claim)),
    asked: v.optional(v.array(releaseRequest)),
  },
  run: async (args, call) => {
    const { claims: room } = call.actor();
    const isEmpty = (await call.headgate.storeIfAny()) === undefined;
    const selection = args.claims ? { claims: args.claims } : ({ all: true } as const);
    const { claims, asked = [] } = isEmpty
      ? { claims: [] }
      : await room.renew(selection, args.ttlMs === undefined ? {} : { ttlMs: args.ttlMs });
    if (claims.length === 0) {
      throw new HeadgateError("CLAIM_UNKNOWN", `${showText(room.actor.id)} holds no claims here`);
    }
    return {
      structured: {
        ok: true,
        claims: plainData(claims),
        ...(asked.length > 0 && { asked: plainData(asked) }),
      },
      text: [
        ...claims.map((one) => `renewed: ${claimLine(one)}`),
        ...asked.map(
          ({ id, asker, target }) =>
            `${showText(asker, 80)} asks you to release ${showText(target)} (${id})`,
        ),
      ].join("\n"),
    };
  },
});
