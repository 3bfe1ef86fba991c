/**
 * A pattern as a list of instructions, read from left to right; forks and jumps lead forward only.
 * Braces stay forks and are never written out, so a pattern costs what its text is long.
 */
import { everyCase, inEveryCase, othersInEveryCase } from "./pattern-case.ts";
import {
  anyInName,
  type CharacterSet,
  makeSet,
  type Ranges,
  withoutRanges,
} from "./pattern-characters.ts";

/** One character. */
export type One =
  | { readonly kind: "letter"; readonly letter: number }
  | { readonly kind: "any" }
  | { readonly kind: "class"; readonly ranges: Ranges; readonly isNegated: boolean };

export type Instruction =
  | { readonly op: "one"; readonly one: One }
  | { readonly op: "slash" }
  | { readonly op: "star" }
  /** `**`. It spans names only where it is a whole name itself; in braces that may differ by the way taken. */
  | { readonly op: "deep"; readonly isAlways: boolean }
  | { readonly op: "fork"; readonly to: readonly number[] }
  | { readonly op: "jump"; readonly to: number };

export type Program = readonly Instruction[];

export const isWild = (instruction: Instruction): boolean =>
  instruction.op === "star" ||
  instruction.op === "deep" ||
  (instruction.op === "one" && instruction.one.kind !== "letter");

/**
 * How letters are compared. `ownCase` and `otherCase` are for comparisons that ignore case: the first
 * reads a target of a disk that ignores case itself, so `[!a]` is neither `a` nor `A`; the second one of
 * a disk that does not, where `[!a]` does mean `A`.
 */
export type Reading = "exact" | "ownCase" | "otherCase";

export const charactersOf = (one: One, reading: Reading): CharacterSet => {
  if (one.kind === "any") return anyInName;
  if (one.kind === "letter") {
    return reading === "exact"
      ? makeSet([one.letter, one.letter], one.letter)
      : everyCase(one.letter);
  }
  const { ranges, isNegated } = one;
  if (reading === "exact") return makeSet(isNegated ? withoutRanges(ranges) : usable(ranges));
  if (!isNegated) return makeSet(usable(inEveryCase(ranges)));
  return makeSet(
    reading === "ownCase" ? withoutRanges(inEveryCase(ranges)) : othersInEveryCase(ranges),
  );
};

const usable = (ranges: Ranges): number[] => withoutRanges(withoutRanges(ranges));
