import { describe, expect, it } from "vitest";
import { wrapLine } from "../../../src/surfaces/cli/wrap-text.ts";

describe("lines at a narrow terminal", () => {
  it.each([
    ["fits into it", 20, "fits into it"],
    ["one two three four", 9, "one two\n  three\n  four"],
    ["label   a few words here", 20, "label   a few words\n        here"],
    ["  → do this and then that", 16, "  → do this and\n    then that"],
    ["path  /a/very/long/path", 19, "path\n  /a/very/long/path"],
    ["a /path/that/no/line/can/hold b", 12, "a /path/that/no/line/can/hold\n  b"],
    ["first\nsecond and third", 12, "first\nsecond and\n  third"],
  ])("%j breaks between words at %i columns", (text, width, wanted) => {
    expect(wrapLine(text, width)).toBe(wanted);
  });

  it("colours take no columns and go on in the next line", () => {
    const red = (text: string): string => `\u001b[31m${text}\u001b[39m`;
    expect(wrapLine(`${red("one two")} three`, 7)).toBe(`${red("one two")}\n  three`);
    expect(wrapLine(red("one two three"), 8)).toBe(`\u001b[31mone two\n  three\u001b[39m`);
  });
});
