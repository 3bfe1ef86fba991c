import { sha256 } from "../../base/sha256.ts";
import type { Cluster, Finding } from "../types.ts";
import { agreementOf, probabilityOf } from "./agreement.ts";
import type { Group } from "./group.ts";
import { order } from "./normalise.ts";
import { ruleSeverity } from "./severity.ts";

/** The groups of one review as clusters: most severe first, then most probable. */
export const toClusters = (
  groups: readonly Group[],
  context: { readonly review: string; readonly panel: number },
): Cluster[] => {
  const taken = new Set<string>();
  const ids = groups.map((group) => {
    const id = idOf(group, taken);
    taken.add(id);
    return id;
  });
  return groups
    .map((group, index) => toCluster(group, { ...context, ids, id: ids[index] ?? "" }))
    .toSorted(byRank);
};

const toCluster = (
  { findings, speaker, related }: Group,
  context: {
    readonly review: string;
    readonly panel: number;
    readonly ids: readonly string[];
    readonly id: string;
  },
): Cluster => {
  const { review, panel, ids, id } = context;
  const members = findings.map(({ finding }) => finding);
  const { severity, votes, isDisputed } = ruleSeverity(members);
  const { reviewers, families, independent } = agreementOf(members);
  const isSingle = families.length === 1;
  return {
    id,
    review,
    severity,
    severities: votes,
    title: speaker.title,
    ...placeOf(members),
    members: members.map((finding) => finding.id).toSorted(order),
    reviewers,
    families,
    independent,
    probability: probabilityOf(independent, panel),
    needsVerification: isDisputed || (isSingle && severity < "P2"),
    related: related.flatMap((other) => ids[other] ?? []).toSorted(order),
  };
};

/**
 * From the content of one member, the one with the smallest hash: a cluster keeps its id when somebody else sees
 * the same, and whoever sees it.
 */
const idOf = ({ findings }: Group, taken: ReadonlySet<string>): string => {
  const least = findings.map(({ content }) => content).toSorted(order)[0] ?? "";
  const id = `c-${least.slice(0, 12)}`;
  // The same text in two clusters: same words by one reviewer about places that are not the same.
  return taken.has(id) ? `c-${sha256(`${least}${taken.size}`).slice(0, 12)}` : id;
};

/** The file that most members name, and the first line there that most name. */
const placeOf = (members: readonly Finding[]): { path?: string; line?: number } => {
  const path = commonest(members.flatMap((member) => member.path ?? []));
  if (path === undefined) return {};
  const line = commonest(
    members.flatMap((member) => (member.path === path ? (member.line ?? []) : [])),
  );
  return line === undefined ? { path } : { path, line };
};

const commonest = <Value extends string | number>(values: readonly Value[]): Value | undefined => {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: Value | undefined;
  let bestCount = 0;
  for (const [value, count] of counts) {
    if (count > bestCount || (count === bestCount && best !== undefined && value < best)) {
      [best, bestCount] = [value, count];
    }
  }
  return best;
};

const byRank = (left: Cluster, right: Cluster): number =>
  order(left.severity, right.severity) ||
  right.probability - left.probability ||
  right.reviewers.length - left.reviewers.length ||
  order(left.path ?? "", right.path ?? "") ||
  (left.line ?? 0) - (right.line ?? 0) ||
  order(left.id, right.id);
