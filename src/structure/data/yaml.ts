import { type Document, isMap, isPair, isScalar, isSeq, Lexer, parseAllDocuments } from "yaml";
import type { SourceText } from "../source-text.ts";
import type { ParsedOutline } from "../worker/protocol.ts";
import { depthMax, type KeyNode, KeyTree, within } from "./key-tree.ts";

export const outlineYaml = (language: string, source: SourceText): ParsedOutline => {
  const tree = new KeyTree(source);
  tree.read(() => {
    refuseDeepBrackets(source.text, tree);
    // The package looks for equal keys by comparing each with all others; our own way is linear.
    const read = parseAllDocuments(source.text, {
      uniqueKeys: false,
      merge: false,
      prettyErrors: false,
      logLevel: "silent",
      strict: false,
    });
    const documents: readonly Document.Parsed[] = Array.isArray(read) ? read : [];
    const reader = new Reader(source.text, tree);
    documents.forEach((document, index) => {
      for (const { message, pos } of document.errors) {
        const isTooDeep = /call stack|stack overflow/i.test(message);
        tree.problem(isTooDeep ? "nested too deep: the rest was not read" : message, pos[0]);
      }
      const scope = index === 0 ? "" : `document@${document.range[0]}`;
      reader.value(document.contents, tree.roots, "", scope, 0);
    });
  });
  return tree.outline(language);
};

/** What the lexer says between the parts of the text: document, end in brackets, scalar. */
const lexerMarks = new Set(["\u0002", "\u0018", "\u001f"]);

/** The package calls itself for each bracket, and needs seconds to notice that there are too many. */
const refuseDeepBrackets = (text: string, tree: KeyTree): void => {
  if ((text.match(/[[{]/g)?.length ?? 0) < depthMax) return;
  let [depth, offset] = [0, 0];
  for (const token of new Lexer().lex(text)) {
    if (token === "[" || token === "{") depth += 1;
    else if (token === "]" || token === "}") depth -= 1;
    tree.checkDepth(depth, offset);
    if (!lexerMarks.has(token)) offset += token.length;
  }
};

class Reader {
  readonly #text: string;
  readonly #tree: KeyTree;

  constructor(text: string, tree: KeyTree) {
    this.#text = text;
    this.#tree = tree;
  }

  value(node: unknown, into: KeyNode[], container: string, scope: string, depth: number): void {
    if (isMap(node)) {
      for (const pair of node.items) this.#pair(pair, into, container, scope, depth);
    } else if (isSeq(node)) {
      this.#tree.checkDepth(depth, node.range?.[0] ?? 0);
      node.items.forEach((item, index) => {
        const place = within(container, index);
        // `- a: 1` in a list may be a pair without a map around it.
        const inner = scopeOf(item) ?? `${scope}/${container}/${index}`;
        if (isPair(item)) this.#pair(item, into, place, inner, depth + 1);
        else this.value(item, into, place, inner, depth + 1);
      });
    }
  }

  #pair(
    { key, value }: { key: unknown; value: unknown },
    into: KeyNode[],
    container: string,
    scope: string,
    depth: number,
  ): void {
    // A key may be a map, a list or an alias; then there is no name to show.
    if (!isScalar(key) || !key.range) return this.value(value, into, container, "?", depth + 1);
    const [from, end] = key.range;
    const isQuoted = key.type === "QUOTE_DOUBLE" || key.type === "QUOTE_SINGLE";
    const nameSpan = isQuoted ? { from: from + 1, to: end - 1 } : { from, to: end };
    const isBlock = isMap(value) || isSeq(value);
    const to = this.#endOf(value, end);
    const start = isBlock ? value.range?.[0] : undefined;
    const node: KeyNode = {
      nameSpan,
      from,
      to,
      ...(start !== undefined && start >= end && start < to && { body: { from: start, to } }),
      // `<<` takes over from several maps, so it may stand more than once.
      key: key.value === "<<" && !isQuoted ? undefined : JSON.stringify(key.value),
      scope,
      container,
      children: [],
    };
    this.#tree.add(into, node, depth);
    this.value(value, node.children, "", scopeOf(value) ?? "", depth + 1);
  }

  /** Behind the value, without the line break that block values take with them. */
  #endOf(value: unknown, keyEnd: number): number {
    const range = (value as { range?: readonly number[] | null } | null)?.range;
    const [from = keyEnd, to = keyEnd] = range ?? [];
    let end = from === to ? this.#colonBehind(keyEnd) : to;
    end = Math.max(end, keyEnd);
    while (end > keyEnd && /\s/.test(this.#text.charAt(end - 1))) end -= 1;
    return end;
  }

  #colonBehind(keyEnd: number): number {
    const rest = /^\s*:/.exec(this.#text.slice(keyEnd, keyEnd + 200));
    return keyEnd + (rest?.[0].length ?? 0);
  }
}

const scopeOf = (node: unknown): string | undefined =>
  isMap(node) && node.range ? `map@${node.range[0]}` : undefined;
