/** A file's bytes as text, with what must be kept when only a part of it is replaced. */
export interface TextContent {
  /** Without the byte order mark. */
  readonly text: string;
  readonly hasMark: boolean;
  /** The line end to use for inserted lines: the file's own first one. */
  readonly eol: "\n" | "\r\n";
}

/** Undefined when the bytes are not UTF-8: replacing them by question marks would destroy them. */
export const decodeText = (bytes: Uint8Array): TextContent | undefined => {
  try {
    const whole = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const hasMark = whole.startsWith(byteOrderMark);
    const text = hasMark ? whole.slice(1) : whole;
    return { text, hasMark, eol: /\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n" };
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
};

export const encodeText = (text: string, { hasMark }: Pick<TextContent, "hasMark">): string =>
  hasMark ? byteOrderMark + text : text;

/** The text with `value` in the place of the characters from `start` to `end`. */
export const splice = (
  text: string,
  range: { readonly start: number; readonly end: number },
  value: string,
): string => text.slice(0, range.start) + value + text.slice(range.end);

export const withLineEnds = (text: string, eol: "\n" | "\r\n"): string =>
  text.replace(/\r?\n/g, () => eol);

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Lines and columns count from 1. */
export const positionAt = (text: string, offset: number): Position => {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - lineStart + 1 };
};

const byteOrderMark = "\uFEFF";
