/**
 * For writers that do the writing themselves (the hooks of agent clients): what is allowed is claimed at
 * once and stays claimed, because the write only comes afterwards and more of the same are likely to
 * follow. Whoever writes through Headgate uses the editor instead, which gives back what it took.
 */
import type { Claim, Claims } from "../claims/index.ts";
import { judgeFiles, type JudgeContext } from "./judge.ts";
import { conflictFinding, targetsOfAll } from "./rules/claims.ts";
import type { Proposal, Verdict } from "./types.ts";

export interface Admission {
  readonly verdict: Verdict;
  /** What the writer holds for this write; empty when it is denied. */
  readonly claims: readonly Claim[];
}

export const admit = async (
  proposal: Proposal,
  {
    context,
    claims,
    root,
    isWanted = () => true,
  }: {
    readonly context: JudgeContext;
    readonly claims: Claims;
    readonly root: string;
    readonly isWanted?: () => boolean;
  },
): Promise<Admission> => {
  const { verdict, cases } = await judgeFiles(proposal, withoutClaims(context));
  if (verdict.verdict === "deny" || !isWanted()) return { verdict, claims: [] };
  const targets = targetsOfAll(
    cases.map(({ file }) => file),
    root,
  );
  const { id, session } = claims.actor;
  const result = await claims.claim({
    targets,
    reason: "editing",
    // What the session itself works on is free for the sub-agents it sends; theirs is theirs alone.
    forSession: id === session,
  });
  if (result.ok) return { verdict, claims: result.claims };
  const reasons = result.blockers.map((blocker) => {
    const { level: _, ...reason } = conflictFinding(blocker, cases[0]?.file.path ?? "");
    return reason;
  });
  return { verdict: { ...verdict, verdict: "deny", reasons }, claims: [] };
};

/** Whoever writes claims in earnest; a look before that would only refuse sooner. */
export const withoutClaims = (context: JudgeContext): JudgeContext => ({
  ...context,
  further: (context.further ?? []).filter(({ name }) => name !== "claims"),
});
