/** Proposing and approving; both only write rows. */
import { isoTime } from "../../base/clock.ts";
import { newId } from "../../base/ids.ts";
import type { Json } from "../../base/json.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { readBlob } from "../apply/git-facts.ts";
import { understood } from "../apply/change.ts";
import { checkReviewer, remark } from "../evidence/check-evidence.ts";
import { detailProblem, isSameEffect, readOverrides } from "../overrides/overrides-file.ts";
import { resolveOverridesPath } from "../overrides/overrides-path.ts";
import { type Details, leastAction, type Remedy } from "../patterns/least-action.ts";
import {
  evidenceOf,
  findPatterns,
  type Pattern,
  type PatternClass,
  showE,
} from "../patterns/patterns.ts";
import { isPerson, type RoutingContext } from "../ports.ts";
import { isGuarded, quietDays } from "../settings.ts";
import type { Action, Override } from "../types.ts";
import { refuseWithoutAutonomy } from "./autonomy.ts";
import { refusal, refuseBlacklisted, refuseTripped, requireReviewer } from "./guards.ts";
import {
  approveRow,
  effectOf,
  insertProposal,
  listProposals,
  type Proposal,
  readProposal,
  shownProposal,
  type StoredProposal,
  supersedeRow,
} from "./proposal-rows.ts";

export interface ProposeRequest extends Details {
  readonly reviewer: string;
  /** Without it, the least one that cures a ready pattern. */
  readonly action?: Action;
  readonly class?: PatternClass;
  readonly reason?: string;
  /** Although a P0 of this reviewer was confirmed lately. */
  readonly insist?: boolean;
}

export type ProposeOutcome =
  | { readonly ok: true; readonly proposal: Proposal; readonly isNew: boolean }
  /** */
  | { readonly ok: false; readonly already: Override };

export const propose = async (
  context: RoutingContext,
  request: ProposeRequest,
): Promise<ProposeOutcome> => {
  const { actor, settings } = context;
  const reviewer = checkReviewer(request.reviewer);
  requireReviewer(reviewer, new Set(await context.roster()));
  const current = (await committedOverrides(context)).find((one) => one.reviewer === reviewer);
  const { store, scope } = await context.store.open();
  return store.write({ scope }, async (tx): Promise<Jsonable<ProposeOutcome>> => {
    await refuseBlacklisted(tx, scope.id, reviewer);
    await refuseTripped(tx, scope.id, reviewer);
    const patterns = await findPatterns(tx, scope.id, settings, reviewer);
    const pattern =
      patterns.find((one) => one.class === request.class) ??
      patterns.find(({ state }) => state === "ready") ??
      patterns[0];
    const remedy = pattern && (await leastAction(tx, scope.id, reviewer, pattern.class));
    const { wallMs } = await tx.now();
    const proposal: StoredProposal = {
      id: newId("proposal"),
      at: isoTime(wallMs),
      reviewer,
      ...chosen(request, pattern, remedy),
      class: pattern?.class ?? null,
      state: "proposed",
      support: {
        ...supportOf(request, pattern, remedy),
        evidence: pattern ? await evidenceOf(tx, scope.id, reviewer, pattern.class) : [],
      },
      proposer: actor.id,
      proposerSession: actor.session,
      approver: null,
      basis: effectOf(current),
    };
    if (current && isSameEffect(current, overrideOf(proposal))) {
      return { ok: false, already: current } as Jsonable<ProposeOutcome>;
    }
    const open = await listProposals(tx, scope.id, { reviewer });
    const same = open.find((one) => isSameEffect(overrideOf(one), overrideOf(proposal)));
    if (same && same.basis === proposal.basis) {
      return { ok: true, proposal: shownProposal(same), isNew: false } as Jsonable<ProposeOutcome>;
    }
    await insertProposal(tx, scope.id, proposal);
    tx.emit({
      kind: "routing.proposed",
      actor: actor.id,
      subject: reviewer,
      data: { proposal: proposal.id, action: proposal.action, reason: proposal.reason },
    });
    return { ok: true, proposal: shownProposal(proposal), isNew: true } as Jsonable<ProposeOutcome>;
  }) as Promise<ProposeOutcome>;
};

/** The store returns what it can keep; our results are plain data. */
type Jsonable<T> = T & Json;

const chosen = (
  request: ProposeRequest,
  pattern: Pattern | undefined,
  remedy: Remedy | undefined,
): Details & { readonly action: Action; readonly reason: string } => {
  const given = remark(request.reason ?? "");
  if (request.action !== undefined) {
    const details = { ...(remedy?.action === request.action && remedy.details), ...own(request) };
    const problem = detailProblem(request.action, details);
    if (problem !== undefined) throw new HeadgateError("USAGE", problem.replaceAll('"', ""));
    const { floor, except, every } = details;
    const { action } = request;
    return {
      action,
      reason: given,
      ...(action === "floor" && floor && { floor }),
      ...(action === "scope" && except && { except }),
      ...(action === "sample" && every && { every }),
    };
  }
  if (!pattern || !remedy || pattern.state !== "ready") {
    const why = pattern ? pattern.missing.join("; ") : "nothing is known of its findings";
    throw refusal(
      `no pattern of ${request.reviewer} is ready (${why}); name an --action to propose one all the same`,
      { guard: "evidence" },
    );
  }
  const said = `${pattern.class}: ${pattern.wrong} of ${pattern.outcomes} findings, ${remedy.why}`;
  return { action: remedy.action, ...remedy.details, reason: given === "" ? said : given };
};

const own = ({ floor, except, every }: ProposeRequest): Details => ({
  ...(floor && { floor }),
  ...(except && { except }),
  ...(every && { every }),
});

const supportOf = (
  request: ProposeRequest,
  pattern: Pattern | undefined,
  remedy: Remedy | undefined,
): Omit<StoredProposal["support"], "evidence"> => {
  const { action = remedy?.action, insist = false } = request;
  const notes: string[] = [];
  if (pattern && pattern.severe > 0 && !insist) {
    throw refusal(
      `${pattern.severe} confirmed P0 of ${request.reviewer} within ${quietDays} days; --insist proposes it all the same`,
      { guard: "severe" },
    );
  }
  if (!pattern) notes.push("nothing is known of what became of its findings");
  else if (pattern.state !== "ready") {
    notes.push(`the pattern is ${pattern.state}: ${pattern.missing.join("; ")}`);
  }
  if (remedy && action !== undefined && rank(action) > rank(remedy.action)) {
    notes.push(`a smaller action would do: ${remedy.action} (${remedy.why})`);
  }
  if (action === "exclude" && pattern && pattern.class !== "noise") {
    notes.push(`exclusion is for noise, and this is ${pattern.class}`);
  }
  return {
    outcomes: pattern?.outcomes ?? 0,
    wrong: pattern?.wrong ?? 0,
    eValue: Number(showE(pattern?.eValue ?? 1)),
    sessions: pattern?.sessions ?? 0,
    changes: pattern?.changes ?? 0,
    isReady: pattern?.state === "ready",
    notes,
  };
};

const ladder: readonly Action[] = ["floor", "scope", "stage", "sample", "exclude"];
const rank = (action: Action): number => ladder.indexOf(action);

export interface ApproveRequest {
  readonly id: string;
  /** The proposer's own session approves. */
  readonly insist?: boolean;
  /** The reviewer's name, said once more: needed for guarded ones. */
  readonly confirm?: string;
}

export type ApproveOutcome =
  | { readonly ok: true; readonly proposal: Proposal }
  | { readonly ok: false; readonly already: Override };

export const approve = async (
  context: RoutingContext,
  request: ApproveRequest,
): Promise<ApproveOutcome> => {
  const { actor, settings } = context;
  const overrides = await committedOverrides(context);
  const { store, scope } = await context.store.open();
  return store.write({ scope }, async (tx): Promise<Jsonable<ApproveOutcome>> => {
    const proposal = requireProposal(await readProposal(tx, scope.id, request.id), request.id);
    const { reviewer } = proposal;
    const current = overrides.find((one) => one.reviewer === reviewer);
    if (current && isSameEffect(current, overrideOf(proposal))) {
      if ((await supersedeRow(tx, scope.id, proposal.id)) > 0) {
        tx.emit({ kind: "routing.superseded", actor: actor.id, subject: reviewer });
      }
      return { ok: false, already: current } as Jsonable<ApproveOutcome>;
    }
    if (proposal.state === "approved") {
      return { ok: true, proposal: shownProposal(proposal) } as Jsonable<ApproveOutcome>;
    }
    if (proposal.state !== "proposed") throw ended(proposal);
    if (proposal.basis !== effectOf(current)) throw stale(proposal);
    const isOwn = proposal.proposerSession === actor.session;
    if (isOwn && !request.insist && !isPerson(actor)) {
      throw refusal(
        `${showText(actor.session)} proposed it itself; another session or a person approves, or --insist`,
        { guard: "separation", proposal: proposal.id },
      );
    }
    if (isGuarded(reviewer, settings) && request.confirm !== reviewer) {
      throw refusal(
        `${reviewer} guards safety or looks at everything: confirm with --confirm ${reviewer}`,
        { guard: "confirmation", reviewer, proposal: proposal.id },
      );
    }
    await refuseBlacklisted(tx, scope.id, reviewer);
    await refuseTripped(tx, scope.id, reviewer);
    await refuseWithoutAutonomy(tx, scope.id, actor);
    const { wallMs } = await tx.now();
    await approveRow(tx, scope.id, { id: proposal.id, approver: actor.id, at: wallMs });
    tx.emit({
      kind: "routing.approved",
      actor: actor.id,
      subject: reviewer,
      data: { proposal: proposal.id },
    });
    const approved = { ...proposal, state: "approved" as const, approver: actor.id };
    return { ok: true, proposal: shownProposal(approved) } as Jsonable<ApproveOutcome>;
  }) as Promise<ApproveOutcome>;
};

export const requireProposal = (
  proposal: StoredProposal | undefined,
  id: string,
): StoredProposal => {
  if (proposal) return proposal;
  throw new HeadgateError("ROUTING_UNKNOWN", `no proposal has the id ${showText(id)}`);
};

export const ended = ({ id, state, reviewer }: StoredProposal): HeadgateError =>
  refusal(`the proposal ${id} for ${reviewer} is ${state}; propose again`, { proposal: id, state });

export const stale = ({ id, reviewer }: StoredProposal): HeadgateError =>
  new HeadgateError(
    "ROUTING_STALE",
    `the override of ${reviewer} changed after ${id} was proposed; propose again`,
  );

export const overrideOf = (
  proposal: Proposal,
  made: { readonly created: string; readonly createdBy: string } = { created: "", createdBy: "" },
): Override => {
  const { reviewer, action, reason, floor, except, every, id, support } = proposal;
  return {
    reviewer,
    action,
    reason,
    ...(floor && { floor }),
    ...(except && { except }),
    ...(every && { every }),
    ...made,
    proposal: id,
    evidence: support.evidence,
  };
};

/** As the branch has them; throws ROUTING_FILE when they cannot be understood. */
export const committedOverrides = async (context: RoutingContext): Promise<readonly Override[]> => {
  const { repository, settings, files } = context;
  if (repository.kind !== "git") return [];
  const { path } = resolveOverridesPath(repository.worktree, settings.path, files);
  const blob = await readBlob(context.gitIn(repository.worktree), `HEAD:${path}`);
  return understood(readOverrides(blob?.bytes), path).overrides;
};
