/** Which packages a tree has, what belongs to which of them, and how much each counts for the whole. */
import { pathPattern } from "./attributes.ts";
import { limits } from "../base/limits.ts";
import { type Census, countedFiles } from "./census.ts";
import type { PackageFacts } from "./evidence.ts";
import { roleOf } from "./path-rules.ts";
import { type Role, roleShare, weights } from "./signals/weights.ts";

export interface Package {
  /** "" for the tree itself. */
  readonly path: string;
  readonly name?: string;
  readonly ecosystems: readonly string[];
  readonly role: Role;
  /** Files by extension, known languages only. */
  readonly counts: ReadonlyMap<string, number>;
  /** The same for its own folder alone. */
  readonly topCounts: ReadonlyMap<string, number>;
  /** 0–1: how much of what is found in it counts for the whole tree. */
  readonly importance: number;
  /** Part of a declared workspace, or the tree itself. */
  readonly isMember: boolean;
}

export interface Layout {
  /** By path; the tree itself comes first. */
  readonly packages: ReadonlyMap<string, Package>;
  readonly packageOf: (path: string) => Package;
  /** How much counts of what lies at this path, seen from the top or from its package. */
  readonly shareOf: (path: string, from: Package | undefined) => number;
  /** The role that counts in full. */
  readonly prevailing: Role;
  /** Files by extension in the whole tree, known languages only. */
  readonly counts: ReadonlyMap<string, number>;
  /** The same, with only a part of what lies in examples, tests and the like. */
  readonly weighed: ReadonlyMap<string, number>;
}

export interface Manifest {
  readonly path: string;
  readonly facts: PackageFacts;
}

export const layOut = (census: Census, manifests: readonly Manifest[]): Layout => {
  const named = new Map<string, { name?: string; ecosystems: Set<string> }>([
    ["", { ecosystems: new Set() }],
  ]);
  for (const { path, facts } of manifests) {
    const folder = folderOf(path);
    if (!named.has(folder) && (!facts.isPackage || named.size >= limits.profilePackagesMax))
      continue;
    const one = named.get(folder) ?? { ecosystems: new Set() };
    named.set(folder, one);
    one.ecosystems.add(facts.ecosystem);
    if (facts.name !== undefined) one.name ??= facts.name;
  }
  const nearest = nearestPackage(new Set(named.keys()));
  const prevailing = prevailingRole(census);
  const shareOfRole = (role: Role): number => (role === prevailing ? 1 : roleShare[role]);
  const { counts, weighed, perPackage } = totals(census, nearest, shareOfRole);
  const all = sum(counts);
  const isMember = membership(manifests);
  const hasWorkspace = manifests.some(({ facts }) => facts.members.length > 0);
  const topKinds = new Set(
    manifests
      .filter(({ path, facts }) => facts.isPackage && folderOf(path) === "")
      .map(({ facts }) => facts.ecosystem),
  );
  const packages = new Map<string, Package>();
  for (const [path, { name, ecosystems }] of named) {
    const own = perPackage.get(path) ?? new Map<string, number>();
    const share = all === 0 ? 0 : sum(own) / all;
    const belongs = path === "" || isMember(path);
    // Crates below a crate are its parts; below an npm workspace's private top they stand for themselves.
    const isPart = topKinds.has("cargo") && ecosystems.has("cargo");
    packages.set(path, {
      path,
      ...(name !== undefined && { name }),
      ecosystems: [...ecosystems].toSorted(),
      role: roleOf(path),
      counts: own,
      topCounts: census.folders.get(path)?.counts ?? new Map(),
      importance:
        path === ""
          ? 1
          : importanceOf(share, named.size - 1) *
            (hasWorkspace && !belongs ? 0.6 : 1) *
            (isPart ? weights.partOfTop : 1),
      isMember: belongs,
    });
  }
  const top = packages.get("") as Package;
  return {
    packages,
    packageOf: (path) => packages.get(nearest(path)) ?? top,
    shareOf: shareWhere(prevailing),
    prevailing,
    counts,
    weighed,
  };
};

/** How much counts of what lies somewhere, when this role is the one that counts in full. */
export const shareWhere =
  (prevailing: Role): Layout["shareOf"] =>
  (path, from) => {
    const base = from === undefined || from.path === "" ? path : path.slice(from.path.length + 1);
    const role = roleOf(folderOf(base));
    return role === prevailing ? 1 : roleShare[role];
  };

/** Where hardly anything lies outside the examples, the examples are the project. */
const prevailingRole = (census: Census): Role => {
  const perRole = new Map<Role, number>();
  for (const { role, counts } of census.folders.values()) {
    if (counts.size > 0) perRole.set(role, (perRole.get(role) ?? 0) + sum(countedFiles(counts)));
  }
  if ((perRole.get("main") ?? 0) >= sum(perRole) * 0.1) return "main";
  return [...perRole].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? "main";
};

const totals = (
  census: Census,
  nearest: (path: string) => string,
  shareOfRole: (role: Role) => number,
) => {
  const counts = new Map<string, number>();
  const weighed = new Map<string, number>();
  const perPackage = new Map<string, Map<string, number>>();
  for (const folder of census.folders.values()) {
    if (folder.counts.size === 0) continue;
    const counted = countedFiles(folder.counts);
    const owner = nearest(`${folder.path}/x`);
    const own = perPackage.get(owner) ?? new Map<string, number>();
    perPackage.set(owner, own);
    addAll(own, counted, 1);
    addAll(counts, counted, 1);
    addAll(weighed, counted, shareOfRole(folder.role));
  }
  return { counts, weighed, perPackage };
};

/** The folder of the package that a path belongs to. */
const nearestPackage = (folders: ReadonlySet<string>): ((path: string) => string) => {
  const known = new Map<string, string>();
  const find = (folder: string): string => {
    if (folders.has(folder) || folder === "") return folder;
    const found = known.get(folder) ?? find(folderOf(folder));
    known.set(folder, found);
    return found;
  };
  return (path) => find(folderOf(path));
};

const membership = (manifests: readonly Manifest[]): ((path: string) => boolean) => {
  const inside: ((path: string) => boolean)[] = [];
  const outside: ((path: string) => boolean)[] = [];
  for (const { path, facts } of manifests) {
    for (const member of facts.members) {
      const isOut = member.startsWith("!");
      // A folder itself, not what lies in it: the pattern is bound to the manifest's folder.
      const pattern = (isOut ? member.slice(1) : member).replace(/^\.\//, "");
      const test = pathPattern(`/${pattern}`, folderOf(path));
      if (test) (isOut ? outside : inside).push(test);
    }
  }
  return (path) => inside.some((test) => test(path)) && !outside.some((test) => test(path));
};

const folderOf = (path: string): string => {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
};

const addAll = (
  into: Map<string, number>,
  from: ReadonlyMap<string, number>,
  share: number,
): void => {
  for (const [key, count] of from) into.set(key, (into.get(key) ?? 0) + count * share);
};

/**
 * How much of what is found in this share of the files counts for the whole: half at least, and less where
 * it is one package of many.
 */
export const importanceOf = (share: number, packages: number): number =>
  Math.min(1, Math.max(0.25, Math.min(0.5, 2.5 / packages)) + 2 * share);

export const sum = (counts: ReadonlyMap<unknown, number>): number => {
  let total = 0;
  for (const count of counts.values()) total += count;
  return total;
};
