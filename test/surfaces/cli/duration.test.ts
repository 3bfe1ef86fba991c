import { describe, expect, it } from "vitest";
import { parseSpan } from "../../../src/runs/plan/span.ts";
import { parseDuration } from "../../../src/surfaces/cli/duration.ts";

describe.each([
  ["on the command line", parseDuration],
  ["in a plan", parseSpan],
])("a time %s", (_, parse) => {
  it.each([
    ["500ms", 500],
    ["90s", 90_000],
    ["1.5h", 5_400_000],
    ["1h30m", 5_400_000],
    ["2d", 172_800_000],
    ["90", 90_000],
    ["0.0004s", 0],
  ])("%s is %i ms", (text, ms) => {
    expect(parse(text)).toBe(ms);
  });

  it.each(["", "soon", "-1s", "1 h", "s", "1.s", ".5s", "1e3", "1h30", "5w", "１s"])(
    "%j is none",
    (text) => {
      expect(parse(text)).toBeUndefined();
    },
  );

  it("has at most forty characters", () => {
    const longest = `${"0".repeat(38)}9s`;
    expect(parse(longest)).toBe(9_000);
    expect(parse(`0${longest}`)).toBeUndefined();
    expect(parse(`0${"0".repeat(39)}9`)).toBeUndefined();
  });
});
