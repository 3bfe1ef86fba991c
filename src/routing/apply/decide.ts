/** What applying and reverting come to, on what is true inside the lock. */
import { showText } from "../../base/text.ts";
import { isSameEffect } from "../overrides/overrides-file.ts";
import type { RoutingContext } from "../ports.ts";
import { refuseWithoutAutonomy } from "../proposals/autonomy.ts";
import {
  refusal,
  refuseBlacklisted,
  refuseTooMany,
  refuseTripped,
  requireReviewer,
} from "../proposals/guards.ts";
import { effectOf, readProposal } from "../proposals/proposal-rows.ts";
import { ended, overrideOf, requireProposal, stale } from "../proposals/propose.ts";
import { createdAt, type Decide } from "./change.ts";

/** Throws what a guard refuses. */
export const decideApply =
  (context: RoutingContext, id: string): Decide =>
  async (tx, scope, { overrides, roster }) => {
    const proposal = requireProposal(await readProposal(tx, scope, id), id);
    const { reviewer } = proposal;
    const current = overrides.find((one) => one.reviewer === reviewer);
    const made = { created: createdAt(context), createdBy: showText(context.actor.id) };
    const override = overrideOf(proposal, made);
    if (current && isSameEffect(current, override)) {
      const who = current.createdBy === "" ? "somebody" : current.createdBy;
      return { do: "nothing", why: `already applied by ${who}`, by: current };
    }
    if (proposal.state === "proposed") {
      throw refusal(`${id} is not approved: \`headgate routing approve ${id}\``, {
        guard: "approval",
        proposal: id,
      });
    }
    if (proposal.state === "applying") {
      throw refusal(`${id} is being applied in another clone of this repository`, {
        guard: "applying",
        proposal: id,
      });
    }
    if (proposal.state !== "approved") throw ended(proposal);
    requireReviewer(reviewer, roster);
    await refuseBlacklisted(tx, scope, reviewer);
    await refuseTripped(tx, scope, reviewer);
    await refuseWithoutAutonomy(tx, scope, context.actor);
    await refuseTooMany(tx, scope, context.settings);
    if (proposal.basis !== effectOf(current)) throw stale(proposal);
    return {
      do: "change",
      kind: current ? "update" : "apply",
      reviewer,
      override,
      proposal: id,
      reason: proposal.reason,
      isBlacklisting: false,
    };
  };

export const decideRevert =
  (request: {
    readonly reviewer: string;
    readonly reason: string;
    readonly kind: "revert" | "expire";
  }): Decide =>
  async (_tx, _scope, { overrides }) => {
    const { reviewer, reason, kind } = request;
    if (!overrides.some((one) => one.reviewer === reviewer)) {
      return { do: "nothing", why: `there is no override of ${reviewer} on this branch` };
    }
    return {
      do: "change",
      kind,
      reviewer,
      override: null,
      proposal: null,
      reason,
      isBlacklisting: kind === "revert",
    };
  };
