/**
 * GET /api/routing: patterns, proposals, overrides and canaries. POST /api/actions/routing-…: a person
 * approves, applies, takes back or unblocks, by the same functions and guards as on the command line.
 */
import * as v from "valibot";
import { limits } from "../../../base/limits.ts";
import { showText } from "../../../base/text.ts";
import type { Headgate } from "../../../compose.ts";
import { HeadgateError } from "../../../errors.ts";
import type { ExplainedPattern, Proposal, RoutingStatus } from "../../../routing/index.ts";
import { changeWords, effectText } from "../../routing-words.ts";
import { readJsonBody } from "../json-body.ts";
import type { ApiContext, App } from "./context.ts";
import { parseBody } from "./parse-body.ts";
import type { CanaryView, OverrideView, ProposalView, RoutingAnswer } from "./routing-shape.ts";
import type { ActionAnswer } from "./shapes.ts";

type Routing = Headgate["routing"];

export const addRouting = (app: App, { headgate }: ApiContext): void => {
  const { routing } = headgate;
  app.get("/api/routing", async (context) => {
    const [status, patterns] = [await routing.status(), await routing.patterns()];
    const { path, proposals, overrides, canaries, blacklist, evidence, held, problem, autonomy } =
      status;
    const { isGuarded, routingDefaults } = await import("./guarded.ts");
    const settings = { ...routingDefaults, guarded: headgate.config.routing.guarded };
    return context.json({
      path,
      patterns: patterns.slice(0, limits.dashboardRowsMax).map(patternView),
      proposals: proposals.map((one) => proposalView(one, isGuarded(one.reviewer, settings))),
      overrides: overrides.map(overrideView),
      canaries: canaries.map(canaryView),
      blacklist,
      ...{ evidence, held },
      ...(!autonomy.isOn && { needsPerson: autonomy.why ?? "" }),
      ...(problem !== undefined && { problem }),
    } satisfies RoutingAnswer);
  });
  for (const [name, action] of Object.entries(actions)) {
    app.post(`/api/actions/routing-${name}`, async (context) => {
      const text = await action(await readJsonBody(context.req.raw), routing);
      return context.json({ ok: true, text } satisfies ActionAnswer);
    });
  }
};

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(limits.claimReasonBytesMax));
const reason = v.optional(v.pipe(v.string(), v.maxLength(limits.claimReasonBytesMax)), "");

const approveBody = v.strictObject({ proposal: name, confirm: v.optional(name) });
const applyBody = v.strictObject({ proposal: name });
/** The commit that the person saw: an override that was replaced since is another one. */
const revertBody = v.strictObject({ reviewer: name, commit: v.optional(name), reason });
const unblockBody = v.strictObject({ pattern: name });

/** Each gives the words for the person who did it. */
const actions: Readonly<Record<string, (body: unknown, routing: Routing) => Promise<string>>> = {
  approve: async (body, routing) => {
    const { proposal: id, confirm } = parseBody(approveBody, body);
    const outcome = await routing.approve({ id, ...(confirm !== undefined && { confirm }) });
    if (!outcome.ok) return alreadyText(outcome.already.createdBy);
    return `approved: ${outcome.proposal.reviewer}, ${effectText(outcome.proposal)}`;
  },
  apply: async (body, routing) => {
    const { what, how, left } = changeWords(
      await routing.apply(parseBody(applyBody, body).proposal),
    );
    return [how === undefined ? what : `${what} (${how})`, ...left].join("; ");
  },
  revert: async (body, routing) => {
    const { reviewer, commit, reason: why } = parseBody(revertBody, body);
    const { overrides } = await routing.status();
    const found = overrides.find((one) => one.reviewer === reviewer);
    if (commit !== undefined && found && found.commit !== commit) {
      throw new HeadgateError(
        "ROUTING_STALE",
        `the override of ${showText(reviewer)} is another one since you looked`,
      );
    }
    const outcome = await routing.revert({ reviewer, ...(why !== "" && { reason: why }) });
    const { what, how, left } = changeWords(outcome);
    return [how === undefined ? what : `${what} (${how})`, ...left].join("; ");
  },
  unblock: async (body, routing) => {
    const { pattern } = parseBody(unblockBody, body);
    const wasBlocked = await routing.unblock(pattern);
    return `${showText(pattern)} ${wasBlocked ? "may be proposed again" : "was not blocked"}`;
  },
};

const alreadyText = (by: string): string =>
  `already applied by ${showText(by || "somebody", 100)}; nothing was done`;

const patternView = (pattern: ExplainedPattern): RoutingAnswer["patterns"][number] => {
  const { reviewer, class: kind, state, outcomes, wrong, eValue, missing, remedy } = pattern;
  return {
    ...{ reviewer, class: kind, state, outcomes, wrong, eValue, missing },
    remedy: `${effectText({ action: remedy.action, ...remedy.details })}: ${remedy.why}`,
  };
};

const proposalView = (proposal: Proposal, isGuarded: boolean): ProposalView => {
  const { id, at, reviewer, action, reason: why, state, proposer, approver } = proposal;
  const { outcomes, wrong, eValue, sessions, changes, notes } = proposal.support;
  return {
    ...{ id, at, reviewer, action, reason: why, state, proposer, isGuarded },
    effect: effectText(proposal),
    ...(approver !== null && { approver }),
    support: { outcomes, wrong, eValue, sessions, changes, notes },
  };
};

const overrideView = (override: RoutingStatus["overrides"][number]): OverrideView => {
  const { reviewer, action, reason: why, createdBy, commit, vanished, expired } = override;
  return {
    ...{ reviewer, action, reason: why, createdBy, vanished, expired },
    effect: effectText(override),
    ...(commit !== null && { commit }),
  };
};

const canaryView = (canary: RoutingStatus["canaries"][number]): CanaryView => {
  const { reviewer, state, shadows, losses, needed, expiresAt, rate } = canary;
  const { process, alarmAt, clearAt } = canary;
  const { estimate, low, high } = rate;
  return {
    ...{ reviewer, state, shadows, losses, needed, expiresAt, process, alarmAt, clearAt },
    rate: { estimate, low, high },
  };
};
