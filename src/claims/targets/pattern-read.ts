/**
 * Reads the path part of a target: literal folders first, then, from the first name with a wildcard or
 * braces on, a program. One pass; a text that asks for too much is refused where it does.
 */
import { assert } from "../../base/assert.ts";
import { limits } from "../../base/limits.ts";
import { readClass } from "./pattern-class.ts";
import type { Instruction, Program } from "./pattern-program.ts";
import { guardStart, isEscapable, looksExtended, writeLetter } from "./pattern-text.ts";
import { complexTarget, invalidTarget, meantAsPath, meantLiterally } from "./target-problem.ts";

export interface PathRead {
  /** The canonical spelling; empty for the root. */
  readonly text: string;
  /** Literal names at the start, `/` between them; the whole path if there is no program. */
  readonly prefix: string;
  /** What follows, behind a slash if there is a prefix. Empty: nothing does. */
  readonly program: Program;
  readonly hasBraces: boolean;
  /** Literal characters at the end of the program's last name. */
  readonly ending: string;
  /** Where the path ends in the given text: at a `#` or at the end. */
  readonly end: number;
}

/** `text` is NFC; messages show `given`. Throws TARGET_INVALID and TARGET_TOO_COMPLEX. */
export const readPath = (text: string, given: string): PathRead => {
  if (!isOrdinary(text)) return new PathReader(text, given).read();
  return { text, prefix: text, program: [], hasBraces: false, ending: "", end: text.length };
};

/** A plain path of ASCII letters that is canonical already; most are. */
export const isOrdinary = (text: string): boolean =>
  /^\w[\w./-]*$/.test(text) && !/(?:^|\/)\.{0,2}(?:\/|$)|[^/]{256}/.test(text);

/** Does a name start (or end) here? In braces it can depend on the way taken. */
type Edge = "yes" | "no" | "maybe";

interface Braces {
  readonly fork: number;
  readonly alternatives: number[];
  readonly jumps: number[];
  /** Whether a name starts where the braces stand. */
  readonly edge: Edge;
}

class PathReader {
  readonly #text: string;
  readonly #given: string;
  #at = 0;
  #written = "";
  #prefix = "";
  readonly #program: Instruction[] = [];
  readonly #braces: Braces[] = [];
  #hasBraces = false;
  #edge: Edge = "yes";
  /** Neither wildcard nor braces so far. */
  #isPlain = true;
  /** The present name outside braces: where it starts, and its characters while all are literal. */
  #nameWritten = 0;
  #nameProgram = 0;
  #name: string | undefined = "";
  /** Where the program goes on behind the last braces. */
  #behindBraces = 0;

  constructor(text: string, given: string) {
    this.#text = text;
    this.#given = given;
  }

  read(): PathRead {
    const text = this.#text;
    while (this.#at < text.length && !(text[this.#at] === "#" && this.#braces.length === 0)) {
      this.#readNext();
      if (this.#program.length > limits.targetSizeMax) {
        throw complexTarget(
          this.#given,
          "it is too long for a pattern; claim several targets instead",
        );
      }
    }
    if (this.#braces.length > 0) {
      throw this.#invalid(`a brace is not closed; ${meantLiterally(this.#given)}`);
    }
    this.#endName();
    if (this.#program.at(-1)?.op === "slash") this.#program.pop();
    return {
      text: guardStart(this.#written.replace(/\/$/, "")),
      prefix: this.#prefix,
      program: this.#program,
      hasBraces: this.#hasBraces,
      ending: this.#ending(),
      end: this.#at,
    };
  }

  #readNext(): void {
    const letter = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    const isInBraces = this.#braces.length > 0;
    if (letter === "/") this.#readSlash();
    else if (letter === "*") this.#readStars();
    else if (letter === "?") this.#addWild({ op: "one", one: { kind: "any" } }, "?", 1);
    else if (letter === "[") this.#readClass();
    else if (letter === "{") this.#openBraces();
    else if (letter === "," && isInBraces) this.#nextAlternative();
    else if (letter === "}" && isInBraces) this.#closeBraces();
    else if (letter === "\\") this.#readEscape();
    else if (letter === "]" || letter === "}" || letter === "#") {
      throw this.#invalid(`"${letter}" is special; ${meantLiterally(this.#given)}`);
    } else if (letter === "(" && looksExtended(this.#text[this.#at - 1])) {
      throw this.#invalid(`alternatives are {a,b}; ${meantLiterally(this.#given)}`);
    } else this.#addLetter(letter, letter.length);
  }

  #readEscape(): void {
    const letter = this.#text[this.#at + 1];
    if (letter === undefined || !isEscapable(letter)) {
      const hint = meantAsPath(this.#given);
      throw this.#invalid(`a backslash stands before a special character only; ${hint}`);
    }
    this.#addLetter(letter, 2);
  }

  #addLetter(letter: string, length: number): void {
    this.#at += length;
    const isInBraces = this.#braces.length > 0;
    this.#written += writeLetter(letter, this.#written, isInBraces);
    this.#program.push({ op: "one", one: { kind: "letter", letter: letter.codePointAt(0) ?? 0 } });
    this.#edge = "no";
    if (isInBraces || this.#name === undefined) return;
    this.#name += letter;
    if (this.#name.length > limits.nameBytesMax) throw this.#longName();
  }

  /** Anything that is no literal character. */
  #addWild(instruction: Instruction, written: string, length: number): void {
    this.#at += length;
    this.#written += written;
    this.#program.push(instruction);
    this.#isPlain = false;
    this.#name = undefined;
    this.#edge = "no";
  }

  #readStars(): void {
    let length = 1;
    while (this.#text[this.#at + length] === "*") length += 1;
    const edges = [this.#edge, this.#edgeAt(this.#at + length)];
    if (length !== 2 || edges.includes("no")) this.#addWild({ op: "star" }, "*", length);
    else this.#addWild({ op: "deep", isAlways: !edges.includes("maybe") }, "**", length);
  }

  /** Whether a name ends at this index. */
  #edgeAt(index: number): Edge {
    const next = this.#text[index];
    if (next === "/") return "yes";
    if (next === "{") return "maybe";
    if (this.#braces.length > 0) return next === "," || next === "}" ? "maybe" : "no";
    return next === undefined || next === "#" ? "yes" : "no";
  }

  #readClass(): void {
    const { one, text, end } = readClass(this.#text, this.#at, this.#given);
    this.#addWild({ op: "one", one }, text, end - this.#at);
  }

  #openBraces(): void {
    if (this.#braces.length >= limits.targetBracesDepthMax) {
      throw complexTarget(
        this.#given,
        `braces in braces in braces, over ${this.#braces.length} deep`,
      );
    }
    const fork = this.#program.length;
    const edge = this.#edge;
    this.#hasBraces = true;
    this.#addWild({ op: "fork", to: [] }, "{", 1);
    this.#braces.push({ fork, alternatives: [fork + 1], jumps: [], edge });
    this.#edge = edge;
  }

  #nextAlternative(): void {
    const braces = this.#innermost();
    braces.jumps.push(this.#program.length);
    this.#addWild({ op: "jump", to: 0 }, ",", 1);
    braces.alternatives.push(this.#program.length);
    this.#edge = braces.edge;
  }

  #closeBraces(): void {
    const { fork, alternatives, jumps } = this.#innermost();
    if (jumps.length === 0) {
      throw this.#invalid(`braces hold alternatives, {a,b}; ${meantLiterally(this.#given)}`);
    }
    this.#braces.pop();
    this.#at += 1;
    this.#written += "}";
    this.#program[fork] = { op: "fork", to: alternatives };
    for (const jump of jumps) this.#program[jump] = { op: "jump", to: this.#program.length };
    this.#behindBraces = this.#program.length;
    this.#edge = "maybe";
  }

  #ending(): string {
    let ending = "";
    for (let i = this.#program.length - 1; i >= this.#behindBraces; i -= 1) {
      const instruction = this.#program[i];
      if (instruction?.op !== "one" || instruction.one.kind !== "letter") break;
      ending = String.fromCodePoint(instruction.one.letter) + ending;
    }
    return ending;
  }

  #innermost(): Braces {
    const braces = this.#braces.at(-1);
    assert(braces, "alternatives outside braces");
    return braces;
  }

  #readSlash(): void {
    if (this.#braces.length > 0) {
      this.#addWild({ op: "slash" }, "/", 1);
      this.#edge = "yes";
      return;
    }
    this.#at += 1;
    this.#endName();
  }

  #endName(): void {
    const name = this.#name;
    this.#edge = "yes";
    if (name === "." || this.#written.length === this.#nameWritten || this.#isDeepAgain()) {
      // `./a`, `a//b` and `a/` are spellings of the same path, as are `**/**` and `**`.
      this.#written = this.#written.slice(0, this.#nameWritten);
      this.#program.length = this.#nameProgram;
    } else {
      if (name === "..")
        throw this.#invalid('".." is not resolved here; write the path without it');
      if (name !== undefined && Buffer.byteLength(name) > limits.nameBytesMax) {
        throw this.#longName();
      }
      if (this.#isPlain && name !== undefined) {
        this.#prefix += this.#prefix === "" ? name : `/${name}`;
        this.#program.length = 0;
      } else this.#program.push({ op: "slash" });
      this.#written += "/";
    }
    this.#nameWritten = this.#written.length;
    this.#nameProgram = this.#program.length;
    this.#name = "";
  }

  #isDeepAgain(): boolean {
    const before = this.#program[this.#nameProgram - 2];
    const own = this.#program[this.#nameProgram];
    return (
      this.#program.length === this.#nameProgram + 1 &&
      [before, own].every((one) => one?.op === "deep" && one.isAlways)
    );
  }

  #longName(): Error {
    return this.#invalid(`a name is longer than ${limits.nameBytesMax} bytes`);
  }

  #invalid(problem: string): Error {
    return invalidTarget(this.#given, problem);
  }
}
