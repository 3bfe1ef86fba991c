import * as v from "valibot";
import { limits } from "../../../base/limits.ts";
import { plainData } from "../data-text.ts";
import { agentText, repositoryText } from "../shapes.ts";
import { defineTool, looking } from "../tool.ts";

const effect = {
  reviewer: repositoryText,
  action: v.picklist(["floor", "scope", "stage", "sample", "exclude"]),
  floor: v.nullable(v.picklist(["P0", "P1", "P2", "P3"])),
  except: v.array(repositoryText),
  every: v.nullable(v.number()),
  reason: agentText,
};

export const routingStatusTool = defineTool({
  name: "routing_status",
  title: "Which reviewers are asked less, and why",
  description:
    "How reviewers are routed here: overrides in force (a severity floor, paths left out, a later stage, one review in " +
    "so many, exclusion), the canary that watches each one and what it has seen, proposals that wait, and reviewers " +
    "that are never proposed. It changes nothing: overrides are proposed, approved and taken back by people, with " +
    "`headgate routing`.",
  annotations: looking,
  input: v.strictObject({}),
  output: {
    overrides: v.optional(
      v.array(
        v.object({
          ...effect,
          createdBy: agentText,
          commit: v.nullable(v.string()),
          expires: v.nullable(v.string()),
          expired: v.boolean(),
          vanished: v.pipe(v.boolean(), v.description("Nobody is called so any more.")),
        }),
      ),
    ),
    canaries: v.optional(
      v.array(
        v.object({
          reviewer: repositoryText,
          state: v.picklist(["MONITORING", "WARN", "ALERT", "PASS", "INCONCLUSIVE"]),
          shadows: v.number(),
          losses: v.number(),
          escapes: v.number(),
          needed: v.pipe(
            v.nullable(v.number()),
            v.description("Clean shadows until it passes; null: cannot be reached any more."),
          ),
          expiresAt: v.string(),
        }),
      ),
    ),
    proposals: v.optional(
      v.array(
        v.object({
          id: v.string(),
          ...effect,
          state: v.string(),
          proposer: agentText,
          approver: v.nullable(agentText),
        }),
      ),
    ),
    blacklist: v.optional(
      v.array(v.object({ reviewer: repositoryText, at: v.string(), reason: agentText })),
    ),
    evidence: v.optional(v.pipe(v.number(), v.description("Outcomes of findings known."))),
    unfinished: v.optional(v.pipe(v.number(), v.description("Changes that a crash interrupted."))),
    problem: v.optional(v.pipe(repositoryText, v.description("Why overrides are ignored."))),
    cut: v.optional(v.boolean()),
  },
  run: async (_args, { headgate }) => {
    const found = await headgate.routing.status();
    const some = <T>(list: readonly T[]): readonly T[] => list.slice(0, limits.mcpListMax);
    const { evidence, unfinished, problem } = found;
    const told = plainData({
      overrides: some(found.overrides).map((one) => ({
        ...effectOf(one),
        ...{ createdBy: one.createdBy, commit: one.commit, expires: one.expires ?? null },
        ...{ expired: one.expired, vanished: one.vanished },
      })),
      canaries: some(found.canaries).map((one) => ({
        ...{ reviewer: one.reviewer, state: one.state, shadows: one.shadows, losses: one.losses },
        ...{ escapes: one.escapes, needed: one.needed, expiresAt: one.expiresAt },
      })),
      proposals: some(found.proposals).map((one) => ({
        ...{ id: one.id, ...effectOf(one), state: one.state },
        ...{ proposer: one.proposer, approver: one.approver },
      })),
      blacklist: some(found.blacklist).map(({ pattern: reviewer, at, reason }) => ({
        ...{ reviewer, at, reason },
      })),
      ...{ evidence, unfinished },
      ...(problem !== undefined && { problem }),
    });
    const lists = [found.overrides, found.canaries, found.proposals, found.blacklist];
    const lines = [
      ...(told.problem === undefined ? [] : [told.problem]),
      ...told.overrides.map((one) => `override ${one.reviewer} ${one.action}: ${one.reason}`),
      ...told.canaries.map(
        (one) => `canary ${one.reviewer} ${one.state} ${one.shadows} shadows, ${one.losses} losses`,
      ),
      ...told.proposals.map(
        (one) => `proposal ${one.id} ${one.reviewer} ${one.action} ${one.state}`,
      ),
      ...told.blacklist.map((one) => `never proposed ${one.reviewer}`),
    ];
    return {
      structured: {
        ...{ ok: true, ...told },
        cut: lists.some(({ length }) => length > limits.mcpListMax),
      },
      text: lines.length > 0 ? lines.join("\n") : "no overrides, canaries or proposals",
    };
  },
});

const effectOf = <A extends string, F extends string>(one: {
  readonly reviewer: string;
  readonly action: A;
  readonly floor?: F;
  readonly except?: readonly string[];
  readonly every?: number;
  readonly reason: string;
}) => ({
  ...{ reviewer: one.reviewer, action: one.action, reason: one.reason },
  floor: one.floor ?? null,
  except: (one.except ?? []).slice(0, limits.mcpListMax),
  every: one.every ?? null,
});
