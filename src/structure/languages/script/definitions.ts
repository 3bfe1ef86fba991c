/**
 * Definitions of JavaScript and TypeScript. Keys follow declaration merging: interfaces, namespaces and
 * enums may stand twice and beside a class or function; signatures without a body are overloads.
 */
import type { Node } from "web-tree-sitter";
import { childrenOf, hasChild, namedChildrenOf } from "../nodes.ts";
import { fieldText, type Found, squeeze } from "../rules.ts";
import { scriptParameters } from "./arguments.ts";
import { requiredBy } from "./imports.ts";
import { blockOf, isFunction, isModuleLevel, memberName, unwrapped } from "./names.ts";

/** The statement around a declaration: `export`, `declare`, or the expression a namespace is taken for. */
const outerOf = (node: Node): Node => {
  let outer = node;
  while (outer.parent && around.has(outer.parent.type)) outer = outer.parent;
  return outer;
};
const around = new Set(["export_statement", "ambient_declaration", "expression_statement"]);

const exportOf = (outer: Node): Pick<Found, "outer" | "isExported"> => ({
  outer,
  isExported: outer.type === "export_statement" && !hasChild(outer, "default"),
});

/** Decorators stand inside the node, before it, or inside its export statement. */
const decoratorsOf = (node: Node, outer: Node): string[] => {
  const before: Node[] = [];
  for (let one = node.previousSibling; one?.type === "decorator"; one = one.previousSibling) {
    before.unshift(one);
  }
  const inside = outer === node ? namedChildrenOf(node) : [outer, node].flatMap(namedChildrenOf);
  const all = [...before, ...inside.filter((one) => one.type === "decorator")];
  const once = new Map(all.map((one) => [one.id, squeeze(one.text.slice(1))]));
  return [...once.values()];
};

const basesOf = (node: Node): string[] =>
  namedChildrenOf(node).flatMap((one) => {
    if (one.type === "class_heritage") {
      const clauses = namedChildrenOf(one);
      return clauses.flatMap((clause) => {
        if (clause.type === "implements_clause") return listed(clause);
        if (clause.type !== "extends_clause") return [squeeze(clause.text)];
        return [squeeze(clause.text.replace(/^extends\b/, ""))];
      });
    }
    return one.type === "extends_type_clause" ? listed(one) : [];
  });

const listed = (node: Node): string[] => namedChildrenOf(node).map((one) => squeeze(one.text));

const declared =
  (kind: Found["kind"], keyOf: (name: string) => string | undefined) =>
  (node: Node): Found | undefined => {
    const nameNode = node.childForFieldName("name");
    if (!nameNode || !node.isNamed) return undefined;
    const outer = outerOf(node);
    const { name, nameNode: shown } = memberName(nameNode);
    return {
      name,
      kind,
      nameNode: shown,
      ...exportOf(outer),
      body: node.childForFieldName("body"),
      key: keyOf(name),
      ...(kind === "function" && { parameters: withBody(node) }),
      ...(["class", "interface"].includes(kind) && { bases: basesOf(node) }),
      ...(kind === "class" && { decorators: decoratorsOf(node, outer) }),
    };
  };

/** A declaration without a body is one of several, or says what is elsewhere. */
const withBody = (node: Node | null) =>
  node?.childForFieldName("body") ? scriptParameters(node) : undefined;

const own = (name: string): string => name;
const mayMerge = (): undefined => undefined;

const typeAlias = (node: Node): Found | undefined => {
  const found = declared("type", (name) => `type ${name}`)(node);
  const value = node.childForFieldName("value");
  return found && { ...found, body: value?.type === "object_type" ? value : null };
};

/** An enum may be continued in a second declaration, its members may not stand twice in one. */
const enumeration = (node: Node): Found[] => {
  const found = declared("enum", mayMerge)(node);
  const body = node.childForFieldName("body");
  if (!found || !body) return found ? [found] : [];
  const members = namedChildrenOf(body).flatMap((one): Found[] => {
    const nameNode = one.type === "enum_assignment" ? one.childForFieldName("name") : one;
    if (!nameNode || nameNode.type === "comment") return [];
    return [{ ...memberName(nameNode), kind: "constant", core: one, scope: body }];
  });
  return [found, ...members];
};

/** `declare global { … }` */
const ambient = (node: Node): Found | undefined => {
  const nameNode = childrenOf(node).find((one) => one.type === "global");
  const body = namedChildrenOf(node).find((one) => one.type === "statement_block");
  if (!nameNode || !body) return undefined;
  return { name: "global", kind: "namespace", nameNode, body, ...exportOf(outerOf(node)) };
};

const privacyOf = (node: Node, name: string): boolean =>
  name.startsWith("#") ||
  namedChildrenOf(node).some(
    (one) => one.type === "accessibility_modifier" && one.text === "private",
  );

/** Methods and their signatures; those of object literals are read with the object. */
const method = (node: Node): Found | undefined => {
  const nameNode = node.childForFieldName("name");
  if (!nameNode || node.parent?.type === "object") return undefined;
  if (node.type === "method_signature" && !isOwnMember(node)) return undefined;
  const named = memberName(nameNode);
  const parts = new Set(childrenOf(node).map(({ type }) => type));
  const isStatic = parts.has("static");
  const access = parts.has("get") ? "getter" : parts.has("set") ? "setter" : "method";
  const body = node.childForFieldName("body");
  const isConstructor = !isStatic && named.name === "constructor" && access === "method";
  const marks = `${isStatic ? "static " : ""}${access === "method" ? "" : `${access} `}`;
  return {
    ...named,
    kind: isConstructor ? "constructor" : access,
    body,
    key: body && named.key !== undefined ? marks + named.key : undefined,
    isPrivate: privacyOf(node, named.name),
    decorators: decoratorsOf(node, node),
    ...(access === "method" && { parameters: withBody(node) }),
  };
};

const field = (node: Node): Found | undefined => {
  const nameNode = node.childForFieldName("name") ?? node.childForFieldName("property");
  if (!nameNode) return undefined;
  const named = memberName(nameNode);
  const value = unwrapped(node.childForFieldName("value"));
  const mark = hasChild(node, "static") ? "static " : "";
  return {
    ...named,
    kind: isFunction(value) ? "method" : "property",
    body: isFunction(value) ? blockOf(value) : null,
    key: named.key === undefined ? undefined : mark + named.key,
    isPrivate: privacyOf(node, named.name),
    decorators: decoratorsOf(node, node),
  };
};

/** Members of interfaces, classes and named object types; other types are details of a signature. */
const isOwnMember = ({ parent }: Node): boolean =>
  ["interface_body", "class_body"].includes(parent?.type ?? "") ||
  (parent?.type === "object_type" &&
    ["type_alias_declaration", "interface_declaration"].includes(parent.parent?.type ?? ""));

const propertySignature = (node: Node): Found | undefined => {
  const nameNode = node.childForFieldName("name");
  return nameNode && isOwnMember(node) ? { ...memberName(nameNode), kind: "property" } : undefined;
};

/** Variables that hold a function or a class are one; others count at module level only. */
const variable = (node: Node): Found | Found[] | undefined => {
  const declaration = node.parent;
  const target = node.childForFieldName("name");
  if (!target || !declaration || !/^(lexical|variable)_declaration$/.test(declaration.type)) {
    return undefined;
  }
  if (["for_statement", "for_in_statement"].includes(declaration.parent?.type ?? ""))
    return undefined;
  const isOwn = isModuleLevel(declaration.parent);
  const statement = outerOf(declaration);
  const isAlone = countDeclarators(declaration) === 1;
  const { isExported } = exportOf(statement);
  const common = { outer: isAlone ? statement : node, isExported: isExported ?? false };
  const scope = declaration.parent ?? declaration;
  const kind = declaration.firstChild?.type === "const" ? "constant" : "variable";
  if (target.type !== "identifier") {
    if (!isOwn || (!isExported && requiredBy(declaration))) return undefined;
    return boundBy(target).map((one) => ({
      name: one.text,
      kind,
      nameNode: one,
      core: one,
      outer: one,
      scope,
      isExported: isExported ?? false,
    }));
  }
  const value = made(unwrapped(node.childForFieldName("value")));
  const name = target.text;
  const core = isAlone ? declaration : node;
  const isClass = value?.type === "class";
  if (value && (isClass || isFunction(value))) {
    return {
      name,
      kind: isClass ? "class" : "function",
      nameNode: target,
      core,
      ...common,
      scope,
      body: blockOf(value),
      key: name,
      // As it is written, without a cast, a wrapper or a type of its own.
      ...(kind === "constant" &&
        isFunction(node.childForFieldName("value")) &&
        !node.childForFieldName("type") && { parameters: withBody(value) }),
      ...(isClass && { bases: basesOf(value), decorators: decoratorsOf(value, value) }),
    };
  }
  if (!isOwn || (!isExported && requiredBy(declaration))) return undefined;
  return { name, kind, nameNode: target, core, ...common, scope };
};

const countDeclarators = (declaration: Node): number =>
  namedChildrenOf(declaration).filter((one) => one.type === "variable_declarator").length;

/** `memo(() => …)` is the function it wraps. */
const made = (value: Node | null): Node | null => {
  if (value?.type !== "call_expression") return value;
  const isWrapper = /^(React\.)?(memo|forwardRef)$/.test(fieldText(value, "function") ?? "");
  const given = value.childForFieldName("arguments")?.firstNamedChild ?? null;
  return isWrapper && isFunction(given) ? given : value;
};

/** The names that a destructuring pattern makes. */
const boundBy = (pattern: Node): Node[] => {
  if (/^(identifier|shorthand_property_identifier_pattern)$/.test(pattern.type)) return [pattern];
  if (pattern.type === "pair_pattern") return optional(pattern.childForFieldName("value"));
  if (pattern.type.endsWith("assignment_pattern"))
    return optional(pattern.childForFieldName("left"));
  if (!/^(object_pattern|array_pattern|rest_pattern)$/.test(pattern.type)) return [];
  return namedChildrenOf(pattern).flatMap(boundBy);
};
const optional = (node: Node | null): Node[] => (node ? boundBy(node) : []);

/** `export default <something without a declaration>`; a mere name makes nothing new. */
const defaultExport = (node: Node): Found | undefined => {
  const value = unwrapped(node.childForFieldName("value"));
  const word = childrenOf(node).find((one) => one.type === "default");
  if (!value || !word || value.type === "identifier") return undefined;
  const ownName =
    isFunction(value) || value.type === "class" ? value.childForFieldName("name") : null;
  const nameNode = ownName ?? word;
  const kind = isFunction(value) ? "function" : value.type === "class" ? "class" : "constant";
  return {
    name: nameNode.text,
    kind,
    nameNode,
    core: node,
    body: kind === "constant" ? null : blockOf(value),
    ...(kind === "class" && { bases: basesOf(value), decorators: decoratorsOf(value, node) }),
  };
};

/** `exports.f = function …`, `A.prototype.m = function …`, `A.f = function …` as statements of the file. */
const assigned = (node: Node): Found | undefined => {
  const statement = node.parent;
  const left = node.childForFieldName("left");
  const right = unwrapped(node.childForFieldName("right"));
  const isClass = right?.type === "class";
  if (statement?.type !== "expression_statement" || statement.parent?.type !== "program") {
    return undefined;
  }
  if (left?.type !== "member_expression" || !(isClass || isFunction(right))) return undefined;
  const property = left.childForFieldName("property");
  const holder = fieldText(left, "object") ?? "";
  if (!property || !/^[\w$.]{1,80}$/.test(holder)) return undefined;
  const kind = isClass ? "class" : "function";
  const shared = {
    outer: statement,
    body: blockOf(right),
    kind,
    ...(isClass && { bases: basesOf(right), decorators: decoratorsOf(right, right) }),
  } as const;
  if (holder === "module" && property.text === "exports") {
    const nameNode = right?.childForFieldName("name") ?? property;
    return { ...shared, name: nameNode.text, nameNode };
  }
  const named = { ...shared, name: property.text, nameNode: property };
  if (/^(module\.)?exports$/.test(holder)) {
    return { ...named, key: `exports ${property.text}`, isExported: true };
  }
  const owner = /^(.+)\.prototype$/.exec(holder)?.[1];
  if (owner === undefined) return { ...named, container: holder, key: `static ${property.text}` };
  return { ...named, kind: isClass ? "class" : "method", container: owner, key: property.text };
};

export const scriptDefinitions = {
  function_declaration: declared("function", own),
  generator_function_declaration: declared("function", own),
  class_declaration: declared("class", own),
  method_definition: method,
  variable_declarator: variable,
  assignment_expression: assigned,
  export_statement: defaultExport,
} as const;

export const typedDefinitions = {
  ...scriptDefinitions,
  abstract_class_declaration: declared("class", own),
  function_signature: declared("function", mayMerge),
  interface_declaration: declared("interface", mayMerge),
  internal_module: declared("namespace", mayMerge),
  module: declared("namespace", mayMerge),
  type_alias_declaration: typeAlias,
  enum_declaration: enumeration,
  ambient_declaration: ambient,
  method_signature: method,
  abstract_method_signature: method,
  public_field_definition: field,
  property_signature: propertySignature,
} as const;

export const fieldDefinition = field;
