import * as v from "valibot";
import { limits } from "../../../base/limits.ts";
import { plural, showText } from "../../../base/text.ts";
import type { ClaimFilter } from "../../../claims/index.ts";
import { claimLine } from "../answers.ts";
import { plainData } from "../data-text.ts";
import { agentText, claim, liveness, releaseRequest, repositoryText } from "../shapes.ts";
import { defineTool, looking } from "../tool.ts";

export const claimsTool = defineTool({
  name: "claims",
  title: "Who holds what",
  description:
    "List live claims, who waits for what, and open requests to release; look here before you plan a larger " +
    "change. mine: only yours. target: only what overlaps it. limit: how many of each; " +
    "cut says that there are more, leftOut how many more wait or ask.",
  annotations: looking,
  input: v.strictObject({
    mine: v.optional(v.pipe(v.boolean(), v.description("Only your own."))),
    actor: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(limits.actorBytesMax))),
    target: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(limits.targetBytesMax))),
    mode: v.optional(v.picklist(["exclusive", "shared"])),
    limit: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(limits.mcpListMax)),
    ),
  }),
  output: {
    you: v.optional(v.pipe(v.string(), v.description("Your own name as an actor."))),
    claims: v.optional(v.array(v.object({ ...claim.entries, liveness }))),
    waiters: v.optional(
      v.array(
        v.object({
          id: v.string(),
          actor: agentText,
          targets: v.array(repositoryText),
          mode: v.string(),
          reason: agentText,
          position: v.number(),
          until: v.string(),
        }),
      ),
    ),
    requests: v.optional(v.array(releaseRequest)),
    cut: v.optional(v.boolean()),
    leftOut: v.optional(v.object({ waiters: v.number(), requests: v.number() })),
  },
  run: async (args, call) => {
    const { claims: room } = args.mine ? call.actor() : call.looker;
    const { mine, actor: named, limit = limits.mcpListMax, ...rest } = args;
    const actor = mine ? room.actor.id : named;
    const filter = { ...rest, limit, ...(actor !== undefined && { actor }) } as ClaimFilter;
    const list = await room.list(filter);
    const ofActor = (one: { holder: string; asker: string }) =>
      actor === undefined || one.holder === actor || one.asker === actor;
    const allRequests = list.requests.filter(ofActor);
    const requests = allRequests.slice(0, limit);
    const waiters = list.waiters.slice(0, limit);
    const leftOut = {
      waiters: list.waiters.length - waiters.length,
      requests: allRequests.length - requests.length,
    };
    const lines = [
      ...list.claims.map((one) => `${claimLine(one)}, ${one.liveness.state}`),
      ...(list.isCut ? ["… and more claims: name a target or an actor"] : []),
      ...waiters.map(
        (one) =>
          `waits: ${showText(one.actor, 80)} for ${one.targets.map((target) => showText(target, 80)).join(", ")}`,
      ),
      ...(leftOut.waiters > 0 ? [`… and ${plural(leftOut.waiters, "more waiter")}`] : []),
      ...requests.map(
        (one) =>
          `asked: ${showText(one.holder, 80)} by ${showText(one.asker, 80)} for ${showText(one.target)} (${one.id})`,
      ),
      ...(leftOut.requests > 0 ? [`… and ${plural(leftOut.requests, "more request")}`] : []),
    ];
    return {
      structured: {
        ok: true,
        ...(call.isKnown && { you: room.actor.id }),
        claims: plainData(list.claims),
        waiters: waiters.map(({ id, actor: who, targets, mode, reason, position, until }) =>
          plainData({ id, actor: who, targets, mode, reason, position, until }),
        ),
        requests: plainData(requests),
        cut: list.isCut || leftOut.waiters + leftOut.requests > 0,
        leftOut,
      },
      text: lines.length > 0 ? lines.join("\n") : "nothing is claimed",
    };
  },
});
