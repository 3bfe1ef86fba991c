/** The verdict is computed from the clusters; what the reports say about themselves is never looked at. */
import { assert } from "../../base/assert.ts";
import { plural } from "../../base/text.ts";
import type { Cluster, MissedJudgement, Severity, Synthesis } from "../types.ts";
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
  },
): Pick<Synthesis, "verdict" | "go" | "counts" | "quorum" | "reasons"> => {
  const { raw, reports, notJudged = [] } = context;
  const counts = countClusters(clusters, raw);
  const asked = new Set(reports.map(({ reviewer }) => reviewer)).size;
  const usable = new Set(reports.filter(isUsable).map(({ reviewer }) => reviewer)).size;
  const needed = Math.max(1, context.needed ?? Math.ceil(asked / 2));
  const standing = clusters.filter(isStanding);
  const [P0, P1] = (["P0", "P1"] as const).map(
    (severity) => standing.filter((cluster) => cluster.severity === severity).length,
  ) as [number, number];
  const reasons = [
    ...(usable < needed
      ? [`${usable} of ${plural(asked, "report")} usable, ${needed} needed`]
      : []),
    ...(P0 > 0 ? [`${plural(P0, "problem")} of severity P0`] : []),
    ...(P1 > 0 ? [`${plural(P1, "problem")} of severity P1`] : []),
    ...(notJudged.length > 0 ? [`not judged: ${missedText(notJudged)}`] : []),
    ...(counts.dismissed !== undefined ? [`${counts.dismissed} dismissed before`] : []),
    ...(counts.refuted > 0 ? [`${counts.refuted} refuted on a second look`] : []),
    ...(counts.needsVerification > 0
      ? [`${counts.needsVerification} seen by one source only or disputed: verify before acting`]
      : []),
  ];
  const isUnread = notJudged.some(({ what }) => what === "file");
  const free = isUnread ? "not-reviewed" : notJudged.length > 0 ? "incomplete" : "clean";
  const verdict =
    usable < needed ? "no-quorum" : P0 > 0 ? "blocked" : P1 > 0 ? "needs-changes" : free;
  return { verdict, go: verdict === "clean", counts, quorum: { asked, usable, needed }, reasons };
};

const missedText = (missed: readonly MissedJudgement[]): string => {
  const shown = missed.slice(0, missedShownMax).map(({ where, why }) => `${where} (${why})`);
  const more = missed.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
};

/** In one sentence; the list has all of them. */
const missedShownMax = 5;

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
  const { reports, counts, quorum, notJudged } = synthesis;
  const needed = quorum?.needed;
  const judged = judgeReview(clusters, { raw: counts.raw, reports, needed, notJudged });
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
