/** What reviewers in shadow saw: did excluding them lose anything severe? */
import { addTotals, noTotals } from "../dispatch/totals.ts";
import type { DispatchTotals } from "../dispatch/types.ts";
import { synthesize } from "../synthesis/synthesize.ts";
import type { Triage } from "../triage/types.ts";
import type { Cluster, Finding, Report } from "../types.ts";
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
): Promise<DispatchTotals> => {
  const { id, reports, active, looking, mayLook, onShadow } = context;
  let totals = noTotals;
  if (!onShadow) return totals;
  for (const { reviewer, decision } of considered) {
    const report = reports.get(reviewer);
    if (decision.state !== "shadow" || !report) continue;
    // A report that nobody could read is no look: silence never passes.
    if (report.state !== "strict" && report.state !== "lenient") continue;
    const missed = missedBy(report.findings, active);
    const { budgetUsd } = looking;
    const looks = mayLook
      ? await secondLooks(missed, {
          ...looking,
          findings: report.findings,
          budgetUsd: budgetUsd === null ? null : Math.max(0, budgetUsd - totals.costUsd),
        })
      : { verifications: [], totals: noTotals };
    totals = addTotals(totals, looks.totals);
    const count = (outcome: string): number =>
      looks.verifications.filter((one) => one.outcome === outcome).length;
    await onShadow({
      ...{ review: id, reviewer, probability: decision.probability },
      losses: count("confirmed"),
      open: missed.length - count("confirmed") - count("refuted"),
      findings: report.findings,
    });
  }
  return totals;
};

/** P0 and P1 of the shadow that are neither the same as, nor like, anything that was shown. */
const missedBy = (own: readonly Finding[], active: readonly Finding[]): Cluster[] => {
  const ids = new Set(own.map(({ id }) => id));
  const { clusters } = synthesize([...active, ...own]);
  return clusters.filter(
    ({ members, severity, related }) =>
      severity < "P2" && related.length === 0 && members.every((member) => ids.has(member)),
  );
};
