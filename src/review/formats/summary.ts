/** What a person is told about a synthesis, gathered once for all formats. */
import { plural } from "../../base/text.ts";
import { order } from "../synthesis/normalise.ts";
import { isConverged, isRefuted, isStanding } from "../synthesis/verdict.ts";
import type { Cluster, Finding, Synthesis } from "../types.ts";

export interface SummaryInput {
  readonly synthesis: Synthesis;
  /** Those that were synthesised: bodies and fixes are taken from them. */
  readonly findings: readonly Finding[];
  readonly title?: string;
}

export interface Summary {
  readonly headline: string;
  readonly sentences: readonly string[];
  /** P0 and P1, each with the fix that somebody proposes. */
  readonly blockers: readonly {
    readonly cluster: Cluster;
    readonly fix: string | undefined;
    readonly text: string | undefined;
  }[];
  readonly others: readonly Cluster[];
  /** A second look found that it is not so. */
  readonly refuted: readonly Cluster[];
  /** In the ledger, by a person. */
  readonly dismissed: readonly Cluster[];
  readonly converged: readonly Cluster[];
  /** Several reviewers, but all of one model family: labelled, not counted as agreement. */
  readonly echoes: readonly Cluster[];
  readonly unique: readonly { readonly reviewer: string; readonly clusters: readonly Cluster[] }[];
}

export const summarise = ({ synthesis, findings }: SummaryInput): Summary => {
  const { clusters, verdict, go } = synthesis;
  const byId = new Map(findings.map((finding) => [`${finding.review}\0${finding.id}`, finding]));
  const membersOf = ({ review, members }: Cluster): Finding[] =>
    members.flatMap((id) => byId.get(`${review}\0${id}`) ?? []);
  const converged = clusters.filter(isConverged);
  const single = clusters.filter(({ reviewers }) => reviewers.length === 1);
  return {
    headline: `${verdict === "not-reviewed" ? "not reviewed" : verdict} — ${go ? "go" : "no go"}`,
    sentences: sentencesOf(synthesis, converged.length),
    blockers: clusters
      .filter((cluster) => cluster.severity < "P2" && isStanding(cluster))
      .map((cluster) => {
        const members = membersOf(cluster);
        return {
          cluster,
          fix: longest(members.flatMap(({ fix }) => fix ?? [])),
          text: longest(members.flatMap(({ body }) => body ?? [])),
        };
      }),
    others: clusters.filter((cluster) => cluster.severity >= "P2" && isStanding(cluster)),
    refuted: clusters.filter((cluster) => isRefuted(cluster) && cluster.dismissed === undefined),
    dismissed: clusters.filter((cluster) => cluster.dismissed),
    converged: converged.toSorted((left, right) => right.independent - left.independent),
    echoes: clusters.filter((one) => one.reviewers.length > 1 && !isConverged(one)),
    unique: [...Map.groupBy(single, ({ reviewers }) => reviewers[0] ?? "")]
      .map(([reviewer, own]) => ({ reviewer, clusters: own }))
      .toSorted((left, right) => order(left.reviewer, right.reviewer)),
  };
};

/** How a cluster is named in lists: severity, place, who saw it. */
export const placeOf = ({ path, line }: Cluster): string =>
  path === undefined ? "" : line === undefined ? path : `${path}:${line}`;

export const percent = (probability: number): string => `${Math.round(probability * 100)} %`;

export const isSplit = ({ severities }: Cluster): boolean => Object.keys(severities).length > 1;

export const votes = ({ severities }: Cluster): string =>
  Object.entries(severities)
    .map(([severity, count]) => `${severity} × ${count}`)
    .join(", ");

/** What the second look gave, in words. */
export const verificationText = ({ verification }: Cluster): string | undefined =>
  verification && `${verification.outcome} by ${verification.by}: ${verification.reason}`;

const sentencesOf = ({ counts, quorum, reasons = [] }: Synthesis, converged: number): string[] => {
  const { raw, clusters, needsVerification } = counts;
  return [
    `${plural(raw, "finding")} → ${plural(clusters, "problem")}, ${converged} of them seen by several independent reviewers.`,
    ...(quorum
      ? [`${quorum.usable} of ${plural(quorum.asked, "report")} usable, ${quorum.needed} needed.`]
      : []),
    ...(needsVerification > 0
      ? [`${needsVerification} to be verified first: one source only, or severity disputed.`]
      : []),
    ...(reasons.length > 0 ? [`Why: ${reasons.join("; ")}.`] : []),
  ];
};

/** The one that says most; of equals the first in the order of the members. */
const longest = (texts: readonly string[]): string | undefined => {
  let best: string | undefined;
  for (const text of texts) if (best === undefined || text.length > best.length) best = text;
  return best;
};
