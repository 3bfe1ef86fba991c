/** What belongs to a definition besides its own node: doc comment and attributes above, a comment behind. */
import type { Node } from "web-tree-sitter";
import type { LanguageRules } from "../languages/rules.ts";
import type { SourceText } from "../source-text.ts";
import type { Span } from "../types.ts";

export const spanOf = (node: Node): Span => ({ from: node.startIndex, to: node.endIndex });

/** The whole span, and the comments above without the attributes between them. */
export const attachedTo = (
  node: Node,
  rules: LanguageRules,
  source: SourceText,
): { readonly span: Span; readonly comments: string } => {
  const { text } = source;
  let from = node.startIndex;
  let comments = "";
  let above: Node = node;
  while (mayHaveAbove(text, from, rules)) {
    const before = beforeOf(above);
    if (!before) break;
    const isComment = rules.commentTypes.includes(before.type);
    if (!isComment && !rules.attachedTypes?.includes(before.type)) break;
    const between = text.slice(before.endIndex, from);
    // A blank line ends what belongs together; so does code on the comment's own line.
    if (!/^[ \t]*(?:(\r\n|\r|\n)[ \t]*)?$/.test(between) && isComment) break;
    if (isComment && !startsItsLine(text, before.startIndex)) break;
    if (isComment) comments = `${text.slice(before.startIndex, before.endIndex)}\n${comments}`;
    from = before.startIndex;
    above = before;
  }
  return { span: { from, to: withComment(trimmedEnd(node, text), text, rules) }, comments };
};

/**
 * Whether the text before looks like a comment or an attribute at all. Asking the tree for a sibling costs
 * as much as there are siblings, which files of thousands of definitions cannot afford.
 */
const mayHaveAbove = (text: string, from: number, rules: LanguageRules): boolean => {
  let last = from - 1;
  let lineEnds = 0;
  for (; last >= 0 && /\s/.test(text.charAt(last)); last -= 1) {
    if (text[last] === "\n" || (text[last] === "\r" && text[last + 1] !== "\n")) lineEnds += 1;
  }
  if (last < 0) return false;
  const isAttachable = (rules.attachedTypes?.length ?? 0) > 0 && !/[;{},]/.test(text.charAt(last));
  if (isAttachable) return true;
  let start = last;
  while (start > 0 && text[start - 1] !== "\n" && text[start - 1] !== "\r") start -= 1;
  const line = text.slice(start, last + 1).trimStart();
  return (
    lineEnds < 2 &&
    (/^(\/\/|\/\*|#|--|%|<!--|=|;)/.test(line) || /(\*\/|=end|-->|\]\])$/.test(line))
  );
};

/** A comment above the first thing in a block is, in some grammars, left outside of the block. */
const beforeOf = (node: Node): Node | null => {
  let inner = node;
  for (;;) {
    const before = inner.previousSibling;
    if (before) return before;
    const { parent } = inner;
    if (parent?.startIndex !== inner.startIndex) return null;
    inner = parent;
  }
};

/** A declaration without the decorators, attributes and annotations that its node begins with. */
export const coreSpanOf = (node: Node, rules: LanguageRules, source: SourceText): Span => {
  const to = trimmedEnd(node, source.text);
  const isAttached = (one: Node): boolean =>
    rules.attachedTypes?.includes(one.type) === true || rules.commentTypes.includes(one.type);
  let first = node.firstChild;
  while (first && (isAttached(first) || first.type === "modifiers")) {
    const inner = first.type === "modifiers" ? first.children : [];
    const word = inner.find((one) => one !== null && !isAttached(one));
    if (word) return { from: word.startIndex, to };
    first = first.nextSibling;
  }
  return { from: first?.startIndex ?? node.startIndex, to };
};

const startsItsLine = (text: string, at: number): boolean => {
  let index = at - 1;
  while (index >= 0 && (text[index] === " " || text[index] === "\t")) index -= 1;
  return index < 0 || text[index] === "\n" || text[index] === "\r";
};

/** Some grammars let a block reach over the white space behind it. */
const trimmedEnd = (node: Node, text: string): number => {
  let to = node.endIndex;
  while (to > node.startIndex && /\s/.test(text.charAt(to - 1))) to -= 1;
  return to;
};

/** A semicolon or comma is not part of many nodes, and a comment behind it on the line speaks of it. */
const withComment = (to: number, text: string, rules: LanguageRules): number => {
  const end = /^[ \t]*;/.exec(text.slice(to, to + 80));
  const after = to + (end?.[0].length ?? 0);
  if (rules.lineComment === undefined) return after;
  const lineEnd = text.slice(after, after + 1000).search(/[\r\n]|$/);
  const rest = text.slice(after, after + lineEnd);
  const isComment = rest.trimStart().startsWith(rules.lineComment);
  return isComment ? after + rest.trimEnd().length : after;
};
