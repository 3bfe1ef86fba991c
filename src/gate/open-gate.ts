/** The gate of one repository: its working tree, its policy, its claims. */
import type { Claims } from "../claims/index.ts";
import type { Analyser } from "../structure/index.ts";
import { admit, type Admission, type AdmitOptions } from "./admit.ts";
import { admitUnjudged, type UnjudgedAdmission } from "./admit-unjudged.ts";
import { configuredEdits, type EditRules } from "./configured-policy.ts";
import { judge, type JudgeContext } from "./judge.ts";
import type { Policy } from "./policy.ts";
import { heldByOthers } from "./rules/claims.ts";
import { treeOf } from "./tree.ts";
import type { OpenEnds } from "./open-ends.ts";
import type { Proposal, JudgeStage, Verdict } from "./types.ts";
import { workingTree } from "./working-tree.ts";

export interface GateOptions {
  /** Of the worktree whose files are judged. */
  readonly root: string;
  readonly analyser: Analyser;
  readonly policy: Policy;
  readonly claims: Claims;
  /** Whose uncommitted lines are whose; without it only claims keep edits apart. */
  readonly lines?: AdmitOptions["lines"];
  /** Default: edits wait for lines, and edits in other worktrees are noted. */
  readonly rules?: EditRules;
  readonly further?: JudgeContext["further"];
  readonly seen?: JudgeContext["seen"];
  readonly reading?: JudgeContext["reading"];
  readonly asksTypes?: boolean;
  /** Without it every slip is asked about each time, and nothing is written down. */
  readonly ends?: OpenEnds;
}

export interface JudgeManner {
  readonly stage?: JudgeStage;
  /** The files handed in are what was there before; the proposal is in the working tree already. */
  readonly isWritten?: boolean;
}

export interface Gate {
  /** What this gate judges with, for whoever goes on to write. */
  readonly context: JudgeContext;
  /** Changes nothing: claims are looked at, not taken. */
  judge(proposal: Proposal, options?: JudgeManner): Promise<Verdict>;
  /**
   * Judges, and notes what is allowed as held by this edit; the caller writes it.
   */
  admit(proposal: Proposal, options?: Pick<AdmitOptions, "isWanted" | "use">): Promise<Admission>;
  /** Where the judgement is late: everything but the content is judged, and whole files are claimed. */
  admitUnjudged(
    proposal: Proposal,
    options?: Pick<AdmitOptions, "use">,
  ): Promise<UnjudgedAdmission>;
}

export const openGate = (options: GateOptions): Gate => {
  const { root, analyser, policy, claims, lines, further = [], seen, reading, ends } = options;
  const { rules = configuredEdits({ edits: "lines", across: "warn" }) } = options;
  const held = { name: "claims", rule: heldByOthers(claims, root) } as const;
  const context: JudgeContext = {
    analyser,
    tree: workingTree(root),
    policy,
    further: [...further, held],
    asksTypes: options.asksTypes ?? false,
    takesComments: claims.actor.harness === undefined,
    ...(seen && { seen }),
  };
  // `judge` remembers nothing, so its answer to the same question is always the same.
  const admitting: JudgeContext = {
    ...context,
    ...(reading && { reading }),
    ...(ends && { asked: () => ends.asked(claims.actor.session) }),
  };
  return {
    context: admitting,
    judge: (proposal, { stage = "edit", isWritten = false } = {}) => {
      // A replayed tree has no claims, nobody who saw it, and may be a part of a project only: what a call
      // refers to is not asked of it.
      if (proposal.files) {
        const whole = isWritten ? { further } : {};
        return judge(proposal, { analyser, tree: treeOf(proposal.files), policy, stage, ...whole });
      }
      return judge(proposal, { ...context, stage });
    },
    admit: (proposal, more) =>
      admit(proposal, { context: admitting, claims, lines, ends, rules, root, ...more }),
    admitUnjudged: (proposal, more) =>
      admitUnjudged(proposal, { context, claims, lines, rules, root, ...more }),
  };
};
