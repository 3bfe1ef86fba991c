import { sha256 } from "../../base/sha256.ts";
import type { Cluster, Finding, Verification } from "../types.ts";
import { agreementOf, probabilityOf, verifiedProbability } from "./agreement.ts";
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
  readonly panel: number;
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
  const verification = decide(looks);
  const isOpen = verification === undefined || verification.outcome === "unsure";
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
    probability: verifiedProbability(probabilityOf(independent, panel), verification, families),
    needsVerification: isOpen && (isDisputed || (isSingle && severity < "P2")),
    ...(verification && { verification: told(verification) }),
    related: related.flatMap((other) => ids[other] ?? []).toSorted(order),
  };
};

/** A command shows more than an opinion; opinions that contradict each other decide nothing. */
const decide = (looks: readonly Verification[]): Verification | undefined => {
  const shown = looks.filter(({ by }) => by === "command");
  const counted = shown.length > 0 ? shown : looks;
  const sure = counted.filter(({ outcome }) => outcome !== "unsure");
  const [first] = sure;
  if (first === undefined) return counted[0];
  if (sure.every(({ outcome }) => outcome === first.outcome)) return first;
  return { ...first, outcome: "unsure", reason: "second looks contradict each other" };
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
