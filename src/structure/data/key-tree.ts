/** Keys of a data file on their way to an outline: what all formats have in common. */
import { squeeze } from "../languages/rules.ts";
import type { SourceText } from "../source-text.ts";
import type { OutlineSymbol, SourceProblem, Span } from "../types.ts";
import type { ParsedOutline } from "../worker/protocol.ts";

export const depthMax = 200;
const keysMax = 200_000;
const problemsMax = 50;

export interface KeyNode {
  /** As written, without quotes. */
  readonly nameSpan: Span;
  readonly from: number;
  to: number;
  /** Where the value is, when it holds keys or elements itself. */
  body?: Span;
  /** The key's meaning, so that `"a"` and `"\u0061"` are the same; absent where twins are allowed. */
  readonly key?: string | undefined;
  readonly scope: string;
  /** Numbers of the list elements between this and the key around it: `0`, `2.1`. */
  readonly container: string;
  readonly children: KeyNode[];
}

/** Thrown where reading cannot go on; what was read until then is kept. */
export class ReadingStopped extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

export class KeyTree {
  readonly roots: KeyNode[] = [];
  readonly #source: SourceText;
  readonly #problems: SourceProblem[] = [];
  #count = 0;

  constructor(source: SourceText) {
    this.#source = source;
  }

  add(siblings: KeyNode[], node: KeyNode, depth: number): void {
    this.checkDepth(depth, node.from);
    this.#count += 1;
    if (this.#count > keysMax) {
      throw new ReadingStopped(`more than ${keysMax} keys: the rest was not read`, node.from);
    }
    siblings.push(node);
  }

  checkDepth(depth: number, offset: number): void {
    if (depth < depthMax) return;
    throw new ReadingStopped(`nested ${depthMax} levels deep: the rest was not read`, offset);
  }

  problem(message: string, offset: number): void {
    if (this.#problems.length >= problemsMax) return;
    this.#problems.push({ message, ...this.#source.position(offset) });
  }

  /** Runs a reader; whatever it cannot read becomes a problem. */
  read(reader: () => void): void {
    try {
      reader();
    } catch (error) {
      if (error instanceof ReadingStopped) this.problem(error.message, error.offset);
      // The stack of a parser that calls itself is the only other bound on depth.
      else if (error instanceof RangeError) {
        this.problem("nested too deep: the rest was not read", 0);
      } else throw error;
    }
  }

  outline(language: string): ParsedOutline {
    const used = new Map<string, number>();
    return {
      language,
      symbols: this.roots.map((node) => this.#symbol(node, "", used)),
      imports: [],
      exports: [],
      references: [],
      problems: this.#problems,
      isDynamic: false,
    };
  }

  #symbol(node: KeyNode, prefix: string, used: Map<string, number>): OutlineSymbol {
    const { text } = this.#source;
    const { nameSpan, from, to, body, key, scope } = node;
    const name = text.slice(nameSpan.from, nameSpan.to);
    const base = [prefix, node.container, name].filter(Boolean).join(".");
    const count = (used.get(base) ?? 0) + 1;
    used.set(base, count);
    const path = count === 1 ? base : `${base}~${count}`;
    const span = { from, to };
    return {
      name,
      kind: "key",
      path,
      span,
      range: this.#source.range(span),
      core: span,
      nameSpan,
      ...(body && { body }),
      signature: squeeze(text.slice(from, Math.min(body?.from ?? to, from + 1000))),
      ...(key !== undefined && { key }),
      scope,
      isExported: false,
      isPrivate: false,
      decorators: [],
      children: node.children.map((child) => this.#symbol(child, path, used)),
    };
  }
}

export const within = (container: string, index: number): string =>
  container === "" ? String(index) : `${container}.${index}`;
