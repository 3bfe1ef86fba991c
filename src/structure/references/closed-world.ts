/**
 * Whether a name without a definition can be called missing in JavaScript and TypeScript. Names come from
 * outside of all sources there: from packages that are declared and not installed, from scripts of a page,
 * from values of any type. Missing can only be what none of these could bring.
 */
import type { Analysed } from "../analyser.ts";
import { environmentNames } from "./environment-names.ts";
import { isSlip } from "./nearest-names.ts";
import type { SymbolUniverse } from "./universe.ts";

export interface ScriptPlace {
  readonly after: Analysed;
  readonly universe: SymbolUniverse;
}

/** Why a name that is called by itself may exist all the same. */
export const ambientDoubt = (name: string, place: ScriptPlace): string | undefined => {
  // Nothing outside brings a name that differs by a letter from one of this file.
  if (ownNames(place.after).some((own) => isSlip(name, own))) return undefined;
  const { after, universe } = place;
  const absent = absentPackage(universe);
  if (absent !== undefined) return `${absent} is declared and was not read: it may bring the name`;
  // The compiler of TypeScript takes declared names only.
  if (["typescript", "tsx"].includes(after.outline.language)) return undefined;
  return isForNode(after.source.text) && hasManifest(universe)
    ? undefined
    : "a script of the same page or its environment may bring it";
};

/** Why an object may have the member, by what it is called. */
export const valueDoubt = (receiver: string, place: ScriptPlace): string | undefined => {
  if (anyValue.test(receiver)) return "its value may be of any type";
  const [root = ""] = /^[\p{ID_Start}_$][\p{ID_Continue}$]*/u.exec(receiver) ?? [];
  if (root === "" || root === "this") return undefined;
  const { text } = place.after.source;
  const word = root.replaceAll("$", String.raw`\$`);
  const isAny = new RegExp(
    String.raw`(?<![\w$.])${word}\s*\??(?::\s*any\b|\s*=\s*[^;\n]*(?:${anyValue.source}))`,
  );
  if (isAny.test(text)) return "its value may be of any type";
  // Everywhere only used: something outside of the file brings it.
  const isNamed = new RegExp(String.raw`(?<![\w$.])${word}(?![\w$]|\{|\s*(?:\?\.|[.([]))`).test(
    text,
  );
  if (isNamed) return undefined;
  if (environmentNames().has(root) && !Object.hasOwn(globalThis, root))
    return `the members of ${root} are not known`;
  return ambientDoubt(root, place);
};

const anyValue = /\bJSON\s*\.\s*parse\s*\(|\.json\s*\(\s*\)|\bas\s+any\b|<any>|\bimport\s*\(/;

const ownNames = ({ outline }: Analysed): string[] => [
  ...outline.symbols.map(({ name }) => name),
  ...outline.imports.flatMap(({ names }) => names.map(({ as }) => as)),
];

/** They write the imports themselves, into files that git does not know. */
const bringsImports = /^(?:nuxt|@nuxt\/|unplugin-auto-import|unimport|wxt)/;

const absentPackage = (universe: SymbolUniverse): string | undefined => {
  for (const { path, family, imports } of universe.files()) {
    if (family !== "other" || !isManifest(path)) continue;
    const absent = imports.find(
      (name) => bringsImports.test(name) || !universe.library("script").isThere(name),
    );
    if (absent !== undefined) return absent;
  }
  return undefined;
};

const hasManifest = (universe: SymbolUniverse): boolean => {
  for (const { path } of universe.files()) if (isManifest(path)) return true;
  return false;
};

export const isManifest = (path: string): boolean => /(?:^|\/)package\.json$/.test(path);

/** Names of all packages that a manifest declares; none of a damaged one. */
export const declaredPackages = (manifest: string): string[] => {
  try {
    const said = JSON.parse(manifest) as Record<string, unknown>;
    return ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"].flatMap(
      (kind) => Object.keys((said[kind] ?? {}) as object),
    );
  } catch {
    return [];
  }
};

const isForNode = (text: string): boolean =>
  /^#!.*\bnode\b|["']node:|\brequire\s*\(|\bmodule\.exports\b/.test(text) ||
  /\bfrom\s+["'](?:fs|path|os|util|http|https|url|child_process|crypto|events|stream)["']/.test(
    text,
  );
