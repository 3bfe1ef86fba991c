import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SourceText } from "../../src/structure/index.ts";

/** Pieces in which mistakes hide: line endings, wide characters, pairs, marks inside the text. */
const piece = fc.constantFrom(
  "a",
  "\n",
  "\r",
  "\r\n",
  "é",
  "ß",
  "→",
  "😀",
  "\u2028",
  "\t",
  "\f",
  " ",
  "b\ufeff",
);
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => `x${pieces.join("")}`);

const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();
const encodings = {
  "UTF-8": (value: string) => Buffer.from(value, "utf8"),
  "UTF-8 with a mark": (value: string) => Buffer.from(`\ufeff${value}`, "utf8"),
  "UTF-16 LE": (value: string) => Buffer.from(`\ufeff${value}`, "utf16le"),
  "UTF-16 BE": (value: string) => swapped(Buffer.from(`\ufeff${value}`, "utf16le")),
} as const;

/** Lines the slow way: one character after the other. */
const slowPosition = (value: string, offset: number) => {
  let [line, column] = [1, 1];
  for (let at = 0; at < offset; at += 1) {
    const isBreak = value[at] === "\n" || (value[at] === "\r" && value[at + 1] !== "\n");
    [line, column] = isBreak ? [line + 1, 1] : [line, column + 1];
  }
  return { line, column };
};

describe("the text of a file", () => {
  it.each(Object.entries(encodings))("E-14 %s comes back byte for byte", (_, encode) => {
    fc.assert(
      fc.property(text, (value) => {
        const bytes = encode(value);
        const source = SourceText.of(bytes);
        expect(source.text).toBe(value);
        expect(source.encode()?.equals(bytes)).toBe(true);
      }),
    );
  });

  it("E-14 any bytes at all come back, Latin-1 included", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const source = SourceText.of(bytes);
        expect(source.encode()).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it("E-14 bytes that are no UTF-8 are read one by one and written so", () => {
    const bytes = Buffer.from("n = 'Andr\xe9'\r\n", "latin1");
    const source = SourceText.of(bytes);
    expect(source).toMatchObject({ encoding: "latin1", hasBom: false, text: "n = 'André'\r\n" });
    expect(source.encode("n = 'Zoë'\r\n")).toEqual(Buffer.from("n = 'Zo\xeb'\r\n", "latin1"));
    expect(source.encode("n = '€'")).toBeUndefined();
  });

  it("E-14 what an encoding cannot hold is refused, not replaced", () => {
    expect(new SourceText("a").encode("\ud800")).toBeUndefined();
    expect(new SourceText("a").encode("😀")).toEqual(Buffer.from("😀"));
  });

  it("E-14 only a mark is an empty file that keeps its mark", () => {
    for (const encode of Object.values(encodings).slice(1)) {
      const source = SourceText.of(encode(""));
      expect(source).toMatchObject({ text: "", hasBom: true, lineCount: 1 });
      expect(source.encode()).toEqual(encode(""));
    }
    expect(SourceText.of("\ufeffa")).toMatchObject({ text: "a", hasBom: true });
  });

  it("E-14 positions and line starts are those of counting characters", () => {
    fc.assert(
      fc.property(text, (value) => {
        const source = new SourceText(value);
        for (let offset = 0; offset <= value.length; offset += 1) {
          const place = source.position(offset);
          expect(place).toEqual(slowPosition(value, offset));
          expect(source.lineStart(place.line) + place.column - 1).toBe(offset);
        }
        expect(source.lineCount).toBe(slowPosition(value, value.length).line);
        expect(source.lineStart(source.lineCount + 1)).toBe(value.length);
      }),
    );
  });

  it.each(Object.entries(encodings))(
    "E-14 %s: byte offsets are those of the written file",
    (_, encode) => {
      fc.assert(
        fc.property(text, (value) => {
          const source = SourceText.of(encode(value));
          for (let offset = 0; offset <= value.length; offset += 1) {
            // Between the halves of a pair there is no place in UTF-8.
            if (!value.slice(0, offset).isWellFormed()) continue;
            expect(source.byteOffset(offset)).toBe(encode(value.slice(0, offset)).length);
          }
        }),
      );
    },
  );

  it.each([
    ["a\nb\n", "\n", true],
    ["a\r\nb\r\n", "\r\n", true],
    ["a\rb\rc", "\r", false],
    ["a\r\nb\r\nc\n", "\r\n", true],
    ["a\nb\nc\r\nd", "\n", false],
    ["a\r\nb\nc", "\n", false],
    ["a", "\n", false],
    ["", "\n", false],
  ])("E-14 %j has line ending %j", (value, lineEnding, endsWithNewline) => {
    expect(new SourceText(value)).toMatchObject({ lineEnding, endsWithNewline });
  });

  it("E-14 a range has both ends", () => {
    const source = new SourceText("a\r\nbc\rd");
    expect(source.range({ from: 3, to: 7 })).toEqual({
      start: { line: 2, column: 1 },
      end: { line: 3, column: 2 },
    });
  });
});
