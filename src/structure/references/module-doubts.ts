/** Modules about whose objects nothing can be proven: not found, or made to answer to any name. */
import { dynamicPackages } from "./dynamic-code.ts";
import { isOwnModule } from "./module-names.ts";
import type { Family } from "./types.ts";
import type { SymbolUniverse } from "./universe.ts";

export const moduleDoubt = (
  module: string,
  path: string,
  family: Family,
  universe: SymbolUniverse,
): string | undefined => {
  const target = universe.resolve(module, path, family);
  if (target.kind === "unknown") return `the module ${module} is not there`;
  const isAnything =
    target.kind === "package"
      ? dynamicPackages.has(target.name) ||
        (universe.library(family).packages.get(target.name)?.answersAnything &&
          !isOwnModule(target.name, family))
      : target.path !== undefined && universe.file(target.path)?.answersAnything;
  return isAnything ? `objects of ${module} may answer to any name` : undefined;
};

const known = new WeakMap<SymbolUniverse, Map<Family, { revision: number; why?: string }>>();

/** The first doubt about any module that any file of the project imports. */
export const projectDoubt = (family: Family, universe: SymbolUniverse): string | undefined => {
  const kept = known.get(universe) ?? new Map<Family, { revision: number; why?: string }>();
  known.set(universe, kept);
  const last = kept.get(family);
  if (last?.revision === universe.revision) return last.why;
  const why = findDoubt(family, universe);
  kept.set(family, { revision: universe.revision, ...(why !== undefined && { why }) });
  return why;
};

const findDoubt = (family: Family, universe: SymbolUniverse): string | undefined => {
  for (const file of universe.files()) {
    if (file.family !== family) continue;
    if (file.answersAnything) return `objects of ${file.path} may answer to any name`;
    for (const module of file.imports) {
      const why = moduleDoubt(module, file.path, family, universe);
      if (why !== undefined) return `${why} (${file.path})`;
    }
  }
  return undefined;
};
