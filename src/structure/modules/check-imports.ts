/** E-18: names and modules that a change imports although they do not exist. Only what is new counts. */
import { isNoMember } from "../references/library-members.ts";
import { isSlip } from "../references/nearest-names.ts";
import { languageOf } from "../languages/index.ts";
import { familyOf } from "../references/source-facts.ts";
import { exportedNames, findExport, resolveModule } from "./find-export.ts";
import type { ImportedName, ModuleShape } from "./module-shape.ts";
import { hasImportHooks } from "./python-modules.ts";
import { isSample, type ModuleView, type ResolvedModule } from "./module-view.ts";

/** One file of a change. */
export interface ChangedModule {
  readonly path: string;
  readonly before: ModuleShape | undefined;
  /** Undefined: deleted, or not understood. */
  readonly after: ModuleShape | undefined;
  readonly isDeleted: boolean;
  /** Lines of the new text, for marks that say "I know". */
  readonly lines: readonly string[];
}

export interface ModuleViews {
  readonly before: ModuleView;
  readonly after: ModuleView;
}

export interface ImportFinding {
  readonly path: string;
  readonly line: number;
  /** A `member`: of the language's own library, where no edit can add it. */
  readonly what: "name" | "module" | "package" | "member";
  /** The module as written. */
  readonly from: string;
  /** The name, module or package that does not exist. */
  readonly name: string;
  /** Where the name would be. */
  readonly target?: string | undefined;
  readonly nearest: readonly string[];
  readonly slipOf?: string | undefined;
  /** No list of packages says that there is no other. */
  readonly isUnsure?: true;
}

export const checkImports = async (
  changed: readonly ChangedModule[],
  views: ModuleViews,
): Promise<ImportFinding[]> => {
  const found: ImportFinding[] = [];
  for (const one of changed) {
    if (!one.after) continue;
    const old = new Set(importedBy(one.before).map(importKey));
    const seen = new Set<string>();
    for (const imported of [...importedBy(one.after), ...spaceMembers(one.after, one.path)]) {
      const key = importKey(imported);
      if (old.has(key) || seen.has(key) || isExcused(imported, one.lines)) continue;
      seen.add(key);
      const finding = await checkOne(imported, one.path, views.after);
      // A module is missing once, however many of its names are asked for.
      const isKnown = found.some(
        ({ path, what, from }) =>
          path === one.path && /module|package/.test(what) && from === imported.from,
      );
      if (finding && !isKnown) found.push(finding);
    }
  }
  return found;
};

/** Without a new import or a lost export there is nothing to look up. */
export const asksProject = ({ path, before, after, isDeleted }: ChangedModule): boolean => {
  if (isDeleted) return before !== undefined;
  if (!after) return false;
  const asks = (shape: ModuleShape | undefined): string[] =>
    shape ? [...importedBy(shape), ...spaceMembers(shape, path)].map(importKey) : [];
  const old = new Set(asks(before));
  const left = new Set(ownExports(after));
  return (
    asks(after).some((key) => !old.has(key)) ||
    ownExports(before).some((name) => !left.has(name)) ||
    (before?.stars.some((star) => !after.stars.includes(star)) ?? false)
  );
};

export const ownExports = (shape: ModuleShape | undefined): string[] =>
  shape ? [...shape.exports.map(({ name }) => name), ...shape.passedOn.map(({ as }) => as)] : [];

export const importedBy = (shape: ModuleShape | undefined): readonly ImportedName[] =>
  shape ? [...shape.imports, ...shape.passedOn, ...shape.stars.map(toStar)] : [];

const toStar = (from: string): ImportedName => ({ from, name: "", as: "", line: 1 });

/** `ns.total` asks the module of `ns` for `total`. In Python others may set attributes of modules. */
const spaceMembers = (shape: ModuleShape, path: string): ImportedName[] =>
  isPython(path) ? [] : namedMembers(shape);

const isPython = (path: string): boolean => /\.pyi?$/.test(path);

export const namedMembers = (shape: ModuleShape): ImportedName[] =>
  shape.members.flatMap(({ of, name, line }) =>
    shape.imports
      .filter((one) => one.as === of && one.name === "*" && !one.isGuarded)
      .map(({ from }) => ({ from, name, as: "", line })),
  );

export const importKey = ({ from, name }: ImportedName): string => `${from} ${name}`;

/** The writer knows: a mark on the line or above it, or a place where failure is expected. */
export const isExcused = ({ isGuarded, line }: ImportedName, lines: readonly string[]): boolean => {
  if (isGuarded) return true;
  const near = `${lines[line - 2] ?? ""}\n${lines[line - 1] ?? ""}`;
  return /@ts-(?:ignore|expect-error)|type:\s*ignore|\bnoqa\b|pylint:|pyright:/.test(near);
};

const checkOne = async (
  { from, name, line }: ImportedName,
  path: string,
  view: ModuleView,
): Promise<ImportFinding | undefined> => {
  const target = await resolveModule(from, path, view);
  const at = { path, line, from };
  if (target.state === "missing") {
    const { what, name: missing, candidates } = target;
    if (isPython(path) && hasImportHooks(view)) return undefined;
    const shown = what === "package" ? missing : from;
    return { ...at, what, name: shown, ...near(missing, candidates) };
  }
  if (target.state === "unknown" && target.undeclared) {
    const { name: missing, candidates } = target.undeclared;
    if (isPython(path) && hasImportHooks(view)) return undefined;
    return { ...at, what: "package", name: missing, ...near(missing, candidates), isUnsure: true };
  }
  if (name === "" || name === "*") return undefined;
  if (target.state === "unknown") return checkLibrary({ from, name, line }, path, view);
  if ((await findExport(target.paths, name, view)) !== "missing") return undefined;
  if (isPython(path) ? hasImportHooks(view) : isAugmented(name, view)) return undefined;
  const names = await exportedNames(target.paths, view);
  return { ...at, what: "name", name, target: target.paths[0], ...near(name, names) };
};

/** `from os import makedir`; a module of the project that has the same name is another one. */
const checkLibrary = (
  { from, name, line }: Pick<ImportedName, "from" | "name" | "line">,
  path: string,
  view: ModuleView,
): ImportFinding | undefined => {
  const family = familyOf(languageOf(path));
  if (name === "default" || family === "other") return undefined;
  const missing = isNoMember(from, name, family);
  const [top = from] = from.replace(/^node:/, "").split(/[./]/);
  if (!missing || [...view.named(top)].length > 0) return undefined;
  const isOpen =
    family === "script"
      ? isAugmented(name, view)
      : hasImportHooks(view) || view.isNewerPython() || isAddedByHand(from, name, view);
  if (isOpen || isSample(path)) return undefined;
  return { path, line, from, what: "member", name, nearest: missing.nearest };
};

/** `os.makedir = …` in any file. */
const isAddedByHand = (module: string, name: string, view: ModuleView): boolean => {
  const adds = new RegExp(String.raw`\b${module}\.${name}\s*=(?!=)|["']${name}["']`);
  return view.filesWith(name).some((path) => adds.test(view.text(path) ?? ""));
};

/** `declare module` in any file adds names to others. */
const isAugmented = (name: string, view: ModuleView): boolean => {
  const makers = new Set(view.filesWith("declare"));
  return view
    .filesWith(name)
    .some(
      (path) => makers.has(path) && /\bdeclare\s+(?:module|global)\b/.test(view.text(path) ?? ""),
    );
};

const near = (
  name: string,
  candidates: readonly string[],
): { readonly nearest: readonly string[]; readonly slipOf?: string } => {
  const slips = [...new Set(candidates)].filter((one) => one !== "default" && isSlip(name, one));
  const [first] = slips;
  return { nearest: slips.slice(0, 3), ...(first !== undefined && { slipOf: first }) };
};

/** For an import that was there before: what became of it. `looked` gets the files that were asked. */
export const importState = async (
  { from, name }: ImportedName,
  path: string,
  view: ModuleView,
  looked?: Set<string>,
): Promise<"there" | "missing" | "unknown"> => {
  const target: ResolvedModule = await resolveModule(from, path, view);
  if (target.state !== "files") return target.state;
  for (const one of target.paths) looked?.add(one);
  if (name === "" || name === "*") return "there";
  return findExport(target.paths, name, view, new Set(), looked);
};
