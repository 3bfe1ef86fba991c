/** Lines around a place in a text. Line endings are LF, CRLF and CR; a form feed is no blank. */

export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export const splice = (text: string, { from, to, text: inserted }: Splice): string =>
  text.slice(0, from) + inserted + text.slice(to);

const isBreak = (char: string | undefined): boolean => char === "\n" || char === "\r";
const isSpace = (char: string | undefined): boolean => char === " " || char === "\t";

export const lineStart = (text: string, at: number): number => {
  let index = at;
  while (index > 0 && !isBreak(text[index - 1])) index -= 1;
  // Between CR and LF is no beginning of a line.
  return index;
};

/** Before the line's ending. */
export const lineEnd = (text: string, at: number): number => {
  let index = at;
  while (index < text.length && !isBreak(text[index])) index += 1;
  return index;
};

/** Behind the line ending that stands at this place, if one does. */
export const pastBreak = (text: string, at: number): number => {
  if (text.startsWith("\r\n", at)) return at + 2;
  return isBreak(text[at]) ? at + 1 : at;
};

/** Before the line ending that stands just before this place, if one does. */
export const beforeBreak = (text: string, at: number): number => {
  if (text[at - 1] === "\n" && text[at - 2] === "\r") return at - 2;
  return isBreak(text[at - 1]) ? at - 1 : at;
};

export const indentAt = (text: string, at: number): string => {
  const from = lineStart(text, at);
  let to = from;
  while (isSpace(text[to])) to += 1;
  return text.slice(from, to);
};

/** Only blanks stand before it on its line. */
export const startsLine = (text: string, at: number): boolean =>
  /^[ \t]*$/.test(text.slice(lineStart(text, at), at));

/** Only blanks stand behind it on its line. */
export const endsLine = (text: string, at: number): boolean =>
  /^[ \t]*$/.test(text.slice(at, lineEnd(text, at)));

/** Where the last line with something on it ends, before the line of `at`; undefined when there is none. */
export const filledLineBefore = (text: string, at: number): number | undefined => {
  let start = lineStart(text, at);
  while (start > 0) {
    const end = beforeBreak(text, start);
    start = lineStart(text, end);
    if (!/^[ \t]*$/.test(text.slice(start, end))) return end;
  }
  return undefined;
};

/** Where the next line with something on it starts, after the line of `at`; undefined when there is none. */
export const filledLineAfter = (text: string, at: number): number | undefined => {
  let end = lineEnd(text, at);
  while (end < text.length) {
    const start = pastBreak(text, end);
    end = lineEnd(text, start);
    if (!/^[ \t]*$/.test(text.slice(start, end))) return start;
  }
  return undefined;
};

export const skipSpaces = (text: string, at: number): number => {
  let index = at;
  while (isSpace(text[index])) index += 1;
  return index;
};

export const skipSpacesBack = (text: string, at: number): number => {
  let index = at;
  while (index > 0 && isSpace(text[index - 1])) index -= 1;
  return index;
};

export const isBlank = (text: string): boolean => /^\s*$/.test(text);
