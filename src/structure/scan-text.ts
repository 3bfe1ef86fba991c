/**
 * Where a text is string, comment or code, by a scanner of its own. It reads fragments (a method without its class)
 * that no parser can, for edits that must keep the white space inside a string, and it is fast enough for the gate to ask
 * on every edit whether a character is code. Compared with the parsers' own strings in the tests.
 */
import type { Span } from "./types.ts";
import { type Dialect, dialectOf } from "./dialects.ts";

export interface ScannedLine {
  readonly from: number;
  /** What the line begins in. */
  readonly begins: "code" | "string" | "comment";
  /** Open brackets before it. */
  readonly depth: number;
}

export interface Scanned {
  /** Whole strings, whatever is interpolated into them. */
  readonly strings: readonly Span[];
  /** The parts of strings that are text: without interpolated code. */
  readonly texts: readonly Span[];
  readonly comments: readonly Span[];
  readonly lines: readonly ScannedLine[];
}

export const scan = (text: string, language: string): Scanned =>
  new Scanner(text, dialectOf(language)).run();

/** What a closing brace ends: a block of code, or code inside a string. */
interface Open {
  readonly depth: number;
  readonly resume: (() => void) | undefined;
}

class Scanner {
  readonly #text: string;
  readonly #dialect: Dialect;
  readonly #strings: Span[] = [];
  readonly #texts: Span[] = [];
  readonly #comments: Span[] = [];
  readonly #lines: ScannedLine[] = [{ from: 0, begins: "code", depth: 0 }];
  /** Heredocs announced on this line; their bodies begin on the next. */
  readonly #heredocs: { readonly mark: string; readonly isIndented: boolean }[] = [];
  readonly #open: Open[] = [];
  #at = 0;
  #depth = 0;
  /** Nesting of strings: only the outermost is a whole one. */
  #nesting = 0;
  #lastCode = "";

  constructor(text: string, dialect: Dialect) {
    this.#text = text;
    this.#dialect = dialect;
  }

  run(): Scanned {
    while (this.#at < this.#text.length) this.#code();
    return {
      strings: this.#strings,
      texts: this.#texts,
      comments: this.#comments,
      lines: this.#lines,
    };
  }

  #code(): void {
    const { block, line } = this.#dialect;
    const char = this.#text[this.#at] ?? "";
    if (char === "\n" || char === "\r") return this.#newline();
    if (char === " " || char === "\t") {
      this.#at += 1;
      return;
    }
    const opened = block.find(([open]) => this.#has(open));
    if (opened && this.#blockMayBegin(opened[0])) return this.#blockComment(opened);
    if (line.some((mark) => this.#has(mark)) && this.#commentMayBegin()) return this.#lineComment();
    if (this.#string()) return;
    this.#bracketOrWord(char);
  }

  #newline(): void {
    this.#nextLine("code");
    for (const heredoc of this.#heredocs.splice(0)) this.#heredocBody(heredoc);
  }

  /** Steps over a line ending and notes what the next line begins in. */
  #nextLine(begins: ScannedLine["begins"]): void {
    this.#at += this.#has("\r\n") ? 2 : 1;
    this.#lines.push({ from: this.#at, begins, depth: this.#depth });
  }

  #bracketOrWord(char: string): void {
    const word = /[\p{L}\p{N}_$]+/uy;
    word.lastIndex = this.#at;
    const found = word.exec(this.#text)?.[0];
    if (found !== undefined) {
      this.#at += found.length;
      this.#lastCode = found;
      return;
    }
    if ("([{".includes(char)) {
      this.#open.push({ depth: this.#depth, resume: undefined });
      this.#depth += 1;
    } else if (")]}".includes(char)) {
      const open = this.#open.pop();
      this.#depth = open?.depth ?? 0;
      this.#at += 1;
      this.#lastCode = char;
      return open?.resume?.();
    }
    this.#at += char === "\\" && !/[\r\n]/.test(this.#text[this.#at + 1] ?? "") ? 2 : 1;
    this.#lastCode = char;
  }

  #has(mark: string): boolean {
    return this.#text.startsWith(mark, this.#at);
  }

  #isLineStart(): boolean {
    return this.#at === (this.#lines.at(-1)?.from ?? 0);
  }

  /** Ruby's `=begin` counts only at the beginning of a line. */
  #blockMayBegin(open: string): boolean {
    return open !== "=begin" || this.#isLineStart();
  }

  #commentMayBegin(): boolean {
    if (this.#dialect.commentNeedsBlank) return /^$|\s|[;(]/.test(this.#text[this.#at - 1] ?? "");
    return !(this.#dialect.attributes && this.#has("#["));
  }

  #lineComment(): void {
    const from = this.#at;
    while (this.#at < this.#text.length && !/[\r\n]/.test(this.#text[this.#at] ?? ""))
      this.#at += 1;
    this.#comments.push({ from, to: this.#at });
  }

  #blockComment([open, close]: readonly [string, string]): void {
    const from = this.#at;
    let level = 0;
    const begins = open === "=begin" ? "string" : "comment";
    do {
      const isEnd = begins === "comment" || this.#isLineStart();
      if (this.#has(close) && this.#at > from && isEnd) {
        level -= 1;
        this.#at += close.length;
      } else if (this.#has(open) && (level === 0 || this.#dialect.nestsComments)) {
        level += 1;
        this.#at += open.length;
      } else if (/[\r\n]/.test(this.#text[this.#at] ?? "")) this.#nextLine(begins);
      else this.#at += 1;
    } while (level > 0 && this.#at < this.#text.length);
    this.#comments.push({ from, to: this.#at });
  }

  #string(): boolean {
    for (const form of this.#dialect.strings) {
      form.open.lastIndex = this.#at;
      const found = form.open.exec(this.#text);
      if (!found) continue;
      if (form.after && !form.after(this.#lastCode, this.#text, this.#at)) continue;
      if (form.heredoc) {
        const { mark, isIndented } = form.heredoc(found);
        this.#heredocs.push({ mark, isIndented });
        this.#at += found[0].length;
        this.#lastCode = '"';
        return true;
      }
      const from = this.#at;
      this.#at += found[0].length;
      this.#nesting += 1;
      this.#inString(from, from, form.close(found), {
        escape: form.escape ?? "\\",
        code: typeof form.code === "function" ? form.code(found) : form.code,
        isOneLine: form.isOneLine ?? false,
        nests: form.nests?.(found),
        level: 0,
      });
      return true;
    }
    return false;
  }

  /** Until the string's end, or until code begins inside it. */
  #inString(whole: number, from: number, close: string, how: Inside): void {
    let { level } = how;
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? "";
      if (how.escape === "double" && this.#has(close + close)) this.#at += 2 * close.length;
      else if (char === how.nests && how.nests !== undefined) {
        level += 1;
        this.#at += 1;
      } else if (this.#has(close)) {
        this.#at += close.length;
        if (level === 0) return this.#endString(whole, from);
        level -= 1;
      } else if (char === "\\" && how.escape === "\\") this.#escaped();
      else if (how.code === "{" && this.#has("{{")) this.#at += 2;
      else if (how.code !== undefined && this.#has(how.code)) {
        return this.#codeInString(whole, from, close, { ...how, level });
      } else if (/[\r\n]/.test(char)) {
        if (how.isOneLine) return this.#endString(whole, from);
        this.#nextLine("string");
      } else this.#at += 1;
    }
    this.#endString(whole, from);
  }

  #escaped(): void {
    this.#at += 1;
    // Also where a language leaves the indentation after such a line end out of the text: the bytes are the writer's.
    if (/[\r\n]/.test(this.#text[this.#at] ?? "")) this.#nextLine("string");
    else this.#at += 1;
  }

  #endString(whole: number, from: number): void {
    this.#texts.push({ from, to: this.#at });
    this.#nesting -= 1;
    if (this.#nesting === 0) this.#strings.push({ from: whole, to: this.#at });
    this.#lastCode = '"';
  }

  #codeInString(whole: number, from: number, close: string, how: Inside): void {
    const mark = how.code ?? "";
    this.#at += mark.length;
    this.#texts.push({ from, to: this.#at });
    const resume = (): void => this.#inString(whole, this.#at - 1, close, how);
    const depth = this.#open.length;
    this.#open.push({ depth: this.#depth, resume });
    this.#depth += 1;
    this.#lastCode = "{";
    if (mark === "{") this.#pythonCode(depth);
  }

  /** Python's format specification is text again: `{x:'>10}`. */
  #pythonCode(depth: number): void {
    while (this.#open.length > depth && this.#at < this.#text.length) {
      const isSpecification = this.#has(":") && !this.#has(":=");
      if (this.#open.length === depth + 1 && isSpecification) this.#skipSpecification();
      else this.#code();
    }
  }

  #skipSpecification(): void {
    while (this.#at < this.#text.length && !/[{}\r\n]/.test(this.#text[this.#at] ?? ""))
      this.#at += 1;
  }

  #heredocBody({ mark, isIndented }: { mark: string; isIndented: boolean }): void {
    const from = this.#at;
    const last = this.#lines.pop();
    this.#lines.push({ from, begins: "string", depth: last?.depth ?? 0 });
    while (this.#at < this.#text.length) {
      const rest = /[^\r\n]*/y;
      rest.lastIndex = this.#at;
      const line = rest.exec(this.#text)?.[0] ?? "";
      const shown = isIndented ? line.trimStart() : line;
      const isEnd =
        shown === mark ||
        (isIndented && shown.startsWith(mark) && !/^\w/.test(shown.slice(mark.length)));
      this.#at += isEnd ? line.length - shown.length + mark.length : line.length;
      if (isEnd || this.#at >= this.#text.length) break;
      this.#nextLine("string");
    }
    this.#strings.push({ from, to: this.#at });
    this.#texts.push({ from, to: this.#at });
  }
}

interface Inside {
  readonly escape: "\\" | "double" | "none";
  readonly code: string | undefined;
  readonly isOneLine: boolean;
  readonly nests: string | undefined;
  readonly level: number;
}
