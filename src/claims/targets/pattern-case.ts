/**
 * Upper and lower case. Two rules, and what is equal by the first is equal by the second:
 * 1. Letter by letter (`ſ` is `s`, `ς` is `σ`), for the parts of a target that have wildcards.
 * 2. In full (`ß` is `ss` too, as some disks and `foldCase` have it), for whole plain names.
 * Both go character by character, unlike `toLowerCase`, which looks at a sigma's neighbours.
 */
import {
  type CharacterSet,
  makeSet,
  pairsOf,
  type Ranges,
  toRanges,
  withoutRanges,
} from "./pattern-characters.ts";

/** Rule 1. */
export const foldLetter = (letter: number): number => {
  if (letter < 0x80) return letter >= 0x41 && letter <= 0x5a ? letter + 0x20 : letter;
  return lowerLetter(upperLetter(letter));
};

/** Rule 1 for a text. */
export const foldLetters = (text: string): string => {
  if (isPlainAscii(text)) return text.toLowerCase();
  let folded = "";
  for (const letter of text) folded += String.fromCodePoint(foldLetter(letter.codePointAt(0) ?? 0));
  return folded;
};

/** Rule 2. */
export const foldInFull = (text: string): string => {
  if (isPlainAscii(text)) return text.toLowerCase();
  let folded = "";
  for (const letter of text) {
    for (const one of letter.toLowerCase().toUpperCase()) folded += one.toLowerCase();
  }
  return folded;
};

/** The letter in every case. */
export const everyCase = (letter: number): CharacterSet => {
  const single = foldLetter(letter);
  const cases = single < 0x80 ? asciiCases(single) : (tables().cases.get(single) ?? [single]);
  return makeSet(toRanges(cases.map((one) => [one, one])), single);
};

/** All characters that equal one of `ranges`. */
export const inEveryCase = (ranges: Ranges): number[] => {
  const pairs = pairsOf(ranges);
  for (const letter of casedIn(ranges)) pairs.push(...pairsOf(everyCase(letter).ranges));
  return toRanges(pairs);
};

/** The same for everything but `ranges`: a letter is left out only if all its cases are in `ranges`. */
export const othersInEveryCase = (ranges: Ranges): number[] => {
  const within = new Set(casedIn(ranges));
  const back: [number, number][] = [];
  for (const letter of within) {
    const cases = pairsOf(everyCase(letter).ranges);
    if (cases.some(([from, to]) => !everyOf(from, to, within))) back.push(...cases);
  }
  return toRanges([...pairsOf(withoutRanges(ranges)), ...back]);
};

const everyOf = (from: number, to: number, letters: ReadonlySet<number>): boolean => {
  for (let one = from; one <= to; one += 1) if (!letters.has(one)) return false;
  return true;
};

// oxlint-disable-next-line no-control-regex -- the ASCII range begins with controls.
const isPlainAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text);

const singleOr = (text: string, otherwise: number): number => {
  const first = text.codePointAt(0) ?? otherwise;
  return text.length === (first > 0xffff ? 2 : 1) ? first : otherwise;
};
const upperLetter = (letter: number): number =>
  singleOr(String.fromCodePoint(letter).toUpperCase(), letter);
const lowerLetter = (letter: number): number =>
  singleOr(String.fromCodePoint(letter).toLowerCase(), letter);

/** These three have a case outside ASCII: dotless i, Kelvin sign, long s. */
const beyondAscii: ReadonlyMap<number, number> = new Map([
  [0x69, 0x131],
  [0x6b, 0x212a],
  [0x73, 0x17f],
]);

const asciiCases = (lower: number): number[] => {
  if (lower < 0x61 || lower > 0x7a) return [lower];
  const other = beyondAscii.get(lower);
  return other === undefined ? [lower, lower - 0x20] : [lower, lower - 0x20, other];
};

const isAscii = (ranges: Ranges): boolean => (ranges.at(-1) ?? 0) < 0x80;

const casedIn = (ranges: Ranges): number[] => {
  const letters = isAscii(ranges) ? asciiLetters : tables().letters;
  const found: number[] = [];
  let i = 0;
  for (const letter of letters) {
    while (i < ranges.length && letter > (ranges[i + 1] ?? 0)) i += 2;
    if (i >= ranges.length) break;
    if (letter >= (ranges[i] ?? 0)) found.push(letter);
  }
  return found;
};

const asciiLetters = Array.from({ length: 0x80 }, (_, letter) => letter).filter(
  (letter) => asciiCases(foldLetter(letter)).length > 1,
);

interface Tables {
  /** From a folded letter to all its cases, where there is more than one. */
  readonly cases: ReadonlyMap<number, readonly number[]>;
  /** All letters that have another case, sorted. */
  readonly letters: readonly number[];
}

/** Asking for each letter takes milliseconds, so it happens when a target first needs it. */
const tables = (): Tables => {
  made ??= makeTables();
  return made;
};
let made: Tables | undefined;

const makeTables = (): Tables => {
  const cases = new Map<number, number[]>();
  for (const [from, to] of blocksWithCase) {
    for (let letter = from; letter <= to; letter += 1) {
      const folded = foldLetter(letter);
      if (folded === letter) continue;
      const known = cases.get(folded);
      if (known) known.push(letter);
      else cases.set(folded, [folded, letter]);
    }
  }
  return { cases, letters: [...cases.values()].flat().toSorted((left, right) => left - right) };
};

/** Generous, for later versions of Unicode; a test asks for every letter outside. */
export const blocksWithCase: readonly (readonly [number, number])[] = [
  [0x41, 0x5ff],
  [0x10a0, 0x10ff],
  [0x1380, 0x13ff],
  [0x1c80, 0x2dff],
  [0xa600, 0xabff],
  [0xfb00, 0xfb4f],
  [0xff00, 0xffef],
  [0x1_0400, 0x1_1fff],
  [0x1_6d00, 0x1_6fff],
  [0x1_e000, 0x1_efff],
];
