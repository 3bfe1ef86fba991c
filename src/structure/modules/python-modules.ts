/** Which files a module name means in Python; in doubt unknown. */
import { pythonModules } from "../references/python-names.ts";
import {
  foldersAbove,
  inFolder,
  isSample,
  mayBeGenerated,
  type ModuleView,
  type ResolvedModule,
  unknownModule,
} from "./module-view.ts";
import { undeclaredDistribution } from "./python-packages.ts";

const ownModules = new Set(pythonModules);

/** Hooks make modules and names of any kind; those of tests are for tests. */
export const hasImportHooks = (view: ModuleView): boolean =>
  ["meta_path", "path_hooks"].some((word) =>
    view
      .filesWith(word)
      .some((path) => path.endsWith(".py") && !/(?:^|[/_])tests?[/_.]/.test(path)),
  );

export const resolvePythonModule = async (
  module: string,
  from: string,
  view: ModuleView,
): Promise<ResolvedModule> => {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const parts = module.slice(dots).split(".").filter(Boolean);
  if (dots > 0) {
    const folder = from.split("/").slice(0, -dots);
    if (dots > from.split("/").length) return unknownModule;
    return inPackage([...folder, ...parts].join("/"), from, view);
  }
  const [top = ""] = parts;
  const found = filesNamed(parts.join("/"), view);
  if (found.length > 0) return { state: "files", paths: found };
  if (ownModules.has(top) || top.startsWith("_")) return unknownModule;
  const tops = filesNamed(top, view);
  if (tops.length > 0) {
    const rest = parts.slice(1);
    // A plain file has no modules in it.
    const packages = tops.filter((path) => /\/__init__\.pyi?$/.test(path));
    const homes = packages.map((path) => path.replace(/\/__init__\.pyi?$/, ""));
    const isOurs = homes.every((home) =>
      isSourceRoot(home.split("/").slice(0, -1).join("/"), from, view),
    );
    if (!isOurs || rest.length === 0 || (await isOpenPackage(packages, view))) return unknownModule;
    const all = await Promise.all(
      homes.map((home) => inPackage([home, ...rest].join("/"), from, view)),
    );
    return all.find(({ state }) => state !== "missing") ?? all[0] ?? unknownModule;
  }
  if (isSample(from) || isFolderSomewhere(top, view)) return unknownModule;
  const undeclared = { name: top, candidates: [] };
  const word = undeclaredDistribution(top, from, view);
  if (word === "sure") return { state: "missing", what: "package", ...undeclared };
  return word === undefined ? unknownModule : { state: "unknown", undeclared };
};

const endings = [".py", ".pyi"];

/** The file or package at exactly this place. */
const inPackage = async (
  target: string,
  from: string,
  view: ModuleView,
): Promise<ResolvedModule> => {
  const candidates = endings.flatMap((ending) => [
    ...(target === "" ? [] : [target + ending]),
    inFolder(target, `__init__${ending}`),
  ]);
  const found = candidates.filter((path) => view.kind(path) === "file");
  if (found.length > 0) return { state: "files", paths: found };
  const at = target.lastIndexOf("/");
  const [folder, last] = [target.slice(0, Math.max(at, 0)), target.slice(at + 1)];
  if (view.kind(target === "" ? "." : target) !== undefined) return unknownModule;
  const names = view.entries(folder);
  // Compiled modules: `x.cpython-313.so`, `x.pyx`.
  if (names.some((name) => name.startsWith(`${last}.`) && !/\.pyi?$/.test(name)))
    return unknownModule;
  if (isSample(from) || mayBeGenerated(target, view)) return unknownModule;
  if (
    (await view.isIgnored([`${target}.py`, `${target}/__init__.py`])) ||
    view.kind(".gitmodules") === "file"
  )
    return unknownModule;
  const above = ["__init__.py", "__init__.pyi"].map((name) => inFolder(folder, name));
  if (await isOpenPackage(above, view)) return unknownModule;
  const modules = names.map((name) => name.replace(/\.pyi?$/, ""));
  return { state: "missing", what: "module", name: last, candidates: modules };
};

const filesNamed = (wanted: string, view: ModuleView): string[] => {
  const stem = wanted.slice(wanted.lastIndexOf("/") + 1);
  return view.named(stem).filter((path) => {
    if (!/\.pyi?$/.test(path)) return false;
    const name = path.replace(/(?:\/__init__)?\.pyi?$/, "");
    return name === wanted || name.endsWith(`/${wanted}`);
  });
};

/** A folder from which modules are imported: the root, `src`, or one above the importing file. */
const isSourceRoot = (folder: string, from: string, view: ModuleView): boolean => {
  const isUsual =
    ["", "src", "lib", "python"].includes(folder) || foldersAbove(from).includes(folder);
  return isUsual && view.kind(inFolder(folder, "__init__.py")) === undefined;
};

/** A package that finds its modules elsewhere, or makes them. */
const isOpenPackage = async (files: readonly string[], view: ModuleView): Promise<boolean> => {
  for (const path of files) {
    const text = view.text(path);
    if (text !== undefined && /__path__|sys\.modules|extend_path|declare_namespace/.test(text))
      return true;
  }
  return false;
};

const isFolderSomewhere = (name: string, view: ModuleView): boolean => {
  for (const path of view.paths()) if (`/${path}`.includes(`/${name}/`)) return true;
  return false;
};
