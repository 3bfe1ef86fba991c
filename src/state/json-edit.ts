import { findNodeAtLocation, type JSONPath, type Node, parseTree } from "jsonc-parser";
import type { Json } from "../base/json.ts";
import { jsonChecksum } from "./json-envelope.ts";
import { indentUnit, insertMember, lineIndent } from "./json-layout.ts";
import { listEnd, listIndex } from "./key-path.ts";
import { splice, type TextContent, withLineEnds } from "./text-content.ts";

export interface JsonEdit {
  readonly keys: readonly string[];
  readonly value: Json;
  readonly canCreate: boolean;
}

/**
 * The text with one value replaced; every other byte stays, comments and spacing included. The text
 * must have passed `parseJsonText`. Undefined when the key does not exist and may not be created.
 */
export const setInJsonText = (content: TextContent, edit: JsonEdit): string | undefined => {
  const tree = parseTree(content.text, [], { allowTrailingComma: true });
  if (!tree) return undefined;
  const isEnvelope = hasEnvelopeShape(tree);
  const keys = isEnvelope ? ["value", ...edit.keys] : edit.keys;
  const changed = setValue(content, tree, { ...edit, keys });
  return changed !== undefined && isEnvelope ? renewChecksum(changed) : changed;
};

const setValue = (content: TextContent, tree: Node, edit: JsonEdit): string | undefined => {
  const { text } = content;
  const { node, parent, missing } = follow(tree, edit.keys);
  const isAppended = parent?.type === "array" && missing[0] === listEnd;
  if (node) {
    const range = { start: node.offset, end: node.offset + node.length };
    return splice(text, range, valueText(content, edit.value, lineIndent(text, node.offset)));
  }
  if (parent === undefined || (!edit.canCreate && !isAppended)) return undefined;
  const [key = "", ...inner] = missing;
  const value = inner.reduceRight<Json>((nested, name) => ({ [name]: nested }), edit.value);
  return insertMember(text, parent, content.eol, {
    ...(parent.type !== "array" && { key }),
    write: (indent) => valueText(content, value, indent),
  });
};

const valueText = ({ text, eol }: TextContent, value: Json, indent: string): string => {
  const written = JSON.stringify(
    value,
    undefined,
    text.includes("\n") ? indentUnit(text) : undefined,
  );
  return withLineEnds(written.split("\n").join(`\n${indent}`), eol);
};

interface Followed {
  readonly node?: Node;
  /** The innermost container on the way, if what is missing in it can be created. */
  readonly parent?: Node;
  readonly missing: readonly string[];
}

/** The node at the keys, or where it can be created; neither when a scalar is in the way. */
const follow = (tree: Node, keys: readonly string[]): Followed => {
  const path: JSONPath = [];
  let node = tree;
  for (const [depth, key] of keys.entries()) {
    const missing = keys.slice(depth);
    const index = node.type === "array" ? indexIn(node, key) : key;
    const isFree = node.type === "object" || index === (node.children?.length ?? 0);
    if ((node.type !== "object" && node.type !== "array") || index === undefined)
      return { missing };
    path.push(index);
    const next = findNodeAtLocation(tree, path);
    if (next === undefined) return isFree ? { parent: node, missing } : { missing };
    node = next;
  }
  return { node, missing: [] };
};

const indexIn = ({ children = [] }: Node, key: string): number | undefined =>
  key === listEnd ? children.length : listIndex(key);

const hasEnvelopeShape = (tree: Node): boolean => {
  const keys = (tree.children ?? []).map((property) => property.children?.[0]?.value as unknown);
  const checksum = findNodeAtLocation(tree, ["checksum"])?.value as unknown;
  const isMarked = typeof checksum === "string" && checksum.startsWith("sha256:");
  return tree.type === "object" && keys.length === 2 && keys.includes("value") && isMarked;
};

const renewChecksum = (text: string): string | undefined => {
  const tree = parseTree(text);
  const value = tree && findNodeAtLocation(tree, ["value"]);
  const checksum = tree && findNodeAtLocation(tree, ["checksum"]);
  if (!value || !checksum) return undefined;
  const parsed = JSON.parse(text.slice(value.offset, value.offset + value.length)) as unknown;
  const range = { start: checksum.offset, end: checksum.offset + checksum.length };
  return splice(text, range, JSON.stringify(jsonChecksum(parsed)));
};
