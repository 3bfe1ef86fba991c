import type { Finding, Severity } from "../types.ts";
import { severities } from "./normalise.ts";

export interface SeverityRuling {
  readonly severity: Severity;
  /** How many reviewers gave which; more than one entry is a conflict. */
  readonly votes: Readonly<Partial<Record<Severity, number>>>;
  /** Somebody says P0 or P1 and the majority does not: that is looked at, not voted away. */
  readonly isDisputed: boolean;
}

/**
 * The most severe grade that at least half of those who gave one support ("at least so severe"). Each reviewer has
 * one vote, its most severe. Nobody gave one: P2.
 */
export const ruleSeverity = (findings: readonly Finding[]): SeverityRuling => {
  const byReviewer = new Map<string, number>();
  for (const { reviewer, severity } of findings) {
    if (severity === undefined) continue;
    const grade = severities.indexOf(severity);
    byReviewer.set(reviewer, Math.min(grade, byReviewer.get(reviewer) ?? grade));
  }
  const grades = [...byReviewer.values()].toSorted((left, right) => left - right);
  const votes: Partial<Record<Severity, number>> = {};
  for (const severity of severities) {
    const count = grades.filter((grade) => severities[grade] === severity).length;
    if (count > 0) votes[severity] = count;
  }
  const ruling = grades[Math.ceil(grades.length / 2) - 1];
  const severity = severities[ruling ?? 2] ?? "P2";
  const highest = severities[grades[0] ?? 2] ?? "P2";
  return { severity, votes, isDisputed: highest !== severity && highest < "P2" };
};
