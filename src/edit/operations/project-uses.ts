/** Which other files of a project may mean a name, and what the modules that they name are. */
import { HeadgateError } from "../../errors.ts";
import { type Family, familyOf, languageOf } from "../../structure/index.ts";
import type { Document } from "./document.ts";

export interface ProjectUses {
  /** Files of the project in which the word occurs. */
  filesWith(name: string): readonly string[];
  resolve(module: string, from: string, family: Family): ResolvedModule;
}

/** A path where that is certain. */
type ResolvedModule =
  | { readonly kind: "project"; readonly path?: string }
  | { readonly kind: "package" | "unknown"; readonly path?: undefined };

export interface Other {
  readonly path: string;
  /** Absent: it has no structure to look at. */
  readonly document?: Document;
}

/** Files with the word, and those without it through which they get it (`export * from`). */
export const openOthers = async (
  name: string,
  {
    home,
    uses,
    open,
  }: {
    readonly home: Document;
    readonly uses: ProjectUses;
    readonly open: (path: string) => Promise<Document>;
  },
): Promise<readonly Other[]> => {
  const others: Other[] = [];
  const known = new Set([home.path]);
  let next = uses.filesWith(name).toSorted();
  while (next.length > 0) {
    const fresh = next.filter((path) => !known.has(path) && isAlike(path, home));
    for (const path of fresh) known.add(path);
    const opened = await Promise.all(fresh.map((path) => openOther(path, open)));
    others.push(...opened);
    if (familyOf(home.language) === "other") break;
    next = opened.flatMap(({ document }) => (document ? sourcesFor(name, document, uses) : []));
  }
  return others;
};

/** The files from which it may have the name. */
const sourcesFor = (
  name: string,
  { outline, path, language }: Document,
  uses: ProjectUses,
): string[] => {
  const { imports, exports } = outline;
  const modules = [
    ...imports.filter((one) => one.names.some((given) => ["", "*", name].includes(given.name))),
    ...exports,
  ].flatMap(({ from }) => from ?? []);
  return [...new Set(modules)].flatMap((module) => {
    const resolved = resolveModule(module, path, { uses, language });
    return resolved.kind === "project" && resolved.path !== undefined ? [resolved.path] : [];
  });
};

const openOther = async (
  path: string,
  open: (path: string) => Promise<Document>,
): Promise<Other> => {
  try {
    return { path, document: await open(path) };
  } catch (error) {
    if (HeadgateError.isInstance(error)) return { path };
    throw error;
  }
};

/** `./index` is its folder. */
export const resolveModule = (
  module: string,
  from: string,
  { uses, language }: { readonly uses: ProjectUses; readonly language: string },
): ResolvedModule => {
  const family = familyOf(language);
  const isIndex = family === "script" && /^\.{1,2}\/(.*\/)?index(\.[cm]?[jt]sx?)?$/.test(module);
  const name = isIndex ? module.replace(/\/index(\.[cm]?[jt]sx?)?$/, "") : module;
  return uses.resolve(name, from, family);
};

const isAlike = (path: string, { language }: Document): boolean => {
  const [here, there] = [familyOf(language), familyOf(languageOf(path))];
  return here === "other" ? languageOf(path) === language : here === there;
};
