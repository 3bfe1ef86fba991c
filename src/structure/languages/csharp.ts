import type { Node } from "web-tree-sitter";
import type { SymbolKind } from "../types.ts";
import { repeatedModifier } from "./nodes.ts";
import { fieldText, type Found, type FoundImport, type LanguageRules, squeeze } from "./rules.ts";

const childrenOf = (node: Node, type: string): Node[] =>
  node.namedChildren.filter((one) => one.type === type);

const modifiersOf = (node: Node): string[] => childrenOf(node, "modifier").map((one) => one.text);

const decoratorsOf = (node: Node): string[] =>
  childrenOf(node, "attribute_list").map((one) => squeeze(one.text.slice(1, -1)));

/** Members of an interface are public without saying so. */
const visibility = (node: Node): { isExported: boolean; isPrivate: boolean } => {
  const modifiers = modifiersOf(node);
  const isOpen =
    modifiers.includes("public") || node.parent?.parent?.type === "interface_declaration";
  const isHidden = !isOpen && !modifiers.some((one) => ["protected", "internal"].includes(one));
  return { isExported: isOpen, isPrivate: hasParentType(node) ? isHidden : false };
};

const hasParentType = (node: Node): boolean => {
  let outer = node.parent;
  while (outer?.type.startsWith("preproc_")) outer = outer.parent;
  return outer?.type === "declaration_list" && outer.parent?.type !== "namespace_declaration";
};

/** Types of the parameters with `ref`, `out` and `this`, which tell overloads apart; names do not. */
const parametersOf = (node: Node): string => {
  const list = node.childForFieldName("parameters");
  if (!list) return "";
  const types: string[] = [];
  for (let index = 0; index < list.childCount; index += 1) {
    const child = list.child(index);
    if (child?.type === "parameter") {
      const how = modifiersOf(child).filter((one) => !["this", "params", "scoped"].includes(one));
      types.push([...how, typeText(child)].join(" "));
    }
    // A `params` array stands in the list itself.
    else if (child && list.fieldNameForChild(index) === "type") types.push(squeeze(child.text));
  }
  return types.join(",");
};

const typeText = (node: Node): string => squeeze(fieldText(node, "type") ?? "");

const interfaceOf = (node: Node): string => {
  const [one] = childrenOf(node, "explicit_interface_specifier");
  return one ? squeeze(one.text) : "";
};

const arityOf = (node: Node): number => {
  const list =
    node.childForFieldName("type_parameters") ?? childrenOf(node, "type_parameter_list")[0];
  return list ? list.namedChildren.filter((one) => one.type === "type_parameter").length : 0;
};

const basesOf = (node: Node): string[] =>
  (childrenOf(node, "base_list")[0]?.namedChildren ?? [])
    .filter((one) => one.type !== "argument_list" && !one.type.endsWith("comment"))
    .map((one) => squeeze(one.text));

/** Where `#if` cuts a statement in two the grammar guesses, and finds methods called `if`. */
const isGuess = (node: Node): boolean =>
  node.hasError ||
  [node.parent, node.previousSibling, node.nextSibling].some((one) => one?.isError ?? false) ||
  /^(if|else|for|foreach|while|switch|using|lock|catch|return)$/.test(
    fieldText(node, "name") ?? "",
  );

const make = (
  node: Node,
  kind: SymbolKind,
  nameNode: Node | null | undefined,
  key: string | undefined,
): Found | undefined =>
  nameNode
    ? {
        name: nameNode.text,
        kind,
        nameNode,
        body: node.childForFieldName("body") ?? node.childForFieldName("accessors"),
        key: isGuess(node) ? undefined : key,
        decorators: decoratorsOf(node),
        ...visibility(node),
      }
    : undefined;

const typeOf =
  (kind: SymbolKind) =>
  (node: Node): Found | undefined => {
    const nameNode = node.childForFieldName("name");
    const isPartial = modifiersOf(node).includes("partial");
    const key = isPartial ? undefined : `type ${nameNode?.text ?? ""}\`${arityOf(node)}`;
    const found = make(node, kind, nameNode, key);
    return found && { ...found, bases: basesOf(node) };
  };

const isPartial = (node: Node): boolean => modifiersOf(node).includes("partial");

const method = (node: Node): Found | undefined => {
  const nameNode = node.childForFieldName("name");
  const key = `${interfaceOf(node)}${nameNode?.text ?? ""}\`${arityOf(node)}(${parametersOf(node)})`;
  return make(node, "method", nameNode, isPartial(node) ? undefined : key);
};

const member =
  (kind: SymbolKind) =>
  (node: Node): Found | undefined => {
    const nameNode = node.childForFieldName("name");
    const key = `${interfaceOf(node)}${nameNode?.text ?? ""}`;
    return make(node, kind, nameNode, isPartial(node) ? undefined : key);
  };

/** `int a, b;` are two fields; each has only its own part of the line then. */
const fields = (node: Node): Found[] => {
  const [declaration] = childrenOf(node, "variable_declaration");
  const all = declaration ? childrenOf(declaration, "variable_declarator") : [];
  const kind = modifiersOf(node).includes("const") ? "constant" : "property";
  return all.flatMap((one) => {
    const nameNode = one.childForFieldName("name");
    const found = make(node, kind, nameNode, nameNode?.text);
    if (!found) return [];
    return [all.length === 1 ? found : { ...found, core: one, scope: node.parent ?? node }];
  });
};

const constructorOf = (node: Node): Found | undefined => {
  const kind = modifiersOf(node).includes("static") ? "static constructor" : "constructor";
  const key = isPartial(node) ? undefined : `${kind}(${parametersOf(node)})`;
  return make(node, "constructor", node.childForFieldName("name"), key);
};

/** The sign of an operator has no name in the grammar: it stands behind the word. */
const operator = (node: Node): Found | undefined => {
  const words = node.children.map((one) => one.type);
  const sign = node.child(words.indexOf("operator") + 1);
  const nameNode = sign?.type === "checked" ? sign.nextSibling : sign;
  const key = `${interfaceOf(node)}operator ${sign?.text ?? ""} ${nameNode?.text ?? ""}(${parametersOf(node)})`;
  return make(node, "method", nameNode, key);
};

const conversion = (node: Node): Found | undefined => {
  const nameNode = node.childForFieldName("type");
  const key = `${interfaceOf(node)}conversion ${typeText(node)}(${parametersOf(node)})`;
  return make(node, "method", nameNode, key);
};

const indexer = (node: Node): Found | undefined => {
  const nameNode = node.children.find((one) => one.type === "this");
  return make(node, "property", nameNode, `${interfaceOf(node)}this[${parametersOf(node)}]`);
};

const namespaceOf = (node: Node): Found | undefined =>
  make(node, "namespace", node.childForFieldName("name"), undefined);

const using = (node: Node): FoundImport | undefined => {
  const alias = node.childForFieldName("name");
  const module = node.namedChildren.findLast((one) => one.id !== alias?.id);
  if (!module) return undefined;
  const from = squeeze(module.text);
  return { from, names: alias ? [{ name: from, as: alias.text }] : [{ name: "*", as: "*" }] };
};

export const csharp: LanguageRules = {
  id: "csharp",
  title: "C#",
  grammar: "c_sharp",
  level: "full",
  commentTypes: ["comment"],
  attachedTypes: ["attribute_list"],
  scopeTypes: [
    "declaration_list",
    "enum_member_declaration_list",
    "block",
    "switch_section",
    "preproc_if",
    "preproc_elif",
    "preproc_else",
  ],
  definitions: {
    namespace_declaration: namespaceOf,
    file_scoped_namespace_declaration: namespaceOf,
    class_declaration: typeOf("class"),
    struct_declaration: typeOf("struct"),
    record_declaration: typeOf("class"),
    interface_declaration: typeOf("interface"),
    enum_declaration: typeOf("enum"),
    delegate_declaration: typeOf("type"),
    enum_member_declaration: member("constant"),
    method_declaration: method,
    local_function_statement: (node) => {
      const name = node.childForFieldName("name");
      return make(node, "function", name, name?.text);
    },
    constructor_declaration: constructorOf,
    destructor_declaration: (node) =>
      make(node, "method", node.childForFieldName("name"), "destructor"),
    property_declaration: member("property"),
    event_declaration: member("property"),
    event_field_declaration: fields,
    field_declaration: fields,
    indexer_declaration: indexer,
    operator_declaration: operator,
    conversion_operator_declaration: conversion,
  },
  imports: { using_directive: using },
  mistakes: Object.fromEntries(
    ["class", "method", "property", "field", "constructor"].map((kind) => [
      `${kind}_declaration`,
      (node: Node) => repeatedModifier(node, (one) => one.type === "modifier"),
    ]),
  ),
  references: {
    invocation_expression: (node) => {
      const called = node.childForFieldName("function");
      if (called?.type === "identifier") return { name: called.text, kind: "call", at: called };
      if (called?.type !== "member_access_expression") return undefined;
      const at = called.childForFieldName("name");
      const receiver = fieldText(called, "expression");
      if (!at || receiver === undefined || receiver.length > 200) return undefined;
      return { name: at.text, kind: "member-call", receiver: squeeze(receiver), at };
    },
  },
  block: "braces",
  lineComment: "//",
};
