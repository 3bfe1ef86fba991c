import { describe, expect, it } from "vitest";
import type { Finding } from "../../../src/review/index.ts";
import { placeBonus, textSimilarity } from "../../../src/review/synthesis/similarity.ts";
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

  it("V-04 three lines apart in one file is near, four is not", () => {
    for (const [line, bonus] of [
      [10, 0.25],
      [13, 0.25],
      [7, 0.25],
      [14, 0],
      [6, 0],
    ] as const) {
      expect(placeBonus(at("a.ts", 10), at("a.ts", line)), `${line}`).toBe(bonus);
    }
    expect(placeBonus(at("a.ts", 10), at("b.ts", 10))).toBe(0);
    expect(placeBonus(at(undefined, 10), at(undefined, 10))).toBe(0);
    expect(placeBonus(at("a.ts", undefined), at("a.ts", undefined))).toBe(0);
  });
});
