/**
 * Reads a POSIX or bash command line into a tree. It is written by hand although a bash grammar comes with
 * the program: that grammar runs in a process of its own, which costs more than the whole hook may take
 * without a server, and it answers every text with some tree, guessed where it was at a loss. What is
 * needed here is the opposite: a reader that gives up on whatever it does not know for certain. Whatever
 * is not understood throws NotUnderstood, and then nothing of the line is certain.
 */
import { parseRedirect, type PendingHere, readHereBodies } from "./parse-redirect.ts";
import { readHereText, readWord, skipArithmeticCommand, type WordReader } from "./read-word.ts";
import {
  assigned,
  type Chain,
  type Command,
  type CommandList,
  type CompoundCommand,
  type Redirect,
  type Word,
} from "./syntax-tree.ts";
import { type Budget, Cursor, NotUnderstood, TooMuch } from "./text-cursor.ts";

/** Throws NotUnderstood and TooMuch. */
export const parsePosix = (text: string, budget: Budget, depth = 0): CommandList => {
  const parser = new PosixParser(new Cursor(text, budget, depth));
  const list = parser.readList(new Set());
  if (!parser.cursor.isAtEnd) throw new NotUnderstood("something is left over");
  return list;
};

const assignment = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/;
const blank = /^[ \t]$/;

export class PosixParser implements WordReader {
  readonly cursor: Cursor;
  inner: CommandList[] = [];
  readonly pendingHere: PendingHere[] = [];

  constructor(cursor: Cursor) {
    this.cursor = cursor;
  }

  readText(text: string): CommandList {
    return parsePosix(text, this.cursor.budget, this.cursor.depth);
  }

  readHere(text: string): readonly CommandList[] {
    const { budget, depth } = this.cursor;
    const parser = new PosixParser(new Cursor(text, budget, depth + 1));
    readHereText(parser);
    return parser.inner;
  }

  readToParenthesis(): CommandList {
    const outer = this.inner;
    this.inner = [];
    const list = this.readList(new Set([")"]));
    this.inner = outer;
    this.#expect(")");
    return list;
  }

  /** Up to one of the words (or `)`, `;;`) in `stop`, which is left standing. */
  readList(stop: ReadonlySet<string>): CommandList {
    const chains: Chain[] = [];
    for (;;) {
      this.#skipNewlines();
      const { cursor } = this;
      if (cursor.isAtEnd || this.#isAtStop(stop)) return chains;
      const start = cursor.at;
      chains.push(this.#readChain());
      if (cursor.at === start) throw new NotUnderstood("an unusual character");
    }
  }

  #isAtStop(stop: ReadonlySet<string>): boolean {
    const { cursor } = this;
    if (cursor.peek() === ")") return stop.has(")");
    if (cursor.startsWith(";;") || cursor.startsWith(";&")) return stop.has(";;");
    return stop.size > 0 && stop.has(this.#peekPlain());
  }

  /** The letters at the cursor when they stand alone: enough to know a reserved word. */
  #peekPlain(): string {
    const { text, at } = this.cursor;
    return /^(?:[a-z]{2,8}|[{}!])(?=[\s;&|<>()]|$)/.exec(text.slice(at, at + 12))?.[0] ?? "";
  }

  #readChain(): Chain {
    const { cursor } = this;
    const parts: { operator: "" | "&&" | "||"; pipeline: readonly Command[] }[] = [];
    let operator: "" | "&&" | "||" = "";
    for (;;) {
      parts.push({ operator, pipeline: this.#readPipeline() });
      this.skipBlanks();
      if (cursor.startsWith("&&")) operator = "&&";
      else if (cursor.startsWith("||")) operator = "||";
      else break;
      cursor.skip(2);
      this.#skipNewlines();
    }
    const isBackground = cursor.peek() === "&";
    if (isBackground) cursor.next();
    else if (cursor.peek() === ";" && !/[;&]/.test(cursor.peek(1))) cursor.next();
    return { parts, isBackground };
  }

  #readPipeline(): readonly Command[] {
    const { cursor } = this;
    const commands: Command[] = [];
    this.skipBlanks();
    while (this.#peekPlain() === "!") {
      cursor.next();
      this.skipBlanks();
    }
    for (;;) {
      commands.push(this.#readCommand());
      this.skipBlanks();
      if (cursor.peek() !== "|" || cursor.peek(1) === "|") return commands;
      cursor.skip(cursor.peek(1) === "&" ? 2 : 1);
      this.#skipNewlines();
    }
  }

  #readCommand(): Command {
    const { cursor } = this;
    this.skipBlanks();
    if (cursor.peek() === "(") return this.#readParentheses();
    const reserved = this.#peekPlain();
    if (compounds.has(reserved)) {
      cursor.skip(reserved.length);
      return cursor.deeper(() => this.#readCompound(reserved));
    }
    if (ends.has(reserved)) throw new NotUnderstood(`${reserved} without its beginning`);
    if (cursor.startsWith("[[") && /^\s$/.test(cursor.peek(2))) return this.#readTest();
    return this.#readSimple();
  }

  #readParentheses(): Command {
    const { cursor } = this;
    if (cursor.peek(1) === "(") {
      const [found, inner] = this.#collect(() => skipArithmeticCommand(this));
      if (found) return this.#quiet(inner);
    }
    cursor.next();
    const list = cursor.deeper(() => this.readToParenthesis());
    return this.#withRedirects("subshell", [list]);
  }

  #readCompound(word: string): Command {
    switch (word) {
      case "{": {
        const list = this.readList(new Set(["}"]));
        this.#expect("}");
        return this.#withRedirects("group", [list]);
      }
      case "if": {
        const lists = [this.readList(new Set(["then"]))];
        this.#expect("then");
        for (;;) {
          lists.push(this.readList(new Set(["elif", "else", "fi"])));
          const next = this.#peekPlain();
          if (!["elif", "else"].includes(next)) break;
          this.#expect(next);
          if (next === "elif") {
            lists.push(this.readList(new Set(["then"])));
            this.#expect("then");
          }
        }
        this.#expect("fi");
        return this.#withRedirects("branch", lists);
      }
      case "while":
      case "until": {
        const condition = this.readList(new Set(["do"]));
        return this.#withRedirects("loop", [condition, this.#readBody()]);
      }
      case "for":
      case "select": {
        const head = this.#readForHead();
        return this.#withRedirects("loop", [head, this.#readBody()]);
      }
      case "case":
        return this.#readCase();
      default:
        return this.#readFunctionWord();
    }
  }

  #readForHead(): CommandList {
    const { cursor } = this;
    const [, inner] = this.#collect(() => {
      this.skipBlanks();
      if (cursor.startsWith("((")) {
        if (!skipArithmeticCommand(this)) throw new NotUnderstood("an unusual for");
      } else {
        readWord(this);
        this.#skipNewlines();
        if (this.#peekPlain() === "in") {
          cursor.skip(2);
          do this.skipBlanks();
          while (readWord(this) !== undefined);
        }
      }
    });
    this.skipBlanks();
    if (cursor.peek() === ";") cursor.next();
    this.#skipNewlines();
    return [chainOf(this.#quiet(inner))];
  }

  #readBody(): CommandList {
    if (this.#peekPlain() === "{") {
      this.#expect("{");
      const list = this.readList(new Set(["}"]));
      this.#expect("}");
      return list;
    }
    this.#expect("do");
    const list = this.readList(new Set(["done"]));
    this.#expect("done");
    return list;
  }

  #readCase(): Command {
    const { cursor } = this;
    const lists: CommandList[] = [];
    const [, inner] = this.#collect(() => {
      this.skipBlanks();
      readWord(this);
      this.#skipNewlines();
      this.#expect("in");
    });
    lists.push([chainOf(this.#quiet(inner))]);
    for (;;) {
      this.#skipNewlines();
      if (this.#peekPlain() === "esac") break;
      if (cursor.peek() === "(") cursor.next();
      const [, patterns] = this.#collect(() => {
        for (;;) {
          this.skipBlanks();
          if (readWord(this) === undefined) throw new NotUnderstood("an unusual case");
          this.skipBlanks();
          if (cursor.peek() !== "|") return;
          cursor.next();
        }
      });
      this.#expect(")");
      lists.push([chainOf(this.#quiet(patterns))], this.readList(new Set([";;", "esac"])));
      if (cursor.startsWith(";;&")) cursor.skip(3);
      else if (cursor.startsWith(";;") || cursor.startsWith(";&")) cursor.skip(2);
      else if (cursor.isAtEnd) throw new NotUnderstood("case is not closed");
    }
    this.#expect("esac");
    return this.#withRedirects("branch", lists);
  }

  #readFunctionWord(): Command {
    this.skipBlanks();
    const name = readWord(this)?.text ?? "";
    this.skipBlanks();
    if (this.cursor.peek() === "(") this.#readEmptyParentheses();
    return this.#readFunctionBody(name);
  }

  #readEmptyParentheses(): void {
    this.#expect("(");
    this.skipBlanks();
    this.#expect(")");
  }

  #readFunctionBody(name: string): Command {
    this.#skipNewlines();
    const body = this.cursor.deeper(() => this.#readCommand());
    return { kind: "function", name, lists: [[chainOf(body)]], redirects: [] };
  }

  /** `[[ … ]]`: inside, `<` and `>` compare and parentheses group. */
  #readTest(): Command {
    const { cursor } = this;
    cursor.skip(2);
    const [, inner] = this.#collect(() => {
      for (;;) {
        if (cursor.isAtEnd) throw new NotUnderstood("[[ is not closed");
        if (/^[\s<>()&|;]$/.test(cursor.peek())) cursor.next();
        else if (readWord(this)?.text === "]]") return;
      }
    });
    return { ...this.#quiet(inner), redirects: this.#readRedirects() };
  }

  #readSimple(): Command {
    const { cursor } = this;
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    const assigns: string[] = [];
    let name: string | undefined;
    const [, inner] = this.#collect(() => {
      for (;;) {
        this.skipBlanks();
        const redirect = parseRedirect(this);
        if (redirect) {
          redirects.push(redirect);
          continue;
        }
        const word = readWord(this);
        if (word === undefined) break;
        if (words.length === 0 && assignment.test(word.text)) assigns.push(assigned(word));
        else words.push(word);
      }
      if (cursor.peek() === "(" && words.length === 1 && redirects.length === 0) {
        this.#readEmptyParentheses();
        name = words[0]?.text ?? "";
      }
    });
    if (name !== undefined) return this.#readFunctionBody(name);
    if (cursor.peek() === "(") throw new NotUnderstood("a parenthesis inside a command");
    if (words.length === 0 && redirects.length === 0 && assigns.length === 0) {
      throw new NotUnderstood("a command is missing");
    }
    cursor.budget.commands -= 1;
    if (cursor.budget.commands < 0) throw new TooMuch("it has too many commands");
    return { kind: "simple", words, redirects, inner, assigns };
  }

  #readRedirects(): Redirect[] {
    const redirects: Redirect[] = [];
    for (;;) {
      this.skipBlanks();
      const redirect = parseRedirect(this);
      if (!redirect) return redirects;
      redirects.push(redirect);
    }
  }

  #withRedirects(kind: CompoundCommand["kind"], lists: readonly CommandList[]): Command {
    const [redirects, inner] = this.#collect(() => this.#readRedirects());
    const extra = inner.length > 0 ? [[chainOf(this.#quiet(inner))]] : [];
    return { kind, lists: [...lists, ...extra], redirects };
  }

  /** A command that does nothing by itself. */
  #quiet(inner: readonly CommandList[]): Command {
    return { kind: "simple", words: [], redirects: [], inner, assigns: [] };
  }

  #collect<T>(read: () => T): readonly [T, CommandList[]] {
    const outer = this.inner;
    this.inner = [];
    const value = read();
    const { inner } = this;
    this.inner = outer;
    return [value, inner];
  }

  #expect(text: string): void {
    this.skipBlanks();
    if (!this.cursor.startsWith(text)) throw new NotUnderstood(`${text} is missing`);
    this.cursor.skip(text.length);
  }

  skipBlanks(): void {
    const { cursor } = this;
    for (;;) {
      if (blank.test(cursor.peek())) cursor.next();
      else if (cursor.startsWith("\\\n")) cursor.skip(2);
      else if (cursor.peek() === "#") this.#skipComment();
      else return;
    }
  }

  #skipComment(): void {
    const { cursor } = this;
    while (!cursor.isAtEnd && cursor.peek() !== "\n") cursor.next();
  }

  #skipNewlines(): void {
    for (;;) {
      this.skipBlanks();
      if (this.cursor.peek() !== "\n") return;
      this.cursor.next();
      readHereBodies(this);
    }
  }
}

const compounds = new Set([...["{", "if", "while", "until", "for", "select", "case", "function"]]);
const ends = new Set(["then", "elif", "else", "fi", "do", "done", "esac", "}"]);

const chainOf = (command: Command): Chain => ({
  parts: [{ operator: "", pipeline: [command] }],
  isBackground: false,
});
