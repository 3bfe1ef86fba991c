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

const receiverMax = 80;

/** Calls in a chain stand before one another: as written each would hold all before it. */
export const receiverText = (node: Node): string => {
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
