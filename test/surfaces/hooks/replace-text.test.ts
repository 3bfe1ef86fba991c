import { describe, expect, it } from "vitest";
import { replaceTexts } from "../../../src/surfaces/hooks/replace-text.ts";

const change = (text: string): string | undefined =>
  replaceTexts(text, [{ old: "b", new: "x\ny", all: false }]);

describe("the line ends of a file that a client's tool edits", () => {
  it.each([
    ["only CRLF", "a\r\nb\r\n", "a\r\nx\r\ny\r\n"],
    ["only LF", "a\nb\n", "a\nx\ny\n"],
    ["mostly CRLF", "a\r\nb\r\nc\n", "a\r\nx\r\ny\r\nc\r\n"],
    ["mostly LF", "a\r\nb\nc\n", "a\nx\ny\nc\n"],
    ["as many CRLF as LF: plain ones", "a\r\nb\n", "a\nx\ny\n"],
    ["no line end at all", "b", "x\ny"],
  ])("%s", (_, text, expected) => {
    expect(change(text)).toBe(expected);
  });
});
