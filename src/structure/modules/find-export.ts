/** Whether a module lets a name out, through everything it passes on. */
import { familyOf } from "../references/source-facts.ts";
import { languageOf } from "../languages/index.ts";
import { resolveFolderModule } from "./folder-modules.ts";
import { inFolder, type ModuleView, type ResolvedModule } from "./module-view.ts";
import { resolvePythonModule } from "./python-modules.ts";
import { resolveScriptModule } from "./script-modules.ts";

export type NameState = "there" | "missing" | "unknown";

export const resolveModule = (
  module: string,
  from: string,
  view: ModuleView,
): Promise<ResolvedModule> => {
  const family = familyOf(languageOf(from));
  if (family === "python") return resolvePythonModule(module, from, view);
  return family === "script"
    ? resolveScriptModule(module, from, view)
    : resolveFolderModule(module, from, view);
};

/** Of several files that may be meant, one with the name is enough. `looked` gets the files that were asked. */
export const findExport = async (
  paths: readonly string[],
  name: string,
  view: ModuleView,
  seen: ReadonlySet<string> = new Set(),
  looked?: Set<string>,
): Promise<NameState> => {
  let state: NameState = "missing";
  for (const path of paths) {
    looked?.add(path);
    const one = seen.has(path)
      ? "missing"
      : await findIn(path, name, view, new Set([...seen, path]), looked);
    if (one === "there") return "there";
    if (one === "unknown") state = "unknown";
  }
  return state;
};

const findIn = async (
  path: string,
  name: string,
  view: ModuleView,
  seen: ReadonlySet<string>,
  looked: Set<string> | undefined,
): Promise<NameState> => {
  const shape = await view.shape(path);
  if (!shape) return "unknown";
  const isThere =
    shape.exports.some((one) => one.name === name) || shape.passedOn.some(({ as }) => as === name);
  if (isThere || isSubmodule(path, name, view)) return "there";
  if (shape.openBecause !== undefined) return "unknown";
  // Names like __version__ are made by tools as well.
  if (/\.pyi?$/.test(path) && /^__\w+__$/.test(name)) return "unknown";
  if (name === "default" && !/\.pyi?$/.test(path)) return "missing";
  let state: NameState = "missing";
  for (const star of shape.stars) {
    const target = await resolveModule(star, path, view);
    const one =
      target.state === "files"
        ? await findExport(target.paths, name, view, seen, looked)
        : "unknown";
    if (one === "there") return "there";
    if (one === "unknown") state = "unknown";
  }
  return state;
};

/** `from package import module`. */
const isSubmodule = (path: string, name: string, view: ModuleView): boolean => {
  const folder = /^(?:(.*)\/)?__init__\.pyi?$/.exec(path);
  if (!folder) return false;
  const target = inFolder(folder[1] ?? "", name);
  if ([target, `${target}.py`, `${target}.pyi`].some((one) => view.kind(one))) return true;
  return view
    .entries(folder[1] ?? "")
    .some((one) => one.startsWith(`${name}.`) && !one.endsWith(".py"));
};

/** Everything that is known to be exported, for hints. */
export const exportedNames = async (
  paths: readonly string[],
  view: ModuleView,
  depth = 3,
): Promise<string[]> => {
  const names: string[] = [];
  for (const path of paths) {
    const shape = await view.shape(path);
    if (!shape) continue;
    names.push(...shape.exports.map(({ name }) => name), ...shape.passedOn.map(({ as }) => as));
    for (const star of depth > 0 ? shape.stars : []) {
      const target = await resolveModule(star, path, view);
      if (target.state === "files")
        names.push(...(await exportedNames(target.paths, view, depth - 1)));
    }
  }
  return [...new Set(names)];
};
