/** What reviewers in shadow saw: did the override lose anything severe? */
import { addTotals, noTotals } from "../dispatch/totals.ts";
import type { DispatchTotals } from "../dispatch/types.ts";
import { synthesize } from "../synthesis/synthesize.ts";
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
 * P0 and P1 of the shadow that are no part of a problem that was shown. What is only like a shown one was not seen: on the
 * labelled data counting that as seen hid more than half of the losses.
 */
export const missedBy = (own: readonly Finding[], active: readonly Finding[]): Cluster[] => {
  const ids = new Set(own.map(({ id }) => id));
  const { clusters } = synthesize([...active, ...own]);
  return clusters.filter(
    ({ members, severity, unplaced }) =>
      severity < "P2" && unplaced === undefined && members.every((member) => ids.has(member)),
  );
};
