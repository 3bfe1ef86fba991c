import { describe, expect, it } from "vitest";
import type { Finding } from "../../../src/review/index.ts";
import { isContrast, titleWords } from "../../../src/review/synthesis/contrast.ts";
import { isApart, placeScore } from "../../../src/review/synthesis/nearness.ts";
import { textSimilarity } from "../../../src/review/synthesis/similarity.ts";
import { sketchAll } from "../../../src/review/synthesis/sketch.ts";

const similarity = (left: string, right: string): number => {
  const [one, other] = sketchAll([left, right]).all;
  return textSimilarity(one!, other!);
};

const at = (path: string | undefined, line: number | undefined): Finding => ({
  ...{ id: "1", review: "r", reviewer: "a", title: "t" },
  ...(path !== undefined && { path }),
  ...(line !== undefined && { line }),
});

describe("V-04 how alike two findings are", () => {
  it("V-04 the same words are 1 + 1 + ½, a shared name of code is 0.1 more, nothing shared is 0", () => {
    const words = "the lock is never released";
    expect(similarity(words, words)).toBeCloseTo(2.5, 10);
    const named = "`releaseLock` is never called";
    expect(similarity(named, named)).toBeCloseTo(2.6, 10);
    expect(similarity("missing semicolon", "huge binary")).toBeLessThan(0.1);
    expect(similarity("", "")).toBe(0);
  });

  it("V-04 a shared name counts 0.1, whatever else the two say", () => {
    const plain = sketchAll(["`readAll` leaks", "`readAll` blocks"]).all;
    const [left, right] = plain.map((one) => ({ ...one, names: new Int32Array() }));
    expect(textSimilarity(plain[0]!, plain[1]!) - textSimilarity(left!, right!)).toBeCloseTo(
      0.1,
      10,
    );
  });

  it("V-04 next to each other counts for a merge, distance against it, and another symbol bars it", () => {
    const score = (one: number, two: number) => placeScore(at("a.ts", one), at("a.ts", two));
    expect(score(10, 10)).toBeGreaterThan(score(10, 13));
    expect(score(10, 13)).toBeGreaterThan(score(10, 18));
    expect(score(10, 30)).toBeLessThan(0);
    expect(placeScore(at("a.ts", 10), at("b.ts", 10))).toBe(0);
    expect(placeScore(at(undefined, 10), at(undefined, 10))).toBe(0);
    expect(placeScore(at("a.ts", undefined), at("a.ts", undefined))).toBe(0);
    const within = (symbol: string, line: number) => ({ ...at("a.ts", line), symbol });
    expect(isApart(at("a.ts", 10), at("a.ts", 340))).toBe(true);
    expect(isApart(at("a.ts", 10), at("a.ts", 20))).toBe(false);
    expect(isApart(within("C.a", 10), within("C.b", 20))).toBe(true);
    expect(isApart(within("C.a", 10), within("C.a", 80))).toBe(false);
    expect(isApart(within("C", 10), within("C.a", 20))).toBe(false);
  });

  it("V-04 titles that differ in their subject only are a contrast, other words for it are none", () => {
    const contrast = (left: string, right: string) =>
      isContrast(titleWords(left), titleWords(right));
    expect(contrast("Missing null check on user", "Missing null check on order")).toBe(true);
    expect(contrast("Index is not wrapped in push", "Index is not wrapped in pop")).toBe(true);
    expect(contrast("SSH is open to the world", "PostgreSQL is open to the world")).toBe(true);
    expect(contrast("Race on hits", "Data race on the hits map")).toBe(false);
    expect(contrast("No timeout on the request", "No timeout on the upload request")).toBe(false);
    expect(contrast("", "")).toBe(false);
  });
});
