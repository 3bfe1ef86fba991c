/**
 * The part of a target behind `#`: a path of names from the outermost symbol inwards.
 * - Names are separated by `.` or `::`. A name may hold anything but control characters: `operator==`,
 *   `#secret` (the `#` at its start), `empty?`, `adds two numbers`.
 * - Brackets keep what they hold together: `[Symbol.iterator]`. So do quotes, which are not part of the
 *   name: `"a.b"` is `a\.b`.
 * - Parentheses hold the key of an overload and are a level of their own: `f(int)` lies in `f`.
 */
import { limits } from "../../base/limits.ts";
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
  return levels;
};

export const writeSymbol = (levels: readonly string[]): string =>
  levels
    .map((level, index) => (index === 0 || level.startsWith("(") ? level : `.${level}`))
    .join("");

/** Whether `inner` is `outer` or lies in it. */
export const isWithin = (inner: readonly string[], outer: readonly string[]): boolean =>
  outer.every((level, index) => level === inner[index]);

class SymbolReader {
  readonly #text: string;
  readonly #target: string;
  readonly #levels: string[] = [];
  #at = 0;
  #name = "";
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
      if (escaped === undefined || !isEscapable(escaped)) {
        throw this.#invalid("a backslash in a symbol stands before a special character only");
      }
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
    // `""` is a name of no characters, and no name.
    if (this.#name === "") throw this.#invalid("a name in the symbol is empty");
  }

  #endName(): void {
    if (this.#name === "") return;
    if (this.#name.trim() === "") throw this.#invalid("a name in the symbol is blank");
    if (/^\*+$/.test(this.#name)) {
      throw this.#invalid("a symbol takes no wildcards; it stands for everything in it anyway");
    }
    this.#levels.push(writeName(this.#name));
    this.#name = "";
    this.#isDue = false;
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

const writeName = (name: string): string => {
  let written = "";
  for (let i = 0; i < name.length; i += 1) {
    const letter = name[i] ?? "";
    const end = letter === "[" ? groupEnd(name, i) : undefined;
    if (end !== undefined) {
      written += name.slice(i, end);
      i = end - 1;
    } else if (mustEscape(name, i)) written += `\\${letter}`;
    else written += letter;
  }
  return written;
};

const mustEscape = (name: string, at: number): boolean => {
  const letter = name[at] ?? "";
  if (".\\()[]".includes(letter)) return true;
  if (letter === "#") return at > 0;
  // A single colon is part of many names, two separate them.
  if (letter === ":") return name[at + 1] === ":" || name[at - 1] === ":";
  return at === 0 && quotes.includes(letter);
};
