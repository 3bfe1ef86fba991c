import type { Node } from "web-tree-sitter";
import type { SymbolKind } from "../types.ts";
import { isUnsure, marksOf, textsOf, writtenKey, writtenValueKey } from "./nodes.ts";
import { fieldText, type Found, type FoundImport, type LanguageRules } from "./rules.ts";

/** Words and dots between the parts have the part's field too. */
const named = (node: Node | null, field: string): Node[] =>
  (node?.childrenForFieldName(field) ?? []).flatMap((one) => (one?.isNamed ? [one] : []));

const modifiersOf = (node: Node): string =>
  node.namedChildren.find((one) => one.type === "modifiers")?.text ?? "";

const make =
  (kind: SymbolKind, field = "name") =>
  (node: Node): Found | undefined => {
    const nameNode = node.childForFieldName(field);
    if (!nameNode || !nameNode.type.endsWith("identifier")) return undefined;
    const isPrivate = /\bprivate\b/.test(modifiersOf(node));
    const bases = named(node.childForFieldName("extend"), "type");
    return {
      name: nameNode.text,
      kind,
      nameNode,
      body: node.childForFieldName("body"),
      isExported: !isPrivate,
      isPrivate,
      decorators: marksOf(node.namedChildren, "annotation"),
      bases: textsOf(bases),
    };
  };

/** A class and an object may share a name. */
const readType =
  (kind: SymbolKind) =>
  (node: Node): Found | undefined => {
    const found = make(kind)(node);
    const isPlaced = isMember(node) || node.parent?.type === "compilation_unit";
    const key = isPlaced && !isUnsure(node) ? `${node.type} ${found?.name ?? ""}` : undefined;
    return found && { ...found, key };
  };

const isMember = (node: Node): boolean =>
  ["template_body", "enum_body"].includes(node.parent?.type ?? "");

const readFunction = (node: Node): Found | undefined => {
  const found = make(isMember(node) ? "method" : "function")(node);
  if (!found || (!isMember(node) && node.parent?.type !== "compilation_unit")) return found;
  return { ...found, key: writtenKey(node, found.body) };
};

const valueOf = (node: Node): Found | undefined => {
  const isOutside = ["compilation_unit", "template_body", "with_template_body"].includes(
    node.parent?.type ?? "",
  );
  if (!isOutside) return undefined;
  const isFixed = node.type.startsWith("val");
  const kind = isMember(node) ? "property" : isFixed ? "constant" : "variable";
  const found = make(kind, node.type.endsWith("_definition") ? "pattern" : "name")(node);
  return found && { ...found, key: writtenValueKey(node, found.nameNode) };
};

const importOf = (node: Node): FoundImport => {
  const path = named(node, "path").map((one) => one.text);
  const last = node.namedChildren.at(-1);
  if (last?.type === "namespace_wildcard") {
    return { from: path.join("."), names: [{ name: "*", as: "*" }] };
  }
  if (last?.type === "namespace_selectors") {
    const names = last.namedChildren.map((one) => {
      const name = fieldText(one, "name") ?? one.text;
      return { name, as: fieldText(one, "alias") ?? name };
    });
    return { from: path.join("."), names };
  }
  const name = path.at(-1) ?? "";
  return { from: path.slice(0, -1).join("."), names: [{ name, as: name }] };
};

export const scala: LanguageRules = {
  id: "scala",
  title: "Scala",
  grammar: "scala",
  level: "full",
  commentTypes: ["comment", "block_comment"],
  attachedTypes: ["annotation"],
  scopeTypes: ["template_body", "enum_body", "block"],
  definitions: {
    class_definition: readType("class"),
    object_definition: readType("class"),
    trait_definition: readType("trait"),
    enum_definition: readType("enum"),
    package_object: make("module"),
    function_definition: readFunction,
    function_declaration: readFunction,
    val_definition: valueOf,
    var_definition: valueOf,
    val_declaration: valueOf,
    var_declaration: valueOf,
    type_definition: make("type"),
    given_definition: make("constant"),
    simple_enum_case: make("constant"),
    full_enum_case: make("constant"),
  },
  imports: { import_declaration: importOf },
  block: "braces",
  lineComment: "//",
};
