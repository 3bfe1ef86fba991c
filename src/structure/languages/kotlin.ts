import type { Node } from "web-tree-sitter";
import type { SymbolKind } from "../types.ts";
import { isUnsure, marksOf, textsOf, writtenKey, writtenValueKey } from "./nodes.ts";
import { type Found, type FoundImport, type LanguageRules, squeeze } from "./rules.ts";

const childOf = (node: Node, ...types: readonly string[]): Node | undefined =>
  node.namedChildren.find((one) => types.includes(one.type));

const modifiersOf = (node: Node): readonly Node[] =>
  childOf(node, "modifiers")?.namedChildren ?? [];

const make = (
  node: Node,
  kind: SymbolKind,
  nameNode: Node | null | undefined,
): Found | undefined => {
  if (!nameNode) return undefined;
  const modifiers = modifiersOf(node);
  const isPrivate = modifiers.some((one) => one.text === "private");
  const bases = childOf(node, "delegation_specifiers")?.namedChildren ?? [];
  return {
    name: nameNode.text,
    kind,
    nameNode,
    body: childOf(node, "class_body", "enum_class_body", "function_body", "block") ?? null,
    isExported: !isPrivate,
    isPrivate,
    decorators: marksOf(modifiers, "annotation"),
    bases: textsOf(bases),
  };
};

const typeOf = (node: Node): Found | undefined => {
  const isInterface = node.children.some((one) => one.type === "interface");
  const isEnum = modifiersOf(node).some((one) => one.text === "enum");
  const kind = isInterface ? "interface" : isEnum ? "enum" : "class";
  const found = make(node, kind, node.childForFieldName("name"));
  // `expect` and `actual` are two sides of one declaration.
  const isSplit = modifiersOf(node).some((one) => /^(expect|actual)$/.test(one.text));
  return found && { ...found, key: isSplit || isUnsure(node) ? undefined : `type ${found.name}` };
};

const isMember = (node: Node): boolean => (node.parent?.type ?? "").endsWith("class_body");

const property = (node: Node): Found | undefined => {
  if (!isMember(node) && node.parent?.type !== "source_file") return undefined;
  const variable = childOf(node, "variable_declaration");
  const isConstant = modifiersOf(node).some((one) => one.text === "const");
  const kind = isConstant ? "constant" : isMember(node) ? "property" : "variable";
  const found = make(node, kind, variable && childOf(variable, "identifier"));
  return found && { ...found, key: writtenValueKey(node, found.nameNode) };
};

const readFunction = (node: Node): Found | undefined => {
  const found = make(node, isMember(node) ? "method" : "function", node.childForFieldName("name"));
  if (!found || (!isMember(node) && node.parent?.type !== "source_file")) return found;
  return { ...found, key: writtenKey(node, found.body) };
};

const importOf = (node: Node): FoundImport | undefined => {
  const [path, alias] = node.namedChildren;
  if (!path) return undefined;
  const whole = squeeze(path.text);
  if (/\.\s*\*\s*$/.test(node.text)) return { from: whole, names: [{ name: "*", as: "*" }] };
  const at = whole.lastIndexOf(".");
  const name = whole.slice(at + 1);
  return { from: whole.slice(0, Math.max(at, 0)), names: [{ name, as: alias?.text ?? name }] };
};

export const kotlin: LanguageRules = {
  id: "kotlin",
  title: "Kotlin",
  grammar: "kotlin",
  level: "full",
  commentTypes: ["line_comment", "block_comment"],
  attachedTypes: ["annotation"],
  scopeTypes: ["class_body", "enum_class_body", "block"],
  definitions: {
    class_declaration: typeOf,
    object_declaration: (node) => make(node, "class", node.childForFieldName("name")),
    companion_object: (node) =>
      make(
        node,
        "class",
        node.childForFieldName("name") ?? node.children.find((one) => one.type === "object"),
      ),
    function_declaration: readFunction,
    secondary_constructor: (node) =>
      make(
        node,
        "constructor",
        node.children.find((one) => one.type === "constructor"),
      ),
    property_declaration: property,
    enum_entry: (node) => make(node, "constant", childOf(node, "identifier")),
    type_alias: (node) => make(node, "type", node.childForFieldName("type")),
  },
  imports: { import: importOf },
  block: "braces",
  lineComment: "//",
};
