import type { Node } from "web-tree-sitter";
import { keywordAsName, memberCall, namedChildrenOf, repeatedModifier } from "./nodes.ts";
import {
  fieldText,
  type Found,
  type FoundImport,
  type FoundReference,
  type LanguageRules,
  squeeze,
} from "./rules.ts";

const attributesOf = (node: Node): string[] => {
  const list = node.childForFieldName("attributes");
  const groups = list ? namedChildrenOf(list) : [];
  return groups.flatMap(namedChildrenOf).map((one) => squeeze(one.text));
};

const isPrivate = (node: Node): boolean =>
  namedChildrenOf(node).some((one) => one.type === "visibility_modifier" && one.text === "private");

/** A file may hold several namespaces one after the other without braces. */
const namespaceOf = (node: Node): string => {
  if (node.parent?.type !== "program") return "";
  const { text, startIndex } = node.parent;
  let at = text.lastIndexOf("namespace ", node.startIndex - startIndex);
  for (; at >= 0; at = at === 0 ? -1 : text.lastIndexOf("namespace ", at - 1)) {
    const found = /^namespace\s+([\w\\]+)\s*;/.exec(text.slice(at, at + 500));
    const isStatement = /^$|[\s;]/.test(text.slice(Math.max(0, at - 1), at));
    if (found?.[1] !== undefined && isStatement) return `${found[1].toLowerCase()}\\`;
  }
  return "";
};

const named = (node: Node, kind: Found["kind"], nameNode = node.childForFieldName("name")) => {
  if (!nameNode) return undefined;
  return {
    name: nameNode.text,
    kind,
    nameNode,
    body: node.childForFieldName("body"),
    isExported: !isPrivate(node),
    isPrivate: isPrivate(node),
    decorators: attributesOf(node),
  } satisfies Found;
};

/** Names of classes, functions and methods do not tell upper from lower case. */
const type =
  (kind: Found["kind"]) =>
  (node: Node): Found | undefined => {
    const found = named(node, kind);
    if (!found) return undefined;
    const bases = namedChildrenOf(node)
      .filter((one) => one.type === "base_clause" || one.type === "class_interface_clause")
      .flatMap((one) => namedChildrenOf(one).map((base) => base.text));
    return { ...found, bases, key: `class ${namespaceOf(node)}${found.name.toLowerCase()}` };
  };

const functionDefinition = (node: Node): Found | undefined => {
  const found = named(node, "function");
  const key = `function ${namespaceOf(node)}${found?.name.toLowerCase()}`;
  return found && { ...found, key };
};

const method = (node: Node): Found | undefined => {
  const name = fieldText(node, "name")?.toLowerCase() ?? "";
  const found = named(node, name === "__construct" ? "constructor" : "method");
  return found && { ...found, key: `function ${name}` };
};

/** `const A = 1, B = 2;` and `public $a, $b;` */
const listed =
  (kind: "constant" | "property", element: string) =>
  (node: Node): Found[] => {
    const all = namedChildrenOf(node).filter((one) => one.type === element);
    const isInside = node.parent?.type !== "program";
    return all.flatMap((one): Found[] => {
      const nameNode = one.childForFieldName("name") ?? one.firstNamedChild;
      const found = named(node, kind, nameNode);
      if (!found) return [];
      const key = isInside ? (kind === "constant" ? `const ${found.name}` : found.name) : undefined;
      return [{ ...found, body: null, core: all.length > 1 ? one : node, scope: node, key }];
    });
  };

const namespace = (node: Node): Found | undefined => {
  const nameNode = node.childForFieldName("name");
  if (!nameNode) return undefined;
  return { name: nameNode.text, kind: "namespace", nameNode, body: node.childForFieldName("body") };
};

const used = (node: Node): FoundImport[] => {
  const group = node.childForFieldName("body");
  const prefix = group ? namedChildrenOf(node).find((one) => one.type === "namespace_name") : null;
  const word = /^use\s+(function|const)\b/i.exec(node.text)?.[1] ?? "";
  return namedChildrenOf(group ?? node)
    .filter((one) => one.type === "namespace_use_clause")
    .map((clause) => {
      const alias = fieldText(clause, "alias");
      const own = /^(function|const)\s/i.exec(clause.text)?.[1] ?? word;
      const target = namedChildrenOf(clause)[0]?.text ?? "";
      const path = `${prefix ? `${prefix.text}\\` : ""}${target}`.replace(/^\\/, "");
      const name = path.slice(path.lastIndexOf("\\") + 1);
      const from = path.slice(0, Math.max(0, path.length - name.length - 1));
      return {
        from: own ? `${own.toLowerCase()} ${from}` : from,
        names: [{ name, as: alias ?? name }],
      };
    });
};

const inclusions = new Set([
  "require_expression",
  "require_once_expression",
  "include_expression",
  "include_once_expression",
]);

/** `require 'x.php';` as a statement, or its result put into a variable. */
const included = (node: Node): FoundImport | undefined => {
  const first = node.firstNamedChild;
  const expression =
    first?.type === "assignment_expression" ? first.childForFieldName("right") : first;
  if (!expression || !inclusions.has(expression.type)) return undefined;
  const path = expression.firstNamedChild;
  const isText = path?.type === "string" || path?.type === "encapsed_string";
  const text = squeeze(path?.text ?? "");
  return { from: isText ? text.slice(1, -1) : text, names: [] };
};

const calledName = (node: Node | null): FoundReference | undefined => {
  if (node?.type === "name") return { name: node.text, kind: "call", at: node };
  if (node?.type !== "qualified_name") return undefined;
  const last = node.lastNamedChild;
  return last ? { name: last.text, kind: "call", at: last } : undefined;
};

const memberCalled = (node: Node): FoundReference | undefined => {
  const name = node.childForFieldName("name");
  if (name?.type !== "name") return undefined;
  return memberCall(node.childForFieldName("object") ?? node.childForFieldName("scope"), name);
};

const keywords = new Set(
  "abstract as case catch class const continue else elseif extends final finally for foreach function if implements interface namespace private protected public return static switch throw try use while".split(
    " ",
  ),
);
const memberMistake = (node: Node): string | undefined =>
  repeatedModifier(node, (one) => one.type.endsWith("_modifier"));

export const php: LanguageRules = {
  id: "php",
  title: "PHP",
  grammar: "php",
  level: "full",
  commentTypes: ["comment"],
  attachedTypes: ["attribute_list"],
  scopeTypes: [
    "declaration_list",
    "enum_declaration_list",
    "compound_statement",
    "colon_block",
    "if_statement",
    "else_clause",
    "else_if_clause",
    "case_statement",
    "default_statement",
  ],
  definitions: {
    namespace_definition: namespace,
    class_declaration: type("class"),
    interface_declaration: type("interface"),
    trait_declaration: type("trait"),
    enum_declaration: type("enum"),
    enum_case: (node) => {
      const found = named(node, "constant");
      return found && { ...found, key: `const ${found.name}` };
    },
    function_definition: functionDefinition,
    method_declaration: method,
    const_declaration: listed("constant", "const_element"),
    property_declaration: listed("property", "property_element"),
  },
  imports: { namespace_use_declaration: used, expression_statement: included },
  references: {
    function_call_expression: (node) => calledName(node.childForFieldName("function")),
    object_creation_expression: (node) => calledName(node.firstNamedChild),
    member_call_expression: memberCalled,
    nullsafe_member_call_expression: memberCalled,
    scoped_call_expression: memberCalled,
  },
  mistakes: {
    method_declaration: memberMistake,
    property_declaration: memberMistake,
    const_declaration: memberMistake,
    expression_statement: (node) => keywordAsName(node.firstNamedChild, keywords),
  },
  importKey: ({ from }, { name, as }) => `${from} ${name} ${as}`.toLowerCase(),
  dynamic:
    /\b__(call|callStatic|get|set|invoke)\b|\bcall_user_func|\beval\s*\(|\bextract\s*\(|\bReflection\w*|\bclass_alias\b|\$\$\w|->\$|::\$\w+\s*\(|\bnew\s+\$|\$\w+\s*\(/,
  block: "braces",
  lineComment: "//",
};
