/** A survey as plain data, so that it can be kept, compared and weighed again. */
import { sha256 } from "../base/sha256.ts";
import type { PackageFacts } from "./evidence.ts";
import { type Layout, type Package, shareWhere, sum } from "./layout.ts";
import type { Role } from "./signals/weights.ts";
import { type ReadFile, shareIn, type Survey } from "./survey.ts";
import type { Evidence, ProfileNote, SignalKind } from "./types.ts";

type Counts = readonly (readonly [kind: string, files: number])[];

export interface StoredSurvey {
  readonly prevailing: Role;
  readonly counts: Counts;
  readonly weighed: Counts;
  readonly packages: readonly StoredPackage[];
  /** With the package that each belongs to, by its path. */
  readonly evidence: readonly (Evidence & { readonly owner: string })[];
  readonly read: readonly StoredRead[];
  readonly sampled: readonly string[] | null;
  readonly hasRules: boolean;
  readonly notes: readonly ProfileNote[];
}

interface StoredPackage extends Omit<Package, "counts" | "topCounts"> {
  readonly counts: Counts;
  readonly topCounts: Counts;
}

interface StoredRead {
  readonly path: string;
  readonly digest: string;
  /** Keys; a key begins with its kind. */
  readonly evidence: readonly string[];
  readonly packages: readonly PackageFacts[];
  readonly notes: readonly string[];
}

export const storeSurvey = (survey: Survey): StoredSurvey => ({
  prevailing: survey.layout.prevailing,
  counts: [...survey.layout.counts],
  weighed: [...survey.layout.weighed],
  packages: [...survey.layout.packages.values()].map((one) => ({
    ...one,
    counts: [...one.counts],
    topCounts: [...one.topCounts],
  })),
  evidence: [...survey.evidenceOf].flatMap(([owner, list]) =>
    list.map((one) => ({ ...one, owner: owner.path })),
  ),
  read: survey.read.map(storeRead),
  sampled: survey.sampled,
  hasRules: survey.hasRules,
  notes: survey.notes,
});

export const storeRead = ({ path, digest, evidence, packages, notes }: ReadFile): StoredRead => ({
  path,
  digest,
  evidence: evidence.map(({ key }) => key),
  packages,
  notes: notes.map(({ message }) => message),
});

/** What `judgeSurvey` needs. */
export const restoreSurvey = (
  stored: StoredSurvey,
): Pick<Survey, "layout" | "evidenceOf" | "notes"> => {
  const packages = new Map(
    stored.packages.map((one) => [
      one.path,
      { ...one, counts: new Map(one.counts), topCounts: new Map(one.topCounts) },
    ]),
  );
  const top = packages.get("") ?? emptyTop;
  const layout: Layout = {
    packages,
    packageOf: () => top,
    shareOf: shareWhere(stored.prevailing),
    prevailing: stored.prevailing,
    counts: new Map(stored.counts),
    weighed: new Map(stored.weighed),
  };
  const evidenceOf = new Map<Package, Evidence[]>();
  for (const { owner, ...one } of stored.evidence) {
    const place = packages.get(owner) ?? top;
    const list = evidenceOf.get(place) ?? [];
    if (list.length === 0) evidenceOf.set(place, list);
    list.push(one);
  }
  return { layout, evidenceOf, notes: stored.notes };
};

const emptyTop: Package = {
  path: "",
  ecosystems: [],
  role: "main",
  counts: new Map(),
  topCounts: new Map(),
  importance: 1,
  isMember: true,
};

/** What a file said when it was last read; nothing for files that could not be read. */
export const knownFile = ({ path, digest, evidence, packages, notes }: StoredRead): ReadFile => ({
  path,
  digest,
  evidence: evidence.map((key) => ({
    key,
    kind: key.slice(0, key.indexOf(":")) as SignalKind,
    path,
  })),
  packages,
  notes: notes.map((message) => ({ path, message })),
});

/**
 * What a profile rests on, one line each: a signal, its package, and how much it counts where it lies.
 * Not the file's own name: a rename that changes none of the three is cosmetic (D-06).
 */
export const evidenceLines = ({
  layout,
  evidenceOf,
}: Pick<Survey, "layout" | "evidenceOf">): string[] => {
  const lines = new Set<string>();
  for (const [owner, list] of evidenceOf) {
    for (const one of list) {
      const share = Math.round(shareIn(layout, owner, one) * 100) / 100;
      lines.add(`${one.key} in ${owner.path || "."}${share === 1 ? "" : ` × ${share}`}`);
    }
  }
  for (const { path, name, ecosystems, isMember } of layout.packages.values()) {
    if (path === "" && ecosystems.length === 0) continue;
    const what = [ecosystems.join("+"), name ?? "", isMember ? "" : "outside the workspace"];
    lines.add(`package ${path || "."}: ${what.filter((word) => word !== "").join(", ")}`);
  }
  return [...lines].toSorted();
};

export const linesDigest = (lines: readonly string[]): string =>
  `sha256:${sha256(lines.join("\n"))}`;

/** The most that any language's or package's share of the files moved, 0–1. */
export const driftBetween = (before: Layout, now: Layout): number =>
  Math.max(
    furthest(shares(before.counts), shares(now.counts)),
    furthest(packageShares(before), packageShares(now)),
  );

/** A language has to move by this much before a profile is out of date by it alone (D.2). */
export const driftMax = 0.05;

const shares = (counts: ReadonlyMap<string, number>): Map<string, number> => {
  const all = sum(counts) || 1;
  return new Map([...counts].map(([kind, files]) => [kind, files / all]));
};

const packageShares = ({ packages, counts }: Layout): Map<string, number> => {
  const all = sum(counts) || 1;
  return new Map([...packages.values()].map((one) => [one.path, sum(one.counts) / all]));
};

const furthest = (a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number => {
  let most = 0;
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    most = Math.max(most, Math.abs((a.get(key) ?? 0) - (b.get(key) ?? 0)));
  }
  return most;
};
