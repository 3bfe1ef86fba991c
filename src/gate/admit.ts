/**
 * For writers that do the writing themselves (the hooks of agent clients): who holds it is asked, then whose
 * uncommitted lines it meets, and what is allowed is noted as held by this edit, because the write only comes
 * afterwards. Edits pass each other where their lines do not meet; a claim that was asked for stops them.
 */
import type { Blocker, Claim, Claims, TargetInput } from "../claims/index.ts";
import type { LineGrant, Lines } from "../lines/index.ts";
import { admitLines } from "./admit-lines.ts";
import { judgeFiles, type JudgeContext } from "./judge.ts";
import { conflictFinding, targetsOfAll } from "./rules/claims.ts";
import type { Proposal, Reason, Verdict } from "./types.ts";

export interface Admission {
  readonly verdict: Verdict;
  /** What the writer holds for this write; empty when it is denied. */
  readonly claims: readonly Claim[];
  /** Lines of others that it goes over, and why it may. */
  readonly granted: readonly LineGrant[];
}

export interface AdmitOptions {
  readonly context: JudgeContext;
  readonly claims: Claims;
  readonly lines: Pick<Lines, "ask"> | undefined;
  readonly root: string;
  /** Asked once the judgement is made: a caller that could not wait for it gets nothing. */
  readonly isWanted?: () => boolean;
  /** The client's name of the tool use. */
  readonly use?: string | undefined;
}

export const admit = async (proposal: Proposal, options: AdmitOptions): Promise<Admission> => {
  const { context, claims, lines, root, isWanted = () => true, use } = options;
  const { verdict, cases } = await judgeFiles(proposal, withoutClaims(context));
  const nothing = { claims: [], granted: [] };
  if (verdict.verdict === "deny" || !isWanted()) return { verdict, ...nothing };
  const files = cases.map(({ file }) => file);
  const targets = targetsOfAll(files, root);
  const deny = (reasons: readonly Reason[]): Admission => ({
    verdict: { ...verdict, verdict: "deny", reasons },
    ...nothing,
  });
  const path = files[0]?.path ?? "";
  // Looked at first: a writer that a claim stops does not queue for lines.
  const { blockers } = await claims.check(targets, { mode: "edit" });
  if (blockers.length > 0) return deny(blockers.map((blocker) => conflictReason(blocker, path)));
  const edits = new Set(proposal.writes.filter(({ before }) => before).map((one) => one.path));
  const asked = files.map(({ path, beforeBytes, afterBytes }) => ({
    ...{ path, before: beforeBytes, after: afterBytes, isEdit: edits.has(path) },
  }));
  const { reasons, granted } = await admitLines(lines, asked, { actor: claims.actor, use });
  if (reasons.length > 0) return deny(reasons);
  const held = await holdEdit(claims, targets, path);
  if ("reasons" in held) return deny(held.reasons);
  return { verdict, claims: held.claims, granted };
};

/** Takes what an edit holds, or says which claim is in the way. */
export const holdEdit = async (
  claims: Claims,
  targets: readonly TargetInput[],
  path: string,
): Promise<{ readonly claims: readonly Claim[] } | { readonly reasons: readonly Reason[] }> => {
  const { id, session } = claims.actor;
  const result = await claims.claim({
    targets,
    mode: "edit",
    reason: "editing",
    // What the session itself works on is free for the sub-agents it sends; theirs is theirs alone.
    forSession: id === session,
  });
  if (result.ok) return { claims: result.claims };
  return { reasons: result.blockers.map((blocker) => conflictReason(blocker, path)) };
};

const conflictReason = (blocker: Blocker, path: string): Reason => {
  const { level: _, ...reason } = conflictFinding(blocker, path);
  return reason;
};

/** Whoever writes claims in earnest; a look before that would only refuse sooner. */
export const withoutClaims = (context: JudgeContext): JudgeContext => ({
  ...context,
  further: (context.further ?? []).filter(({ name }) => name !== "claims"),
});
