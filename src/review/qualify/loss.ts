/**
 * What excluding a reviewer would lose: it and those who would still look get the same severe planted faults, and
 * each fault is counted with and without it. Works without any traffic, before anybody approves anything.
 */
import { assert } from "../../base/assert.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import type { ReviewParts, ReviewWatch } from "../conduct/types.ts";
import type { DispatchTotals } from "../dispatch/types.ts";
import { type Probe, probeFor, scoreProbe } from "../faults/index.ts";
import { candidatesOf } from "../prompt/index.ts";
import { isUsable } from "../synthesis/verdict.ts";
import { askTrials, findCandidate, needRunner, type QualifyRequest, subjectOf } from "./qualify.ts";

export interface LossRequest extends Omit<QualifyRequest, "reviewers"> {
  readonly reviewer: string;
}

export interface Loss {
  readonly reviewer: string;
  readonly domain?: string;
  /** Who would still look. */
  readonly others: readonly string[];
  /** Faults that somebody else finds as well, that only it finds, that nobody finds. */
  readonly both: readonly string[];
  readonly onlyWith: readonly string[];
  readonly none: readonly string[];
  /** Of the others, who gave no report that counts: what they would find is not known. */
  readonly untried: readonly { readonly reviewer: string; readonly why: string }[];
  readonly totals: DispatchTotals;
}

/** Throws USAGE for an unknown name, without a runner, without faults in its area, or without its report. */
export const lossWithout = async (
  parts: ReviewParts,
  request: LossRequest,
  watch: Pick<ReviewWatch, "signal" | "onProgress">,
): Promise<Loss> => {
  needRunner(parts.runner);
  const domains = parts.domains.map(({ name }) => name);
  const all = candidatesOf(parts.reviewers, { domains }).filter(({ kind }) => kind !== "static");
  const candidate = findCandidate(request.reviewer, all);
  const { name, domain } = candidate;
  const probe = severe(probeFor({ name, domain }));
  if (probe.faults.length === 0) {
    throw new HeadgateError(
      "USAGE",
      `no severe planted faults are in the area of ${showText(name)}`,
    );
  }
  const areas = new Set(["safety", "correctness", ...probe.faults.flatMap((one) => one.reviewers)]);
  const others = all.filter((one) => one.name !== name && areas.has(one.name));
  const subject = subjectOf(probe);
  const trials = [candidate, ...others].map((one) => ({ candidate: one, subject }));
  const { reports, totals } = await askTrials(parts, trials, { request, watch });
  const given = new Map(trials.map((one, at) => [one.candidate.name, reports[at]]));
  const untried: { reviewer: string; why: string }[] = [];
  const foundBy = (who: string): readonly string[] => {
    const report = given.get(who);
    assert(report, "a trial without a report");
    const { state, findings, problems } = report;
    if (isUsable({ reviewer: who, state, findings: findings.length })) {
      return scoreProbe(who, probe, findings).found;
    }
    // Somebody else's silence is no evidence; the reviewer's own leaves nothing to compare.
    const why = problems[0] ?? "no report";
    if (who !== name) {
      untried.push({ reviewer: who, why: `${state}: ${why}` });
      return [];
    }
    throw new HeadgateError(
      "USAGE",
      `${showText(name)} could not be tried: ${state}, ${showText(why)}`,
    );
  };
  const own = new Set(foundBy(name));
  const rest = new Set(others.flatMap((one) => foundBy(one.name)));
  const ids = probe.faults.map(({ id }) => id);
  return {
    reviewer: name,
    ...(domain !== undefined && { domain }),
    others: others.map((one) => one.name),
    both: ids.filter((id) => rest.has(id)),
    onlyWith: ids.filter((id) => own.has(id) && !rest.has(id)),
    none: ids.filter((id) => !own.has(id) && !rest.has(id)),
    untried,
    totals,
  };
};

const severe = ({ faults, clean }: Probe): Probe => ({
  faults: faults.filter(({ severity }) => severity < "P2"),
  clean,
});
