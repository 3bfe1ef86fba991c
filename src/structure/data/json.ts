import { createScanner, type SyntaxKind } from "jsonc-parser";
import type { SourceText } from "../source-text.ts";
import type { ParsedOutline } from "../worker/protocol.ts";
import { type KeyNode, KeyTree, within } from "./key-tree.ts";

/** The scanner's own names are an enum that exists only for the compiler. */
const token = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  text: 10,
  lineComment: 12,
  blockComment: 13,
  newLine: 14,
  blank: 15,
  unknown: 16,
  end: 17,
} as const satisfies Record<string, SyntaxKind>;

interface Frame {
  readonly kind: "object" | "array" | "file";
  readonly start: number;
  readonly scope: string;
  /** Where keys go that are found in here. */
  readonly children: KeyNode[];
  readonly container: string;
  index: number;
  /** The key whose value is being read. */
  pending?: KeyNode | undefined;
  state: "key" | "colon" | "value" | "comma";
}

/** With a stack of its own: nesting in a file must not be nesting of calls. */
export const outlineJson = (
  language: string,
  source: SourceText,
  allowsComments: boolean,
): ParsedOutline => {
  const { text } = source;
  const tree = new KeyTree(source);
  const scanner = createScanner(text, false);
  let top = frame("file", 0, "", tree.roots, "");
  const outer: Frame[] = [];

  const open = (kind: "object" | "array", offset: number): void => {
    tree.checkDepth(outer.length + 1, offset);
    const isFirst = top.kind === "file" && top.index === 0;
    const scope = isFirst ? "" : `${kind}@${offset}`;
    const container = top.kind === "array" ? within(top.container, top.index) : "";
    outer.push(top);
    top = frame(kind, offset, scope, top.pending?.children ?? top.children, container);
  };

  const endValue = (end: number, start?: number): void => {
    if (top.state !== "value") tree.problem("a comma or colon is missing", start ?? end);
    if (top.pending) {
      top.pending.to = end;
      if (start !== undefined) top.pending.body = { from: start, to: end };
      top.pending = undefined;
    }
    top.index += 1;
    top.state = "comma";
  };

  const close = (kind: "object" | "array", end: number): void => {
    if (top.kind !== kind) {
      tree.problem(kind === "object" ? "a } too much" : "a ] too much", end - 1);
      if (!outer.some((one) => one.kind === kind)) return;
      while (top.kind !== kind) top = outer.pop() ?? top;
    } else if (top.pending) {
      tree.problem("a value is missing", end - 1);
    } else if (top.index > 0 && top.state !== "comma" && !allowsComments) {
      tree.problem("a comma behind the last element is not allowed here", end - 1);
    }
    const { start } = top;
    top = outer.pop() ?? top;
    endValue(end, start);
  };

  const key = (from: number, to: number, isQuoted: boolean): void => {
    const nameSpan = isQuoted ? { from: from + 1, to: to - 1 } : { from, to };
    const node: KeyNode = {
      nameSpan,
      from,
      to,
      key: isQuoted ? scanner.getTokenValue() : text.slice(from, to),
      scope: top.scope,
      container: top.container,
      children: [],
    };
    tree.add(top.children, node, outer.length);
    top.pending = node;
    top.state = "colon";
  };

  const step = (kind: number, from: number, to: number): void => {
    if (kind === token.lineComment || kind === token.blockComment) {
      if (!allowsComments) tree.problem("comments are not allowed in JSON", from);
    } else if (kind === token.openBrace || kind === token.openBracket) {
      open(kind === token.openBrace ? "object" : "array", from);
    } else if (kind === token.closeBrace || kind === token.closeBracket) {
      close(kind === token.closeBrace ? "object" : "array", to);
    } else if (kind === token.comma) {
      if (top.state !== "comma") tree.problem("a value is missing", from);
      top.pending = undefined;
      top.state = top.kind === "object" ? "key" : "value";
    } else if (kind === token.colon) {
      if (top.state !== "colon") tree.problem("a colon too much", from);
      top.state = "value";
    } else if (top.kind === "object" && top.state !== "value") {
      if (top.state !== "key") tree.problem("a comma or colon is missing", from);
      const isQuoted = kind === token.text;
      if (!isQuoted && !allowsComments) tree.problem("a key must be in quotes", from);
      key(from, to, isQuoted && scanner.getTokenError() === 0);
    } else {
      if (kind === token.unknown && !allowsComments) tree.problem("not a JSON value", from);
      endValue(to);
    }
  };

  tree.read(() => {
    for (;;) {
      const kind: number = scanner.scan();
      if (kind === token.end) break;
      if (kind === token.blank || kind === token.newLine) continue;
      const from = scanner.getTokenOffset();
      if (scanner.getTokenError() !== 0) tree.problem("not a JSON value", from);
      step(kind, from, from + scanner.getTokenLength());
    }
    if (outer.length > 0) tree.problem("the file ends too early", text.length);
  });
  // What was still open reaches as far as was read.
  const reached = scanner.getPosition();
  for (const { pending } of [...outer, top])
    if (pending) pending.to = Math.max(pending.to, reached);
  return tree.outline(language);
};

const frame = (
  kind: Frame["kind"],
  start: number,
  scope: string,
  children: KeyNode[],
  container: string,
): Frame => ({
  kind,
  start,
  scope,
  children,
  container,
  index: 0,
  state: kind === "object" ? "key" : "value",
});
