/** One word of a POSIX or bash command line: quotes, escapes, and whether anything decides it later. */
import type { CommandList, Word } from "./syntax-tree.ts";
import { type Cursor, NotUnderstood } from "./text-cursor.ts";

export interface WordReader {
  readonly cursor: Cursor;
  /** What substitutions run is added here. */
  inner: CommandList[];
  /** Reads commands up to an unquoted `)` and over it. */
  readToParenthesis(): CommandList;
  /** Reads a text of its own, as backquotes hold it. */
  readText(text: string): CommandList;
}

interface Building {
  text: string;
  known: boolean;
  plain: boolean;
  /** Unquoted characters that patterns and braces are made of, in their order. */
  marks: string;
  /** `$HOME` at its beginning, which is read as `~`: false until one is there, undefined where none counts. */
  hasHome?: boolean;
}

const wordEnds = new Set([" ", "\t", "\n", ";", "&", "|", "<", ">", "(", ")", ""]);
const patternMarks = "*?[]{},.";

/** Undefined where no word begins. */
export const readWord = (reader: WordReader): Word | undefined => {
  const { cursor } = reader;
  const start = cursor.at;
  const word: Building = { text: "", known: true, plain: true, marks: "", hasHome: false };
  while (!cursor.isAtEnd) {
    const char = cursor.peek();
    if ((char === "<" || char === ">") && cursor.peek(1) === "(") {
      // Its value is a name that the shell makes up.
      cursor.skip(2);
      reader.inner.push(cursor.deeper(() => reader.readToParenthesis()));
      word.known = false;
      continue;
    }
    if (char === "(" && /^[A-Za-z_]\w*(?:\[\w*\])?\+?=$/.test(word.text) && word.plain) {
      skipArray(reader);
      word.known = false;
      continue;
    }
    if (wordEnds.has(char)) break;
    readPiece(reader, word);
  }
  if (cursor.at === start) return undefined;
  const { text, plain, marks } = word;
  const tilde = word.hasHome === true || (text.startsWith("~") && cursor.text[start] === "~");
  const isMatched = isPattern(marks);
  const stem = word.known && isMatched ? folderBefore(text) : undefined;
  return { text, plain, tilde, known: word.known && !isMatched, ...(stem && { stem }) };
};

const folderBefore = (text: string): string => {
  const [fixed = ""] = text.split(/[*?[{]/, 1);
  return fixed.slice(0, fixed.lastIndexOf("/") + 1);
};

const isPattern = (marks: string): boolean => {
  if (marks === "") return false;
  if (marks.includes("*") || marks.includes("?")) return true;
  const bracket = marks.indexOf("[");
  if (bracket >= 0 && marks.lastIndexOf("]") > bracket) return true;
  const brace = marks.indexOf("{");
  if (brace < 0) return false;
  const inside = marks.slice(brace, Math.max(brace, marks.lastIndexOf("}")));
  return inside.includes(",") || inside.includes("..");
};

const readPiece = (reader: WordReader, word: Building): void => {
  const { cursor } = reader;
  const char = cursor.next();
  switch (char) {
    case "\\": {
      const escaped = cursor.next();
      if (escaped === "\n") return;
      word.text += escaped;
      word.plain = false;
      return;
    }
    case "'":
      word.plain = false;
      word.text += readTo(cursor, "'");
      return;
    case '"':
      word.plain = false;
      readDoubleQuoted(reader, word);
      return;
    case "`":
      readBackquoted(reader, word);
      return;
    case "$":
      readDollar(reader, word, false);
      return;
    default:
      if (patternMarks.includes(char)) word.marks += char;
      word.text += char;
  }
};

const readTo = (cursor: Cursor, end: string): string => {
  const start = cursor.at;
  while (cursor.peek() !== end) {
    if (cursor.isAtEnd) throw new NotUnderstood("a quote is not closed");
    cursor.next();
  }
  cursor.next();
  return cursor.text.slice(start, cursor.at - 1);
};

const readDoubleQuoted = (reader: WordReader, word: Building): void => {
  const { cursor } = reader;
  for (;;) {
    if (cursor.isAtEnd) throw new NotUnderstood("a quote is not closed");
    const char = cursor.next();
    if (char === '"') return;
    if (char === "\\") {
      const escaped = cursor.next();
      if (escaped !== "\n") word.text += '$`"\\'.includes(escaped) ? escaped : char + escaped;
    } else if (char === "`") readBackquoted(reader, word);
    else if (char === "$") readDollar(reader, word, true);
    else word.text += char;
  }
};

const readBackquoted = (reader: WordReader, word: Building): void => {
  const { cursor } = reader;
  let text = "";
  for (let char = cursor.next(); char !== "`"; char = cursor.next()) {
    if (cursor.at > cursor.text.length) throw new NotUnderstood("a backquote is not closed");
    if (char === "\\") {
      const escaped = cursor.next();
      text += "$`\\".includes(escaped) ? escaped : char + escaped;
    } else text += char;
  }
  word.known = false;
  reader.inner.push(cursor.deeper(() => reader.readText(text)));
};

/** Behind a `$`: a variable, `${ }`, `$( )`, `$(( ))`, `$' '`, or only a dollar sign. */
const readDollar = (reader: WordReader, word: Building, isQuoted: boolean): void => {
  const { cursor } = reader;
  const char = cursor.peek();
  const home = word.hasHome === false && word.text === "" ? homeAt(cursor) : undefined;
  if (home !== undefined) {
    cursor.skip(home.length);
    word.text = "~";
    word.plain = false;
    word.hasHome = true;
  } else if (char === "(") {
    word.known = false;
    cursor.next();
    if (cursor.peek() === "(" && skipArithmetic(reader)) return;
    reader.inner.push(cursor.deeper(() => reader.readToParenthesis()));
  } else if (char === "{") {
    word.known = false;
    cursor.next();
    cursor.deeper(() => skipBraces(reader, isQuoted));
  } else if (char === "'" && !isQuoted) {
    word.known = false;
    word.plain = false;
    cursor.next();
    // Where sh and bash would end this text at different places, nothing behind it is certain.
    if (readTo(cursor, "'").endsWith("\\")) throw new NotUnderstood("$'…' with a quote in it");
  } else if (char === '"' && !isQuoted) {
    // The locale may translate it.
    word.known = false;
  } else if (/^[A-Za-z0-9_@*#?$!-]$/.test(char)) {
    word.known = false;
    cursor.next();
    if (/[A-Za-z_]/.test(char)) while (/^\w$/.test(cursor.peek())) cursor.next();
  } else word.text += "$";
};

const homeAt = ({ text, at }: Cursor): string | undefined =>
  /^(?:HOME(?!\w)|\{HOME\})/.exec(text.slice(at, at + 7))?.[0];

/** `${ … }`: its value is not known, but what it runs is. */
const skipBraces = (reader: WordReader, isQuoted: boolean): void => {
  const { cursor } = reader;
  const scrap: Building = { text: "", known: true, plain: true, marks: "" };
  for (;;) {
    if (cursor.isAtEnd) throw new NotUnderstood("${ is not closed");
    const char = cursor.next();
    if (char === "}") return;
    if (char === "\\") cursor.next();
    else if (char === "'" && !isQuoted) readTo(cursor, "'");
    else if (char === '"') readDoubleQuoted(reader, scrap);
    else if (char === "`") readBackquoted(reader, scrap);
    else if (char === "$") readDollar(reader, scrap, isQuoted);
    scrap.text = "";
  }
};

/** Stands on the second `(` of `$((`. False, and back there, when it is a subshell in a substitution. */
const skipArithmetic = (reader: WordReader): boolean => {
  const { cursor } = reader;
  const start = cursor.at;
  const before = reader.inner.length;
  const scrap: Building = { text: "", known: true, plain: true, marks: "" };
  cursor.next();
  for (let depth = 0; ;) {
    if (cursor.isAtEnd) throw new NotUnderstood("$(( is not closed");
    const char = cursor.next();
    if (char === "(") depth += 1;
    else if (char === ")" && depth > 0) depth -= 1;
    else if (char === ")") {
      if (cursor.peek() === ")") {
        cursor.next();
        return true;
      }
      cursor.at = start;
      reader.inner.length = before;
      return false;
    } else if (char === "$") cursor.deeper(() => readDollar(reader, scrap, true));
    else if (char === "`") readBackquoted(reader, scrap);
    else if (char === "#" && /\s/.test(cursor.text[cursor.at - 2] ?? "")) {
      // A comment is a sign of commands, and may hold a parenthesis.
      cursor.at = start;
      reader.inner.length = before;
      return false;
    }
    scrap.text = "";
  }
};

/** `((` … `))` as a command of its own; stands on the first `(`. False when these are two subshells. */
export const skipArithmeticCommand = (reader: WordReader): boolean => {
  const { cursor } = reader;
  const start = cursor.at;
  cursor.next();
  if (skipArithmetic(reader)) return true;
  cursor.at = start;
  return false;
};

/** `name=( … )`. */
const skipArray = (reader: WordReader): void => {
  const { cursor } = reader;
  cursor.next();
  for (;;) {
    if (cursor.isAtEnd) throw new NotUnderstood("a list of values is not closed");
    const char = cursor.peek();
    if (char === ")") {
      cursor.next();
      return;
    }
    if (char === "#") while (!cursor.isAtEnd && cursor.peek() !== "\n") cursor.next();
    else if (cursor.deeper(() => readWord(reader)) === undefined) {
      if (!/^\s$/.test(char)) throw new NotUnderstood("an unusual list of values");
      cursor.next();
    }
  }
};

/** The text of a here-document without quotes around its end word: only what it runs is of interest. */
export const readHereText = (reader: WordReader): boolean => {
  const { cursor } = reader;
  const word: Building = { text: "", known: true, plain: true, marks: "" };
  while (!cursor.isAtEnd) {
    const char = cursor.next();
    if (char === "\\") {
      cursor.next();
      word.known = false;
    } else if (char === "`") readBackquoted(reader, word);
    else if (char === "$") readDollar(reader, word, true);
    word.text = "";
  }
  return word.known;
};
