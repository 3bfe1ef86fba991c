/**
 * Members of the project's own modules and classes where all of them can be seen, although the name exists
 * elsewhere: `Cart().close_month()` when only `Ledger` has it. A word in the module's or the class's own text
 * is enough to pass: this proves absence, not presence.
 */
import type { Analysed } from "../analyser.ts";
import type { Reference } from "../types.ts";
import { type ClassChain, classChain, type ClassPlace } from "./class-chain.ts";
import { classMeant } from "./class-meant.ts";
import { answersAnything, makesNames } from "./dynamic-code.ts";
import { type CallPlace, moduleNamed, type World } from "./find-definition.ts";
import { isDefinedByRelatives } from "./relatives.ts";
import { familyOf } from "./source-facts.ts";

export interface AbsentMember {
  readonly why: string;
  readonly chain?: ClassChain;
}

/** Undefined: it may be there. */
export const absentMember = async (
  reference: Reference,
  at: CallPlace,
  world: World,
): Promise<AbsentMember | undefined> => {
  const { receiver = "", name } = reference;
  const family = familyOf(at.analysed.outline.language);
  const { text } = at.analysed.source;
  if (makesNames(text, family) || /\bhasattr\b|\bAttributeError\b|[mM]ock|patch/.test(text))
    return undefined;
  const module = /^[\w$.]+$/.test(receiver) ? await moduleNamed(receiver, at, world) : undefined;
  if (module) {
    if (isOpenModule(module.analysed) || hasWord(module.analysed.source.text, name))
      return undefined;
    if (await isAddedSomewhere(name, world)) return undefined;
    return { why: `${module.path} has no '${name}'` };
  }
  const place = await classMeant(reference, at, world);
  if (!place) return undefined;
  const chain = await classChain(place, world.universe, world.outlineOf);
  if (chain.state !== "closed" || chain.classes.some((one) => mayHave(one, name))) return undefined;
  if (isEveryones(name) || (hasForeignBase(chain) && world.universe.library(family).has(name)))
    return undefined;
  if (await isAddedSomewhere(name, world)) return undefined;
  for (const one of chain.classes) if (await isMerged(one, world)) return undefined;
  const isOwn = /^(?:self|cls|this)$/.test(receiver);
  if (isOwn && (await isDefinedByRelatives(reference, at, world.universe, world.outlineOf)))
    return undefined;
  return {
    why: `'${place.symbol.name}' and what it inherits from have no member '${name}'`,
    chain,
  };
};

/** Objects and classes have these without a definition: in JavaScript what every function has. */
const isEveryones = (name: string): boolean => name in everyFunction || name === "mro";

const everyFunction = (): void => {};

/** `dict`, `Exception`, `EventEmitter`: followed no further, and with members of their own. */
const hasForeignBase = ({ classes }: ClassChain): boolean => {
  const own = new Set(classes.map(({ symbol }) => symbol.name));
  const plain = /^(?:object|Object|ABC|Generic|Protocol)$/;
  return classes.some(({ symbol }) =>
    symbol.bases?.some((base) => {
      const name =
        base
          .replace(/[[<(][^]*$/, "")
          .split(".")
          .at(-1)
          ?.trim() ?? base;
      return !own.has(name) && !plain.test(name);
    }),
  );
};

/** Passes on names that are not written in it. */
const isOpenModule = ({ source, outline }: Analysed): boolean =>
  outline.problems.length > 0 ||
  outline.imports.some(({ names }) => names.some(({ name }) => name === "*")) ||
  outline.exports.some(({ name }) => name === "*") ||
  /\bexport\s*\*|\bexport\s*=|\bmodule\.exports\b|\bglobals\s*\(/.test(source.text) ||
  makesNames(source.text, familyOf(outline.language)) ||
  (outline.language === "python"
    ? /^(?:def[ \t]+)?__getattr__\b|\b__dict__\b|\bvars\s*\(/m.test(source.text)
    : answersAnything(source.text));

const escaped = (name: string): string => name.replaceAll("$", String.raw`\$`);

/** Other than after a dot. */
const hasWord = (text: string, name: string): boolean =>
  new RegExp(String.raw`(?<![\w$.])${escaped(name)}(?![\w$])`).test(text);

const mayHave = ({ analysed, symbol }: ClassPlace, name: string): boolean => {
  const text = analysed.source.text.slice(symbol.span.from, symbol.span.to);
  const isSet = new RegExp(String.raw`\.${escaped(name)}\s*(?::[^=\n]*)?=(?!=)`);
  return hasWord(text, name) || isSet.test(text) || answersAnything(text);
};

/** Files looked into; a name in more of them is too common to say. */
const filesMax = 60;

const isAddedSomewhere = async (name: string, { universe, outlineOf }: World): Promise<boolean> => {
  const files = universe.filesWith(name);
  if (files.length > filesMax) return true;
  const adds = new RegExp(
    String.raw`\.${escaped(name)}\s*(?::[^=\n]*)?=(?!=)|["'\x60]${escaped(name)}["'\x60]`,
  );
  for (const path of files) {
    const other = await outlineOf(path);
    if (!other || adds.test(other.source.text)) return true;
  }
  return false;
};

/** TypeScript puts interfaces and classes of one name together, also from other files. */
const isMerged = async (
  { symbol }: ClassPlace,
  { universe, outlineOf }: World,
): Promise<boolean> => {
  const files = universe.filesWith(symbol.name);
  if (files.length > filesMax) return true;
  const merges = new RegExp(String.raw`\b(?:interface|namespace)\s+${escaped(symbol.name)}\b`);
  for (const path of files) {
    const other = await outlineOf(path);
    if (other && merges.test(other.source.text)) return true;
  }
  return false;
};
