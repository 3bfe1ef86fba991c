/**
 * For writers that do the writing themselves (the hooks of agent clients): who holds it is asked, then whose
 * uncommitted lines it meets, and what is allowed is noted as held by this edit, because the write only comes
 * afterwards. Edits pass each other where their lines do not meet; a claim that was asked for stops them.
 */
import type { Claim, Claims, TargetInput } from "../claims/index.ts";
import type { LineGrant, Lines } from "../lines/index.ts";
import { admitLines, keptOff, namedParts } from "./admit-lines.ts";
import {
  type BesideLook,
  lookBeside,
  type NearEdit,
  plainReason,
  withNearLines,
} from "./beside.ts";
import type { EditRules } from "./configured-policy.ts";
import { judgeFiles, type JudgeContext } from "./judge.ts";
import type { OpenEnds } from "./open-ends.ts";
import { targetsOfAll } from "./rules/claims.ts";
import type { Proposal, Reason, Verdict } from "./types.ts";

export interface Admission {
  readonly verdict: Verdict;
  /** What the writer holds for this write; empty when it is denied. */
  readonly claims: readonly Claim[];
  /** Lines of others that it goes over, and why it may. */
  readonly granted: readonly LineGrant[];
  /** Others that change the same parts or lines next to them; both should know. */
  readonly near: readonly NearEdit[];
}

export interface AdmitOptions {
  readonly context: JudgeContext;
  readonly claims: Claims;
  readonly lines: Pick<Lines, "ask" | "authors" | "note"> | undefined;
  readonly ends?: OpenEnds | undefined;
  readonly rules: EditRules;
  readonly root: string;
  /** Asked once the judgement is made: a caller that could not wait for it gets nothing. */
  readonly isWanted?: () => boolean;
  /** The client's name of the tool use. */
  readonly use?: string | undefined;
}

export const admit = async (proposal: Proposal, options: AdmitOptions): Promise<Admission> => {
  const { context, claims, lines, ends, rules, root, isWanted = () => true, use } = options;
  const { verdict, cases } = await judgeFiles(proposal, withoutClaims(context));
  const nothing = { claims: [], granted: [], near: [] };
  if (!isWanted()) return { verdict, ...nothing };
  if (verdict.verdict === "deny") {
    await ends?.note(claims.actor, verdict);
    return { verdict, ...nothing };
  }
  const files = cases.map(({ file }) => file);
  const targets = targetsOfAll(files, root);
  const deny = (reasons: readonly Reason[]): Admission => ({
    verdict: { ...verdict, verdict: "deny", reasons },
    ...nothing,
  });
  const paths = files.map(({ path }) => path);
  // Looked at first: a writer that a claim stops does not queue for lines.
  const beside = await lookBeside({ claims, lines, rules }, targets, paths);
  if (beside.reasons.length > 0) {
    const { id, session } = claims.actor;
    if (isWanted()) await claims.want(targets, { mode: "edit", forSession: id === session });
    return deny(beside.reasons);
  }
  const edits = new Set(proposal.writes.filter(({ before }) => before).map((one) => one.path));
  const asked = files.map((file) => {
    const { path, beforeBytes: before, afterBytes: after } = file;
    const isEdit = edits.has(path);
    const parts = namedParts(path, targets, root);
    return { path, before, after, isEdit, parts, ...keptOff(rules.edits(path), file) };
  });
  const { actor } = claims;
  const { reasons, granted, near, task } = await admitLines(lines, asked, { actor, use });
  if (reasons.length > 0) return deny(reasons.map((reason) => withSymbol(reason, targets, root)));
  const held = await holdEdit(claims, targets, paths[0] ?? "", task);
  if ("reasons" in held) return deny(held.reasons);
  const late = await lostRace(options, held.claims, { targets, paths });
  if (late) return deny(late.reasons);
  await ends?.note(claims.actor, verdict);
  const own = held.claims.map(({ target }) => target);
  return { verdict, claims: held.claims, granted, near: withNearLines(beside.near, near, own) };
};

/** The part that it would have changed, where that has a name. */
const withSymbol = (reason: Reason, targets: readonly TargetInput[], root: string): Reason => {
  const path = `${root}/${reason.path}`;
  for (const target of targets) {
    if (typeof target === "string" || target.path !== path || target.symbol === undefined) continue;
    return { ...reason, symbol: target.symbol };
  }
  return reason;
};

/**
 * Two that asked at the same moment, in two worktrees whose edits exclude each other, have both seen nothing: the
 * one that took its claim later gives it back.
 */
const lostRace = async (
  { claims, lines, rules, use }: Omit<AdmitOptions, "context" | "root">,
  held: readonly Claim[],
  {
    targets,
    paths,
  }: { readonly targets: readonly TargetInput[]; readonly paths: readonly string[] },
): Promise<BesideLook | undefined> => {
  if (!paths.some((path) => rules.across(path) === "exclude")) return undefined;
  const beside = await lookBeside({ claims, lines, rules }, targets, paths);
  const lost = held.filter(({ id }) => beside.excluding.some((other) => other < id));
  if (lost.length === 0) return undefined;
  await claims.release({ claims: lost.map(({ id }) => id) });
  await lines?.note(paths, {
    ...{ actor: claims.actor, kind: "edit", hasFailed: true },
    ...(use !== undefined && { use }),
  });
  return beside;
};

/** Takes what an edit holds, or says which claim is in the way. */
export const holdEdit = async (
  claims: Claims,
  targets: readonly TargetInput[],
  path: string,
  task = "",
): Promise<{ readonly claims: readonly Claim[] } | { readonly reasons: readonly Reason[] }> => {
  const { id, session } = claims.actor;
  const result = await claims.claim({
    targets,
    mode: "edit",
    reason: task === "" ? "editing" : task,
    // What the session itself works on is free for the sub-agents it sends; theirs is theirs alone.
    forSession: id === session,
  });
  if (result.ok) return { claims: result.claims };
  return { reasons: result.blockers.map((blocker) => plainReason(blocker, path)) };
};

/** Whoever writes claims in earnest; a look before that would only refuse sooner. */
export const withoutClaims = (context: JudgeContext): JudgeContext => ({
  ...context,
  further: (context.further ?? []).filter(({ name }) => name !== "claims"),
});
