/** What reviewers in shadow saw: did the override lose anything severe? */
import { addTotals, noTotals } from "../dispatch/totals.ts";
import type { DispatchTotals } from "../dispatch/types.ts";
import { distanceBetween } from "../synthesis/nearness.ts";
import { saidIn } from "../synthesis/said.ts";
import { synthesize } from "../synthesis/synthesize.ts";
import { readWords } from "../synthesis/words.ts";
import type { Triage } from "../triage/types.ts";
import type { Cluster, Finding, MissedJudgement, Report } from "../types.ts";
import { secondLooks } from "./second-looks.ts";
import type { ShadowSample } from "./types.ts";

export const sampleShadows = async (
  { considered }: Triage,
  context: {
    readonly id: string;
    readonly reports: ReadonlyMap<string, Report>;
    readonly active: readonly Finding[];
    readonly looking: Parameters<typeof secondLooks>[1];
    readonly mayLook: boolean;
    readonly onShadow?: (sample: ShadowSample) => Promise<void>;
  },
): Promise<{
  readonly totals: DispatchTotals;
  /** Shadows that gave nothing to count: no look of theirs may pass for one that found nothing. */
  readonly missed: readonly MissedJudgement[];
}> => {
  const { id, reports, active, looking, mayLook, onShadow } = context;
  let totals = noTotals;
  const missed: MissedJudgement[] = [];
  if (!onShadow) return { totals, missed };
  const shownIds = new Set(active.map((one) => one.id));
  for (const { reviewer, decision } of considered) {
    const report = reports.get(reviewer);
    if (!report) continue;
    const probability = probabilityOf(decision);
    if (probability === undefined) continue;
    // A report that nobody could read is no look: silence never passes.
    const why = whyNoLook(report);
    if (why !== undefined) {
      missed.push({ what: "shadow", where: reviewer, why });
      continue;
    }
    // Of one that is shown, what routing hides; of one in shadow, everything.
    const hidden = report.findings.filter(({ id: finding }) => !shownIds.has(finding));
    const unseen = missedBy(hidden, active);
    const { budgetUsd } = looking;
    const looks = mayLook
      ? await secondLooks(unseen, {
          ...looking,
          findings: hidden,
          budgetUsd: budgetUsd === null ? null : Math.max(0, budgetUsd - totals.costUsd),
        })
      : { verifications: [], totals: noTotals };
    totals = addTotals(totals, looks.totals);
    const count = (outcome: string): number =>
      looks.verifications.filter((one) => one.outcome === outcome).length;
    await onShadow({
      ...{ review: id, reviewer, probability },
      losses: count("confirmed"),
      open: unseen.length - count("confirmed") - count("refuted"),
      findings: hidden,
    });
  }
  return { totals, missed };
};

const whyNoLook = ({ state, problems, notJudged = [] }: Report): string | undefined => {
  const [problem, [first]] = [problems[0], notJudged];
  if (state !== "strict" && state !== "lenient") {
    return problem === undefined ? state : `${state}: ${problem}`;
  }
  return first && `${first.where}: ${first.why}`;
};

const probabilityOf = (decision: Triage["considered"][number]["decision"]): number | undefined => {
  if (decision.state === "shadow") return decision.probability;
  return decision.state === "chosen" ? decision.watched : undefined;
};

/**
 * P0 and P1 of the shadow that are no part of a problem that was shown. A finding that is only like a shown one elsewhere was not
 * seen; what is about the same lines in words that have something in common was.
 */
export const missedBy = (own: readonly Finding[], active: readonly Finding[]): Cluster[] => {
  const ids = new Set(own.map(({ id }) => id));
  const { clusters } = synthesize([...active, ...own]);
  const isShown = (finding: Finding): boolean =>
    active.some((shown) => {
      const distance = distanceBetween(finding, shown);
      return distance !== undefined && distance <= sameLines && haveWordInCommon(finding, shown);
    });
  const byId = new Map(own.map((finding) => [finding.id, finding]));
  return clusters.filter(
    ({ members, severity, unplaced }) =>
      severity < "P2" &&
      unplaced === undefined &&
      members.every((member) => ids.has(member)) &&
      !members.some((member) => isShown(byId.get(member) ?? noFinding)),
  );
};

const haveWordInCommon = (left: Finding, right: Finding): boolean => {
  const wordsIn = (finding: Finding): ReadonlyMap<string, number> => {
    const { title, body } = saidIn(finding);
    return readWords(`${title}\n${body}`).counts;
  };
  const words = wordsIn(right);
  return [...wordsIn(left).keys()].some((word) => words.has(word));
};

/** Reviewers cite the statement or the line beside it. */
const sameLines = 3;
const noFinding: Finding = { id: "", review: "", reviewer: "", title: "" };
