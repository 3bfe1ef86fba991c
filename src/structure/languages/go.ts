import type { Node } from "web-tree-sitter";
import { fieldNodes, memberCall, namedChildrenOf } from "./nodes.ts";
import { type Found, type FoundImport, type LanguageRules, squeeze } from "./rules.ts";

const isUpper = (name: string): boolean => /^\p{Lu}/u.test(name);

const visibility = (name: string): Pick<Found, "isExported" | "isPrivate"> => ({
  isExported: isUpper(name),
  isPrivate: !isUpper(name),
});

/** Every file may have any number of `init` functions, and `_` names nothing. */
const functionDeclaration = (node: Node): Found | undefined => {
  const nameNode = node.childForFieldName("name");
  if (!nameNode) return undefined;
  const name = nameNode.text;
  return {
    name,
    kind: "function",
    nameNode,
    body: node.childForFieldName("body"),
    key: name === "init" || name === "_" ? undefined : name,
    ...visibility(name),
  };
};

/** The type's own name in `(t *T[K])`. */
const receiverOf = (node: Node): string => {
  const declared = node.childForFieldName("receiver")?.firstNamedChild;
  const text = squeeze(declared?.childForFieldName("type")?.text ?? "");
  return /[\p{L}_][\p{L}\p{N}_]*/u.exec(text)?.[0] ?? "";
};

const methodDeclaration = (node: Node): Found | undefined => {
  const found = functionDeclaration(node);
  if (!found) return undefined;
  const key = found.name === "_" ? undefined : found.name;
  return { ...found, kind: "method", container: receiverOf(node), key };
};

const typeKinds: Readonly<Record<string, Found["kind"]>> = {
  struct_type: "struct",
  interface_type: "interface",
};

/** A declaration of one thing belongs to it whole; in a group each line stands for itself. */
const outerOf = (spec: Node): Node => {
  const holder = spec.parent;
  if (!holder?.type.endsWith("_declaration")) return spec;
  return holder.child(1)?.type === "(" ? spec : holder;
};
const isGrouped = (spec: Node): boolean => spec.parent?.type === "var_spec_list";

const typeSpec = (node: Node): Found[] => {
  const nameNode = node.childForFieldName("name");
  const type = node.childForFieldName("type");
  if (!nameNode) return [];
  const name = nameNode.text;
  const fields = type && namedChildrenOf(type).find((one) => one.type === "field_declaration_list");
  const found: Found = {
    name,
    kind: typeKinds[type?.type ?? ""] ?? "type",
    nameNode,
    outer: outerOf(node),
    body: fields ?? (type?.type === "interface_type" ? type : null),
    key: name === "_" ? undefined : name,
    ...visibility(name),
  };
  return [found, ...(type ? membersOf(type, fields ?? null) : [])];
};

const membersOf = (type: Node, fields: Node | null): Found[] => {
  const scope = fields ?? type;
  return namedChildrenOf(scope).flatMap((node): Found[] => {
    if (node.type === "method_elem") {
      const nameNode = node.childForFieldName("name");
      return nameNode ? [member(nameNode, "method", node, scope)] : [];
    }
    if (node.type !== "field_declaration") return [];
    const names = fieldNodes(node, "name");
    if (names.length > 1) return names.map((one) => member(one, "property", one, scope));
    const nameNode = names[0] ?? embeddedName(node);
    return nameNode ? [member(nameNode, "property", node, scope)] : [];
  });
};

const member = (nameNode: Node, kind: Found["kind"], core: Node, scope: Node): Found => ({
  name: nameNode.text,
  kind,
  nameNode,
  core,
  scope,
  key: nameNode.text === "_" ? undefined : nameNode.text,
  ...visibility(nameNode.text),
});

/** `*pkg.Type[T]` makes a field called `Type`. */
const embeddedName = (node: Node): Node | null => {
  let type = node.childForFieldName("type");
  while (type && type.type !== "type_identifier") {
    type = type.childForFieldName("name") ?? type.childForFieldName("type") ?? type.firstNamedChild;
  }
  return type;
};

/** Package level only: inside functions they are steps of the work. */
const valueSpec =
  (kind: "constant" | "variable") =>
  (node: Node): Found[] => {
    const declaration = isGrouped(node) ? node.parent?.parent : node.parent;
    if (declaration?.parent?.type !== "source_file") return [];
    const names = fieldNodes(node, "name").filter((one) => one.type === "identifier");
    const isAlone = names.length === 1;
    return names.map((nameNode) => ({
      ...member(nameNode, kind, isAlone ? node : nameNode, declaration),
      outer: isAlone ? outerOf(node) : nameNode,
    }));
  };

const importOf = (spec: Node): FoundImport => {
  const from = spec.childForFieldName("path")?.text.slice(1, -1) ?? "";
  const alias = spec.childForFieldName("name")?.text;
  if (alias === "_") return { from, names: [] };
  if (alias === ".") return { from, names: [{ name: "*", as: "*" }] };
  return { from, names: [{ name: "", as: alias ?? packageName(from) }] };
};

/** The usual name of a package: its folder, without a version. */
const packageName = (path: string): string => {
  const parts = path.split("/");
  const last = parts.at(-1) ?? "";
  const name = /^v\d+$/.test(last) ? parts.at(-2) : undefined;
  return (name ?? last).replace(/\.v\d+$/, "");
};

export const go: LanguageRules = {
  id: "go",
  title: "Go",
  grammar: "go",
  level: "full",
  commentTypes: ["comment"],
  scopeTypes: ["block", "field_declaration_list", "interface_type", "expression_case", "type_case"],
  definitions: {
    function_declaration: functionDeclaration,
    method_declaration: methodDeclaration,
    type_spec: typeSpec,
    type_alias: typeSpec,
    const_spec: valueSpec("constant"),
    var_spec: valueSpec("variable"),
  },
  imports: {
    import_declaration: (node) => {
      const only = namedChildrenOf(node).find((one) => one.type === "import_spec");
      return only && importOf(only);
    },
    import_spec: (node) => (node.parent?.type === "import_spec_list" ? importOf(node) : undefined),
  },
  references: {
    call_expression: (node) => {
      const called = node.childForFieldName("function");
      if (called?.type === "identifier") return { name: called.text, kind: "call", at: called };
      if (called?.type !== "selector_expression") return undefined;
      return memberCall(called.childForFieldName("operand"), called.childForFieldName("field"));
    },
  },
  importKey: ({ from }, { as }) => `${from} ${as}`,
  importsOnce: true,
  dynamic: /\breflect\.|\bplugin\.Open\b|^import "C"/m,
  block: "braces",
  lineComment: "//",
};
