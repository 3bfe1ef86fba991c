import { sha256 } from "../../base/sha256.ts";
import type { Cluster, Finding, FindingPlace, Verification } from "../types.ts";
import { agreementOf, probabilityOf, verifiedProbability, type Voice } from "./agreement.ts";
import type { Group } from "./group.ts";
import { order } from "./normalise.ts";
import { ruleSeverity } from "./severity.ts";

/** The groups of one review as clusters: most severe first, then most probable. */
export const toClusters = (groups: readonly Group[], context: Context): Cluster[] => {
  const taken = new Set<string>();
  const ids = groups.map((group) => {
    const id = idOf(group, context.review, taken);
    taken.add(id);
    return id;
  });
  return groups
    .map((group, index) => toCluster(group, { ...context, ids, id: ids[index] ?? "" }))
    .toSorted(byRank);
};

interface Context {
  readonly review: string;
  /** Who could have seen a problem of this file; a number where only that is known. */
  readonly panel: number | ((path: string | undefined) => readonly Voice[]);
  readonly verifications: readonly Verification[];
}

const toCluster = (
  { findings, speaker, related }: Group,
  context: Context & { readonly ids: readonly string[]; readonly id: string },
): Cluster => {
  const { review, panel, ids, id } = context;
  const members = findings.map(({ finding }) => finding);
  const { severity, votes, isDisputed } = ruleSeverity(members);
  const { reviewers, families, independent } = agreementOf(members);
  const isSingle = families.length === 1;
  const looks = context.verifications.filter((one) => one.review === review && one.cluster === id);
  const verification = decide(looks, { families, isSevere: severity < "P2" });
  const place = placeIn(speaker);
  const size =
    typeof panel === "number" ? panel : agreementOf([...panel(place.path), ...members]).independent;
  const unplaced = members.every((member) => member.path === undefined)
    ? members.find((member) => member.unplaced !== undefined)?.unplaced
    : undefined;
  const isOpen = verification === undefined || verification.outcome === "unsure";
  return {
    id,
    review,
    severity,
    severities: votes,
    title: speaker.title,
    ...place,
    shown: speaker.id,
    places: listPlaces(members),
    ...(unplaced !== undefined && { unplaced }),
    members: members.map((finding) => finding.id).toSorted(order),
    reviewers,
    families,
    independent,
    probability: verifiedProbability(probabilityOf(independent, size), verification, families),
    needsVerification: isOpen && (isDisputed || (isSingle && severity < "P2")),
    ...(verification && { verification: told(verification) }),
    related: related.flatMap((other) => ids[other] ?? []).toSorted(order),
  };
};

/**
 * A command shows more than an opinion; opinions that contradict each other decide nothing, and what one model reports
 * severely the same model cannot clear alone.
 */
const decide = (
  looks: readonly Verification[],
  { families, isSevere }: { readonly families: readonly string[]; readonly isSevere: boolean },
): Verification | undefined => {
  const shown = looks.filter(({ by }) => by === "command");
  const counted = shown.length > 0 ? shown : looks;
  const sure = counted.filter(({ outcome }) => outcome !== "unsure");
  const [first] = sure;
  if (first === undefined) return counted[0];
  if (!sure.every(({ outcome }) => outcome === first.outcome)) {
    return { ...first, outcome: "unsure", reason: "second looks contradict each other" };
  }
  const isOwn = ({ by, family }: Verification): boolean => families.includes(family ?? by);
  if (first.outcome === "refuted" && isSevere && shown.length === 0 && sure.every(isOwn)) {
    const reason = `refuted only by the model family that reported it: ${first.reason}`;
    return { ...first, outcome: "unsure", reason };
  }
  return first;
};

const told = ({ outcome, by, reason }: Verification): NonNullable<Cluster["verification"]> => ({
  outcome,
  by,
  reason,
});

/**
 * From the content of one member, the one with the smallest hash: a cluster keeps its id when somebody else sees
 * the same, and whoever sees it.
 */
const idOf = ({ findings }: Group, review: string, taken: ReadonlySet<string>): string => {
  const least = findings.map(({ content }) => content).toSorted(order)[0] ?? "";
  const id = shortId(`${review}\0${least}`);
  // The same text in two clusters: same words by one reviewer about places that are not the same.
  return taken.has(id) ? shortId(`${review}\0${least}${taken.size}`) : id;
};

const shortId = (of: string): string => `c-${sha256(of).slice(0, 12)}`;

const placeIn = ({ path, line, symbol }: Finding): FindingPlace => ({
  ...(path !== undefined && { path }),
  ...(path !== undefined && line !== undefined && { line }),
  ...(path !== undefined && symbol !== undefined && { symbol }),
});

const listPlaces = (members: readonly Finding[]): FindingPlace[] => {
  const places = new Map<string, FindingPlace>();
  for (const member of members) {
    if (member.path === undefined) continue;
    const key = `${member.path}\0${member.line ?? ""}`;
    if (places.get(key)?.symbol === undefined) places.set(key, placeIn(member));
  }
  return [...places.values()].toSorted(
    (left, right) =>
      order(left.path ?? "", right.path ?? "") || (left.line ?? 0) - (right.line ?? 0),
  );
};

const byRank = (left: Cluster, right: Cluster): number =>
  order(left.severity, right.severity) ||
  right.probability - left.probability ||
  right.reviewers.length - left.reviewers.length ||
  order(left.path ?? "", right.path ?? "") ||
  (left.line ?? 0) - (right.line ?? 0) ||
  order(left.id, right.id);
