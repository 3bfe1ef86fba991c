/**
 * Members of the languages' own modules and objects, which are all known: `os.makedir`, `Math.rond`. The
 * same word elsewhere in a library says nothing about them.
 */
import type { Reference } from "../types.ts";
import { isSlip } from "./nearest-names.ts";
import { earlierPythonMembers, pythonMembers, pythonMembersMinor } from "./python-members.ts";
import type { Family, NearName, OutlineOf } from "./types.ts";
import { engineModule } from "./script-names.ts";
import type { ScriptPlace } from "./closed-world.ts";
import type { SymbolUniverse } from "./universe.ts";

export interface MemberVerdict {
  readonly state: "there" | "missing" | "doubtful";
  readonly why: string;
  readonly nearest: readonly NearName[];
}

/** Undefined: not about a module or an object whose members are known. */
export const libraryMember = async (
  reference: Reference,
  family: "python" | "script",
  place: ScriptPlace,
  outlineOf: OutlineOf,
): Promise<MemberVerdict | undefined> => {
  const { name, receiver = "" } = reference;
  const known =
    family === "python" ? moduleMembers(receiver, place) : objectMembers(receiver, place);
  if (!known) return undefined;
  const { members, title, earlier } = known;
  const there: MemberVerdict = { state: "there", why: "", nearest: [] };
  if (members.has(name)) return there;
  if (await isAdded(reference, place, outlineOf)) return there;
  const meant = [...members].filter((one) => !one.startsWith("_") && isSlip(name, one)).slice(0, 3);
  const nearest = meant.map((one) => ({ name: `${receiver}.${one}`, path: "", line: 0 }));
  const why = `${title} has no member '${name}'`;
  if (earlier?.has(name)) return { state: "doubtful", why: `${title} had it in Python 2`, nearest };
  const isKnown = family === "python" && !isNewerPython(place.universe);
  if (nearest.length > 0 || isKnown) return { state: "missing", why, nearest };
  // Engines and interpreters get new members; words of what was read are such ones at times.
  if (family === "script" && place.universe.library(family).has(name)) return there;
  return { state: "doubtful", why: `${title} may have it in a newer version`, nearest };
};

interface KnownMembers {
  readonly members: ReadonlySet<string>;
  readonly title: string;
  /** Members that it had long ago. */
  readonly earlier?: ReadonlySet<string> | undefined;
}

/** A name that is imported from a module of the language's own library, and that the module never had. */
export const isNoMember = (
  module: string,
  name: string,
  family: Family,
): { readonly nearest: readonly string[] } | undefined => {
  const known = family === "python" ? pythonMembers.get(module) : engineModule(module);
  if (!known || known.has(name) || earlierPythonMembers.get(module)?.has(name)) return undefined;
  const isLike = (one: string): boolean => !one.startsWith("_") && isSlip(name, one);
  const nearest = [...known].filter(isLike).slice(0, 3);
  // Engines get new members, and their types are exported under names that only a compiler knows.
  const isSure = family === "python" || (nearest.length > 0 && /^[a-z]/.test(name));
  return isSure ? { nearest } : undefined;
};

/** `import os`, `import os.path`, `import json as j`, `from os import path`. */
const moduleMembers = (
  receiver: string,
  { after, universe }: ScriptPlace,
): KnownMembers | undefined => {
  const { imports } = after.outline;
  const [head = "", ...rest] = receiver.split(".");
  for (const { from, names } of imports) {
    for (const { name, as } of names) {
      if (as !== receiver && as !== head) continue;
      const module =
        name === "" ? (as === from ? receiver : [from, ...rest].join(".")) : `${from}.${name}`;
      const members = pythonMembers.get(module);
      if (!members || (name !== "" && as !== receiver)) continue;
      if (isRebound(head, after.source.text)) return undefined;
      const target = universe.resolve(module.split(".")[0] ?? "", "", "python");
      const earlier = earlierPythonMembers.get(module);
      const found = { members, title: `the module ${module}`, earlier };
      return target.kind === "package" ? found : undefined;
    }
  }
  return undefined;
};

const isRebound = (name: string, text: string): boolean =>
  new RegExp(
    String.raw`(?<![\w.])${name}\s*(?::[^=\n]*)?=(?!=)|\b(?:as|for|def|class|global)\s+${name}\b(?!\s*$)`,
    "m",
  ).test(text) || parametersIn(text).some((one) => namesParameter(one, name));

const namesParameter = (parameters: string, name: string): boolean =>
  new RegExp(String.raw`(?:^|[(,])\s*\*{0,2}${name}\s*(?:[,:)=]|$)`).test(parameters);

/** The text between the brackets of each `def`, and before the colon of each `lambda`. */
const parametersIn = (text: string): string[] =>
  Array.from(
    text.matchAll(/\bdef[ \t]{1,9}\w{1,99}(?:\[[^\]\n]{0,99}\])?\(|\blambda\b/g),
    ({ 0: head, index }) => {
      const rest = text.slice(index + head.length, index + head.length + parametersMax);
      let depth = 0;
      for (const [at, letter] of [...rest].entries()) {
        if (letter === ":" && depth === 0 && head === "lambda") return rest.slice(0, at);
        if ("([{".includes(letter)) depth += 1;
        if (!")]}".includes(letter)) continue;
        if (depth === 0) return rest.slice(0, at);
        depth -= 1;
      }
      return rest;
    },
  );

const parametersMax = 4000;

/** `JSON`, `Math`: what the running engine has, where the file gives the name no other meaning. */
const objectMembers = (receiver: string, { after }: ScriptPlace): KnownMembers | undefined => {
  const module = after.outline.imports.find(({ names }) =>
    names.some(({ name, as }) => as === receiver && /^(?:\*|default)?$/.test(name)),
  );
  const own = module && engineModule(module.from);
  if (own) return { members: own, title: `the module ${module.from}` };
  if (!/^[\w$]+$/.test(receiver) || !Object.hasOwn(globalThis, receiver)) return undefined;
  if (/^(?:globalThis|global|self|window|top|name|event|module|exports)$/.test(receiver))
    return undefined;
  const { imports, symbols } = after.outline;
  const isOwn =
    symbols.some(({ name }) => name === receiver) ||
    imports.some(({ names }) => names.some(({ as }) => as === receiver)) ||
    new RegExp(
      String.raw`\b(?:const|let|var|function|class)\s+${receiver}\b|[({,]\s*${receiver}\s*[,})=:]`,
    ).test(after.source.text);
  if (isOwn) return undefined;
  const members = new Set<string>();
  let value = (globalThis as Record<string, unknown>)[receiver];
  while ((typeof value === "object" || typeof value === "function") && value !== null) {
    for (const name of Object.getOwnPropertyNames(value)) members.add(name);
    value = Object.getPrototypeOf(value);
  }
  return { members, title: receiver };
};

/** Files looked into; a name in more of them is too common to say. */
const filesMax = 40;

/** The project adds it by itself, or asks for it first. */
const isAdded = async (
  { name, receiver = "" }: Reference,
  { after, universe }: ScriptPlace,
  outlineOf: OutlineOf,
): Promise<boolean> => {
  const last = receiver.split(".").at(-1) ?? receiver;
  const adds = new RegExp(
    String.raw`\b${last}\.${name}\s*=(?!=)|["'\x60]${name}["'\x60]|\b(?:interface|namespace)\s+${last}\w*\b`,
  );
  const { text } = after.source;
  if (adds.test(text) || /\bexcept\s+\(?[^:\n]*AttributeError/.test(text)) return true;
  const files = universe.filesWith(name);
  if (files.length > filesMax) return true;
  for (const path of files) {
    const other = await outlineOf(path);
    if (other && adds.test(other.source.text)) return true;
  }
  return false;
};

/** The interpreter of this machine may have what no list here holds. */
export const isNewerPython = (universe: SymbolUniverse): boolean =>
  universe
    .library("python")
    .partKeys()
    .some((key) => {
      const minor = /python3\.(\d+)/.exec(key)?.[1];
      return minor !== undefined && Number(minor) > pythonMembersMinor;
    });
