import { describe, expect, it } from "vitest";
import { planning } from "./planning.ts";

const { changes, refused } = planning();
const file = "a.py";
const text =
  "import os\n\n\nclass A:\n    def one(self):\n        return 'é'\n\n\ndef f():\n    pass\n";
const add = { do: "add", file, into: "A", code: "def two(self):\n    return 'ü'" } as const;
const addFree = { do: "add", file, code: "def g():\n    return 'ü'" } as const;
const bom = "\ufeff";

const utf16be = (all: string): Buffer => Buffer.from(all, "utf16le").swap16();
const shapes: readonly (readonly [string, Buffer])[] = [
  ["LF", Buffer.from(text)],
  ["CRLF", Buffer.from(text.replaceAll("\n", "\r\n"))],
  ["CR", Buffer.from(text.replaceAll("\n", "\r"))],
  ["mixed endings", Buffer.from(text.replace("\n", "\r\n").replace(/\n$/, "\r\n"))],
  ["BOM", Buffer.from(bom + text)],
  ["Latin-1", Buffer.from(text, "latin1")],
  ["UTF-16LE", Buffer.from(bom + text, "utf16le")],
  ["UTF-16BE", utf16be(bom + text)],
  ["no final newline", Buffer.from(text.trimEnd())],
  ["many final newlines", Buffer.from(`${text}\n\n\n`)],
  ["blanks at line ends", Buffer.from(text.replaceAll("\n", "  \n"))],
  [
    "form feeds",
    Buffer.from(text.replace("\n\n\nclass", "\n\f\nclass").replace("\n\n\ndef", "\n\n\f\n\ndef")),
  ],
  ["a very long line", Buffer.from(`${text}x = "${"a".repeat(200_000)}"\n`)],
];

describe("E-14 encodings, line endings, marks", () => {
  it.each(shapes)("E-14 %s: adding and removing gives every byte back", async (_name, content) => {
    for (const [operation, symbol] of [
      [add, "A.two"],
      [addFree, "g"],
    ] as const) {
      const [added] = await changes({ [file]: content }, [operation]);
      const after = added?.after ?? Buffer.alloc(0);
      expect(after.length).toBeGreaterThan(content.length);
      const [removed] = await changes({ [file]: after }, [{ do: "remove", file, symbol }]);
      expect(removed?.after?.equals(content), operation.code).toBe(true);
    }
    const [imported] = await changes({ [file]: content }, [
      { do: "add-import", file, code: "import re" },
    ]);
    const [back] = await changes({ [file]: imported?.after ?? "" }, [
      { do: "remove-import", file, from: "re" },
    ]);
    expect(back?.after?.equals(content)).toBe(true);
  });

  it.each(shapes)("E-14 %s: bytes before and behind the place stay", async (_name, content) => {
    const [{ after } = { after: null }] = await changes({ [file]: content }, [add]);
    let same = 0;
    while (content[same] === after?.[same]) same += 1;
    const rest = content.subarray(same);
    expect(after?.subarray(after.length - rest.length).equals(rest)).toBe(true);
  });

  it("E-03 new lines have the ending that most lines have", async () => {
    const [{ after } = { after: null }] = await changes(
      { [file]: Buffer.from(text.replaceAll("\n", "\r\n")) },
      [add],
    );
    expect(after?.toString().replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  });

  it("E-03 a whole-file write keeps encoding, mark and uniform line endings", async () => {
    const write = { do: "write", file, content: "a\nü\n" } as const;
    const written = async (before: Buffer): Promise<Buffer | null | undefined> =>
      (await changes({ [file]: before }, [write]))[0]?.after;
    expect(await written(Buffer.from(`${bom}x\r\ny\r\n`))).toEqual(Buffer.from(`${bom}a\r\nü\r\n`));
    expect(await written(Buffer.from("é\n", "latin1"))).toEqual(Buffer.from("a\nü\n", "latin1"));
    expect(await written(Buffer.from("x\r\ny\n"))).toEqual(Buffer.from("a\nü\n"));
    expect(await written(utf16be(`${bom}x\n`))).toEqual(utf16be(`${bom}a\nü\n`));
  });

  it("E-14 refuses characters that the file's encoding does not have", async () => {
    const latin = Buffer.from(text, "latin1");
    const error = await refused(file, latin, { ...add, code: "def two(self):\n    return '€'" });
    expect(error).toMatchObject({
      code: "ENCODING_UNFIT",
      data: { encoding: "latin1", character: "U+20AC", line: 9 },
    });
    const half = await refused(file, "a", { do: "replace", file, old: "a", new: "\ud800" });
    expect(half.code).toBe("ENCODING_UNFIT");
  });

  it("E-14 binary and oversized files have no structure to edit by", async () => {
    expect((await refused(file, Buffer.from("a\0b"), add)).code).toBe("STRUCTURE_ABSENT");
    expect((await refused(file, Buffer.alloc(5 * 1024 * 1024, "#"), add)).code).toBe(
      "STRUCTURE_ABSENT",
    );
  });
});
