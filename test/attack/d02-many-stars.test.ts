import { expect, it } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { overlap } from "../../src/claims/targets/overlap.ts";
import { parseTarget } from "../../src/claims/targets/target.ts";

it("D02 many stars before a letter that never comes are decided within the bound", () => {
  const path = `${"a".repeat(250)}/`.repeat(16).slice(0, -1);
  for (const text of [
    `${"*a".repeat(190)}b`,
    `${"**/".repeat(120)}b`,
    `${"**/*a/".repeat(60)}b`,
    `${"*/".repeat(15)}*b`,
    `**/${"*?".repeat(120)}b`,
  ]) {
    const budget = { steps: limits.overlapStepsMax };
    expect(overlap(parseTarget(text), parseTarget(path, { extent: "file" }), budget), text).toBe(
      false,
    );
    expect(budget.steps).toBeGreaterThan(0);
  }
});

it("D02 two such patterns against each other, too", () => {
  const [a, b] = [parseTarget(`${"*a*b".repeat(90)}c`), parseTarget(`${"*b*a".repeat(90)}d`)];
  const budget = { steps: limits.overlapStepsMax };
  expect(overlap(a, b, budget)).toBe(false);
  expect(limits.overlapStepsMax - budget.steps).toBeLessThan(5 * limits.targetSizeMax ** 2);
});

it("D02 more of them are refused when they are read", () => {
  for (const text of ["*a".repeat(2000), "**/a/".repeat(2000), "?".repeat(9000)]) {
    expect(() => parseTarget(text)).toThrow(
      expect.objectContaining({ code: "TARGET_TOO_COMPLEX" }),
    );
  }
});
