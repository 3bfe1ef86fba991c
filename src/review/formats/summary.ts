/** What a person is told about a synthesis, gathered once for all formats. */
import { plural } from "../../base/text.ts";
import { order } from "../synthesis/normalise.ts";
import {
  isByRulesAlone,
  isBlocker,
  isConverged,
  isRefuted,
  isStanding,
} from "../synthesis/verdict.ts";
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
  const { clusters } = synthesis;
  const byId = new Map(findings.map((finding) => [`${finding.review}\0${finding.id}`, finding]));
  const converged = clusters.filter(isConverged);
  const single = clusters.filter(({ reviewers }) => reviewers.length === 1);
  return {
    headline: headlineOf(synthesis),
    sentences: sentencesOf(synthesis, converged.length),
    blockers: clusters
      .filter((cluster) => isBlocker(cluster))
      .map((cluster) => {
        const shown = byId.get(`${cluster.review}\0${cluster.shown}`);
        return { cluster, fix: shown?.fix, text: shown?.body };
      }),
    others: clusters.filter((cluster) => isStanding(cluster) && !isBlocker(cluster)),
    refuted: clusters.filter((cluster) => isRefuted(cluster) && cluster.dismissed === undefined),
    dismissed: clusters.filter((cluster) => cluster.dismissed),
    converged: converged.toSorted((left, right) => right.independent - left.independent),
    echoes: clusters.filter((one) => one.reviewers.length > 1 && !isConverged(one)),
    unique: [...Map.groupBy(single, ({ reviewers }) => reviewers[0] ?? "")]
      .map(([reviewer, own]) => ({ reviewer, clusters: own }))
      .toSorted((left, right) => order(left.reviewer, right.reviewer)),
  };
};

/** Every place of a problem, the one that is shown first: `src/a.ts:10, 340; src/b.ts:7`. */
export const placeOf = (cluster: Cluster): string => {
  const { path, line, symbol, unplaced } = cluster;
  if (path === undefined) return unplaced === undefined ? "" : `no place: ${unplaced}`;
  const byPath = Map.groupBy(cluster.places, (place) => place.path ?? "");
  const listed = [...byPath]
    .toSorted(
      ([left], [right]) => Number(right === path) - Number(left === path) || order(left, right),
    )
    .map(([name, places]) => {
      const lines = places.flatMap((place) => place.line ?? []);
      const others = name === path ? lines.filter((one) => one !== line) : lines;
      const all = name === path && line !== undefined ? [line, ...others] : others;
      return all.length === 0 ? name : `${name}:${all.join(", ")}`;
    });
  const [first = path, ...rest] = listed;
  return [symbol === undefined ? first : `${first} (${symbol})`, ...rest].join("; ");
};

/** All places of a rule may be thousands, and each is to be seen. */
export const placesLengthMax = 20_000;

export const percent = (probability: number): string => `${Math.round(probability * 100)} %`;

export const isSplit = ({ severities }: Cluster): boolean => Object.keys(severities).length > 1;

export const votes = ({ severities }: Cluster): string =>
  Object.entries(severities)
    .map(([severity, count]) => `${severity} × ${count}`)
    .join(", ");

/** What the second look gave, in words. */
export const verificationText = ({ verification }: Cluster): string | undefined =>
  verification && `${verification.outcome} by ${verification.by}: ${verification.reason}`;

const headlineOf = ({ verdict, go, looked, quorum, notJudged = [] }: Synthesis): string => {
  if (verdict === "go") return "go";
  if (verdict !== "not-reviewed") return `${verdict} — no go`;
  if (isByRulesAlone(looked) && notJudged.length === 0) {
    return `not reviewed — no objection by ${plural(looked.rules ?? 0, "rule")}; no reviewer was asked`;
  }
  const hasReader = (quorum?.usable ?? 0) > 0 && !notJudged.some(({ what }) => what === "file");
  return `not ${hasReader ? "fully " : ""}reviewed — ${go ? "go" : "no go"}`;
};

/** Who looked at what. */
const lookText = ({ reviewers, rules, files, unread = 0 }: Synthesis["looked"]): string => {
  const who = [
    ...(reviewers > 0 || rules === undefined ? [plural(reviewers, "reviewer")] : ["no reviewer"]),
    ...(rules === undefined ? [] : [plural(rules, "rule")]),
  ].join(" and ");
  if (files === undefined) return `${who} looked.`;
  return `${who} looked at ${plural(files, "file")}${unread > 0 ? `, ${unread} of them unread` : ""}.`;
};

const sentencesOf = (
  { counts, quorum, looked, reasons = [] }: Synthesis,
  converged: number,
): string[] => {
  const { raw, clusters, needsVerification } = counts;
  return [
    `${plural(raw, "finding")} → ${plural(clusters, "problem")}, ${converged} of them seen by several independent reviewers.`,
    ...(quorum
      ? [`${quorum.usable} of ${plural(quorum.asked, "report")} usable, ${quorum.needed} needed.`]
      : []),
    lookText(looked),
    ...(needsVerification > 0
      ? [`${needsVerification} to be verified first: one source only, or severity disputed.`]
      : []),
    ...(reasons.length > 0 ? [`Why: ${reasons.join("; ")}.`] : []),
  ];
};
