import type { Node } from "web-tree-sitter";
import type { SymbolKind } from "../types.ts";
import { isUnsure } from "./nodes.ts";
import { fieldText, type Found, type FoundImport, type LanguageRules } from "./rules.ts";

/** `M.sub:name` is name, in M.sub. */
const split = (node: Node): { nameNode: Node; container?: string; isMethod: boolean } => {
  const isMethod = node.type === "method_index_expression";
  const last = node.childForFieldName(isMethod ? "method" : "field");
  const table = fieldText(node, "table");
  if (!last || table === undefined) return { nameNode: node, isMethod };
  return { nameNode: last, container: table, isMethod };
};

const make = (node: Node, target: Node, value: Node | null, isLocal: boolean): Found => {
  const { nameNode, container, isMethod } = split(target);
  const isFunction = node.type === "function_declaration" || value?.type === "function_definition";
  const kind: SymbolKind = !isFunction
    ? "variable"
    : isMethod || container !== undefined
      ? "method"
      : "function";
  const body = (value?.type === "function_definition" ? value : node).childForFieldName("body");
  return {
    name: nameNode.text,
    kind,
    nameNode,
    body,
    ...(container !== undefined && { container }),
    isExported: !isLocal,
    isPrivate: isLocal,
  };
};

const functionOf = (node: Node): Found | undefined => {
  const name = node.childForFieldName("name");
  if (!name) return undefined;
  const found = make(node, name, null, node.child(0)?.type === "local");
  const isPlaced = node.parent?.type === "chunk" && !isUnsure(node);
  return { ...found, key: isPlaced ? found.name : undefined };
};

/** One name and one value, at the level of the file. */
const assigned = (node: Node): Found | undefined => {
  const [names, values] = node.namedChildren;
  const isLocal = node.parent?.type === "variable_declaration";
  const outer = isLocal && node.parent ? node.parent : node;
  const target = names?.namedChildren[0];
  const value = values?.namedChildren[0] ?? null;
  const isOutside = outer.parent?.type === "chunk";
  if (!isOutside || !target || names.namedChildCount > 1) return undefined;
  if (!/identifier|index_expression/.test(target.type) || target.type.startsWith("bracket")) {
    return undefined;
  }
  return { ...make(node, target, value, isLocal), outer };
};

const required = (node: Node): FoundImport | undefined => {
  if (fieldText(node, "name") !== "require") return undefined;
  const text = node.childForFieldName("arguments")?.text ?? "";
  const from = /^\(?\s*["']([^"']*)["']\s*\)?$/.exec(text)?.[1];
  return from === undefined ? undefined : { from, names: [] };
};

export const lua: LanguageRules = {
  id: "lua",
  title: "Lua",
  grammar: "lua",
  level: "full",
  commentTypes: ["comment"],
  scopeTypes: ["block"],
  definitions: { function_declaration: functionOf, assignment_statement: assigned },
  imports: { function_call: required },
  dynamic: /\bsetmetatable\s*\(|\bload(string)?\s*\(|\b_G\b|\b_ENV\b/,
  takesOver: /^(local\s+)?function\b|^--/,
  block: "end",
  lineComment: "--",
};
