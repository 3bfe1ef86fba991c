import type { Node } from "web-tree-sitter";
import type { SymbolKind } from "../types.ts";
import {
  branchTypes,
  calls,
  declarations,
  enumerator,
  fields,
  functionPart,
  include,
  isGuess,
  isMacroUse,
  isStatic,
  macro,
  nameOf,
  scopeTypes,
  typeDefinition,
} from "./c.ts";
import { withoutMacros } from "./c-macros.ts";
import { type Found, type LanguageRules, squeeze } from "./rules.ts";

/** A template's head is outside of what it makes. */
const outerOf = (node: Node): Node => {
  let outer = node;
  while (
    outer.parent?.type === "template_declaration" ||
    outer.parent?.type === "friend_declaration"
  ) {
    outer = outer.parent;
  }
  return outer;
};

const templateHead = (node: Node): string => {
  const outer = outerOf(node);
  return outer.id === node.id
    ? ""
    : squeeze(outer.text.slice(0, node.startIndex - outer.startIndex));
};

/** A parameter without its name and default: what tells overloads apart. */
const parameterText = (node: Node): string => {
  const declarator = node.childForFieldName("declarator");
  const end = node.childForFieldName("default_value")?.startIndex ?? node.endIndex;
  const whole = node.text.slice(0, end - node.startIndex).replace(/=\s*$/, "");
  const name = declarator && nameOf(declarator);
  if (name?.type !== "identifier") return tight(whole);
  const at = name.startIndex - node.startIndex;
  return tight(whole.slice(0, at) + whole.slice(at + name.text.length));
};

/** Blanks only where two words meet, so that `int *` and `int*` are the same. */
const tight = (text: string): string => squeeze(text).replaceAll(/ ?([^\w ]) ?/g, "$1");

const tellApart = new Set(["type_qualifier", "ref_qualifier", "requires_clause"]);

/** Parameters, qualifiers and, for templates, everything that may choose between them. */
const shapeOf = (node: Node, part: Node): string => {
  const parameters = part.childForFieldName("parameters");
  const types = (parameters?.namedChildren ?? [])
    .filter((one) => one.type !== "comment")
    .map(parameterText);
  const head = templateHead(node);
  const parts = (parameters ? part.namedChildren : []).filter(
    (one) => one.startIndex > (parameters?.startIndex ?? 0),
  );
  const behind = parts.filter((one) => head !== "" || tellApart.has(one.type));
  // Only templates may differ in nothing but the type they return.
  const returned = head === "" ? "" : squeeze(node.childForFieldName("type")?.text ?? "");
  return [head, returned, `(${types.join(",")})`, ...behind.map((one) => squeeze(one.text))].join(
    " ",
  );
};

/** `A::B<T>::f` is f, in A.B. */
const splitName = (node: Node): { nameNode: Node; container: string; qualifier: string } => {
  const containers: string[] = [];
  let inner = node;
  while (inner.type === "qualified_identifier") {
    const scope = inner.childForFieldName("scope");
    const name = inner.childForFieldName("name");
    if (scope) containers.push((scope.childForFieldName("name") ?? scope).text);
    if (!name) break;
    inner = name;
  }
  return {
    nameNode: inner,
    container: containers.join("."),
    qualifier: tight(node.text.slice(0, inner.startIndex - node.startIndex)),
  };
};

const classOf = (node: Node): Node | undefined => {
  let holder = outerOf(node).parent;
  while (holder && branchTypes.includes(holder.type)) holder = holder.parent;
  return holder?.type === "field_declaration_list" ? (holder.parent ?? undefined) : undefined;
};

const isHidden = (node: Node): boolean => {
  const outer = outerOf(node);
  for (let before = outer.previousSibling; before; before = before.previousSibling) {
    if (before.type === "access_specifier") return !before.text.startsWith("public");
  }
  return classOf(node)?.type === "class_specifier";
};

/** Definitions of functions, and declarations in a class, which may not be repeated there either. */
const functionOf = (node: Node, declarator: Node): Found | undefined => {
  const cast = castOf(declarator);
  const part = cast ?? functionPart(declarator);
  if (!part) return undefined;
  const whole = cast ? declarator : nameOf(part);
  const { nameNode: last, container, qualifier } = splitName(whole);
  const nameNode = cast ? (cast.childForFieldName("type") ?? last) : last;
  const shape = cast
    ? `${templateHead(node)} ${squeeze(cast.text)}`
    : `${tight(nameNode.text)}${shapeOf(node, part)}`;
  const holder = classOf(node);
  const isFriend = outerOf(node).type === "friend_declaration";
  const isMember = (holder !== undefined && !isFriend) || container !== "";
  const ownName = container.slice(container.lastIndexOf(".") + 1) || className(holder);
  // A function outside of classes is never const: then the class around it was not understood.
  const isLost =
    !isMember && part.namedChildren.some((one) => /^(type|ref)_qualifier$/.test(one.type));
  // A macro that stands for a class may stand for another one further down.
  const isMacroName = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/.test(qualifier);
  const isUnsure =
    isGuess(outerOf(node)) ||
    isMacroUse(node, part, nameNode) ||
    (isLost && !isFriend) ||
    isMacroName;
  const hidden = holder !== undefined && isHidden(node);
  return {
    name: nameNode.text,
    kind: !isMember ? "function" : nameNode.text === ownName ? "constructor" : "method",
    nameNode,
    outer: outerOf(node),
    body: node.childForFieldName("body"),
    key: isUnsure ? undefined : `function ${qualifier}${shape}`,
    ...(container !== "" && { container }),
    isExported: !hidden && !isStatic(node),
    isPrivate: hidden,
  };
};

const castOf = (declarator: Node): Node | undefined => {
  let inner: Node | null = declarator;
  while (inner?.type === "qualified_identifier") inner = inner.childForFieldName("name");
  return inner?.type === "operator_cast" ? inner : undefined;
};

const className = (node: Node | undefined): string => {
  const name = node?.childForFieldName("name");
  return (name?.childForFieldName("name") ?? name)?.text ?? "";
};

const functionDefinition = (node: Node): Found | undefined => {
  const declarator = node.childForFieldName("declarator");
  return declarator ? functionOf(node, declarator) : undefined;
};

const memberDeclaration = (node: Node): Found | readonly Found[] | undefined => {
  const [only, ...more] = node.childrenForFieldName("declarator");
  const found = only && more.length === 0 && classOf(node) ? functionOf(node, only) : undefined;
  if (found) return found;
  return node.type === "field_declaration"
    ? fields(node).map((one) => ({
        ...one,
        key: classOf(node) ? one.key : undefined,
        isPrivate: isHidden(node),
        isExported: !isHidden(node),
      }))
    : freeDeclaration(node);
};

const freeDeclaration = (node: Node): Found[] => {
  const outer = outerOf(node);
  return declarations(node).map((one) => ({ ...one, ...(!one.core && { outer }) }));
};

const typeOf =
  (kind: SymbolKind) =>
  (node: Node): Found | undefined => {
    const whole = node.childForFieldName("name");
    const body = node.childForFieldName("body");
    if (!whole || !body || node.parent?.type === "type_definition") return undefined;
    const { nameNode, container } = splitName(whole);
    const shown = nameNode.childForFieldName("name") ?? nameNode;
    const bases = node.namedChildren.find((one) => one.type === "base_class_clause");
    return {
      name: shown.text,
      kind,
      nameNode: shown,
      outer: outerOf(node),
      body,
      // A specialisation has its arguments in the name; a constrained one differs in the head.
      key: isGuess(outerOf(node)) ? undefined : `type ${templateHead(node)} ${tight(whole.text)}`,
      ...(container !== "" && { container }),
      isExported: true,
      bases: (bases?.namedChildren ?? [])
        .filter((one) => !/access_specifier|virtual|comment/.test(one.type))
        .map((one) => squeeze(one.text)),
    };
  };

const namespaceOf = (node: Node): Found | undefined => {
  const nameNode = node.childForFieldName("name");
  if (!nameNode) return undefined;
  const body = node.childForFieldName("body");
  return { name: nameNode.text, kind: "namespace", nameNode, body, isExported: true };
};

const simple =
  (kind: SymbolKind) =>
  (node: Node): Found | undefined => {
    const nameNode = node.childForFieldName("name");
    if (!nameNode) return undefined;
    return { name: nameNode.text, kind, nameNode, outer: outerOf(node), isExported: true };
  };

export const cpp: LanguageRules = {
  id: "cpp",
  title: "C++",
  grammar: "cpp",
  level: "full",
  commentTypes: ["comment"],
  scopeTypes,
  definitions: {
    function_definition: functionDefinition,
    class_specifier: typeOf("class"),
    struct_specifier: typeOf("struct"),
    union_specifier: typeOf("struct"),
    enum_specifier: typeOf("enum"),
    namespace_definition: namespaceOf,
    alias_declaration: simple("type"),
    concept_definition: simple("type"),
    type_definition: typeDefinition,
    declaration: memberDeclaration,
    field_declaration: memberDeclaration,
    enumerator,
    preproc_def: macro,
    preproc_function_def: macro,
  },
  imports: { preproc_include: include },
  references: calls,
  secondReading: withoutMacros,
  block: "braces",
  lineComment: "//",
};
