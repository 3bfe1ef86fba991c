import { sha256 } from "../../base/sha256.ts";
import type {
  Finding,
  LookCounts,
  MissedJudgement,
  Report,
  Synthesis,
  Verification,
} from "../types.ts";
import { isMechanical, type Voice } from "./agreement.ts";
import { findBoilerplate } from "./boilerplate.ts";
import { toClusters } from "./cluster.ts";
import { groupFindings } from "./group.ts";
import { canonical, normalise, type Normalised, order } from "./normalise.ts";
import { isUsable, judgeReview, type ReportLine } from "./verdict.ts";
import { plainLine } from "../plain-text.ts";

export interface SynthesizeOptions {
  /** Everyone who was asked. Without it, whoever has a finding is taken to have answered in full. */
  readonly reports?: readonly (Pick<Report, "reviewer" | "state" | "findings"> &
    Partial<Pick<Report, "problems" | "family" | "notJudged">>)[];
  /** Gaps beside the reports that cannot be used. */
  readonly notJudged?: readonly MissedJudgement[];
  /** How many usable reports a verdict needs; half of those asked, and at least one, unless told. */
  readonly quorum?: number;
  /** How many reviewers looked; those with a usable report unless given, or with a finding where there are no reports. */
  readonly panel?: number;
  /** How many rules ran, and over how many files; what of it no one could read is in `notJudged`. */
  readonly looked?: { readonly rules?: number; readonly files?: number };
  /** What second looks at clusters of this very input gave; they change no cluster's id or members. */
  readonly verifications?: readonly Verification[];
}

/**
 * Brings the findings of all reviewers together: the same problem once, with everyone who saw it, a calibrated
 * probability and one verdict. Pure: the same findings in any order give the same bytes. Every finding is in
 * exactly one cluster; findings of different reviews, files or kinds never share one.
 */
export const synthesize = (
  findings: readonly Finding[],
  options: SynthesizeOptions = {},
): Synthesis => {
  const all = normalise(findings);
  const saidOf = findBoilerplate(all.map(({ finding }) => finding));
  const verifications = normaliseVerifications(options.verifications ?? []);
  const clusters = [...Map.groupBy(all, ({ finding }) => finding.review)]
    .toSorted(([left], [right]) => order(left, right))
    .flatMap(([review, own]) =>
      toClusters(groupFindings(own, saidOf), {
        ...{ review, verifications },
        panel: options.panel ?? findPanel(own, options.reports),
      }),
    );
  const reports = reportLines(all, options.reports);
  const { quorum } = options;
  const notJudged = missedIn(options);
  const looked = countLooks(options, notJudged);
  const judged = judgeReview(clusters, {
    ...{ raw: all.length, reports, needed: quorum, notJudged, looked },
  });
  const digest = canonical({
    findings: all.map(({ finding }) => finding),
    reports,
    panel: options.panel ?? findPanel(all, options.reports)(undefined),
    quorum: quorum ?? null,
    ...(verifications.length > 0 && { verifications }),
    ...(notJudged.length > 0 && { notJudged }),
  });
  return {
    ...{ ...judged, clusters, reports, looked },
    ...(notJudged.length > 0 && { notJudged }),
    inputDigest: `sha256:${sha256(digest)}`,
  };
};

/**
 * Everybody who was asked and answered could have seen it, apart from those who could not read its file. Rules and linters
 * know some sorts of problem only, so their silence says nothing.
 */
const findPanel = (
  own: readonly Normalised[],
  reports: SynthesizeOptions["reports"],
): ((path: string | undefined) => Voice[]) => {
  if (!reports) {
    // Each voice once: every problem is counted against all of them.
    const voices = new Map(
      own
        .filter(({ finding }) => !isMechanical(finding))
        .map(({ finding: { reviewer, family } }): [string, Voice] => [
          JSON.stringify([reviewer, family]),
          { reviewer, ...(family !== undefined && { family }) },
        ]),
    );
    return () => [...voices.values()];
  }
  const usable = reports.filter(
    (report) => !isMechanical(report) && isUsable({ ...report, findings: report.findings.length }),
  );
  return (path) =>
    usable
      .filter(({ notJudged = [] }) => !notJudged.some(({ where }) => where === path))
      .map(({ reviewer, family, findings: [finding] }) => {
        // Reports from files know no family, their findings may.
        const known = family ?? finding?.family;
        return {
          reviewer: plainLine(reviewer),
          ...(known !== undefined && { family: plainLine(known) }),
        };
      })
      .toSorted((left, right) => order(left.reviewer, right.reviewer));
};

const countLooks = (
  { reports, looked = {} }: SynthesizeOptions,
  notJudged: readonly MissedJudgement[],
): LookCounts => {
  const usable = (reports ?? []).filter(
    (report) => !isMechanical(report) && isUsable({ ...report, findings: report.findings.length }),
  );
  const { rules, files } = looked;
  const unread = new Set(notJudged.flatMap(({ what, where }) => (what === "file" ? [where] : [])));
  return {
    reviewers: new Set(usable.map(({ reviewer }) => reviewer)).size,
    ...(rules !== undefined && { rules }),
    ...(files !== undefined && { files, unread: unread.size }),
  };
};

/** Reports that did not come or cannot be relied on, and the rest that was not looked at. */
const missedIn = ({ reports = [], notJudged = [] }: SynthesizeOptions): MissedJudgement[] =>
  [
    ...reports.flatMap(({ reviewer, state, findings, problems: [problem] = [] }) =>
      isUsable({ reviewer, state, findings: findings.length })
        ? []
        : [
            {
              ...{ what: "report", where: reviewer },
              why: problem === undefined ? state : `${state}: ${problem}`,
            },
          ],
    ),
    ...notJudged,
  ]
    .map(({ what, where, why }) => ({
      ...{ what: plainLine(what), where: plainLine(where), why: plainLine(why) },
    }))
    .toSorted((left, right) => order(canonical(left), canonical(right)));

/**
 * All reports as they were read. What is not an answer to this run gives no findings; a cut report gives those it
 * has, and does not count towards the quorum.
 */
export const synthesizeReports = (
  reports: readonly Report[],
  options: Omit<SynthesizeOptions, "reports"> = {},
): Synthesis =>
  synthesize(
    reports.flatMap(({ state, findings }) =>
      state === "foreign" || state === "error" ? [] : findings,
    ),
    { ...options, reports },
  );

const normaliseVerifications = (given: readonly Verification[]): Verification[] =>
  given
    .map(({ review, cluster, outcome, by, family, reason }) => ({
      ...{ review, cluster, outcome, by: plainLine(by), reason: plainLine(reason) },
      ...(family !== undefined && { family: plainLine(family) }),
    }))
    .toSorted((left, right) => order(canonical(left), canonical(right)));

const reportLines = (
  all: readonly Normalised[],
  reports: SynthesizeOptions["reports"],
): ReportLine[] => {
  const lines: ReportLine[] = reports
    ? reports.map(({ reviewer, state, findings }) => ({
        reviewer: plainLine(reviewer),
        state,
        findings: findings.length,
      }))
    : [...Map.groupBy(all, ({ finding }) => finding.reviewer)].map(([reviewer, own]) => ({
        reviewer,
        state: "strict",
        findings: own.length,
      }));
  return lines.toSorted(
    (left, right) =>
      order(left.reviewer, right.reviewer) ||
      order(left.state, right.state) ||
      left.findings - right.findings,
  );
};
