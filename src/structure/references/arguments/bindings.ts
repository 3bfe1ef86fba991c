/**
 * Where a file gives a name a meaning: parameters, assignments, loops, imports, definitions. A name with
 * one such place means the same all over the file. Asked only when something seems wrong.
 */
import type { FlatTree } from "../../worker/flat-tree.ts";

/** Beginnings of the places that bind it, functions and classes inside of a class left out. */
export const findBindings = (tree: FlatTree, text: string, name: string): number[] => {
  const found: number[] = [];
  const look = lookAt(tree);
  for (let node = 0; node < tree.kind.length; node += 1) {
    if ((tree.to[node] ?? 0) - (tree.from[node] ?? 0) !== name.length) continue;
    if (!identifiers.has(look.kind(node))) continue;
    const from = tree.from[node] ?? 0;
    if (text.slice(from, from + name.length) !== name) continue;
    if (isBinding(node, look)) found.push(from);
  }
  return found;
};

interface TreeLook {
  kind(node: number): string;
  field(node: number): string;
  parent(node: number): number;
}

export const lookAt = (tree: FlatTree): TreeLook => ({
  kind: (node) => tree.kinds[tree.kind[node] ?? 0] ?? "",
  field: (node) => tree.fields[tree.field[node] ?? 0] ?? "",
  parent: (node) => tree.parent[node] ?? -1,
});

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const identifiers = words("identifier shorthand_property_identifier_pattern type_identifier");

/** Patterns: what they are part of decides. */
const patterns = words(`
pattern_list tuple_pattern list_pattern list_splat_pattern dictionary_splat_pattern as_pattern_target
object_pattern array_pattern rest_pattern pair_pattern parenthesized_expression tuple list expression_list
dotted_name`);

/** A name in one of them, in that field where one is named, is bound by it. */
const binders: Readonly<Record<string, string>> = {
  parameters: "",
  lambda_parameters: "",
  typed_parameter: "",
  default_parameter: "name",
  typed_default_parameter: "name",
  assignment: "left",
  augmented_assignment: "left",
  for_statement: "left",
  for_in_clause: "left",
  as_pattern: "alias",
  named_expression: "name",
  global_statement: "",
  nonlocal_statement: "",
  delete_statement: "",
  case_pattern: "",
  keyword_pattern: "",
  splat_pattern: "",
  type_alias_statement: "left",
  import_statement: "name",
  import_from_statement: "name",
  aliased_import: "alias",
  formal_parameters: "",
  required_parameter: "pattern",
  optional_parameter: "pattern",
  arrow_function: "parameter",
  assignment_pattern: "left",
  object_assignment_pattern: "left",
  variable_declarator: "name",
  assignment_expression: "left",
  augmented_assignment_expression: "left",
  update_expression: "",
  for_in_statement: "left",
  catch_clause: "parameter",
  import_clause: "",
  namespace_import: "",
  import_alias: "",
  function_declaration: "name",
  generator_function_declaration: "name",
  function_signature: "name",
  function_expression: "name",
  class: "name",
  class_declaration: "name",
  abstract_class_declaration: "name",
  interface_declaration: "name",
  type_alias_declaration: "name",
  enum_declaration: "name",
  internal_module: "name",
  module: "name",
};

const isBinding = (start: number, look: TreeLook): boolean => {
  if (look.kind(start) === "shorthand_property_identifier_pattern") return true;
  let node = start;
  let around = look.parent(node);
  while (around >= 0 && patterns.has(look.kind(around))) {
    // The key of `{ key: name }` binds nothing.
    if (look.kind(around) === "pair_pattern" && look.field(node) === "key") return false;
    node = around;
    around = look.parent(node);
  }
  const kind = look.kind(around);
  if (kind === "import_specifier") return look.field(node) === "alias" || !hasAlias(around, look);
  if (kind === "function_definition" || kind === "class_definition")
    return look.field(node) === "name" && !isInClass(around, look);
  const field = binders[kind];
  return field !== undefined && (field === "" || look.field(node) === field);
};

/** Asked of few nodes: the specifier's children follow it directly. */
const hasAlias = (specifier: number, look: TreeLook): boolean => {
  for (let node = specifier + 1; look.parent(node) >= specifier; node += 1) {
    if (look.parent(node) === specifier && look.field(node) === "alias") return true;
  }
  return false;
};

/** Members of a class are reached by way of it only. */
const isInClass = (definition: number, look: TreeLook): boolean => {
  let around = look.parent(definition);
  while (["decorated_definition", "block", "if_statement"].includes(look.kind(around)))
    around = look.parent(around);
  return look.kind(around) === "class_definition";
};
