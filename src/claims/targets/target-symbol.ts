/**
 * The part of a target behind `#`: a path of names from the outermost symbol inwards.
 * - Names are separated by `.` or `::`. A name may hold anything: `operator==`, `#secret` (the `#` at its
 *   start), `empty?`, `adds two numbers`. Characters that cannot be shown are written `\u{a}`.
 * - Brackets keep what they hold together: `[Symbol.iterator]`. So do quotes, which are not part of the
 *   name: `"a.b"` is `a\.b`.
 * - Parentheses hold the key of an overload and are a level of their own: `f(int)` lies in `f`.
 * - `lines:12-20` is a region: two of them meet where their numbers do.
 */
import { limits } from "../../base/limits.ts";
import { characterProblem } from "../../base/path-spelling.ts";
import { composed } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { isEscapable } from "./pattern-text.ts";
import { complexTarget, invalidTarget } from "./target-problem.ts";

/** The levels, each in its canonical spelling. `text` is NFC without control characters. */
export const readSymbol = (text: string, target: string): readonly string[] => {
  if (Buffer.byteLength(text) > limits.targetSymbolBytesMax) {
    throw complexTarget(target, `the symbol is over ${limits.targetSymbolBytesMax} bytes long`);
  }
  const levels = new SymbolReader(text, target).read();
  if (levels.length > limits.targetSymbolLevelsMax) {
    throw complexTarget(target, `the symbol is over ${limits.targetSymbolLevelsMax} levels deep`);
  }
  // Written again it may be longer, and is read again from what is stored.
  if (Buffer.byteLength(writeSymbol(levels)) > limits.targetSymbolBytesMax) {
    throw complexTarget(target, `the symbol is over ${limits.targetSymbolBytesMax} bytes long`);
  }
  return levels;
};

export const writeSymbol = (levels: readonly string[]): string =>
  levels
    .map((level, index) => (index === 0 || level.startsWith("(") ? level : `.${level}`))
    .join("");

/**
 * The text of these names, outermost first, that `readSymbol` takes back: a name that is written as it is, where
 * that means something, and otherwise with backslashes. Where all of them are too much, the outer ones; undefined
 * when not even the first can be written.
 */
export const spellSymbol = (names: readonly string[]): string | undefined => {
  let spelled: string | undefined;
  for (const name of names) {
    const level = spellName(composed(name));
    if (level === undefined) break;
    const longer = spelled === undefined ? level : `${spelled}.${level}`;
    if (!canRead(longer)) break;
    spelled = longer;
  }
  return spelled;
};

/** An empty name has no spelling. */
const spellName = (name: string): string | undefined => {
  if (name === "") return undefined;
  // `f(int)` is two levels, which must not become one.
  if (characterProblem(name) === undefined && canRead(name)) return name;
  return writeName(name, { isExact: true });
};

const canRead = (text: string): boolean => {
  try {
    readSymbol(text, text);
    return true;
  } catch (error) {
    if (HeadgateError.isInstance(error)) return false;
    throw error;
  }
};

/** Whether `inner` is `outer` or in it. */
export const isWithin = (inner: readonly string[], outer: readonly string[]): boolean =>
  outer.every((level, index) => {
    const own = inner[index];
    if (level === own) return true;
    const [a, b] = [readRegion(own), readRegion(level)];
    return a !== undefined && b !== undefined && b.from <= a.from && a.to <= b.to;
  });

/** Whether one is in the other, or both are regions that have a line in common. */
export const symbolsMeet = (a: readonly string[], b: readonly string[]): boolean => {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    if (a[index] === b[index]) continue;
    const [one, other] = [readRegion(a[index]), readRegion(b[index])];
    if (!one || !other || one.from > other.to || other.from > one.to) return false;
  }
  return true;
};

/** Lines count from 1, both ends included. */
const readRegion = (level = ""): { readonly from: number; readonly to: number } | undefined => {
  const [, first, last = first] = /^lines:(\d{1,9})(?:-(\d{1,9}))?$/.exec(level) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const [from, to] = [Number(first), Number(last)];
  return from <= to ? { from, to } : undefined;
};

class SymbolReader {
  readonly #text: string;
  readonly #target: string;
  readonly #levels: string[] = [];
  #at = 0;
  #name = "";
  /** Something in the name was written so that it means itself. */
  #isExact = false;
  /** A name must follow: at the start and behind a separator. */
  #isDue = true;

  constructor(text: string, target: string) {
    this.#text = text;
    this.#target = target;
  }

  read(): string[] {
    while (this.#at < this.#text.length) this.#readNext();
    this.#endName();
    if (this.#isDue) throw this.#invalid("a name is missing in the symbol, as in C.method");
    return this.#levels;
  }

  #readNext(): void {
    const text = this.#text;
    const letter = text[this.#at] ?? "";
    if (letter === "." || text.startsWith("::", this.#at)) {
      this.#at += letter === "." ? 1 : 2;
      this.#endName();
      if (this.#isDue) throw this.#invalid("a name is missing in the symbol, as in C.method");
      this.#isDue = true;
    } else if (letter === "(") {
      const end = this.#groupEnd();
      this.#endName();
      this.#levels.push(text.slice(this.#at, end));
      this.#isDue = false;
      this.#at = end;
    } else if (letter === "[") {
      const end = this.#groupEnd();
      this.#name += text.slice(this.#at, end);
      this.#at = end;
    } else if (letter === "\\") {
      const escaped = text[this.#at + 1];
      const isCode = this.#readCode();
      if (!isCode && (escaped === undefined || !isEscapable(escaped))) {
        throw this.#invalid("a backslash in a symbol stands before a special character only");
      }
      this.#isExact = true;
      if (isCode) return;
      this.#name += escaped;
      this.#at += 2;
    } else if (this.#name === "" && quotes.includes(letter)) this.#readQuoted(letter);
    else if (letter === ")" || letter === "]") {
      throw this.#invalid(`write \\${letter} for a "${letter}" in a symbol`);
    } else if (letter === "#" && this.#name !== "") {
      throw this.#invalid('write "." between the names of a symbol, as in C.method');
    } else {
      this.#name += letter;
      this.#at += 1;
    }
  }

  /** `\u{a}`: a character by its number. */
  #readCode(): boolean {
    const found = /^\\u\{([0-9a-f]{1,6})\}/i.exec(this.#text.slice(this.#at, this.#at + 10));
    const code = Number.parseInt(found?.[1] ?? "", 16);
    if (!found || !(code <= 0x10ffff)) return false;
    this.#name += String.fromCodePoint(code);
    this.#at += found[0].length;
    return true;
  }

  #readQuoted(quote: string): void {
    for (this.#at += 1; this.#text[this.#at] !== quote; this.#at += 1) {
      if (this.#text[this.#at] === "\\") this.#at += 1;
      const letter = this.#text[this.#at];
      if (letter === undefined) {
        throw this.#invalid(
          `a quote in the symbol is not closed; write \\${quote} for a character`,
        );
      }
      this.#name += letter;
    }
    this.#at += 1;
    this.#isExact = true;
    // `""` is a name of no characters, and no name.
    if (this.#name === "") throw this.#invalid("a name in the symbol is empty");
  }

  #endName(): void {
    if (this.#name === "") return;
    if (!this.#isExact) this.#refuseMistakes();
    this.#levels.push(writeName(composed(this.#name)));
    this.#name = "";
    this.#isExact = false;
    this.#isDue = false;
  }

  #refuseMistakes(): void {
    if (this.#name.trim() === "") throw this.#invalid("a name in the symbol is blank");
    if (!/^\*+$/.test(this.#name)) return;
    throw this.#invalid(
      "a symbol takes no wildcards: it includes everything inside it; write \\* for a name",
    );
  }

  #groupEnd(): number {
    const end = groupEnd(this.#text, this.#at);
    if (end !== undefined) return end;
    const letter = this.#text[this.#at];
    throw this.#invalid(
      `a "${letter}" in the symbol is not closed; write \\${letter} for a character`,
    );
  }

  #invalid(problem: string): Error {
    return invalidTarget(this.#target, problem);
  }
}

const quotes = "\"'`";

/** The index behind the bracket or parenthesis that closes the one at `at`. */
const groupEnd = (text: string, at: number): number | undefined => {
  const open = text[at];
  const close = open === "(" ? ")" : "]";
  let depth = 0;
  for (let i = at; i < text.length; i += 1) {
    if (text[i] === "\\") i += 1;
    else if (text[i] === open) depth += 1;
    else if (text[i] === close) depth -= 1;
    if (depth === 0) return i + 1;
  }
  return undefined;
};

/** Exact: also without brackets that keep things together, so that any name can be written. */
const writeName = (name: string, { isExact = false } = {}): string => {
  let written = "";
  for (let i = 0; i < name.length; i += 1) {
    const letter = String.fromCodePoint(name.codePointAt(i) ?? 0);
    const end = letter === "[" && !isExact ? groupEnd(name, i) : undefined;
    if (end !== undefined) {
      written += [...name.slice(i, end)].map((one) => writeCode(one) ?? one).join("");
      i = end - 1;
      continue;
    }
    written += writeCode(letter) ?? (mustEscape(name, i) ? `\\${letter}` : letter);
    i += letter.length - 1;
  }
  if (name.trim() !== "" && !/^\*+$/.test(name)) return written;
  // Otherwise it would pass for a mistake.
  const first = written[0] ?? "";
  if (first === "\\") return written;
  return isEscapable(first) ? `\\${written}` : asCode(first) + written.slice(1);
};

/** Characters that no target holds as they are. */
const writeCode = (letter: string): string | undefined =>
  characterProblem(letter) === undefined ? undefined : asCode(letter);

const asCode = (letter: string): string => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`;

const mustEscape = (name: string, at: number): boolean => {
  const letter = name[at] ?? "";
  if (".\\()[]".includes(letter)) return true;
  if (letter === "#") return at > 0;
  // A single colon is part of many names, two separate them.
  if (letter === ":") return name[at + 1] === ":" || name[at - 1] === ":";
  return at === 0 && quotes.includes(letter);
};
