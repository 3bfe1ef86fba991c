/** How members and keys are named in JavaScript and TypeScript. */
import type { Node } from "web-tree-sitter";
import { squeeze } from "../rules.ts";

export interface MemberName {
  readonly name: string;
  readonly nameNode: Node;
  /** Absent when the name is only known at run time. */
  readonly key?: string;
}

/** `a`, `#a`, `"a"`, `1`, `[Symbol.iterator]`. */
export const memberName = (node: Node): MemberName => {
  if (node.type === "string") {
    const only = node.namedChildCount === 1 ? node.firstNamedChild : null;
    if (only?.type === "string_fragment")
      return { name: only.text, nameNode: only, key: only.text };
    return { name: node.text, nameNode: node, key: node.text };
  }
  const name = node.text;
  if (node.type === "number") return { name, nameNode: node, key: `${Number(name)}` };
  if (node.type !== "computed_property_name") return { name, nameNode: node, key: name };
  const inner = node.firstNamedChild;
  if (inner?.type === "string") return { ...memberName(inner) };
  const isFixed = inner?.type === "member_expression" || inner?.type === "identifier";
  return { name, nameNode: node, ...(isFixed && { key: squeeze(name) }) };
};

/** What an expression is without parentheses, casts and `satisfies`. */
export const unwrapped = (node: Node | null): Node | null => {
  let inner = node;
  while (inner && wrappers.has(inner.type)) {
    inner = inner.type === "type_assertion" ? inner.lastNamedChild : inner.firstNamedChild;
  }
  return inner;
};

const wrappers = new Set([
  "parenthesized_expression",
  "as_expression",
  "satisfies_expression",
  "non_null_expression",
  "type_assertion",
]);

export const isFunction = (node: Node | null): boolean =>
  node !== null &&
  ["arrow_function", "function_expression", "generator_function"].includes(node.type);

/** A function's block; an arrow's plain expression is no block. */
export const blockOf = (node: Node | null): Node | null => {
  const body = node?.childForFieldName("body") ?? null;
  return body && ["statement_block", "class_body"].includes(body.type) ? body : null;
};

/** Where a module's own names are declared: the file, a namespace or a declared module. */
export const isModuleLevel = (holder: Node | null): boolean => {
  if (!holder || holder.type === "program") return true;
  if (holder.type === "export_statement" || holder.type === "ambient_declaration") {
    return isModuleLevel(holder.parent);
  }
  return (
    holder.type === "statement_block" &&
    ["module", "internal_module", "ambient_declaration"].includes(holder.parent?.type ?? "")
  );
};
