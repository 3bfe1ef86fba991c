/** E-18: what a change takes out of a module while other files still import it. */
import { stemOf } from "../references/module-names.ts";
import {
  type ChangedModule,
  importedBy,
  importKey,
  importState,
  isExcused,
  type ModuleViews,
  namedMembers,
  ownExports,
} from "./check-imports.ts";
import { exportedNames, resolveModule } from "./find-export.ts";
import type { ImportedName, ModuleShape } from "./module-shape.ts";

export interface RemovalFinding {
  readonly path: string;
  /** The name that is gone; empty when the whole module is. */
  readonly name: string;
  readonly sites: readonly { readonly path: string; readonly line: number }[];
}

/** A name in more files is too common to look into all of them. */
const filesMax = 300;

export const checkRemovals = async (
  changed: readonly ChangedModule[],
  views: ModuleViews,
): Promise<RemovalFinding[]> => {
  const found: RemovalFinding[] = [];
  const byPath = new Map(changed.map((one) => [one.path, one]));
  for (const one of changed) {
    if (!one.before || (!one.isDeleted && !one.after)) continue;
    const names = await removedNames(one, views);
    if (names.length === 0 && !one.isDeleted) continue;
    const wanted = new Set(names);
    const sites = new Map<string, { path: string; line: number }[]>();
    for (const path of candidates(one, names, views)) {
      if (path === one.path) continue;
      const shape = await views.after.shape(path);
      const other = byPath.get(path);
      const old = other && new Set(usesIn(other.before).map(importKey));
      const lines = views.after.text(path)?.split("\n") ?? [];
      for (const use of usesIn(shape)) {
        const isMeant = wanted.has(use.name) || one.isDeleted;
        if (!isMeant || isExcused(use, lines) || (old && !old.has(importKey(use)))) continue;
        const looked = new Set<string>();
        if ((await importState(use, path, views.before, looked)) !== "there") continue;
        if (!looked.has(one.path)) continue;
        if ((await importState(use, path, views.after)) !== "missing") continue;
        const name = wanted.has(use.name) ? use.name : "";
        const known = sites.get(name) ?? [];
        if (!known.some((site) => site.path === path && site.line === use.line))
          known.push({ path, line: use.line });
        sites.set(name, known);
      }
    }
    // One line for a file that is gone, not one for each of its names.
    const groups = one.isDeleted ? [["", [...sites.values()].flat()] as const] : [...sites];
    for (const [name, all] of groups)
      if (all.length > 0) found.push({ path: one.path, name, sites: uniqueSites(all) });
  }
  return found;
};

const uniqueSites = (sites: readonly { path: string; line: number }[]) => [
  ...new Map(sites.map((site) => [`${site.path}:${site.line}`, site])).values(),
];

const usesIn = (shape: ModuleShape | undefined): ImportedName[] =>
  shape ? [...importedBy(shape), ...namedMembers(shape), ...submoduleMembers(shape)] : [];

/** Python: `from pkg import mod`, then `mod.total`. */
const submoduleMembers = (shape: ModuleShape): ImportedName[] =>
  shape.members.flatMap(({ of, name, line }) =>
    shape.imports
      .filter((one) => one.as === of && !["*", "", "default"].includes(one.name) && !one.isGuarded)
      .map((one) => ({
        from: one.from.endsWith(".") ? one.from + one.name : `${one.from}.${one.name}`,
        ...{ name, as: "", line },
      })),
  );

const removedNames = async (
  { path, before, after }: ChangedModule,
  views: ModuleViews,
): Promise<string[]> => {
  const left = new Set(ownExports(after));
  const names = ownExports(before).filter((name) => !left.has(name));
  const stars = (before?.stars ?? []).filter((star) => !after?.stars.includes(star));
  for (const star of stars) {
    const target = await resolveModule(star, path, views.before);
    if (target.state === "files") names.push(...(await exportedNames(target.paths, views.before)));
  }
  return [...new Set(names)];
};

const candidates = (
  { path, isDeleted }: ChangedModule,
  names: readonly string[],
  { after }: ModuleViews,
): string[] => {
  const found = new Set<string>();
  const stem = stemOf(path);
  if (isDeleted || names.includes("default")) {
    for (const one of [...after.importing(stem), ...after.filesWith(stem)]) found.add(one);
  }
  for (const name of names) {
    const files = name === "default" ? [] : after.filesWith(name);
    if (files.length <= filesMax) for (const one of files) found.add(one);
  }
  return [...found].slice(0, filesMax).toSorted();
};
