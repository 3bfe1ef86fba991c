/**
 * POST /api/actions/…: what a person does on the dashboard, as the server's user. Everything goes through
 * the claims room, so each is an event with that user as its actor; what is somebody else's is taken by
 * force, which the event says.
 */
import * as v from "valibot";
import { limits } from "../../../base/limits.ts";
import { showText } from "../../../base/text.ts";
import type { Claim, Claims } from "../../../claims/index.ts";
import { HeadgateError } from "../../../errors.ts";
import { answerFrom, answerWords } from "../../answer-words.ts";
import { readJsonBody } from "../json-body.ts";
import type { ApiContext, App } from "./context.ts";
import { parseBody } from "./parse-body.ts";
import type { ActionAnswer } from "./shapes.ts";

export const addActions = (app: App, api: ApiContext): void => {
  for (const [name, action] of Object.entries(actions)) {
    app.post(`/api/actions/${name}`, async (context) => {
      const text = await action(await readJsonBody(context.req.raw), api);
      api.overviews.forget();
      return context.json({ ok: true, text } satisfies ActionAnswer);
    });
  }
};

type Action = (body: unknown, api: ApiContext) => Promise<string>;

const reason = v.optional(v.pipe(v.string(), v.maxLength(limits.claimReasonBytesMax)), "");
/** The fence that the person saw: a claim that changed hands since is another one. */
const seenClaim = { claim: v.string(), fence: v.pipe(v.number(), v.integer(), v.minValue(1)) };
const span = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1000),
  v.maxValue(limits.releaseRequestMsMax),
);

const releaseBody = v.strictObject({ ...seenClaim, reason });
const askBody = v.strictObject({ ...seenClaim, reason, withinMs: span });
const answerBody = v.strictObject({
  request: v.string(),
  /** The holder that the person saw; a request follows its claim to another one. */
  holder: v.string(),
  answer: v.picklist(answerWords),
  text: v.optional(v.string(), ""),
  laterMs: v.optional(span),
});

const actions: Readonly<Record<string, Action>> = {
  release: async (body, api) => {
    const asked = parseBody(releaseBody, body);
    const { claims } = api.headgate;
    const claim = await find(asked, api);
    if (claim.actor !== claims.actor.id) await takeOver(claim, claims, asked.reason);
    await claims.release({ claims: [claim.id] });
    return `released ${claim.target}, held by ${claim.actor}`;
  },
  "take-over": async (body, api) => {
    const asked = parseBody(releaseBody, body);
    const claim = await find(asked, api);
    await takeOver(claim, api.headgate.claims, asked.reason);
    return `${claim.target} is yours now; ${claim.actor} lost it`;
  },
  ask: async (body, api) => {
    const { withinMs, ...asked } = parseBody(askBody, body);
    const claim = await find(asked, api);
    await api.headgate.claims.ask(claim.id, { reason: asked.reason, withinMs });
    return `asked ${claim.actor} to release ${claim.target}`;
  },
  answer: async (body, api) => {
    const { request, holder, answer, text, laterMs } = parseBody(answerBody, body);
    const given = answerFrom(answer, { note: text, laterMs });
    const done = await api.headgate.claims.answer(request, given, { inPlaceOf: holder });
    return `${done.answer}: ${done.asker} was answered about ${done.target}`;
  },
};

const find = async (
  asked: { readonly claim: string; readonly fence: number },
  { headgate }: ApiContext,
): Promise<Claim> => {
  const [found] = (await headgate.claims.list({ ids: [asked.claim] })).claims;
  if (found && found.fence === asked.fence) return found;
  const words = found ? "has changed hands since you looked" : "has ended since you looked";
  throw new HeadgateError("CLAIM_UNKNOWN", `the claim ${showText(asked.claim)} ${words}`);
};

const takeOver = async (claim: Claim, claims: Claims, why: string): Promise<void> => {
  const to = { to: claims.actor.id, force: true, reason: why || "taken over on the dashboard" };
  const result = await claims.transfer({ claims: [claim.id] }, to);
  if (result.ok) return;
  const [blocker] = result.blockers;
  throw new HeadgateError(
    "CLAIM_NOT_HELD",
    `${showText(claim.target)} overlaps ${showText(blocker?.target ?? "a claim")} of ` +
      `${showText(blocker?.actor ?? "somebody else")}`,
  );
};
