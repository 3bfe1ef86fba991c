import * as v from "valibot";
import { limits } from "../../../base/limits.ts";
import { showText } from "../../../base/text.ts";
import type { Answer as RequestAnswer, ReleaseRequest } from "../../../claims/index.ts";
import { claimLine, usage } from "../answers.ts";
import { plainData } from "../data-text.ts";
import { claim, releaseRequest } from "../shapes.ts";
import { defineTool } from "../tool.ts";

const names = v.pipe(
  v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(limits.targetBytesMax))),
  v.minLength(1),
  v.maxLength(limits.claimTargetsMax),
);
const spanMs = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1000),
  v.maxValue(limits.releaseRequestMsMax),
);
const note = v.optional(v.pipe(v.string(), v.maxLength(limits.claimReasonBytesMax)));

export const releaseTool = defineTool({
  name: "release",
  title: "Release claims, ask for them, answer such a request",
  description:
    "Give claims back as soon as you no longer write there; whoever waits in line gets them at once. Give " +
    "exactly one of: claims (ids cl_… or targets as claimed), all, ask, answer. With claims and keep, only " +
    "the named parts of one claim are kept. ask tells the living holder of a claim that you need it, " +
    "with its next tool call. answer replies to a request that you read (rq_…): without " +
    "more it releases, with deferMs it says not yet, with keep it narrows. Releasing what has ended already " +
    "is fine; another's claim cannot be released.",
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  input: v.strictObject({
    claims: v.optional(v.pipe(names, v.description("Ids (cl_…) or targets as they were claimed."))),
    all: v.optional(v.pipe(v.literal(true), v.description("Everything you hold."))),
    keep: v.optional(v.pipe(names, v.description("With one claim: keep only these parts of it."))),
    ask: v.optional(
      v.strictObject({ claim: v.string(), reason: note, withinMs: v.optional(spanMs) }),
    ),
    answer: v.optional(
      v.strictObject({
        request: v.string(),
        deferMs: v.optional(spanMs),
        note,
        keep: v.optional(names),
      }),
    ),
  }),
  output: {
    released: v.optional(v.array(claim)),
    claims: v.optional(v.pipe(v.array(claim), v.description("What is kept."))),
    request: v.optional(releaseRequest),
  },
  run: async (args, call) => {
    const chosen = [args.claims, args.all, args.ask, args.answer].filter(
      (one) => one !== undefined,
    );
    if (chosen.length !== 1) throw usage("give exactly one of claims, all, ask, answer");
    if (args.keep && args.claims?.length !== 1)
      throw usage("keep narrows one claim: name it in claims");
    const { claims: room } = call.actor();
    if (args.ask) {
      const { claim: id, reason = "", withinMs = withinDefaultMs } = args.ask;
      return told("asked", await room.ask(id, { reason, withinMs }));
    }
    if (args.answer) {
      return told("answered", await room.answer(args.answer.request, answerOf(args.answer)));
    }
    if (args.keep) {
      const { claims } = await room.narrow(args.claims?.[0] ?? "", args.keep);
      const lines = claims.map((one) => `kept: ${claimLine(one)}`);
      return { structured: { ok: true, claims: plainData(claims) }, text: lines.join("\n") };
    }
    // Looking first: where nothing was ever claimed, nothing is created.
    const isEmpty = (await call.headgate.storeIfAny()) === undefined;
    const { released } = isEmpty
      ? { released: [] }
      : await room.release(args.claims ? { claims: args.claims } : { all: true });
    const lines = released.map(({ id, target }) => `released: ${id} ${showText(target)}`);
    return {
      structured: { ok: true, released: plainData(released) },
      text: lines.length > 0 ? lines.join("\n") : "nothing to release",
    };
  },
});

const withinDefaultMs = 5 * 60_000;

const answerOf = (given: {
  readonly deferMs?: number | undefined;
  readonly note?: string | undefined;
  readonly keep?: readonly string[] | undefined;
}): RequestAnswer => {
  const { deferMs, note: words, keep } = given;
  if (deferMs !== undefined && keep) throw usage("answer with deferMs or with keep, not both");
  if (deferMs !== undefined) {
    return { kind: "defer", forMs: deferMs, ...(words !== undefined && { note: words }) };
  }
  return keep ? { kind: "narrow", keep } : { kind: "release" };
};

const told = (word: string, request: ReleaseRequest) => {
  const { id, target, holder, asker, answer, deadline } = request;
  const who =
    word === "asked" ? `${showText(holder, 80)} to release` : `${showText(asker, 80)} about`;
  return {
    structured: { ok: true, request: plainData(request) },
    text: `${word} ${who} ${showText(target)}: ${answer}, due ${deadline} (${id})`,
  };
};
