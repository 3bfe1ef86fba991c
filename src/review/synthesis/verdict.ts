/** The verdict is computed from the clusters; what the reports say about themselves is never looked at. */
import { assert } from "../../base/assert.ts";
import { plural } from "../../base/text.ts";
import type { Cluster, LookCounts, MissedJudgement, Severity, Synthesis } from "../types.ts";
import { severities } from "./normalise.ts";

export type ReportLine = Synthesis["reports"][number];

/** Reports that count as an answer; the others may hold findings, but nobody can say that they are all. */
export const isUsable = ({ state, findings }: ReportLine): boolean =>
  state === "strict" || state === "lenient" || (state === "prose" && findings > 0);

export const judgeReview = (
  clusters: readonly Cluster[],
  context: {
    readonly raw: number;
    readonly reports: readonly ReportLine[];
    /** How many usable reports a verdict needs; half of those asked, and at least one, unless told. */
    readonly needed?: number | undefined;
    readonly notJudged?: readonly MissedJudgement[] | undefined;
    readonly looked?: LookCounts | undefined;
  },
): Pick<Synthesis, "verdict" | "go" | "counts" | "quorum" | "reasons"> => {
  const { raw, reports, notJudged = [], looked } = context;
  const counts = countClusters(clusters, raw);
  const asked = new Set(reports.map(({ reviewer }) => reviewer)).size;
  const usable = new Set(reports.filter(isUsable).map(({ reviewer }) => reviewer)).size;
  const needed = Math.max(1, context.needed ?? Math.ceil(asked / 2));
  const standing = clusters.filter((cluster) => isStanding(cluster) && isPlaced(cluster));
  const lost = clusters.filter(
    (cluster) => isStanding(cluster) && !isPlaced(cluster) && cluster.severity < "P2",
  ).length;
  const rulesAlone = isByRulesAlone(looked) ? looked?.rules : undefined;
  const [P0, P1] = (["P0", "P1"] as const).map(
    (severity) => standing.filter((cluster) => cluster.severity === severity).length,
  ) as [number, number];
  const reasons = [
    ...(usable < needed
      ? [`${usable} of ${plural(asked, "report")} usable, ${needed} needed`]
      : []),
    ...(P0 > 0 ? [`${plural(P0, "problem")} of severity P0`] : []),
    ...(P1 > 0 ? [`${plural(P1, "problem")} of severity P1`] : []),
    ...(lost > 0
      ? [`${plural(lost, "severe problem")} at no place of what was reviewed: cannot block`]
      : []),
    ...(notJudged.length > 0 ? [`not judged: ${missedText(notJudged)}`] : []),
    ...(rulesAlone === undefined
      ? []
      : [`only ${plural(rulesAlone, "rule")} looked; no reviewer was asked`]),
    ...(counts.dismissed !== undefined ? [`${counts.dismissed} dismissed before`] : []),
    ...(counts.refuted > 0 ? [`${counts.refuted} refuted on a second look`] : []),
    ...(counts.needsVerification > 0
      ? [`${counts.needsVerification} seen by one source only or disputed: verify before acting`]
      : []),
  ];
  const free = notJudged.length > 0 || rulesAlone !== undefined ? "not-reviewed" : "go";
  const verdict =
    usable < needed ? "no-quorum" : P0 > 0 ? "blocked" : P1 > 0 ? "needs-changes" : free;
  return { verdict, go: verdict === "go", counts, quorum: { asked, usable, needed }, reasons };
};

/** Rules ran and no reviewer answered: they may object, and cannot say that it is good. */
export const isByRulesAlone = (looked: LookCounts | undefined): looked is LookCounts =>
  looked !== undefined && looked.rules !== undefined && looked.reviewers === 0;

/** Whether it points to something that exists in what was reviewed, or to no place at all, as in a document. */
export const isPlaced = ({ unplaced }: Cluster): boolean => unplaced === undefined;

const missedText = (missed: readonly MissedJudgement[]): string => {
  const shown = missed.slice(0, missedShownMax).map(({ where, why }) => `${where} (${why})`);
  const more = missed.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
};

/** In one sentence; the list has all of them. */
const missedShownMax = 5;

/** A finding without a place in the reviewed change may be severe; it stops nothing. */
export const isBlocker = (cluster: Cluster): boolean =>
  cluster.severity < "P2" && isStanding(cluster) && isPlaced(cluster);

/** Neither refuted by a second look nor dismissed by a person. */
export const isStanding = (cluster: Cluster): boolean =>
  !isRefuted(cluster) && cluster.dismissed === undefined;

export const isRefuted = ({ verification }: Cluster): boolean =>
  verification?.outcome === "refuted";

/** Judged again without what people have dismissed; `dismissed` holds ids of clusters. */
export const withDismissals = (synthesis: Synthesis, dismissed: ReadonlySet<string>): Synthesis => {
  if (dismissed.size === 0) return synthesis;
  const clusters = synthesis.clusters.map((cluster): Cluster =>
    dismissed.has(cluster.id) ? { ...cluster, dismissed: true, needsVerification: false } : cluster,
  );
  const { reports, counts, quorum, notJudged, looked } = synthesis;
  const needed = quorum?.needed;
  const judged = judgeReview(clusters, { raw: counts.raw, reports, needed, notJudged, looked });
  return { ...synthesis, ...judged, clusters };
};

/** Several reviewers saw it, and not only copies of one model. */
export const isConverged = ({ reviewers, families }: Cluster): boolean =>
  (families ?? reviewers).length > 1;

const countClusters = (clusters: readonly Cluster[], raw: number): Synthesis["counts"] => {
  const bySeverity = Object.fromEntries(
    severities.map((severity) => [
      severity,
      clusters.filter((cluster) => cluster.severity === severity).length,
    ]),
  ) as Record<Severity, number>;
  const members = clusters.flatMap((cluster) => cluster.members);
  assert(members.length === raw, "a finding is in no cluster or in two");
  assert(
    new Set(clusters.flatMap(({ review, members: ids }) => ids.map((id) => `${review}\0${id}`)))
      .size === raw,
    "a finding is in two clusters",
  );
  const dismissed = clusters.filter((cluster) => cluster.dismissed).length;
  return {
    raw,
    clusters: clusters.length,
    bySeverity,
    converged: clusters.filter(isConverged).length,
    needsVerification: clusters.filter((cluster) => cluster.needsVerification).length,
    refuted: clusters.filter(isRefuted).length,
    ...(dismissed > 0 && { dismissed }),
  };
};
