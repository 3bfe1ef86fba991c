import type { Node } from "web-tree-sitter";
import type { SymbolKind } from "../types.ts";
import { keywordAsName } from "./nodes.ts";
import { fieldText, type Found, type FoundImport, type LanguageRules, squeeze } from "./rules.ts";

/** `#[…]` lines above an item, nearest last; comments may stand between them. */
const attributesOf = (node: Node): string[] => {
  const found: string[] = [];
  for (let before = node.previousNamedSibling; before; before = before.previousNamedSibling) {
    if (before.type === "attribute_item") found.unshift(squeeze(before.text.slice(2, -1)));
    else if (!before.type.endsWith("_comment")) break;
  }
  return found;
};

const isConditional = (attributes: readonly string[]): boolean =>
  attributes.some((one) => /^cfg\b/.test(one));

/** The impl block directly around a member. */
const implOf = (node: Node): Node | undefined => {
  const holder = node.parent?.parent;
  return holder?.type === "impl_item" ? holder : undefined;
};

/** `impl<T: X> Trait<T> for A<T> where …`: two blocks with this in common are one and the same to callers. */
const implHead = (node: Node): string => {
  const body = node.childForFieldName("body");
  return squeeze(node.text.slice(0, (body?.startIndex ?? node.endIndex) - node.startIndex));
};

/** Types, values and macros have names of their own in Rust. */
const named =
  (kind: SymbolKind, space: "type" | "value") =>
  (node: Node): Found | undefined => {
    const nameNode = node.childForFieldName("name");
    if (!nameNode) return undefined;
    const decorators = attributesOf(node);
    const name = nameNode.text;
    const around = implOf(node);
    const isShared = around !== undefined && !isConditional(attributesOf(around));
    const bounds = node.childForFieldName("bounds")?.namedChildren ?? [];
    const isVisible = node.namedChildren.some((one) => one.type === "visibility_modifier");
    const isOpen = isVisible || isOfTrait(node);
    const key = isShared ? `${implHead(around)}.${space} ${name}` : `${space} ${name}`;
    return {
      name,
      kind,
      nameNode,
      body: node.childForFieldName("body"),
      // Attribute macros other than cfg keep the name, so a twin stays a twin.
      key: name === "_" || isConditional(decorators) ? undefined : key,
      ...(isShared && around.parent && { scope: around.parent }),
      isExported: isOpen,
      isPrivate: !isOpen,
      decorators,
      ...(kind === "trait" && { bases: bounds.map((one) => squeeze(one.text)) }),
    };
  };

/** Members of a trait and of its implementations are as visible as the trait. */
const isOfTrait = (node: Node): boolean => {
  const holder = node.parent?.parent;
  return holder?.type === "trait_item" || !!holder?.childForFieldName("trait");
};

const functionOf = (node: Node): Found | undefined => {
  const holder = node.parent?.parent?.type;
  const isMember = holder === "impl_item" || holder === "trait_item";
  return named(isMember ? "method" : "function", "value")(node);
};

/** The type's own name, without path and type arguments. */
const typeName = (node: Node): Node => {
  let inner = node;
  for (;;) {
    const next =
      inner.type === "generic_type"
        ? inner.childForFieldName("type")
        : inner.type === "scoped_type_identifier"
          ? inner.childForFieldName("name")
          : null;
    if (!next) return inner;
    inner = next;
  }
};

const implBlock = (node: Node): Found | undefined => {
  const type = node.childForFieldName("type");
  if (!type) return undefined;
  const nameNode = typeName(type);
  const trait = fieldText(node, "trait");
  const decorators = attributesOf(node);
  return {
    name: nameNode.text,
    kind: "impl",
    nameNode,
    body: node.childForFieldName("body"),
    // A type may have many blocks of its own, but only one for each trait.
    key: trait === undefined || isConditional(decorators) ? undefined : implHead(node),
    container: trait === undefined ? "impl" : `impl.${squeeze(trait).replace(/^(\w+::)+/, "")}`,
    decorators,
    ...(trait !== undefined && { bases: [squeeze(trait)] }),
  };
};

/** A later macro of the same name hides the earlier one, which is allowed. */
const macro = (node: Node): Found | undefined => {
  const found = named("macro", "value")(node);
  if (!found) return undefined;
  const isExported = (found.decorators ?? []).some((one) => one.startsWith("macro_export"));
  return { ...found, key: undefined, isExported, isPrivate: !isExported };
};

const joined = (path: string, name: string): string => (path === "" ? name : `${path}::${name}`);
const lastPart = (path: string): string =>
  path.slice(path.lastIndexOf("::") + 1).replace(/^:+/, "");

/** `use a::{b, c as d, e::*}` as one import for each module it names. */
const usesOf = (node: Node, path: string): { from: string; name: string; as: string }[] => {
  switch (node.type) {
    case "scoped_use_list": {
      const list = node.childForFieldName("list");
      const inner = joined(path, fieldText(node, "path") ?? "");
      return list ? usesOf(list, inner) : [];
    }
    case "use_list":
      return node.namedChildren.flatMap((child) => usesOf(child, path));
    case "use_as_clause": {
      const whole = joined(path, fieldText(node, "path") ?? "");
      return [{ ...splitUse(whole), as: fieldText(node, "alias") ?? "" }];
    }
    case "use_wildcard": {
      const from = joined(path, node.namedChildren[0]?.text ?? "");
      return [{ from, name: "*", as: "*" }];
    }
    case "self":
      return [{ from: path, name: "self", as: lastPart(path) }];
    case "identifier":
    case "scoped_identifier":
    case "crate":
    case "super": {
      const split = splitUse(joined(path, node.text));
      return [{ ...split, as: split.name }];
    }
    default:
      return [];
  }
};

const splitUse = (whole: string): { from: string; name: string } => {
  const at = whole.lastIndexOf("::");
  return at < 0
    ? { from: "", name: whole }
    : { from: whole.slice(0, at), name: whole.slice(at + 2) };
};

const useDeclaration = (node: Node): FoundImport[] => {
  const argument = node.childForFieldName("argument");
  const byModule = new Map<string, { name: string; as: string }[]>();
  for (const { from, name, as } of argument ? usesOf(argument, "") : []) {
    const names = byModule.get(from);
    if (names) names.push({ name, as });
    else byModule.set(from, [{ name, as }]);
  }
  return [...byModule].map(([from, names]) => ({ from, names }));
};

/** Without those that are ordinary names in some edition. */
const keywords = new Set(
  "as break const continue else enum extern fn for if impl in let loop match mod move mut pub ref return static struct trait type unsafe use where while".split(
    " ",
  ),
);

/** Each with a pattern, `self` only as the first; old traits may leave the patterns out. */
const parameterMistake = (node: Node): string | undefined => {
  const owner = node.parent;
  if (owner?.type !== "function_item" || owner.parent?.parent?.type === "trait_item") {
    return undefined;
  }
  const all = node.namedChildren.filter((one) => !/attribute|comment/.test(one.type));
  const wrong = all.find(
    ({ type }, at) =>
      (type === "self_parameter" && at > 0) ||
      !/^(?:parameter|self_parameter|variadic_parameter|ERROR)$/.test(type),
  );
  return wrong && `'${wrong.text.slice(0, 40)}' is no parameter here`;
};

export const rust: LanguageRules = {
  id: "rust",
  title: "Rust",
  grammar: "rust",
  level: "full",
  commentTypes: ["line_comment", "block_comment"],
  attachedTypes: ["attribute_item"],
  scopeTypes: [
    "declaration_list",
    "block",
    "field_declaration_list",
    "enum_variant_list",
    "match_block",
  ],
  definitions: {
    function_item: functionOf,
    function_signature_item: functionOf,
    struct_item: named("struct", "type"),
    union_item: named("struct", "type"),
    enum_item: named("enum", "type"),
    enum_variant: named("constant", "type"),
    field_declaration: named("property", "value"),
    trait_item: named("trait", "type"),
    impl_item: implBlock,
    mod_item: named("module", "type"),
    type_item: named("type", "type"),
    associated_type: named("type", "type"),
    const_item: named("constant", "value"),
    static_item: named("constant", "value"),
    macro_definition: macro,
  },
  imports: { use_declaration: useDeclaration },
  importKey: ({ from }, { name, as }) =>
    as === "_" || name === "*" ? undefined : `${from} ${name} ${as}`,
  mistakes: {
    parameters: parameterMistake,
    struct_expression: (node) => keywordAsName(node.childForFieldName("name"), keywords),
    expression_statement: (node) => keywordAsName(node.firstNamedChild, keywords),
  },
  references: {
    call_expression: (node) => {
      const called = node.childForFieldName("function");
      if (called?.type === "identifier") return { name: called.text, kind: "call", at: called };
      const isMember = called?.type === "field_expression";
      const at = called?.childForFieldName(isMember ? "field" : "name");
      const receiver = called ? fieldText(called, isMember ? "value" : "path") : undefined;
      if (!at || receiver === undefined || receiver.length > 200) return undefined;
      return { name: at.text, kind: "member-call", receiver: squeeze(receiver), at };
    },
  },
  block: "braces",
  lineComment: "//",
};
