import type { SourceText } from "../source-text.ts";
import type { Span } from "../types.ts";
import type { ParsedOutline } from "../worker/protocol.ts";
import { type KeyNode, KeyTree, ReadingStopped, within } from "./key-tree.ts";

/**
 * Reads tables and keys with their places; values are only passed over. Whether the file is valid is not
 * decided here. A line that cannot be read is a problem, and reading goes on with the next.
 */
export const outlineToml = (language: string, source: SourceText): ParsedOutline => {
  const tree = new KeyTree(source);
  tree.read(() => new TomlReader(source.text, tree).read());
  return tree.outline(language);
};

/** Behind so many it is something else than TOML. */
const badLinesMax = 1000;

class BadLine extends Error {}

/** Where keys belong that are read now. */
interface Place {
  readonly into: KeyNode[];
  readonly scope: string;
  readonly container: string;
  readonly depth: number;
}

class TomlReader {
  readonly #text: string;
  readonly #tree: KeyTree;
  #at = 0;
  #table: KeyNode | undefined;
  /** How many elements each array of tables has so far: `[a.b]` belongs to the newest `[[a]]`. */
  readonly #elements = new Map<string, number>();

  constructor(text: string, tree: KeyTree) {
    this.#text = text;
    this.#tree = tree;
  }

  read(): void {
    let badLines = 0;
    for (;;) {
      this.#skip(blanksAndComments);
      if (this.#at >= this.#text.length) return;
      const from = this.#at;
      try {
        if (this.#text[from] === "[") this.#header();
        else this.#line();
        this.#skip(restOfLine);
        if (!/^[\r\n]?$/.test(this.#text.charAt(this.#at))) fail();
      } catch (error) {
        if (!(error instanceof BadLine)) throw error;
        this.#tree.problem("this line is not TOML", from);
        badLines += 1;
        if (badLines > badLinesMax) throw new ReadingStopped("this is not TOML", from);
        this.#skip(toLineEnd);
      }
    }
  }

  #header(): void {
    const from = this.#at;
    const isElement = this.#text.startsWith("[[", from);
    this.#at += isElement ? 2 : 1;
    const { parts, span } = this.#keyPath();
    this.#expect(isElement ? "]]" : "]");
    const place = this.#placeOf(parts, isElement);
    this.#table = {
      nameSpan: span,
      from,
      to: this.#at,
      key: isElement ? undefined : `table ${place}`,
      scope: "",
      container: "",
      children: [],
    };
    this.#tree.add(this.#tree.roots, this.#table, 0);
  }

  /** `a.b` with the number of the newest element behind each part that is an array of tables. */
  #placeOf(parts: readonly string[], isElement: boolean): string {
    let place = "";
    parts.forEach((part, index) => {
      place += `.${JSON.stringify(part)}`;
      if (isElement && index === parts.length - 1) {
        this.#elements.set(place, (this.#elements.get(place) ?? 0) + 1);
      }
      const count = this.#elements.get(place);
      if (count !== undefined) place += `#${count}`;
    });
    return place;
  }

  #line(): void {
    const table = this.#table;
    if (!table) {
      this.#pair({ into: this.#tree.roots, scope: "", container: "", depth: 0 });
      return;
    }
    const start = table.body?.from ?? this.#at;
    try {
      this.#pair({ into: table.children, scope: `table@${table.from}`, container: "", depth: 1 });
    } finally {
      table.to = this.#at;
      table.body = { from: start, to: this.#at };
    }
  }

  #pair({ into, scope, container, depth }: Place): void {
    const from = this.#at;
    const { parts, span } = this.#keyPath();
    this.#expect("=");
    this.#skip(blanks);
    const key = parts.map((part) => JSON.stringify(part)).join(".");
    const node: KeyNode = {
      nameSpan: span,
      from,
      to: this.#at,
      key,
      scope,
      container,
      children: [],
    };
    this.#tree.add(into, node, depth);
    const start = this.#at;
    try {
      this.#value({ into: node.children, scope: "", container: "", depth: depth + 1 });
    } finally {
      // Also when reading stops inside: what was found there belongs to it.
      node.to = this.#at;
    }
    if (/[[{]/.test(this.#text.charAt(start))) node.body = { from: start, to: this.#at };
  }

  #value(place: Place): void {
    const { depth } = place;
    this.#tree.checkDepth(depth, this.#at);
    const first = this.#text[this.#at];
    if (first === "[") this.#array(place);
    else if (first === "{") this.#inlineTable(place);
    else if (!this.#skip(anyString) && !this.#skip(plainValue)) fail();
  }

  #array({ into, scope, container, depth }: Place): void {
    this.#at += 1;
    for (let index = 0; ; index += 1) {
      this.#skip(blanksAndComments);
      if (this.#text[this.#at] === "]") break;
      this.#value({ into, scope, container: within(container, index), depth: depth + 1 });
      this.#skip(blanksAndComments);
      if (this.#text[this.#at] !== ",") break;
      this.#at += 1;
    }
    this.#expect("]");
  }

  #inlineTable({ into, container, depth }: Place): void {
    const scope = `table@${this.#at}`;
    this.#at += 1;
    for (;;) {
      this.#skip(blanksAndComments);
      if (this.#text[this.#at] === "}") break;
      this.#pair({ into, scope, container, depth });
      this.#skip(blanksAndComments);
      if (this.#text[this.#at] !== ",") break;
      this.#at += 1;
    }
    this.#expect("}");
  }

  /** `a."b c".d`: what its parts mean, and where it stands as a whole. */
  #keyPath(): { parts: string[]; span: Span } {
    this.#skip(blanks);
    const from = this.#at;
    const parts: string[] = [];
    for (;;) {
      const part = this.#skip(keyString) || this.#skip(bareKey);
      if (!part) fail();
      parts.push(meaning(part));
      const to = this.#at;
      this.#skip(blanks);
      if (this.#text[this.#at] !== ".") return { parts, span: { from, to } };
      this.#at += 1;
      this.#skip(blanks);
    }
  }

  #expect(text: string): void {
    this.#skip(blanks);
    if (!this.#text.startsWith(text, this.#at)) fail();
    this.#at += text.length;
  }

  /** Goes behind what the pattern matches here; the empty text when it does not. */
  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }
}

const fail = (): never => {
  throw new BadLine();
};

const blanks = /[ \t]*/y;
const blanksAndComments = /(?:\s|#[^\r\n]*)*/y;
const restOfLine = /[ \t]*(?:#[^\r\n]*)?/y;
const toLineEnd = /[^\r\n]*/y;
const keyString = /"(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*'/y;
const bareKey = /[^\s.=[\]{}"'#,]+/y;
const anyString = /"""(?:[^\\]|\\[^])*?"{3,5}|'''[^]*?'{3,5}|"(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*'/y;
/** Numbers, dates with a blank inside, words. */
const plainValue = /\d{4}-\d\d-\d\d[ Tt][^\s,\]}#]+|[^\s,\]}#[{"'=]+/y;

/** What a part of a key says; JSON has the same escapes but for two, which are rare enough here. */
const meaning = (part: string): string => {
  if (part.startsWith("'")) return part.slice(1, -1);
  if (!part.startsWith('"')) return part;
  try {
    return JSON.parse(part) as string;
  } catch {
    return part.slice(1, -1);
  }
};
