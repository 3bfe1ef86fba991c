import { expect, it } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { overlap } from "../../src/claims/targets/overlap.ts";
import { parseTarget } from "../../src/claims/targets/target.ts";

it("D03 braces whose written-out form would not fit any memory are compared as they are", () => {
  // 2^80 alternatives.
  const binary = parseTarget("{a,b}".repeat(80), { extent: "file" });
  const fits = parseTarget("ab".repeat(40), { extent: "file" });
  const tooShort = parseTarget("ab".repeat(39), { extent: "file" });
  for (const [other, expected] of [
    [fits, true],
    [tooShort, false],
    [parseTarget("{b,c}".repeat(80), { extent: "file" }), true],
    [parseTarget("{c,d}".repeat(80), { extent: "file" }), false],
  ] as const) {
    const budget = { steps: limits.overlapStepsMax };
    expect(overlap(binary, other, budget)).toBe(expected);
    expect(limits.overlapStepsMax - budget.steps).toBeLessThan(10_000);
  }
});

it("D03 nested, unclosed, empty and numeric braces are refused", () => {
  for (const [text, code] of [
    ["{".repeat(9000), "TARGET_TOO_COMPLEX"],
    [`${"{a,".repeat(3000)}b`, "TARGET_TOO_COMPLEX"],
    [`${"{a,".repeat(200)}b${"}".repeat(200)}`, "TARGET_TOO_COMPLEX"],
    ["{a,b}".repeat(2000), "TARGET_TOO_COMPLEX"],
    [`{${",".repeat(9000)}}`, "TARGET_TOO_COMPLEX"],
    ["{1..1000000000}", "TARGET_INVALID"],
    ["{a,b", "TARGET_INVALID"],
    ["{}".repeat(100), "TARGET_INVALID"],
    ["{,,,}", "TARGET_INVALID"],
  ] as const) {
    expect(() => parseTarget(text), text.slice(0, 20)).toThrow(expect.objectContaining({ code }));
  }
});
