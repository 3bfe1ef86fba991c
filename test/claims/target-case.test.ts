import { describe, expect, it } from "vitest";
import { foldCase } from "../../src/base/case-sensitivity.ts";
import {
  blocksWithCase,
  everyCase,
  foldInFull,
  foldLetter,
  foldLetters,
  inEveryCase,
  othersInEveryCase,
} from "../../src/claims/targets/pattern-case.ts";
import {
  hasCharacter,
  pairsOf,
  toRanges,
  withoutRanges,
} from "../../src/claims/targets/pattern-characters.ts";

const isLetter = (one: number) => one < 0xd800 || one > 0xdfff;
const everyLetter = Array.from({ length: 0x11_0000 }, (_, one) => one).filter(isLetter);
const single = (text: string, otherwise: number): number =>
  [...text].length === 1 ? text.codePointAt(0)! : otherwise;

describe("case, letter by letter", () => {
  it("C-12 upper and lower case of every letter of Unicode fold to one, and stay there", () => {
    const wrong = everyLetter.filter((one) => {
      const text = String.fromCodePoint(one);
      const folded = foldLetter(one);
      return [folded, single(text.toUpperCase(), one), single(text.toLowerCase(), one)].some(
        (other) => foldLetter(other) !== folded,
      );
    });
    expect(wrong).toEqual([]);
  });

  it("C-12 what is equal letter by letter is equal in full, and in the spelling of paths.ts", () => {
    const wrong = everyLetter.filter((one) => {
      const [text, folded] = [one, foldLetter(one)].map((each) => String.fromCodePoint(each));
      return foldInFull(text!) !== foldInFull(folded!) || foldCase(text!) !== foldCase(folded!);
    });
    expect(wrong).toEqual([]);
  });

  it("C-12 folding a text is folding its letters, also at the end of a word", () => {
    expect(foldLetters("ΟΔΟΣ")).toBe("οδοσ");
    expect(foldLetters("ΟΔΟΣ") + foldLetters("/Σ")).toBe(foldLetters("ΟΔΟΣ/Σ"));
    expect(foldInFull("Straße/ΟΔΟΣ/ﬁ")).toBe("strasse/οδοσ/fi");
    expect(foldInFull("ß") + foldInFull("A💡")).toBe(foldInFull("ßA💡"));
    expect(foldLetters("İ")).toBe("İ");
  });

  it("C-12 no letter outside the searched blocks has a case, and none folds to a slash or dot", () => {
    const outside = everyLetter.filter(
      (one) =>
        foldLetter(one) !== one && !blocksWithCase.some(([from, to]) => from <= one && one <= to),
    );
    expect(outside).toEqual([]);
    expect(everyLetter.filter((one) => one > 0x2f && foldLetter(one) <= 0x2f)).toEqual([]);
  });

  it("C-12 every case of a letter is found, for every letter of Unicode", () => {
    const families = new Map<number, number[]>();
    for (const one of everyLetter) {
      const folded = foldLetter(one);
      families.set(folded, [...(families.get(folded) ?? []), one]);
    }
    const wrong = everyLetter.filter((one) => {
      const family = families.get(foldLetter(one))!;
      if (family.length === 1) return false;
      const { ranges } = everyCase(one);
      const count = pairsOf(ranges).reduce((sum, [from, to]) => sum + to - from + 1, 0);
      return count !== family.length || family.some((other) => !hasCharacter(ranges, other));
    });
    expect(wrong).toEqual([]);
  });

  it("C-12 sets of characters are widened to every case, or without any", () => {
    const of = (text: string) =>
      toRanges(Array.from(text, (one) => [one.codePointAt(0)!, one.codePointAt(0)!]));
    const shown = (ranges: readonly number[], among: string) =>
      [...among].filter((one) => hasCharacter(ranges, one.codePointAt(0)!)).join("");
    expect(shown(inEveryCase([0x61, 0x7a]), "azAZ09ſKıé")).toBe("azAZſKı");
    expect(shown(inEveryCase(of("é")), "eéÉ")).toBe("éÉ");
    // Of a and B both have another case that is not left out.
    expect(shown(othersInEveryCase(of("aBc1")), "aAbBcC12")).toBe("aAbBcC2");
    expect(shown(othersInEveryCase(of("ABab")), "aAbBcC")).toBe("cC");
    expect(shown(withoutRanges(of("a")), "aA/\n")).toBe("A");
  });
});
