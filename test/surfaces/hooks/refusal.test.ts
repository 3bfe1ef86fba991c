import { describe, expect, it } from "vitest";
import { refusalOf } from "../../../src/surfaces/hooks/refusal.ts";
import { rulesText } from "../../../src/surfaces/hooks/rules-text.ts";

const cause = {
  code: "DUPLICATE_SYMBOL",
  path: "src/a.ts",
  line: 12,
  symbol: "A.f",
  message: "Method 'f' already exists in class 'A' at line 2.",
  remedy: "Change the existing one.",
};

describe("the text of a refusal", () => {
  it("says what, why, what to do, and all of it once more for programs", () => {
    const { text } = refusalOf("Edit", cause);
    const [first, why, remedy, last, ...more] = text.split("\n");
    expect(first).toBe("Headgate refused this Edit: DUPLICATE_SYMBOL src/a.ts#A.f");
    expect(why).toContain(cause.message);
    expect(remedy).toBe(cause.remedy);
    expect(JSON.parse(last?.replace(/^headgate: /, "") ?? "")).toEqual({
      code: "DUPLICATE_SYMBOL",
      path: "src/a.ts",
      line: 12,
      symbol: "A.f",
    });
    expect(more).toEqual([]);
  });

  it("has the same first line for the same case, whatever the message says", () => {
    const [first] = refusalOf("Edit", cause).text.split("\n");
    const [other] = refusalOf("Edit", { ...cause, message: "Something else." }).text.split("\n");
    expect(other).toBe(first);
  });

  it("stays under 500 characters with the longest of everything", () => {
    const long = "x".repeat(10_000);
    const { text } = refusalOf(long, {
      ...cause,
      path: long,
      symbol: long,
      message: long,
      remedy: long,
    });
    expect(text.length).toBeLessThan(500);
    expect(text.split("\n")).toHaveLength(4);
    expect(() => JSON.parse(text.split("headgate: ")[1] ?? "")).not.toThrow();
  });

  it("a short remedy leaves its room to the message, and both are there", () => {
    const { text } = refusalOf("Edit", { ...cause, message: "m".repeat(300), remedy: "r" });
    expect(text).toMatch(/m{200}/);
  });
});

describe("the rules an agent is told", () => {
  it("are at most 1,500 characters and name what it needs", () => {
    expect(rulesText.length).toBeLessThanOrEqual(1_500);
    for (const word of [
      "CLAIM_CONFLICT",
      "STALE_VIEW",
      "headgate claim",
      "headgate wait",
      "Never",
    ]) {
      expect(rulesText).toContain(word);
    }
  });
});
