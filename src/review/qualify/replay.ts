/**
 * How many of this repository's own faults each reviewer sees: fixes are taken back, and the result is reviewed
 * like any change. Reviewers do not know that it is a trial, and cannot read the folder, which holds the fix.
 */
import { HeadgateError } from "../../errors.ts";
import type { ReviewParts, ReviewWatch } from "../conduct/types.ts";
import type { DispatchTotals } from "../dispatch/types.ts";
import { candidatesOf } from "../prompt/index.ts";
import { isUsable } from "../synthesis/verdict.ts";
import { type Fix, isFound, ownFixes } from "./fixes.ts";
import { askTrials, findCandidate, needRunner, type QualifyRequest } from "./qualify.ts";

export interface ReplayRequest extends QualifyRequest {
  /** How many fixes at most; 12 by default. */
  readonly fixes?: number;
}

export interface Replayed {
  readonly fixes: readonly {
    readonly id: string;
    readonly title: string;
    readonly paths: readonly string[];
  }[];
  /** By reviewer: of the fixes that it gave a usable report on, those whose fault it found. */
  readonly results: readonly {
    readonly reviewer: string;
    readonly found: readonly string[];
    readonly missed: readonly string[];
    /** Found by another reviewer, found by it alone, not found. */
    readonly both: number;
    readonly onlyWith: number;
    readonly none: number;
  }[];
  readonly untried: readonly { readonly reviewer: string; readonly why: string }[];
  readonly totals: DispatchTotals;
}

/** Throws USAGE for unknown names, without a runner, and where the history has no fix to take back. */
export const replayFixes = async (
  parts: ReviewParts,
  request: ReplayRequest,
  watch: Pick<ReviewWatch, "signal" | "onProgress">,
): Promise<Replayed> => {
  needRunner(parts.runner);
  const domains = parts.domains.map(({ name }) => name);
  const all = candidatesOf(parts.reviewers, { domains }).filter(({ kind }) => kind !== "static");
  const named = (request.reviewers ?? []).map((name) => findCandidate(name, all));
  const isAsked = ({ name, kind }: (typeof all)[number]): boolean =>
    always.includes(name) ||
    (named.length === 0 ? kind !== "built-in" : named.some((one) => one.name === name));
  const asked = all.filter(isAsked);
  const fixes = await ownFixes(parts, { count: request.fixes ?? fixesUsual, signal: watch.signal });
  if (fixes.length === 0 && !watch.signal.aborted) {
    throw new HeadgateError(
      "USAGE",
      "no small fix of code is among the last 500 commits: there is nothing to take back",
    );
  }
  const trials = asked.flatMap((candidate) =>
    fixes.map((fix) => ({ candidate, fix, subject: fix.subject })),
  );
  const { reports, totals } = await askTrials(parts, trials, { request, watch });
  const untried: { reviewer: string; why: string }[] = [];
  const seen = new Map<string, Map<Fix, boolean>>();
  for (const [at, { candidate, fix }] of trials.entries()) {
    const report = reports[at];
    const { name: reviewer } = candidate;
    const findings = report?.findings ?? [];
    const { state, problems } = report ?? { state: "error" as const, problems: [] };
    if (isUsable({ reviewer, state, findings: findings.length })) {
      const own = seen.get(reviewer) ?? new Map<Fix, boolean>();
      seen.set(reviewer, own.set(fix, isFound(fix, findings)));
    } else {
      const why = `${fix.id.slice(0, 10)}: ${state}, ${problems[0] ?? "no report"}`;
      untried.push({ reviewer, why });
    }
  }
  return {
    fixes: fixes.map(({ id, title, subject }) => ({
      ...{ id, title, paths: subject.files.map(({ path }) => path) },
    })),
    results: [...seen].map(([reviewer, own]) => ({ reviewer, ...countsFor(reviewer, own, seen) })),
    untried,
    totals,
  };
};

const countsFor = (
  reviewer: string,
  own: ReadonlyMap<Fix, boolean>,
  seen: ReadonlyMap<string, ReadonlyMap<Fix, boolean>>,
) => {
  const byOthers = (fix: Fix): boolean =>
    [...seen].some(([name, found]) => name !== reviewer && found.get(fix) === true);
  const tried = [...own];
  const ids = (isWanted: boolean): string[] =>
    tried.flatMap(([{ id }, isHit]) => (isHit === isWanted ? [id] : []));
  const left = tried.filter(([fix]) => !byOthers(fix));
  return {
    found: ids(true),
    missed: ids(false),
    both: tried.length - left.length,
    onlyWith: left.filter(([, isHit]) => isHit).length,
    none: left.filter(([, isHit]) => !isHit).length,
  };
};

/** They look at every change of code, whatever reviewers are excluded. */
const always = ["safety", "correctness"];
const fixesUsual = 12;
