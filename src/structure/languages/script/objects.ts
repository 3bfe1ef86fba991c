/**
 * Object literals. Their functions are shown where the object is a module's own (a table of handlers, a
 * component's options); of plain keys only those that stand twice, or data tables would drown the outline.
 */
import type { Node } from "web-tree-sitter";
import { hasChild, namedChildrenOf } from "../nodes.ts";
import type { Found } from "../rules.ts";
import { blockOf, isFunction, isModuleLevel, memberName, unwrapped } from "./names.ts";

interface Entry {
  readonly found: Found;
  readonly name: string;
  readonly access: "get" | "set" | "data";
  readonly isFunction: boolean;
}

export const objectEntries = (node: Node): Found[] | undefined => {
  if (!node.isNamed) return undefined;
  const entries = namedChildrenOf(node).flatMap((one) => entryOf(one) ?? []);
  if (entries.length === 0) return undefined;
  const byName = Map.groupBy(entries, ({ name }) => name);
  const isShown = isOwnObject(node);
  return entries.flatMap((entry) => {
    const key = keyAmong(entry, byName.get(entry.name) ?? []);
    return key !== undefined || (isShown && entry.isFunction) ? [{ ...entry.found, key }] : [];
  });
};

/** A getter and a setter make one property; everything else of one name overwrites. */
const keyAmong = ({ name, access }: Entry, twins: readonly Entry[]): string | undefined => {
  if (twins.length < 2) return undefined;
  if (twins.some((one) => one.access === "data")) return name;
  return twins.filter((one) => one.access === access).length > 1 ? `${access} ${name}` : undefined;
};

const entryOf = (node: Node): Entry | undefined => {
  const isMethod = node.type === "method_definition";
  if (!isMethod && node.type !== "pair" && node.type !== "shorthand_property_identifier") {
    return undefined;
  }
  const named =
    node.type === "shorthand_property_identifier"
      ? node
      : node.childForFieldName(isMethod ? "name" : "key");
  if (!named) return undefined;
  const { name, nameNode, key } = memberName(named);
  if (key === undefined) return undefined;
  const value = isMethod ? node : unwrapped(node.childForFieldName("value"));
  const holdsFunction = isMethod || isFunction(value);
  const isGetter = isMethod && hasChild(node, "get");
  const isSetter = isMethod && hasChild(node, "set");
  // Only `__proto__: x` sets the prototype; the other forms make a property of that name.
  const isPlain = node.type === "pair" && named.type !== "computed_property_name";
  return {
    name: key === "__proto__" && !isPlain ? "own __proto__" : key,
    access: isGetter ? "get" : isSetter ? "set" : "data",
    isFunction: holdsFunction,
    found: {
      name,
      kind: isGetter ? "getter" : isSetter ? "setter" : holdsFunction ? "method" : "key",
      nameNode,
      core: node,
      body: holdsFunction ? blockOf(value) : null,
    },
  };
};

/** The value of a module's own variable or of its export, or handed to the one call that makes it. */
const isOwnObject = (node: Node): boolean => {
  let inner: Node = node;
  let { parent } = node;
  while (parent && unwrapped(parent)?.id === inner.id) [inner, parent] = [parent, parent.parent];
  if (parent?.type === "arguments" && parent.parent?.type === "call_expression") {
    ({ parent } = parent.parent);
  }
  if (parent?.type === "variable_declarator") return isModuleLevel(parent.parent?.parent ?? null);
  if (parent?.type === "export_statement") return true;
  if (parent?.type !== "assignment_expression") return false;
  return parent.childForFieldName("left")?.text === "module.exports";
};
