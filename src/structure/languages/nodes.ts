/** Small questions to a syntax node that several languages' rules ask. */
import type { Node } from "web-tree-sitter";
import type { FoundReference } from "./rules.ts";
import { squeeze } from "./rules.ts";

/** Direct children, without holes. */
export const childrenOf = (node: Node): Node[] => node.children.filter((one) => one !== null);

export const namedChildrenOf = (node: Node): Node[] =>
  node.namedChildren.filter((one) => one !== null);

/** All nodes of a field, without holes. */
export const fieldNodes = (node: Node, field: string): Node[] =>
  node.childrenForFieldName(field).filter((one) => one !== null);

export const hasChild = (node: Node, type: string): boolean =>
  node.children.some((one) => one?.type === type);

/** `@Marks` and the like among nodes, without their sign. */
export const marksOf = (nodes: readonly Node[], type: string): string[] =>
  nodes.filter((one) => one.type === type).map((one) => squeeze(one.text.slice(1)));

export const textsOf = (nodes: readonly Node[]): string[] => nodes.map((one) => squeeze(one.text));

const receiverMax = 80;

/** Calls in a chain stand before one another: as written each would hold all before it. */
const receiverText = (node: Node): string => {
  const size = node.endIndex - node.startIndex;
  return size > receiverMax ? "…" : squeeze(node.text);
};

export const memberCall = (
  receiver: Node | null,
  member: Node | null,
): FoundReference | undefined =>
  receiver && member
    ? { name: member.text, kind: "member-call", receiver: receiverText(receiver), at: member }
    : undefined;

/** `public public`: parsers of the languages refuse it, grammars take any row of modifiers. */
export const repeatedModifier = (
  node: Node,
  isModifier: (one: Node) => boolean = () => true,
): string | undefined => {
  const words = childrenOf(node)
    .filter(isModifier)
    .map((one) => one.text);
  const twice = words.find((word, at) => /^\w+$/.test(word) && words.indexOf(word) < at);
  return twice === undefined ? undefined : `'${twice}' stands twice`;
};

/** Where a grammar cannot use a keyword it takes it for a name. */
export const keywordAsName = (
  node: Node | null | undefined,
  keywords: ReadonlySet<string>,
): string | undefined =>
  node && /identifier$|^name$/.test(node.type) && keywords.has(node.text)
    ? `'${node.text}' cannot stand here`
    : undefined;

/** Where a grammar lost its way, what it shows there is a guess. */
export const isUnsure = (node: Node): boolean =>
  node.hasError ||
  [node.parent, node.previousSibling, node.nextSibling].some((one) => one?.isError ?? false);

/**
 * The declaration as it is written, up to its body. Overloads differ in it by necessity; two that do not are one
 * definition written twice. Undefined where the grammar is not sure.
 */
export const writtenKey = (node: Node, body: Node | null | undefined): string | undefined => {
  if (isUnsure(node)) return undefined;
  const end = body ? body.startIndex - node.startIndex : node.text.length;
  return `${node.type} ${squeeze(node.text.slice(0, end))}`;
};

/** The same for a value, from its keyword up to its name: with what it extends, whatever is assigned to it. */
export const writtenValueKey = (node: Node, name: Node | null | undefined): string | undefined => {
  if (!name || isUnsure(node)) return undefined;
  const before = squeeze(node.text.slice(0, name.endIndex - node.startIndex));
  const written = /(?:\b(static|class) (?:[\w()]+ )*)?\b(?:va[lr]|let) ([^(){}=]*)$/.exec(before);
  return written ? `value ${written[1] ?? ""} ${written[2] ?? ""}` : undefined;
};
