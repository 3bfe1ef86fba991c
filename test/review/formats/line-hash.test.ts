import { describe, expect, it } from "vitest";
import { lineHashes } from "../../../src/review/index.ts";

describe("V-06 primaryLocationLineHash", () => {
  const greetings = [
    "e9496ae3ebfced30:1",
    "fb7c023a8b9ccb3f:1",
    "ce8ba1a563dcdaca:1",
    "e20e36e16fcb0cc8:1",
    "b3edc88f2938467e:1",
    "c8e28b0b4002a3a0:1",
    "c129715d7a2bc9a3:1",
  ];

  it("V-06 gives the values of the upload action's own tests", () => {
    expect(lineHashes("")).toEqual(["c129715d7a2bc9a3:1"]);
    expect(lineHashes(" a\nb\n  \t\tc\n d")).toEqual([
      "271789c17abda88f:1",
      "54703d4cd895b18:1",
      "180aee12dab6264:1",
      "a23a3dc5e078b07b:1",
    ]);
    expect(lineHashes(" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n")).toEqual(greetings);
  });

  it("V-06 reads CR and CRLF as LF", () => {
    expect(lineHashes(" hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r")).toEqual(greetings);
    expect(lineHashes(" hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n")).toEqual(
      greetings,
    );
  });

  it("V-06 numbers repeats, and agrees with the sum it is defined by", () => {
    const text = `${"same line that is long enough, really long enough to fill the whole window of one hundred characters\n".repeat(3)}end`;
    const [first = "", second = ""] = lineHashes(text);
    expect(second).toBe(first.replace(/:1$/, ":2"));
    const units = [...text.replace(/[ \t]/g, "")].slice(0, 100).map((char) => char.charCodeAt(0));
    const sum = units.reduce((hash, unit) => BigInt.asUintN(64, hash * 37n + BigInt(unit)), 0n);
    expect(first).toBe(`${sum.toString(16)}:1`);
  });
});
