import { describe, expect, it } from "vitest";
import { planning } from "./planning.ts";

const { edited, refused } = planning();
const file = "a.txt";
const replace = (old: string, fresh: string) => ({ do: "replace", file, old, new: fresh }) as const;

describe("E-11 search and replace", () => {
  it("E-11 replaces what is there once, the nth, or all", async () => {
    expect(await edited(file, "a b a", replace("b", "$&c"))).toBe("a $&c a");
    expect(await edited(file, "a b a", { ...replace("a", "c"), nth: 2 })).toBe("a b c");
    expect(await edited(file, "aaa", { ...replace("aa", "b"), all: true })).toBe("ba");
  });

  it("E-05 tells the lines of all matches, overlapping ones too", async () => {
    const error = await refused(file, "a\nb\na\n", replace("a", "c"));
    expect(error).toMatchObject({ code: "TEXT_NOT_UNIQUE", data: { lines: [1, 3] } });
    expect((await refused(file, "aaa", replace("aa", "b"))).code).toBe("TEXT_NOT_UNIQUE");
    const missing = await refused(file, "a\na\n", { ...replace("a", "c"), nth: 3 });
    expect(missing).toMatchObject({ code: "TEXT_NOT_FOUND", data: { lines: [1, 2] } });
  });

  it("E-03 a line feed stands for the file's line ending, in both texts", async () => {
    expect(await edited(file, "a\r\nb\r\nc\r\n", replace("a\nb", "x\ny\nz"))).toBe(
      "x\r\ny\r\nz\r\nc\r\n",
    );
    expect(await edited(file, "a\rb\rc", replace("b", "x\ny"))).toBe("a\rx\ry\rc");
    expect(await edited(file, "a\r\nb\nc\nd\r\ne\r\n", replace("b\nc", "b\nx\nc"))).toBe(
      "a\r\nb\nx\nc\nd\r\ne\r\n",
    );
  });

  it.each([
    ["tab-or-space", "if x:\n    return 1\n", "if x:\n\treturn 1", 2, 1],
    ["indentation", "if x:\n    return 1\n", "if x:\n  return 1", 2, 3],
    ["trailing-blank", "a = 1  \nb = 2\n", "a = 1\nb = 2", 1, 6],
    ["unicode-form", "name = 'caf\u0065\u0301'\n", "name = 'caf\u00e9'", 1, 12],
    ["curly-quote", "say('it’s')\n", "say('it's')", 1, 8],
    ["special-blank", "a\u00a0= 1\nb\n", "a = 1", 1, 2],
    ["white-space", "f(a,b)\nx\n", "f(a, b)", 1, 5],
    ["case", "Hello there\n", "hello there", 1, 1],
    ["line-ending", "first\nsecond\n", "first\r\nsecond", 1, 6],
    ["text", "one\ntwo\nthree\n", "one\ntoo\nthree", 2, 2],
    [
      "placeholder",
      "def f():\n    a()\n    b()\n",
      "def f():\n    # ... existing code ...\n    b()",
      2,
      5,
    ],
  ])("E-05 says what differs: %s", async (kind, content, old, line, column) => {
    const error = await refused(file, content, replace(old, "something else"));
    expect(error.code).toBe("TEXT_NOT_FOUND");
    expect(error.data["mismatch"]).toMatchObject({ kind, line, column });
    expect(error.message).toContain(`line ${line}, column ${column}`);
  });

  it("E-05 says when nothing is similar", async () => {
    const error = await refused(file, "one\ntwo\n", replace("zzzzzz(qqqq)", "x"));
    expect(error.message).toContain("Nothing in the file resembles it");
  });

  it("E-05 says when the change is there already", async () => {
    expect(
      (await refused(file, "return total + tax\n", replace("return total", "return total + tax")))
        .code,
    ).toBe("ALREADY_APPLIED");
    const gone = await refused(
      file,
      "x\nreturn total + tax\n",
      replace("return sum(items)", "return total + tax"),
    );
    expect(gone).toMatchObject({ code: "ALREADY_APPLIED", data: { lines: [2] } });
    expect((await refused(file, "a", replace("a", "a"))).code).toBe("USAGE");
    expect((await refused(file, "a", replace("", "a"))).code).toBe("USAGE");
  });
});
