/** What routing hides of reports: findings under a floor and in paths that are not the reviewer's business. */
import { plural } from "../../base/text.ts";
import { pathMatcher } from "../path-glob.ts";
import type { Triage } from "../triage/types.ts";
import type { Finding, Report } from "../types.ts";

export interface Hiding {
  /** What is hidden is counted, never silently gone. */
  apply(reports: readonly Report[]): { readonly reports: Report[]; readonly notes: string[] };
  /** A reviewer was told to leave the path alone, so its silence about it says nothing. */
  skips(reviewer: string, path: string): boolean;
}

export const hidingOf = ({ considered }: Triage): Hiding => {
  const rules = new Map(
    considered.flatMap(({ reviewer, decision, except = [] }) => {
      const floor = decision.state === "chosen" ? decision.floor : undefined;
      const matchers = except.map(pathMatcher);
      return floor === undefined && matchers.length === 0
        ? []
        : [[reviewer, { floor, matchers }] as const];
    }),
  );
  const skips = (reviewer: string, path: string): boolean =>
    rules.get(reviewer)?.matchers.some((matches) => matches(path)) ?? false;
  const cut = (report: Report, notes: string[]): Report => {
    const { reviewer } = report;
    const rule = rules.get(reviewer);
    if (!rule) return report;
    const { floor } = rule;
    const without = (why: string, isHidden: (one: Finding) => boolean, from: Report): Report => {
      const findings = from.findings.filter((one) => !isHidden(one));
      const count = from.findings.length - findings.length;
      if (count > 0) notes.push(`${plural(count, "finding")} of ${reviewer} ${why} hidden`);
      return { ...from, findings };
    };
    const inScope = without(
      "in paths that routing takes from it",
      ({ path }) => path !== undefined && skips(reviewer, path),
      report,
    );
    if (floor === undefined) return inScope;
    return without(`below its floor ${floor}`, ({ severity = "P2" }) => severity > floor, inScope);
  };
  return {
    skips,
    apply: (reports) => {
      const notes: string[] = [];
      return { reports: reports.map((report) => cut(report, notes)), notes };
    },
  };
};
