import type { Node } from "web-tree-sitter";
import { isUnsure } from "./nodes.ts";
import type { Found, FoundImport, LanguageRules } from "./rules.ts";

const functionOf = (node: Node): Found | undefined => {
  const nameNode = node.childForFieldName("name");
  if (!nameNode) return undefined;
  const body = node.childForFieldName("body");
  const key = node.parent?.type === "program" && !isUnsure(node) ? nameNode.text : undefined;
  return { name: nameNode.text, kind: "function", nameNode, body, key, isExported: true };
};

/** `NAME=…` of the script itself, also with `readonly`, `export` or `declare` before it. */
const assigned = (node: Node): Found | undefined => {
  const nameNode = node.childForFieldName("name");
  const holder = node.parent?.type === "declaration_command" ? node.parent : node;
  if (nameNode?.type !== "variable_name" || holder.parent?.type !== "program") return undefined;
  const names = holder.namedChildren.filter((one) => one.type === "variable_assignment");
  const isFixed = /^(readonly\b|declare\s+-\w*r)/.test(holder.text);
  return {
    name: nameNode.text,
    kind: isFixed ? "constant" : "variable",
    nameNode,
    ...(names.length === 1 && { outer: holder }),
    isExported: /^(export\b|declare\s+-\w*x)/.test(holder.text),
  };
};

const sourced = (node: Node): FoundImport | undefined => {
  const [name, file] = node.namedChildren;
  if (!file || (name?.text !== "source" && name?.text !== ".")) return undefined;
  return { from: file.text.replace(/^(["'])(.*)\1$/, "$2"), names: [] };
};

export const bash: LanguageRules = {
  id: "bash",
  title: "Shell",
  grammar: "bash",
  level: "full",
  commentTypes: ["comment"],
  scopeTypes: ["compound_statement", "subshell"],
  definitions: { function_definition: functionOf, variable_assignment: assigned },
  imports: { command: sourced },
  takesOver: /^(function\b|[\w:.-]+\s*\(\)|#)/,
  block: "braces",
  lineComment: "#",
};
