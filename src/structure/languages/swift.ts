import type { Node } from "web-tree-sitter";
import type { SymbolKind } from "../types.ts";
import { isUnsure, marksOf, textsOf, writtenKey, writtenValueKey } from "./nodes.ts";
import type { Found, LanguageRules } from "./rules.ts";

const modifiersOf = (node: Node): readonly Node[] =>
  node.namedChildren.find((one) => one.type === "modifiers")?.namedChildren ?? [];

const make = (
  node: Node,
  kind: SymbolKind,
  nameNode: Node | null | undefined,
): Found | undefined => {
  if (!nameNode) return undefined;
  const modifiers = modifiersOf(node);
  const isPrivate = modifiers.some((one) => /^(file)?private\b/.test(one.text));
  const bases = node.namedChildren.filter((one) => one.type === "inheritance_specifier");
  return {
    name: nameNode.text,
    kind,
    nameNode,
    body: node.childForFieldName("body") ?? node.childForFieldName("computed_value"),
    isExported: modifiers.some((one) => /^(public|open)\b/.test(one.text)),
    isPrivate,
    decorators: marksOf(modifiers, "attribute"),
    bases: textsOf(bases),
  };
};

const word = (node: Node, text: string): Node | undefined =>
  node.children.find((one) => one.type === text);

/** The grammar has one node for classes, structs, enums, actors and extensions. */
const kindsOfWord: Readonly<Record<string, SymbolKind>> = {
  class: "class",
  actor: "class",
  struct: "struct",
  enum: "enum",
  extension: "impl",
};

const typeOf = (node: Node): Found | undefined => {
  const kind = node.children.map((one) => kindsOfWord[one.type]).find(Boolean) ?? "class";
  const found = make(node, kind, node.childForFieldName("name"));
  if (!found || kind === "impl") return found && { ...found, container: "extension" };
  const isPlaced = isMember(node) || holderOf(node) === "source_file";
  return { ...found, key: isPlaced && !isUnsure(node) ? `type ${found.name}` : undefined };
};

const holderOf = (node: Node): string => node.parent?.type ?? "";
const isMember = (node: Node): boolean =>
  holderOf(node).endsWith("_body") && holderOf(node) !== "function_body";

const property = (node: Node): Found | undefined => {
  if (!isMember(node) && holderOf(node) !== "source_file") return undefined;
  const pattern = node.childForFieldName("name");
  const nameNode = pattern?.childForFieldName("bound_identifier");
  const isLet = /^\s*let\b/.test(
    node.namedChildren.find((one) => one.type === "value_binding_pattern")?.text ?? "",
  );
  const kind = isMember(node) ? "property" : isLet ? "constant" : "variable";
  const found = make(node, kind, nameNode);
  return found && { ...found, key: writtenValueKey(node, found.nameNode) };
};

const readFunction = (node: Node): Found | undefined => {
  const found = make(node, isMember(node) ? "method" : "function", node.childForFieldName("name"));
  if (!found || (!isMember(node) && holderOf(node) !== "source_file")) return found;
  return { ...found, key: writtenKey(node, found.body) };
};

/** `case a, b(Int)`: one case has the line, several have only their names. */
const cases = (node: Node): Found[] => {
  const names = node
    .childrenForFieldName("name")
    .filter((one) => one !== null)
    .filter((one) => one.type === "simple_identifier");
  return names.flatMap((one) => {
    const found = make(node, "constant", one);
    return found ? [names.length === 1 ? found : { ...found, core: one }] : [];
  });
};

export const swift: LanguageRules = {
  id: "swift",
  title: "Swift",
  grammar: "swift",
  level: "full",
  commentTypes: ["comment", "multiline_comment"],
  attachedTypes: ["attribute"],
  scopeTypes: ["class_body", "enum_class_body", "protocol_body", "function_body"],
  definitions: {
    class_declaration: typeOf,
    protocol_declaration: (node) => make(node, "interface", node.childForFieldName("name")),
    function_declaration: readFunction,
    protocol_function_declaration: readFunction,
    init_declaration: (node) => make(node, "constructor", word(node, "init")),
    deinit_declaration: (node) => make(node, "method", word(node, "deinit")),
    subscript_declaration: (node) => make(node, "method", word(node, "subscript")),
    property_declaration: property,
    protocol_property_declaration: property,
    enum_entry: cases,
    typealias_declaration: (node) => make(node, "type", node.childForFieldName("name")),
    associatedtype_declaration: (node) => make(node, "type", node.childForFieldName("name")),
  },
  imports: {
    import_declaration: (node) => {
      const from = node.namedChildren.findLast((one) => one.type === "identifier")?.text;
      return from === undefined ? undefined : { from, names: [{ name: "*", as: "*" }] };
    },
  },
  branches: /^[ \t]*#(if|elseif|else|endif)\b/,
  block: "braces",
  lineComment: "//",
};
