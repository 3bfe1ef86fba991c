/**
 * Members that are added to a JSON file of somebody else's, and taken out again. Comments, spacing and
 * foreign members stay byte for byte, and taking out is the exact reverse of adding.
 */
import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import type { Json } from "../../base/json.ts";
import { indentUnit, insertMember, lineIndent, parseJsonText } from "../../state/index.ts";
import { SetupRefusal } from "./types.ts";

export type Member =
  /** A key of an object. */
  | { readonly kind: "key"; readonly keys: readonly string[]; readonly value: Json }
  /** An item of a list. */
  | { readonly kind: "item"; readonly keys: readonly string[]; readonly value: Json };

/** Throws SetupRefusal with the place when the text is no JSON object. */
export const requireObject = (text: string): void => {
  const parsed = parseJsonText(text, { hasComments: true });
  if (!parsed.ok) {
    const { message, line, column } = parsed.problem;
    const place = line === undefined ? "" : ` at line ${line}, column ${column}`;
    throw new SetupRefusal(`it is broken${place}: ${message}`, "Mend the file, then run it again.");
  }
  if (rootOf(text).type !== "object") {
    throw new SetupRefusal("it holds no object", "Make it a JSON object, then run it again.");
  }
};

export const valueAt = (text: string, keys: readonly string[]): unknown => {
  const node = findNodeAtLocation(rootOf(text), [...keys]);
  return node && plainValue(text, node);
};

export const itemsAt = (text: string, keys: readonly string[]): unknown[] => {
  const value = valueAt(text, keys);
  return Array.isArray(value) ? (value as unknown[]) : [];
};

export const addMember = (text: string, member: Member): string => {
  const root = rootOf(text);
  let parent = root;
  for (const [depth, key] of member.keys.entries()) {
    const isLast = depth === member.keys.length - 1;
    const next = findNodeAtLocation(parent, [key]);
    if (next === undefined) {
      const inner = member.keys.slice(depth + 1);
      const end: Json = member.kind === "item" ? [member.value] : member.value;
      const value = inner.reduceRight<Json>((nested, name) => ({ [name]: nested }), end);
      return insert(text, parent, { key, value });
    }
    const wanted = isLast && member.kind === "item" ? "array" : "object";
    if (isLast && member.kind === "key") return replace(text, next, member.value);
    if (next.type !== wanted) {
      const name = member.keys.slice(0, depth + 1).join(".");
      const what = wanted === "array" ? "a list" : "an object";
      throw new SetupRefusal(`${name} is not ${what}`, `Make ${name} ${what}, or remove it.`);
    }
    parent = next;
  }
  return insert(text, parent, { value: member.value });
};

/** Takes out the key, and what contained it if that is empty now and did not exist `before`. */
export const cutKey = (text: string, keys: readonly string[], before?: string): string => {
  const node = findNodeAtLocation(rootOf(text), [...keys]);
  if (!node?.parent?.parent) return text;
  return cutEmpty(cut(text, node.parent.parent, node.parent), keys.slice(0, -1), before);
};

/** Takes out the items that `isOurs` says; in groups that hold others too, only our handlers. */
export const cutItems = (
  text: string,
  keys: readonly string[],
  isOurs: (item: unknown) => boolean,
  before?: string,
): string => {
  let result = text;
  for (;;) {
    const list = findNodeAtLocation(rootOf(result), [...keys]);
    if (list?.type !== "array") return result;
    const found = (list.children ?? []).find((item) => isOurs(plainValue(result, item)));
    if (found) {
      result = cut(result, list, found);
      continue;
    }
    const mixed = mixedHandler(result, list, isOurs);
    if (!mixed) return result === text ? text : cutEmpty(result, keys, before);
    result = cut(result, mixed.list, mixed.handler);
  }
};

/** No key but these, and no comment. */
export const isOnly = (text: string, keys: readonly string[]): boolean => {
  const value = plainValue(text, rootOf(text));
  if (typeof value !== "object" || value === null || /\/[/*]/.test(withoutStrings(text))) {
    return false;
  }
  return Object.keys(value).every((key) => keys.includes(key));
};

const rootOf = (text: string): Node => {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  if (!tree) throw new SetupRefusal("it is empty", "Remove the empty file, then run it again.");
  return tree;
};

const plainValue = (text: string, node: Node): unknown => {
  const parsed = parseJsonText(text.slice(node.offset, node.offset + node.length), {
    hasComments: true,
  });
  return parsed.ok ? parsed.value : undefined;
};

const withoutStrings = (text: string): string => text.replace(/"(?:[^"\\\n]|\\.)*"/g, '""');

const mixedHandler = (
  text: string,
  list: Node,
  isOurs: (item: unknown) => boolean,
): { readonly list: Node; readonly handler: Node } | undefined => {
  for (const group of list.children ?? []) {
    const handlers = findNodeAtLocation(group, ["hooks"]);
    if (handlers?.type !== "array") continue;
    const handler = handlers.children?.find((one) => isOurs(plainValue(text, one)));
    if (handler) return { list: handlers, handler };
  }
  return undefined;
};

const cutEmpty = (text: string, keys: readonly string[], before?: string): string => {
  if (keys.length === 0) return text;
  const node = findNodeAtLocation(rootOf(text), [...keys]);
  const isEmpty = node && (node.children ?? []).length === 0;
  const isForeign = before !== undefined && valueAt(before, keys) !== undefined;
  const inner = node && text.slice(node.offset + 1, node.offset + node.length - 1);
  return isEmpty && !isForeign && inner?.trim() === "" ? cutKey(text, keys, before) : text;
};

/** `part` is a member of `parent`: a property or an item. */
const cut = (text: string, parent: Node, part: Node): string => {
  const children = parent.children ?? [];
  const index = children.indexOf(part);
  const [previous, next] = [children[index - 1], children[index + 1]];
  const end = part.offset + part.length;
  if (previous) {
    const from = previous.offset + previous.length;
    const between = text.slice(from, part.offset);
    if (/^\s*,\s*$/.test(between)) return text.slice(0, from) + text.slice(end);
    // A comment stands there; only the comma goes with our part.
    return text.slice(0, from) + between.replace(",", "") + text.slice(end);
  }
  if (next) {
    const between = text.slice(end, next.offset);
    if (/^\s*,\s*$/.test(between)) return text.slice(0, part.offset) + text.slice(next.offset);
    return text.slice(0, part.offset) + between.replace(",", "") + text.slice(next.offset);
  }
  const head = text.slice(parent.offset + 1, part.offset);
  const from = head.trim() === "" ? parent.offset + 1 : part.offset;
  return text.slice(0, from) + text.slice(end).replace(/^\s*,/, "");
};

const replace = (text: string, node: Node, value: Json): string =>
  text.slice(0, node.offset) +
  valueText(text, value, lineIndent(text, node.offset)) +
  text.slice(node.offset + node.length);

const insert = (
  text: string,
  parent: Node,
  { key, value }: { readonly key?: string; readonly value: Json },
): string =>
  insertMember(text, parent, lineEnd(text), {
    ...(key !== undefined && { key }),
    write: (indent) => (parent.type === "array" ? oneLine(value) : valueText(text, value, indent)),
  });

const valueText = (text: string, value: Json, indent: string): string =>
  text.includes("\n") ? written(value, lineEnd(text) + indent, indentUnit(text)) : oneLine(value);

/** A whole file in the same form. */
export const jsonFile = (value: Json): string => `${written(value, "\n", "  ")}\n`;

/** Objects over several lines, what stands in lists on one: six hooks are six lines, not sixty. */
const written = (value: Json, newLine: string, unit: string): string => {
  if (!isObject(value)) {
    if (!Array.isArray(value) || !value.some(isObject)) return oneLine(value);
    return wrap("[]", value.map(oneLine), newLine, unit);
  }
  const members = Object.entries(value).map(
    ([key, inner]) => `${JSON.stringify(key)}: ${written(inner, newLine + unit, unit)}`,
  );
  return wrap("{}", members, newLine, unit);
};

const wrap = (signs: string, parts: readonly string[], newLine: string, unit: string): string =>
  `${signs[0]}${newLine}${unit}${parts.join(`,${newLine}${unit}`)}${newLine}${signs[1]}`;

const oneLine = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, inner]) => `${JSON.stringify(key)}: ${oneLine(inner)}`,
  );
  return `{ ${members.join(", ")} }`;
};

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const lineEnd = (text: string): string => (/\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n");
