import type { Node } from "web-tree-sitter";
import type { SymbolKind } from "../types.ts";
import { type Found, type LanguageRules } from "./rules.ts";

/** What is created is the first name in the statement; a schema before it is its container. */
const created =
  (kind: SymbolKind) =>
  (node: Node): Found | undefined => {
    const named = node.namedChildren.find((one) =>
      ["object_reference", "identifier", "literal"].includes(one.type),
    );
    const nameNode =
      named?.type === "object_reference" ? named.childForFieldName("name") : (named ?? null);
    if (!named || !nameNode) return undefined;
    const schema = named.childForFieldName("schema")?.text;
    const isWhole = node.parent?.type === "statement";
    return {
      name: nameNode.text,
      kind,
      nameNode,
      ...(isWhole && node.parent && { outer: node.parent }),
      body:
        node.namedChildren.find((one) =>
          ["column_definitions", "function_body", "create_query"].includes(one.type),
        ) ?? null,
      ...(schema !== undefined && { container: schema }),
      isExported: true,
    };
  };

const column = (node: Node): Found | undefined => {
  const nameNode = node.childForFieldName("name");
  return nameNode ? { name: nameNode.text, kind: "property", nameNode } : undefined;
};

export const sql: LanguageRules = {
  id: "sql",
  title: "SQL",
  grammar: "sql",
  level: "outline",
  commentTypes: ["comment", "marginalia"],
  scopeTypes: ["column_definitions"],
  definitions: {
    create_table: created("struct"),
    create_view: created("type"),
    create_materialized_view: created("type"),
    create_function: created("function"),
    create_procedure: created("function"),
    create_trigger: created("function"),
    create_type: created("type"),
    create_schema: created("namespace"),
    create_database: created("namespace"),
    create_sequence: created("variable"),
    create_index: created("property"),
    create_role: created("variable"),
    create_extension: created("module"),
    column_definition: column,
  },
  imports: {},
  block: "end",
  lineComment: "--",
};
