/** What a JavaScript or TypeScript file brings in and lets out. */
import type { Node } from "web-tree-sitter";
import { hasChild, namedChildrenOf } from "../nodes.ts";
import { fieldText, type FoundImport, squeeze } from "../rules.ts";
import { isFunction, unwrapped } from "./names.ts";

type Names = { name: string; as: string }[];

const stringValue = (node: Node | null): string => node?.text.slice(1, -1) ?? "";

const specifier = (node: Node): { name: string; as: string } => {
  const [name, alias] = [node.childForFieldName("name"), node.childForFieldName("alias")];
  const read = (one: Node): string => (one.type === "string" ? stringValue(one) : one.text);
  const original = name ? read(name) : "";
  return { name: original, as: alias ? read(alias) : original };
};

export const importStatement = (node: Node): FoundImport => {
  const isTypeOnly = hasChild(node, "type");
  const required = namedChildrenOf(node).find((one) => one.type === "import_require_clause");
  const source = (required ?? node).childForFieldName("source");
  const names: Names = [];
  const clause = required ?? namedChildrenOf(node).find((one) => one.type === "import_clause");
  for (const child of clause ? namedChildrenOf(clause) : []) {
    if (child.type === "identifier") {
      names.push({ name: required ? "*" : "default", as: child.text });
    } else if (child.type === "namespace_import") {
      names.push({ name: "*", as: child.lastNamedChild?.text ?? "" });
    } else if (child.type === "named_imports") {
      const all = namedChildrenOf(child).filter((one) => one.type === "import_specifier");
      names.push(...all.map(specifier));
    }
  }
  return { from: stringValue(source), names, ...(isTypeOnly && { isTypeOnly }) };
};

/** `import Short = Long.Name` inside TypeScript namespaces. */
export const importAlias = (node: Node): FoundImport => ({
  from: squeeze(node.lastNamedChild?.text ?? ""),
  names: [{ name: "*", as: node.firstNamedChild?.text ?? "" }],
});

/** The module that `require("x")`, `import("x")`, `helper(require("x"))` or `require("x").y` loads. */
const loadedBy = (value: Node | null): { from: string; name: string } | undefined => {
  const node = unwrapped(value);
  if (node?.type === "await_expression") return loadedBy(node.firstNamedChild);
  if (node?.type === "member_expression") {
    const inner = loadedBy(node.childForFieldName("object"));
    const name = fieldText(node, "property");
    return inner?.name === "*" && name !== undefined ? { from: inner.from, name } : undefined;
  }
  if (node?.type !== "call_expression") return undefined;
  const called = node.childForFieldName("function");
  const given = node.childForFieldName("arguments")?.firstNamedChild ?? null;
  if (called?.type === "import" || called?.text === "require") {
    return given?.type === "string" ? { from: stringValue(given), name: "*" } : undefined;
  }
  const isHelper = /^(\w+\.)?(__import\w+|__toESM|_interop\w+)$/.test(called?.text ?? "");
  return isHelper ? loadedBy(given) : undefined;
};

/** `const { a, b: c } = require("x"), d = require("y")`; undefined unless all of it loads something. */
export const requiredBy = (declaration: Node): FoundImport[] | undefined => {
  const all = namedChildrenOf(declaration).filter((one) => one.type === "variable_declarator");
  const found = all.flatMap((one): FoundImport[] => {
    const loaded = loadedBy(one.childForFieldName("value"));
    const target = one.childForFieldName("name");
    if (!loaded || !target) return [];
    if (target.type === "identifier") {
      return [{ from: loaded.from, names: [{ name: loaded.name, as: target.text }] }];
    }
    return target.type === "object_pattern"
      ? [{ from: loaded.from, names: namedChildrenOf(target).flatMap(patternName) }]
      : [];
  });
  return found.length > 0 && found.length === all.length ? found : undefined;
};

const patternName = (node: Node): Names => {
  if (node.type === "shorthand_property_identifier_pattern") {
    return [{ name: node.text, as: node.text }];
  }
  if (node.type !== "pair_pattern") return [];
  return [{ name: fieldText(node, "key") ?? "", as: fieldText(node, "value") ?? "" }];
};

export const requireDeclaration = (node: Node): FoundImport[] | undefined =>
  node.parent?.type === "export_statement" ? undefined : requiredBy(node);

/** `require("x");` for its effects. */
export const requireStatement = (node: Node): FoundImport | undefined => {
  const loaded = loadedBy(node.firstNamedChild);
  return loaded && { from: loaded.from, names: [] };
};

/** `import("x")` deep inside of something; at module level only whole statements are imports. */
export const dynamicImport = (node: Node): FoundImport | undefined => {
  if (node.childForFieldName("function")?.type !== "import") return undefined;
  const loaded = loadedBy(node);
  if (!loaded) return undefined;
  for (let around = node.parent; around; around = around.parent) {
    if (inside.has(around.type)) return { from: loaded.from, names: [] };
    if (/^(lexical|variable)_declaration$/.test(around.type) && requireDeclaration(around)) break;
    if (around.type === "expression_statement" && requireStatement(around)) break;
  }
  return undefined;
};

const inside = new Set([
  "statement_block",
  "arrow_function",
  "arguments",
  "object",
  "array",
  "class_body",
]);

type Exported = { name: string; from?: string }[];

export const exportStatement = (node: Node): Exported => {
  if (node.parent?.type !== "program") return [];
  const source = node.childForFieldName("source");
  const from = source ? { from: stringValue(source) } : {};
  const children = namedChildrenOf(node);
  const clause = children.find((one) => one.type === "export_clause");
  if (clause) {
    const all = namedChildrenOf(clause).filter((one) => one.type === "export_specifier");
    return all.map((one) => ({ name: specifier(one).as, ...from }));
  }
  const namespace = children.find((one) => one.type === "namespace_export");
  if (namespace) return [{ name: namespace.lastNamedChild?.text ?? "", ...from }];
  if (source) return [{ name: "*", ...from }];
  // Overload signatures and interfaces may share the default with the one thing that has a body.
  const shared = ["function_signature", "interface_declaration"];
  const declared = node.childForFieldName("declaration")?.type ?? "";
  if (hasChild(node, "default")) return shared.includes(declared) ? [] : [{ name: "default" }];
  return hasChild(node, "=") ? [{ name: "default" }] : [];
};

/** `exports.a = b`, `module.exports = { a, b: c }`; functions and classes are exported as symbols. */
export const commonExports = (node: Node): Exported => {
  const statement = node.parent;
  if (statement?.type !== "expression_statement" || statement.parent?.type !== "program") return [];
  const left = fieldText(node, "left") ?? "";
  const right = unwrapped(node.childForFieldName("right"));
  const name = /^(?:module\.)?exports\.([\w$]+)$/.exec(left)?.[1];
  if (name !== undefined) {
    const isSymbol = isFunction(right) || right?.type === "class";
    return isSymbol || right?.text === "void 0" ? [] : [{ name }];
  }
  if (left !== "module.exports") return [];
  if (right?.type !== "object") return [{ name: "default" }];
  return namedChildrenOf(right).flatMap((one) => {
    if (one.type === "shorthand_property_identifier") return [{ name: one.text }];
    const key = one.childForFieldName("key") ?? one.childForFieldName("name");
    return key ? [{ name: key.type === "string" ? stringValue(key) : key.text }] : [];
  });
};
