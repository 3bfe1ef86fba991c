import type { Node } from "web-tree-sitter";
import type { SymbolKind } from "../types.ts";
import { type Found, type FoundImport, type LanguageRules } from "./rules.ts";

const blockOf = (node: Node): Node | undefined =>
  node.namedChildren.find((one) => one.type === "block" || one.type === "keyframe_block_list");

const ruleSet = (node: Node): Found | undefined => {
  const nameNode = node.firstNamedChild;
  if (nameNode?.type !== "selectors") return undefined;
  return {
    name: nameNode.text,
    kind: "rule",
    nameNode,
    body: blockOf(node) ?? null,
    isExported: true,
  };
};

/** An at-rule is called by what stands behind its word, or by the word when that is all. */
const atRule = (node: Node): Found | undefined => {
  const body = blockOf(node);
  if (!body) return undefined;
  const nameNode = node.children.find((one) => one.id !== body.id && one.type !== "comment");
  const detail = node.namedChildren.find(
    (one) => one.id !== body.id && one.id !== nameNode?.id && /query|_name$/.test(one.type),
  );
  const shown = detail ?? nameNode;
  if (!shown || !nameNode) return undefined;
  return {
    name: shown.text,
    kind: "rule",
    nameNode: shown,
    body,
    ...(shown.id !== nameNode.id && { container: nameNode.text }),
    isExported: true,
  };
};

/** Custom properties have users elsewhere; other declarations are details of their rule. */
const customProperty = (node: Node): Found | undefined => {
  const nameNode = node.firstNamedChild;
  if (nameNode?.type !== "property_name" || !nameNode.text.startsWith("--")) return undefined;
  const kind: SymbolKind = "property";
  return { name: nameNode.text, kind, nameNode, isExported: true };
};

const imported = (node: Node): FoundImport | undefined => {
  const text = node.namedChild(0)?.text ?? "";
  const from = /^(?:url\()?\s*["']?([^"')]*)["']?\s*\)?$/.exec(text)?.[1]?.trim();
  return from ? { from, names: [] } : undefined;
};

export const css: LanguageRules = {
  id: "css",
  title: "CSS",
  grammar: "css",
  level: "outline",
  commentTypes: ["comment"],
  scopeTypes: ["block", "keyframe_block_list"],
  definitions: {
    rule_set: ruleSet,
    media_statement: atRule,
    supports_statement: atRule,
    keyframes_statement: atRule,
    at_rule: atRule,
    scope_statement: atRule,
    declaration: customProperty,
  },
  imports: { import_statement: imported },
  block: "braces",
};
