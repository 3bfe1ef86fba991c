/**
 * A file's content as text, and the only place that converts between bytes, UTF-16 units and lines.
 * Decoding is lossless by construction: what does not come back byte for byte as UTF-8 is taken as
 * Latin-1, where every byte is one unit. So splicing text and encoding it again changes nothing else.
 */
import { isUtf8 } from "node:buffer";
import type { Position, Range, Span } from "./types.ts";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "utf-32le" | "utf-32be" | "latin1";
export type LineEnding = "\n" | "\r\n" | "\r";

export class SourceText {
  /** Without a byte order mark. */
  readonly text: string;
  readonly encoding: Encoding;
  readonly hasBom: boolean;
  #lineStarts: number[] | undefined;

  constructor(text: string, encoding: Encoding = "utf-8", hasBom = false) {
    this.text = text;
    this.encoding = encoding;
    this.hasBom = hasBom;
  }

  static of(content: string | Uint8Array): SourceText {
    if (typeof content === "string") {
      const hasBom = content.startsWith(byteOrderMark);
      return new SourceText(hasBom ? content.slice(1) : content, "utf-8", hasBom);
    }
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    const wide = ofUtf32(bytes);
    if (wide) return wide;
    if (bytes[0] === 0xff && bytes[1] === 0xfe && bytes.length % 2 === 0) {
      return new SourceText(bytes.toString("utf16le").slice(1), "utf-16le", true);
    }
    if (bytes[0] === 0xfe && bytes[1] === 0xff && bytes.length % 2 === 0) {
      return new SourceText(
        Buffer.from(bytes).swap16().toString("utf16le").slice(1),
        "utf-16be",
        true,
      );
    }
    if (!isUtf8(bytes)) return new SourceText(bytes.toString("latin1"), "latin1");
    const text = bytes.toString("utf8");
    const hasBom = text.startsWith(byteOrderMark);
    return new SourceText(hasBom ? text.slice(1) : text, "utf-8", hasBom);
  }

  /** The same file with other text: encoding and mark are kept. Undefined when it cannot be written so. */
  encode(text: string = this.text): Buffer | undefined {
    const whole = this.hasBom ? byteOrderMark + text : text;
    if (this.encoding === "latin1") {
      return /[^\0-\xff]/.test(text) ? undefined : Buffer.from(text, "latin1");
    }
    if (this.encoding === "utf-8")
      return whole.isWellFormed() ? Buffer.from(whole, "utf8") : undefined;
    if (this.encoding === "utf-32le" || this.encoding === "utf-32be") {
      return whole.isWellFormed() ? inUtf32(whole, this.encoding) : undefined;
    }
    const bytes = Buffer.from(whole, "utf16le");
    return this.encoding === "utf-16le" ? bytes : bytes.swap16();
  }

  /** Bytes before this place in the file, mark included. */
  byteOffset(offset: number): number {
    return this.encode(this.text.slice(0, offset))?.length ?? offset;
  }

  position(offset: number): Position {
    const starts = this.#starts();
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }

  range({ from, to }: Span): Range {
    return { start: this.position(from), end: this.position(to) };
  }

  /** Where line `line` (from 1) begins; the end of the text for lines behind the last. */
  lineStart(line: number): number {
    return this.#starts()[line - 1] ?? this.text.length;
  }

  get lineCount(): number {
    return this.#starts().length;
  }

  /** The line ending most lines have; "\n" for a file of one line. */
  get lineEnding(): LineEnding {
    const crlf = this.text.match(/\r\n/g)?.length ?? 0;
    const lf = (this.text.match(/\n/g)?.length ?? 0) - crlf;
    const cr = (this.text.match(/\r/g)?.length ?? 0) - crlf;
    if (crlf > lf && crlf >= cr) return "\r\n";
    return cr > lf ? "\r" : "\n";
  }

  get endsWithNewline(): boolean {
    return /[\r\n]$/.test(this.text);
  }

  #starts(): number[] {
    if (this.#lineStarts) return this.#lineStarts;
    const starts = [0];
    const { text } = this;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1);
    }
    this.#lineStarts = starts;
    return starts;
  }
}

const byteOrderMark = "\ufeff";

/** Undefined: it has no mark of UTF-32, or a number beyond the last character. */
const ofUtf32 = (bytes: Buffer): SourceText | undefined => {
  if (bytes.length < 4 || bytes.length % 4 !== 0) return undefined;
  const encoding =
    bytes.readUInt32LE(0) === 0xfeff
      ? "utf-32le"
      : bytes.readUInt32BE(0) === 0xfeff
        ? "utf-32be"
        : undefined;
  if (!encoding) return undefined;
  const parts: string[] = [];
  for (let at = 4; at < bytes.length; at += 4) {
    const point = encoding === "utf-32le" ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return undefined;
    parts.push(String.fromCodePoint(point));
  }
  return new SourceText(parts.join(""), encoding, true);
};

const inUtf32 = (text: string, encoding: "utf-32le" | "utf-32be"): Buffer => {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const bytes = Buffer.alloc(points.length * 4);
  for (const [index, point] of points.entries()) {
    if (encoding === "utf-32le") bytes.writeUInt32LE(point, index * 4);
    else bytes.writeUInt32BE(point, index * 4);
  }
  return bytes;
};
