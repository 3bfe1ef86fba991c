/**
 * For a write whose judgement ran out of time: everything that needs no parser is asked all the same. Where
 * it may go (paths, the files that arm the hooks), whether its writer saw the content that it replaces, and
 * who holds it. The changed symbols are not known, so whole files are claimed.
 */
import { hash } from "node:crypto";
import { limits } from "../base/limits.ts";
import { type AdmitOptions, holdEdit } from "./admit.ts";
import { admitLines, keptOff } from "./admit-lines.ts";
import { lookBeside } from "./beside.ts";
import { changedSince, hashContent, type JudgeContext, toBytes } from "./judge.ts";
import { applyPolicy } from "./policy.ts";
import { arming } from "./rules/arming.ts";
import { judgeableText } from "./rules/judgeable.ts";
import { checkPath } from "./rules/path-policy.ts";
import { lookAtText, type RuleFinding, withoutSecrets } from "./text-rules.ts";
import type { Proposal, Reason, Write } from "./types.ts";

/** A file as it is and as it will be: sha256 of the content, null when absent. */
export interface UnjudgedFile {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface UnjudgedAdmission {
  /** Empty: the files are claimed, and the writer may write. */
  readonly reasons: readonly Reason[];
  readonly files: readonly UnjudgedFile[];
}

/** Changes nothing. */
const lookUnjudged = async (
  { writes }: Proposal,
  context: JudgeContext,
): Promise<UnjudgedAdmission> => {
  const found: RuleFinding[] = [];
  const files: UnjudgedFile[] = [];
  for (const write of writes) {
    const { path } = write;
    const outside = checkPath(path, context.tree, context.policy);
    if (outside) {
      found.push({ rule: "path", finding: outside });
      continue;
    }
    const beforeBytes = context.tree.read(path);
    const afterBytes = write.after === null ? undefined : toBytes(write.after);
    const disarmed = await arming({ path, beforeBytes, afterBytes });
    found.push(...lookAtText([{ path, beforeBytes, afterBytes }]));
    found.push(...disarmed.map((finding) => ({ rule: "path" as const, finding })));
    const hidden = judgeableText({ path, beforeBytes, afterBytes });
    found.push(...hidden.map((finding) => ({ rule: "judgeable" as const, finding })));
    if (await isStale(write, beforeBytes, context)) {
      found.push({ rule: "freshness", finding: changedSince(path, "deny") });
    }
    files.push({ path, before: hashContent(beforeBytes), after: hashContent(afterBytes) });
  }
  const { reasons } = applyPolicy(found, context.policy, {
    ...{ overrides: [], textOf: () => "", stage: "edit", isMeant: () => false },
  });
  return { reasons: withoutSecrets(reasons), files };
};

/** Bringing two changes together takes a parser: here every other base is too old. */
const isStale = async (
  { path, before }: Write,
  now: Buffer | undefined,
  { seen }: JudgeContext,
): Promise<boolean> => {
  if (before === null) return now !== undefined;
  if (before !== undefined) return !now?.equals(toBytes(before));
  const known = now && (await seen?.(path));
  return known !== undefined && now !== undefined && known !== hash("sha256", now);
};

export const admitUnjudged = async (
  proposal: Proposal,
  { context, claims, lines, rules, root, use }: Omit<AdmitOptions, "isWanted">,
): Promise<UnjudgedAdmission> => {
  const { reasons, files } = await lookUnjudged(proposal, context);
  if (reasons.length > 0) return { reasons, files };
  const targets = files.map(({ path }) => ({ path: `${root}/${path}`, extent: "file" as const }));
  for (let from = 0; from < targets.length; from += limits.claimTargetsMax) {
    const part = targets.slice(from, from + limits.claimTargetsMax);
    const paths = files.slice(from, from + limits.claimTargetsMax).map(({ path }) => path);
    const beside = await lookBeside({ claims, lines, rules }, part, paths);
    if (beside.reasons.length > 0) {
      await claims.want(part, { mode: "edit" });
      return { reasons: beside.reasons, files };
    }
    const held = await holdEdit(claims, part, files[from]?.path ?? "");
    if ("reasons" in held) return { reasons: held.reasons, files };
  }
  const writes = proposal.writes.map(({ path, after }) => ({
    path,
    before: context.tree.read(path),
    after: after === null ? undefined : toBytes(after),
    ...keptOff(rules.edits(path), undefined),
  }));
  const asked = await admitLines(lines, writes, { actor: claims.actor, use });
  return { reasons: asked.reasons, files };
};
