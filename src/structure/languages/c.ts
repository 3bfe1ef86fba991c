import type { Node } from "web-tree-sitter";
import type { SymbolKind } from "../types.ts";
import { withoutMacros } from "./c-macros.ts";
import { fieldText, type Found, type FoundImport, type LanguageRules, squeeze } from "./rules.ts";

/** Branches of the preprocessor: definitions in different ones never meet. */
export const branchTypes = [
  "preproc_if",
  "preproc_ifdef",
  "preproc_elif",
  "preproc_elifdef",
  "preproc_else",
];

export const scopeTypes = [
  ...branchTypes,
  "compound_statement",
  "field_declaration_list",
  "enumerator_list",
  "declaration_list",
];

/** Declarators wrap each other from the outside in: `*`, `[]`, `()` and in the middle the name. */
const wraps = new Set([
  "function_declarator",
  "pointer_declarator",
  "reference_declarator",
  "array_declarator",
  "parenthesized_declarator",
  "attributed_declarator",
  "init_declarator",
]);

const innerOf = (node: Node): Node | undefined =>
  node.childForFieldName("declarator") ??
  node.namedChildren.find((one) => wraps.has(one.type) || /identifier|_name$/.test(one.type));

/** `int a, *b;` has two. */
const declaratorsOf = (node: Node): Node[] =>
  node.childrenForFieldName("declarator").filter((one) => one !== null);

/** The name in the middle of a declarator. */
export const nameOf = (declarator: Node): Node => {
  let inner = declarator;
  while (wraps.has(inner.type)) {
    const next = innerOf(inner);
    if (!next) break;
    inner = next;
  }
  return inner;
};

/** The innermost function part around the name, whose parameters are those of the function. */
export const functionPart = (declarator: Node): Node | undefined => {
  let found: Node | undefined;
  let inner: Node | undefined = declarator;
  while (inner && wraps.has(inner.type)) {
    const next: Node | undefined = innerOf(inner);
    if (inner.type === "function_declarator") {
      // `NAME(x)(int a)`: a macro makes the name, the parameters are behind it.
      if (next?.type === "function_declarator") return inner;
      found = inner;
      // `(*f)(int)` is a variable that points to a function.
      if (next?.type === "parenthesized_declarator" && !hasFunction(next)) return undefined;
    }
    inner = next;
  }
  return found;
};

const hasFunction = (node: Node): boolean => {
  let inner: Node | undefined = innerOf(node);
  while (inner && wraps.has(inner.type)) {
    if (inner.type === "function_declarator") return true;
    inner = innerOf(inner);
  }
  return false;
};

/** Where declarations are part of the file's structure, not of a function's inside. */
export const isOutside = (node: Node): boolean => {
  let holder = node.parent;
  while (holder) {
    if (holder.type === "translation_unit") return true;
    const isOpen =
      branchTypes.includes(holder.type) ||
      ["declaration_list", "linkage_specification", "template_declaration"].includes(holder.type) ||
      holder.type === "namespace_definition";
    if (!isOpen) return false;
    holder = holder.parent;
  }
  return false;
};

export const isStatic = (node: Node): boolean =>
  node.namedChildren.some((one) => one.type === "storage_class_specifier" && one.text === "static");

/**
 * Macros that are no expressions make the grammar guess. What it made of such a place is shown, but
 * nothing may be refused because of it.
 */
export const isGuess = (node: Node): boolean =>
  node.hasError ||
  [node.parent, node.previousSibling, node.nextSibling].some((one) => one?.isError ?? false);

/**
 * A name in capitals is a macro, unless it has a type: `int MAX(int a, int b) {…}`. `TEST(Group, name) {…}` is
 * a definition of its own; anything else, like the annotation in `void f() LOCKS(x) {…}`, only looks like one.
 */
export const isMacroUse = (node: Node, part: Node, name: Node): boolean => {
  if (!isCapital(name.text) || hasPlainType(node, part, name)) return false;
  const count = part.childForFieldName("parameters")?.namedChildCount ?? 0;
  const isFirst = node.startIndex === name.startIndex && !node.childForFieldName("type");
  return !isFirst || count < 2 || (node.previousSibling?.hasError ?? false);
};

const isCapital = (name: string): boolean => /^_*[A-Z][A-Z0-9_]+$/.test(name);

const hasPlainType = (node: Node, part: Node, name: Node): boolean => {
  const before = node.text.slice(0, name.startIndex - node.startIndex);
  const parameters = part.childForFieldName("parameters")?.namedChildren ?? [];
  return (
    /^[\w\s*&:]*\w[\s*&]+$/.test(before) &&
    !/\b(?:class|struct|union|enum)\b/.test(before) &&
    parameters.length > 0 &&
    parameters.every((one) => one.type === "parameter_declaration" && /\w\W+\w/.test(one.text))
  );
};

const functionDefinition = (node: Node): Found | undefined => {
  const declarator = node.childForFieldName("declarator");
  const part = declarator && functionPart(declarator);
  if (!part) return undefined;
  const nameNode = nameOf(part);
  const called = part.childForFieldName("declarator");
  const isMade = called?.type === "function_declarator";
  // What looks like a function without a type is mostly a macro: its arguments tell it apart.
  const hasType = node.childForFieldName("type") !== null;
  const isPlain = hasType && !isCapital(nameNode.text);
  const key = isMade ? called.text : isPlain ? nameNode.text : part.text;
  return {
    name: nameNode.text,
    kind: "function",
    nameNode,
    body: node.childForFieldName("body"),
    key: isGuess(node) || isMacroUse(node, part, nameNode) ? undefined : `function ${squeeze(key)}`,
    isExported: !isStatic(node),
    isPrivate: isStatic(node),
  };
};

const bodyOf = (node: Node | null | undefined): Node | null | undefined =>
  node?.childForFieldName("body");

/** Types may be declared as often as one likes, and defined once. */
const tagged =
  (kind: SymbolKind, word: string) =>
  (node: Node): Found | undefined => {
    const nameNode = node.childForFieldName("name");
    const body = bodyOf(node);
    if (!nameNode || !body || node.parent?.type === "type_definition") return undefined;
    const name = nameNode.text;
    const key = isGuess(node) ? undefined : `${word} ${name}`;
    return { name, kind, nameNode, body, key, isExported: true };
  };

const kindsOfTag: Readonly<Record<string, SymbolKind>> = {
  struct_specifier: "struct",
  union_specifier: "struct",
  enum_specifier: "enum",
};

/** The same typedef may be repeated, unless it brings a type of its own with it. */
export const typeDefinition = (node: Node): Found[] => {
  const type = node.childForFieldName("type");
  const body = bodyOf(type);
  const names = declaratorsOf(node).map(nameOf);
  return names.slice(0, 1).map((nameNode) => ({
    name: nameNode.text,
    kind: (body && type && kindsOfTag[type.type]) ?? "type",
    nameNode,
    ...(body && { body, key: isGuess(node) ? undefined : `typedef ${nameNode.text}` }),
    isExported: true,
  }));
};

/** Prototypes and variables of a file. They may be repeated, so they have no key. */
export const declarations = (node: Node): Found[] => {
  if (!isOutside(node)) return [];
  const all = declaratorsOf(node);
  const isAlone = all.length === 1 && !bodyOf(node.childForFieldName("type"));
  const isConstant = node.namedChildren.some(
    (one) => one.type === "type_qualifier" && /^const(expr|init)?$/.test(one.text),
  );
  return all.flatMap((declarator) => {
    const nameNode = nameOf(declarator);
    if (!/identifier|operator_name|destructor_name/.test(nameNode.type)) return [];
    if (nameNode.type === "qualified_identifier") return [];
    const kind = functionPart(declarator) ? "function" : isConstant ? "constant" : "variable";
    return [
      {
        name: nameNode.text,
        kind,
        nameNode,
        ...(!isAlone && { core: declarator }),
        // Only what gets a value is a definition; without one it may be declared again.
        ...(declarator.type === "init_declarator" &&
          !isGuess(node) &&
          !isCapital(nameNode.text) && { key: `value ${nameNode.text}` }),
        isExported: !isStatic(node),
        isPrivate: isStatic(node),
      } satisfies Found,
    ];
  });
};

/** `int a, b;` in a struct. */
export const fields = (node: Node): Found[] => {
  const all = declaratorsOf(node);
  return all.map((declarator) => {
    const nameNode = nameOf(declarator);
    const isAlone = all.length === 1 && !bodyOf(node.childForFieldName("type"));
    const isMethod = functionPart(declarator) !== undefined;
    const isUnsure =
      isGuess(node) || node.parent?.hasError === true || (isMethod && isCapital(nameNode.text));
    return {
      name: nameNode.text,
      kind: isMethod ? "method" : "property",
      nameNode,
      ...(!isAlone && { core: declarator }),
      key: isUnsure ? undefined : nameNode.text,
      isExported: true,
    };
  });
};

export const enumerator = (node: Node): Found | undefined => {
  const nameNode = node.childForFieldName("name");
  if (!nameNode) return undefined;
  const name = nameNode.text;
  return {
    name,
    kind: "constant",
    nameNode,
    // Macros in the list make its other parts look like names.
    key: isGuess(node) || node.parent?.hasError ? undefined : name,
    isExported: true,
  };
};

/** A macro may be taken back and made again; the preprocessor itself warns about the rest. */
export const macro = (node: Node): Found | undefined => {
  const nameNode = node.childForFieldName("name");
  return nameNode ? { name: nameNode.text, kind: "macro", nameNode, isExported: true } : undefined;
};

export const include = (node: Node): FoundImport | undefined => {
  const path = fieldText(node, "path");
  if (path === undefined) return undefined;
  return { from: path.replace(/^["<]|[">]$/g, ""), names: [] };
};

export const calls: NonNullable<LanguageRules["references"]> = {
  call_expression: (node) => {
    const called = node.childForFieldName("function");
    if (called?.type === "identifier") return { name: called.text, kind: "call", at: called };
    if (called?.type !== "field_expression") return undefined;
    const at = called.childForFieldName("field");
    const receiver = fieldText(called, "argument");
    if (!at || receiver === undefined || receiver.length > 200) return undefined;
    return { name: at.text, kind: "member-call", receiver: squeeze(receiver), at };
  },
};

export const c: LanguageRules = {
  id: "c",
  title: "C",
  grammar: "c",
  level: "full",
  commentTypes: ["comment"],
  scopeTypes,
  definitions: {
    function_definition: functionDefinition,
    struct_specifier: tagged("struct", "struct"),
    union_specifier: tagged("struct", "union"),
    enum_specifier: tagged("enum", "enum"),
    type_definition: typeDefinition,
    declaration: declarations,
    field_declaration: fields,
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
