import * as v from "valibot";
import { limits } from "../../../base/limits.ts";
import { showText } from "../../../base/text.ts";
import type { Claims, ClaimRequest, ClaimResult } from "../../../claims/index.ts";
import { blockerLine, claimLine, refusal, usage } from "../answers.ts";
import { plainData } from "../data-text.ts";
import {
  agentText,
  blocker,
  claim,
  mode,
  releaseRequest,
  targets,
  ttlMs,
  waitMs,
} from "../shapes.ts";
import { defineTool } from "../tool.ts";

export const claimTool = defineTool({
  name: "claim",
  title: "Claim before writing",
  description:
    "Claim files, folders, symbols or named resources before you write them, so that no other agent writes " +
    "there meanwhile. All targets are granted together or none (unless partial). A claim ends by itself " +
    "after ttlMs; claiming what you hold renews it. Claim as narrowly as the work allows: a symbol " +
    "(src/auth.ts#Auth.login) rather than a file, a file rather than a folder. A refusal names who holds " +
    "it, why, until when and whether they live: work on something else meanwhile, or call again with " +
    "waitMs to stand in line. Edits through the tools edit and apply claim by themselves; claim first when " +
    "the work takes several steps. Release when done.",
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  input: v.strictObject({
    targets,
    mode,
    ttlMs,
    reason: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(limits.claimReasonBytesMax),
        v.description("What for, in a few words; others who want it see this."),
      ),
    ),
    waitMs: waitMs(
      "Stand in line this long (milliseconds, at most 110000) instead of being refused at once.",
    ),
    partial: v.optional(
      v.pipe(
        v.boolean(),
        v.description("Take what is free; the rest is listed in refused. Not with waitMs."),
      ),
    ),
    forSession: v.optional(
      v.pipe(v.boolean(), v.description("The claim counts for all sub-agents of your session.")),
    ),
    priority: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(-limits.claimPriorityMax),
        v.maxValue(limits.claimPriorityMax),
        v.description("Place in line, with waitMs: each step counts like 30 s of waiting."),
      ),
    ),
    key: v.optional(
      v.pipe(
        v.string(),
        v.minLength(1),
        v.maxLength(limits.idempotencyKeyLengthMax),
        v.description("Safe repetition: the same key gives the first call's answer."),
      ),
    ),
  }),
  output: {
    claims: v.optional(v.array(v.object({ ...claim.entries, secret: v.optional(v.string()) }))),
    refused: v.optional(v.array(v.object({ target: v.string(), blockers: v.array(blocker) }))),
    blockers: v.optional(v.array(blocker)),
    circle: v.optional(v.array(agentText)),
    victim: v.optional(agentText),
    rescued: v.optional(
      v.array(
        v.object({ target: v.string(), actor: agentText, ref: v.string(), files: v.number() }),
      ),
    ),
    asked: v.optional(v.array(releaseRequest)),
    waitedMs: v.optional(v.number()),
  },
  run: async (args, call) => {
    if (args.partial && args.waitMs)
      throw usage("partial takes what is free now; it cannot wait for the rest");
    if (args.priority !== undefined && !args.waitMs)
      throw usage("priority is a place in line; add waitMs");
    const { claims } = call.actor();
    const { signal } = call;
    const request = { ...args, signal } as ClaimRequest;
    const result = args.waitMs
      ? await call.withProgress({ message: "waiting in line", totalMs: args.waitMs }, () =>
          claimWaiting(claims, request),
        )
      : await claims.claim(request);
    return result.ok ? granted(result) : refused(result);
  },
});

/** A grant that comes when the caller has gone is given back: nobody would know of it. */
const claimWaiting = async (claims: Claims, request: ClaimRequest): Promise<ClaimResult> => {
  const before = await claims.list({ actor: claims.actor.id });
  const known = new Set(before.claims.map(({ id }) => id));
  const result = await claims.claim(request);
  if (result.ok && request.signal?.aborted) {
    const fresh = result.claims.map(({ id }) => id).filter((id) => !known.has(id));
    if (fresh.length > 0) await claims.release({ claims: [...new Set(fresh)] });
  }
  return result;
};

const granted = (result: Extract<ClaimResult, { readonly ok: true }>) => {
  const {
    claims,
    downgraded = [],
    refused: others = [],
    rescued = [],
    asked = [],
    waitedMs,
  } = result;
  return {
    structured: {
      ok: true,
      claims: plainData(claims),
      ...(others.length > 0 && { refused: plainData(others) }),
      ...(rescued.length > 0 && {
        rescued: rescued.map(({ target, actor, ref, files }) =>
          plainData({ target, actor, ref, files }),
        ),
      }),
      ...(asked.length > 0 && { asked: plainData(asked) }),
      ...(waitedMs !== undefined && { waitedMs }),
    },
    text: [
      ...claims.map((one) => `claimed: ${claimLine(one)}`),
      ...downgraded.map((one) => `${showText(one)} was yours alone until now`),
      ...others.flatMap(({ target, blockers }) => [
        `refused: ${showText(target)}`,
        ...blockers.map((one) => blockerLine(one)),
      ]),
      ...rescued.map(
        ({ ref, files }) => `work of a dead holder was saved: ${files} files in ${showText(ref)}`,
      ),
      ...asked.map(
        ({ id, asker, target }) =>
          `${showText(asker, 80)} asks you to release ${showText(target)} (${id})`,
      ),
    ].join("\n"),
  };
};

const refused = (result: Extract<ClaimResult, { readonly ok: false }>) => {
  const { code, blockers } = result;
  const structured = refusal(code, messages[code], {
    blockers: plainData(blockers),
    ...(result.code === "CLAIM_DEADLOCK" && {
      circle: plainData(result.circle),
      victim: plainData(result.victim),
    }),
  });
  const lines = blockers.map((one) => blockerLine(one));
  return {
    structured,
    text: [`${code}: ${structured.message}`, ...lines, structured.remedy].join("\n"),
  };
};

const messages = {
  CLAIM_CONFLICT: "others hold what overlaps it; nothing was claimed",
  CLAIM_WAIT_TIMEOUT: "the time to wait is over and it is still held; nothing was claimed",
  CLAIM_WAIT_CANCELLED: "waiting was given up; nothing was claimed",
  CLAIM_DEADLOCK: "waiting would never end, because others wait for what you hold",
} as const;
