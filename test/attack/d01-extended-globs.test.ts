import { expect, it } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { overlap } from "../../src/claims/targets/overlap.ts";
import { parseTarget } from "../../src/claims/targets/target.ts";

const codeOf = (text: string): string => {
  try {
    parseTarget(text);
    return "accepted";
  } catch (error) {
    return (error as { code: string }).code;
  }
};

it("D01 extended globs, nested and quantified, are refused and never become an expression", () => {
  for (const text of [
    "+(a|aa)",
    "*(*(*(*(a))))b",
    "+(+(+(a|b)|c)|d)x",
    "!(!(!(a)))",
    `${"+(".repeat(500)}a${")".repeat(500)}`,
    "@(constructor|toString)",
    "a/?(b|c)",
  ]) {
    expect(codeOf(text), text).toBe("TARGET_INVALID");
  }
});

it("D01 POSIX classes, and names of methods in their place, are refused", () => {
  for (const name of ["alpha", "constructor", "__proto__", "hasOwnProperty", "toString"]) {
    expect(codeOf(`[[:${name}:]]*`), name).toBe("TARGET_INVALID");
  }
  // Without the inner bracket it is a class of these characters, and nothing else.
  expect(overlap(parseTarget("[:constructor:]"), parseTarget("t"))).toBe(true);
  expect(overlap(parseTarget("[:constructor:]"), parseTarget("a"))).toBe(false);
});

it("D01 names of object members are ordinary names", () => {
  for (const name of ["__proto__", "constructor", "hasOwnProperty"]) {
    expect(overlap(parseTarget(name), parseTarget(`${name}/x`))).toBe(true);
    expect(overlap(parseTarget(`${name}#${name}`), parseTarget("*"))).toBe(true);
    expect(overlap(parseTarget(`name:${name.replaceAll("_", "x")}`), parseTarget(name))).toBe(
      false,
    );
  }
});

it("D01 what sends backtracking matchers astray takes few steps", () => {
  const path = parseTarget(`${"a".repeat(200)}b`, { extent: "file" });
  for (const text of [`${"*a".repeat(50)}c`, `${"{a,a*}".repeat(40)}c`, `${"*".repeat(5000)}c`]) {
    const budget = { steps: limits.overlapStepsMax };
    expect(overlap(parseTarget(text), path, budget)).toBe(false);
    expect(limits.overlapStepsMax - budget.steps).toBeLessThan(250_000);
  }
});
