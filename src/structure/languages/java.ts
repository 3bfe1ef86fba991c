import type { Node } from "web-tree-sitter";
import { fieldNodes, hasChild, memberCall, namedChildrenOf, repeatedModifier } from "./nodes.ts";
import { type Found, type FoundImport, type LanguageRules, squeeze } from "./rules.ts";

const modifiersOf = (node: Node): { words: ReadonlySet<string>; annotations: string[] } => {
  const modifiers = namedChildrenOf(node).find((one) => one.type === "modifiers");
  if (!modifiers) return { words: new Set(), annotations: [] };
  const annotations = namedChildrenOf(modifiers).filter((one) => one.type.endsWith("annotation"));
  return {
    words: new Set(modifiers.children.map((one) => one?.type ?? "")),
    annotations: annotations.map((one) => squeeze(one.text.slice(1))),
  };
};

const named = (node: Node, kind: Found["kind"], nameNode = node.childForFieldName("name")) => {
  if (!nameNode) return undefined;
  const { words, annotations } = modifiersOf(node);
  const isOpen = words.has("public") || node.parent?.type === "interface_body";
  return {
    name: nameNode.text,
    kind,
    nameNode,
    body: node.childForFieldName("body"),
    isExported: isOpen,
    isPrivate: words.has("private"),
    decorators: annotations,
  } satisfies Found;
};

const type =
  (kind: Found["kind"]) =>
  (node: Node): Found | undefined => {
    const found = named(node, kind);
    return found && { ...found, key: `type ${found.name}`, bases: basesOf(node) };
  };

const basesOf = (node: Node): string[] =>
  namedChildrenOf(node).flatMap((one) => {
    if (one.type === "superclass") return [squeeze(one.firstNamedChild?.text ?? "")];
    if (one.type !== "super_interfaces" && one.type !== "extends_interfaces") return [];
    return namedChildrenOf(one.firstNamedChild ?? one).map((base) => squeeze(base.text));
  });

/** Type arguments, annotations and names do not tell two methods apart; `T...` is `T[]`. */
const erasedParameters = (node: Node): string => {
  const list = node.childForFieldName("parameters");
  if (!list) return "";
  return namedChildrenOf(list)
    .flatMap((one) => {
      if (one.type === "formal_parameter") {
        const dimensions = one.childForFieldName("dimensions")?.text ?? "";
        return [erased(one.childForFieldName("type")) + dimensions.replaceAll(/\s/g, "")];
      }
      if (one.type !== "spread_parameter") return [];
      const kind = namedChildrenOf(one).find((part) => /type|identifier/.test(part.type));
      return [`${erased(kind ?? null)}[]`];
    })
    .join(",");
};

const erased = (node: Node | null): string => {
  let text = (node?.text ?? "")
    .replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g, "")
    .replaceAll(/@[\w.]+(\s*\([^)]*\))?/g, "");
  for (let inner = ""; inner !== text;) {
    inner = text;
    text = text.replaceAll(/<[^<>]*>/g, "");
  }
  return text.replaceAll(/\s/g, "");
};

const method = (node: Node): Found | undefined => {
  const found = named(node, "method");
  // A type parameter is erased to its bound, so methods that differ in bounds only are two.
  const types = node.childForFieldName("type_parameters")?.text ?? "";
  return found && { ...found, key: `${squeeze(types)}${found.name}(${erasedParameters(node)})` };
};

const constructor = (node: Node): Found | undefined => {
  const found = named(node, "constructor");
  const isCompact = node.type === "compact_constructor_declaration";
  const parameters = isCompact ? "compact" : erasedParameters(node);
  return found && { ...found, key: `new(${parameters})` };
};

/** `int a, b[];` makes two fields. */
const fields = (node: Node): Found[] => {
  const all = fieldNodes(node, "declarator");
  const { words } = modifiersOf(node);
  const isConstant =
    node.type === "constant_declaration" || (words.has("static") && words.has("final"));
  return all.flatMap((one): Found[] => {
    const found = named(node, isConstant ? "constant" : "property", one.childForFieldName("name"));
    const core = all.length > 1 ? one : node;
    return found ? [{ ...found, body: null, core, scope: node, key: `field ${found.name}` }] : [];
  });
};

/** A type and a static member of one name may both be imported, so the word stays. */
const importDeclaration = (node: Node): FoundImport => {
  const path = namedChildrenOf(node).find((one) => one.type.endsWith("identifier"))?.text ?? "";
  const isAll = namedChildrenOf(node).some((one) => one.type === "asterisk");
  const word = hasChild(node, "static") ? "static " : "";
  if (isAll) return { from: word + path, names: [{ name: "*", as: "*" }] };
  const dot = path.lastIndexOf(".");
  const name = path.slice(dot + 1);
  return { from: word + path.slice(0, Math.max(0, dot)), names: [{ name, as: name }] };
};

/** Expressions that do nothing; the language's own parser takes only the others for statements. */
const idle = new Set([
  "identifier",
  "field_access",
  "array_access",
  "binary_expression",
  "decimal_integer_literal",
  "string_literal",
  "this",
]);

export const java: LanguageRules = {
  id: "java",
  title: "Java",
  grammar: "java",
  level: "full",
  commentTypes: ["line_comment", "block_comment"],
  attachedTypes: ["annotation", "marker_annotation"],
  scopeTypes: [
    "class_body",
    "interface_body",
    "enum_body",
    "annotation_type_body",
    "block",
    "constructor_body",
    "switch_block_statement_group",
  ],
  definitions: {
    class_declaration: type("class"),
    record_declaration: type("class"),
    interface_declaration: type("interface"),
    annotation_type_declaration: type("interface"),
    enum_declaration: type("enum"),
    module_declaration: (node) => named(node, "module"),
    method_declaration: method,
    annotation_type_element_declaration: method,
    constructor_declaration: constructor,
    compact_constructor_declaration: constructor,
    field_declaration: fields,
    constant_declaration: fields,
    enum_constant: (node) => {
      const found = named(node, "constant");
      return found && { ...found, isExported: true, key: `field ${found.name}` };
    },
  },
  imports: { import_declaration: importDeclaration },
  references: {
    method_invocation: (node) => {
      const name = node.childForFieldName("name");
      const object = node.childForFieldName("object");
      if (object) return memberCall(object, name);
      return name ? { name: name.text, kind: "call", at: name } : undefined;
    },
    object_creation_expression: (node) => {
      const made = node.childForFieldName("type");
      const name = made?.type === "generic_type" ? made.firstNamedChild : made;
      if (name?.type !== "type_identifier") return undefined;
      return { name: name.text, kind: "call", at: name };
    },
  },
  mistakes: {
    modifiers: (node) => repeatedModifier(node, (one) => !one.isNamed),
    expression_statement: (node) =>
      // `case A -> b;` has a value.
      idle.has(node.firstNamedChild?.type ?? "") && node.parent?.type !== "switch_rule"
        ? "this is no statement"
        : undefined,
  },
  importKey: ({ from }, { name }) => `${from} ${name}`,
  dynamic:
    /java\.lang\.reflect|Class\.forName|\.getMethod\s*\(|\.getDeclared\w+\s*\(|Proxy\.newProxyInstance|MethodHandles?\b/,
  block: "braces",
  lineComment: "//",
};
