import {
  applyEdits,
  findNodeAtLocation,
  type JSONPath,
  modify,
  type Node,
  parseTree,
} from "jsonc-parser";
import type { Json } from "../base/json.ts";
import { jsonChecksum } from "./json-envelope.ts";
import { listIndex } from "./key-path.ts";
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
  const { text, eol } = content;
  const { node, path } = follow(tree, edit.keys);
  const unit = indentOf(text);
  if (node) {
    const written = JSON.stringify(edit.value, undefined, text.includes("\n") ? unit : undefined);
    const lines = written.split("\n").join(`\n${lineIndent(text, node.offset)}`);
    const range = { start: node.offset, end: node.offset + node.length };
    return splice(text, range, withLineEnds(lines, eol));
  }
  if (!edit.canCreate || path === undefined) return undefined;
  const formattingOptions = { insertSpaces: unit !== "\t", tabSize: unit.length, eol };
  return applyEdits(text, modify(text, path, edit.value, { formattingOptions }));
};

/** The node at the keys, or the path at which it can be created; neither when a scalar is in the way. */
const follow = (tree: Node, keys: readonly string[]): { node?: Node; path?: JSONPath } => {
  const path: JSONPath = [];
  let node: Node | undefined = tree;
  for (const key of keys) {
    if (node?.type === "array") {
      const index = listIndex(key);
      if (index === undefined || index > (node.children?.length ?? 0)) return {};
      path.push(index);
    } else if (node === undefined || node.type === "object") path.push(key);
    else return {};
    node = findNodeAtLocation(tree, path);
  }
  return node ? { node } : { path };
};

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

/** The file's own unit of indentation: the white space before its first indented key. */
const indentOf = (text: string): string => {
  const indent = /\n([ \t]+)["{[\]}]/.exec(text)?.[1] ?? "  ";
  return indent.startsWith("\t") ? "\t" : indent;
};

const lineIndent = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? "";
