import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/base/limits.ts";
import {
  covers,
  exampleOutside,
  examplePath,
  overlap,
  targetsOverlap,
} from "../../src/claims/targets/overlap.ts";
import { parseTarget } from "../../src/claims/targets/target.ts";

type Vector = [a: string, b: string, expected: boolean, why: string, extent?: "file"];
const vectors = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "overlap-vectors.json"), "utf8"),
) as Vector[];

const file = (text: string) => parseTarget(text, { extent: "file" });
const folding = (text: string) => parseTarget(text, { folds: true });
const foldingFile = (text: string) => parseTarget(text, { extent: "file", folds: true });

describe("overlap by hand", () => {
  it.each(vectors)("C-16 %s and %s: %s, %s", (a, b, expected, _why, extent = undefined) => {
    const options = extent === undefined ? {} : { extent };
    const [left, right] = [parseTarget(a, options), parseTarget(b, options)];
    expect(overlap(left, right)).toBe(expected);
    expect(overlap(right, left)).toBe(expected);
    if (extent === undefined) expect(targetsOverlap(a, b)).toBe(expected);
  });

  it("C-16 there are enough of them, of both sorts", () => {
    expect(vectors.length).toBeGreaterThanOrEqual(80);
    expect(vectors.filter(([, , expected]) => expected).length).toBeGreaterThan(60);
    expect(vectors.filter(([, , expected]) => !expected).length).toBeGreaterThan(60);
  });

  it("C-16 each target overlaps itself", () => {
    for (const text of new Set(vectors.flatMap(([a, b]) => [a, b]))) {
      expect(targetsOverlap(text, text), text).toBe(true);
    }
  });

  it("C-16 a path that lies in both can be named", () => {
    expect(examplePath(parseTarget("src/*a"), parseTarget("src/b?"))).toBe("src/ba");
    expect(examplePath(parseTarget("src"), parseTarget("src/a/b"))).toBe("src/a/b");
    expect(examplePath(parseTarget("a"), parseTarget("b"))).toBeUndefined();
    expect(examplePath(parseTarget("name:a"), parseTarget("name:a"))).toBeUndefined();
  });
});

describe("case", () => {
  it.each([
    ["SRC/A.ts", "src/a.ts"],
    ["src/*.TS", "SRC/a.ts"],
    ["src/[A-C]x", "src/bX"],
    ["ΟΔΟΣ/x", "οδος/X"],
    ["STRASSE/a", "straße/A"],
    ["ſ", "S"],
    ["\u212a", "k"],
    ["stra?e", "STRAßE"],
    ["{A,b}/**", "B/c"],
  ])("C-12 on a disk that ignores it, %s and %s overlap", (a, b) => {
    for (const [left, right] of [
      [folding(a), folding(b)],
      [folding(a), parseTarget(b)],
      [parseTarget(a), folding(b)],
    ] as const) {
      expect(overlap(left, right)).toBe(true);
      expect(overlap(right, left)).toBe(true);
    }
    expect(overlap(parseTarget(a), parseTarget(b))).toBe(false);
  });

  it("C-12 a class is folded before it is negated where its own disk ignores case", () => {
    expect(overlap(foldingFile("[!a]"), foldingFile("A"))).toBe(false);
    expect(overlap(foldingFile("[!a]"), foldingFile("B"))).toBe(true);
    expect(overlap(foldingFile("[!A-Z]x"), foldingFile("qx"))).toBe(false);
  });

  it("C-12 a class of a disk with case keeps its meaning beside one without", () => {
    // There, the pattern does fit a file called A.
    expect(overlap(file("[!a]"), foldingFile("a"))).toBe(true);
    expect(overlap(file("[!aA]"), foldingFile("a"))).toBe(false);
  });

  it("symbols and resources keep their case everywhere", () => {
    expect(overlap(folding("A.ts#C"), folding("a.ts#C"))).toBe(true);
    expect(overlap(folding("a.ts#c"), folding("a.ts#C"))).toBe(false);
    expect(overlap(folding("name:A"), folding("name:a"))).toBe(false);
  });
});

describe("covers", () => {
  it.each([
    ["src", "src/a.ts"],
    ["src", "src"],
    ["src", "src/**/*.ts"],
    ["src/**", "src"],
    ["**", "."],
    [".", "**"],
    ["src/*", "src/*.ts"],
    ["**/*.ts", "src/**/*.test.ts"],
    ["{a,b}", "b"],
    ["[a-z]*", "b?"],
    ["{a,b}/**", "{b/c,a/d}"],
    ["*.{ts,tsx}", "*.ts"],
    ["a{b,c}d", "a[bc]d"],
    ["{src/a,src/b}", "src/{a,b}"],
    ["src/{a,b}", "{src/a,src/b}"],
    ["a.ts", "a.ts#C"],
    ["*.ts", "a.ts#C.m"],
    ["a.ts#C", "a.ts#C.m"],
    ["name:a", "name:a"],
    ["@git/head", "@git/head"],
  ])("C-16 %s covers %s", (outer, inner) => {
    expect(covers(parseTarget(outer), parseTarget(inner))).toBe(true);
    expect(exampleOutside(parseTarget(outer), parseTarget(inner))).toBeUndefined();
  });

  it.each([
    ["src/a.ts", "src"],
    ["src/*", "src/a"],
    ["src/*.ts", "src/*"],
    ["src/**/*.ts", "src"],
    ["*", "**"],
    ["?", "??"],
    ["{a,b}", "{a,b,c}"],
    ["[a-y]*", "[a-z]*"],
    ["**/*.test.ts", "**/*.ts"],
    ["a/**/b", "**/b"],
    ["src/a", "{src/a,lib/a}"],
    ["src/a", "lib/a"],
  ])("C-16 %s does not cover %s, and a path shows it", (outer, inner) => {
    const [whole, part] = [parseTarget(outer), parseTarget(inner)];
    expect(covers(whole, part)).toBe(false);
    const example = file(exampleOutside(whole, part)!);
    expect(overlap(part, example)).toBe(true);
    expect(example.text === "." ? false : overlap(whole, example)).toBe(false);
  });

  it.each([
    ["a.ts#C", "a.ts"],
    ["a.ts#C.m", "a.ts#C"],
    ["a.ts#C", "b.ts#C"],
    ["name:a", "name:b"],
    [".", "name:a"],
    ["name:a", "."],
    ["@git/head", "@git/index"],
  ])("C-14 %s does not cover %s", (outer, inner) => {
    expect(covers(parseTarget(outer), parseTarget(inner))).toBe(false);
  });

  it("C-16 a file is covered where its folder is not", () => {
    expect(covers(parseTarget("src/*"), file("src/a"))).toBe(true);
    expect(covers(parseTarget("src/*"), parseTarget("src/a"))).toBe(false);
    expect(covers(file("src/a"), file("src/a"))).toBe(true);
    expect(covers(file("src/a"), parseTarget("src/a"))).toBe(false);
  });

  it("C-12 case is ignored only where the outer target's disk does", () => {
    expect(covers(folding("src"), parseTarget("SRC/a"))).toBe(true);
    expect(covers(folding("*.TS"), file("a.ts"))).toBe(true);
    expect(covers(folding("src"), folding("SRC/**"))).toBe(true);
    // The inner target also stands for SRC, the outer one does not.
    expect(covers(parseTarget("src"), folding("src/a"))).toBe(false);
    expect(exampleOutside(parseTarget("src"), folding("src/1"))).toMatch(/^src\/1/i);
    expect(exampleOutside(parseTarget("src"), folding("src/1"))).not.toMatch(/^src\/1/);
    expect(covers(parseTarget("**"), folding("src/a"))).toBe(true);
    expect(covers(parseTarget("[aA]/*"), foldingFile("a/1"))).toBe(true);
    expect(covers(parseTarget("a/1"), foldingFile("A/1"))).toBe(false);
    expect(covers(parseTarget("1/2"), folding("1/2/3"))).toBe(true);
  });

  it("C-04 without budget left the answer is no, never a guess", () => {
    const [outer, inner] = [parseTarget("**/*.ts"), parseTarget("src/**/a*.ts")];
    expect(covers(outer, inner)).toBe(true);
    expect(covers(outer, inner, { steps: 20 })).toBe(false);
  });
});

describe("budgets", () => {
  it("C-04 overlap takes its steps from the given budget and refuses when it is used up", () => {
    const [a, b] = [parseTarget("**/*a*/*.ts"), parseTarget("*/b*/**/*.{ts,tsx}")];
    const budget = { steps: limits.overlapStepsMax };
    expect(overlap(a, b, budget)).toBe(true);
    const used = limits.overlapStepsMax - budget.steps;
    expect(used).toBeGreaterThan(10);
    const [fresh, other] = [parseTarget("**/*a*/*.ts"), parseTarget("*/b*/**/*.{ts,tsx}")];
    const attempt = () => overlap(fresh, other, { steps: used - 1 });
    expect(attempt).toThrow(expect.objectContaining({ code: "TARGET_TOO_COMPLEX" }));
  });
});
