import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasBidiControl, nearestName, plural, showText } from "../../src/base/text.ts";

describe("showText", () => {
  it("makes control characters, terminal escapes and bidi controls visible on one line", () => {
    expect(showText("a\nb\tc\u001b[31mred\u0007\u202e")).toBe(
      "a\\nb\\tc\\u001b[31mred\\u0007\\u202e",
    );
    expect(showText("naïve 日本語 🎉")).toBe("naïve 日本語 🎉");
  });

  it("never lets a control character through and bounds the length", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => {
        const shown = showText(text, 100);
        // oxlint-disable-next-line no-control-regex -- that is what is tested.
        expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
        expect(hasBidiControl(shown)).toBe(false);
        expect(shown.length).toBeLessThanOrEqual(101);
      }),
    );
  });
});

describe("nearestName", () => {
  it.each([
    ["evnts", "events"],
    ["satus", "status"],
    ["stauts", "status"],
    ["evetns", "events"],
  ])("%s is close to %s", (typed, wanted) => {
    expect(nearestName(typed, ["claim", "events", "state", "status", "up"])).toBe(wanted);
  });

  it("offers nothing when nothing is close", () => {
    expect(nearestName("frobnicate", ["claim", "events", "up"])).toBeUndefined();
  });
});

it("plural counts", () => {
  expect([plural(1, "file"), plural(2, "file"), plural(0, "entry", "entries")]).toEqual([
    "1 file",
    "2 files",
    "0 entries",
  ]);
});
