/** Existing names that a missing one may have meant, the closest first; own members before all others. */
import type { Analysed } from "../analyser.ts";
import type { OutlineSymbol, Reference } from "../types.ts";
import type { ClassPlace } from "./class-chain.ts";
import type { NearName, OutlineOf } from "./types.ts";
import type { SymbolUniverse } from "./universe.ts";

const shownMax = 3;

export const nearestNames = async (
  { name, receiver }: Reference,
  at: {
    readonly path: string;
    readonly analysed: Analysed;
    readonly classes: readonly ClassPlace[];
  },
  universe: SymbolUniverse,
  outlineOf: OutlineOf,
): Promise<NearName[]> => {
  const prefix = receiver === undefined ? "" : `${receiver}.`;
  const own = at.classes.flatMap(({ path, analysed, symbol }) =>
    symbol.children.filter(isCallable).map((one) => near(one, path, analysed, prefix)),
  );
  const here =
    receiver === undefined
      ? at.analysed.outline.symbols
          .filter((one) => isCallable(one) || one.kind === "class")
          .map((one) => near(one, at.path, at.analysed, ""))
      : [];
  const found = closest(name, [...own, ...here], prefix);
  if (found.length >= shownMax || at.classes.length > 0) return found.slice(0, shownMax);
  const parts = [...partsOf(name)].filter((part) => part.length > 2);
  const likely: NearName[] = [];
  for (const one of universe.functionNames()) {
    const isAlike = Math.abs(one.length - name.length) <= 2 && one.slice(0, 2) === name.slice(0, 2);
    const lower = one.toLowerCase();
    if (isAlike || parts.some((part) => lower.includes(part)))
      likely.push({ name: one, path: "", line: 0 });
  }
  const names = closest(name, likely, "");
  for (const { name: other } of names) {
    if (found.length >= shownMax) break;
    if (found.some((one) => one.name === prefix + other)) continue;
    const place = await placeOf(other, universe, outlineOf);
    if (place) found.push({ ...place, name: other });
  }
  return found;
};

/**
 * Whether a name is a slip of an existing one: a letter wrong, lost or swapped, another case, number or
 * style, the same words in another order. Names that differ in a digit are meant to differ.
 */
export const isSlip = (name: string, existing: string): boolean => {
  if (name === existing) return false;
  const [left, right] = [wordsIn(name), wordsIn(existing)];
  if (left.toSorted().join(" ") === right.toSorted().join(" ")) return true;
  if (left.map(singular).join(" ") === right.map(singular).join(" ")) return true;
  const [a, b] = [left.join(""), right.join("")];
  if (a === b) return true;
  if (a.replaceAll(/\d/g, "") === b.replaceAll(/\d/g, "")) return false;
  const shortest = Math.min(a.length, b.length);
  const allowed = shortest < 4 ? 0 : shortest < 9 ? 1 : 2;
  return letterSlips(a, b) <= allowed;
};

const wordsIn = (name: string): string[] =>
  name
    .split(/_+|\$|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((part) => part.toLowerCase())
    .filter(Boolean);

const singular = (word: string): string =>
  word.length > 3 ? word.replace(/(?<!s)s$|(?<=s|x|ch|sh)es$/, "") : word;

/** Edits of one letter, two neighbours that changed places counting as one. */
const letterSlips = (a: string, b: string): number => {
  const swapped = [...a].findIndex(
    (letter, at) =>
      letter !== b[at] && `${a.slice(0, at)}${a[at + 1] ?? ""}${letter}${a.slice(at + 2)}` === b,
  );
  return swapped >= 0 ? 1 : edits(a, b);
};

/** Where a function or class of the project is defined. */
export const placeOf = async (
  name: string,
  universe: SymbolUniverse,
  outlineOf: OutlineOf,
): Promise<{ readonly path: string; readonly line: number } | undefined> => {
  for (const path of universe.filesWith(name, "functions").slice(0, 3)) {
    const analysed = await outlineOf(path);
    const symbol = analysed && find(analysed.outline.symbols, name);
    if (symbol) return { path, line: analysed.source.position(symbol.nameSpan.from).line };
  }
  return undefined;
};

const find = (symbols: readonly OutlineSymbol[], name: string): OutlineSymbol | undefined => {
  for (const symbol of symbols) {
    if (symbol.name === name) return symbol;
    const inner = find(symbol.children, name);
    if (inner) return inner;
  }
  return undefined;
};

const isCallable = ({ kind, name }: OutlineSymbol): boolean =>
  ["function", "method", "property", "getter"].includes(kind) && !/^__\w+__$/.test(name);

const near = (
  symbol: OutlineSymbol,
  path: string,
  { source }: Analysed,
  prefix: string,
): NearName => ({
  name: prefix + symbol.name,
  path,
  line: source.position(symbol.nameSpan.from).line,
});

const closest = (name: string, candidates: readonly NearName[], prefix: string): NearName[] => {
  const seen = new Set<string>();
  return candidates
    .map((one) => ({ one, distance: distanceOf(name, one.name.slice(prefix.length)) }))
    .filter(({ distance }) => distance < 0.6)
    .toSorted((a, b) => a.distance - b.distance)
    .filter(({ one }) => !seen.has(one.name) && seen.add(one.name))
    .slice(0, shownMax)
    .map(({ one }) => one);
};

/** 0 for the same name, 1 for nothing in common: spelling, or shared words of the name. */
const distanceOf = (a: string, b: string): number => {
  const longest = Math.max(a.length, b.length);
  // Names of very different length are far apart whatever their letters.
  const spelling = Math.abs(a.length - b.length) > longest * 0.6 ? 1 : edits(a, b) / longest;
  const [left, right] = [partsOf(a), partsOf(b)];
  const common = [...left].filter((part) => right.has(part)).length;
  const words = 1 - (2 * common) / (left.size + right.size || 1);
  return Math.min(spelling, words * 0.9 + 0.1);
};

const partsOf = (name: string): Set<string> =>
  new Set(
    name
      .split(/_+|\$|(?<=[a-z\d])(?=[A-Z])/)
      .map((part) => part.toLowerCase())
      .filter(Boolean),
  );

const edits = (a: string, b: string): number => {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(change, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
};
