import type * as YamlModule from "yaml";
import type { Document, Node, Pair, Range, Scalar, YAMLMap, YAMLSeq } from "yaml";
import type { Json } from "../base/json.ts";
import { listEnd, listIndex } from "./key-path.ts";
import type { Parsed, Problem } from "./problem.ts";
import { positionAt, splice } from "./text-content.ts";

/** The library costs a third of a start; load it once, before anything is locked. */
export const loadYaml = (): Promise<Yaml> => import("yaml");
export type Yaml = typeof YamlModule;

/** Every document of the text as plain values; duplicate keys, `__proto__` and alias bombs are refused. */
export const parseYamlText = (yaml: Yaml, text: string): Parsed<unknown[]> => {
  try {
    const documents = [yaml.parseAllDocuments(text, { uniqueKeys: true })].flat() as Document[];
    for (const document of documents) {
      const problem = findProblem(yaml, document, text);
      if (problem) return { ok: false, problem };
    }
    return { ok: true, value: documents.map((document) => document.toJS() as unknown) };
  } catch (error) {
    return { ok: false, problem: asProblem(error) };
  }
};

export interface YamlEdit {
  readonly keys: readonly string[];
  readonly value: Json;
  readonly canCreate: boolean;
  readonly eol: string;
}

/**
 * The text with one value replaced; every other byte stays. Undefined when the key does not exist and
 * may not be created. The result is parsed again and must say exactly what was asked.
 */
export const setInYamlText = (
  yaml: Yaml,
  text: string,
  edit: YamlEdit,
): Parsed<string | undefined> => {
  try {
    const document = yaml.parseDocument(text, { uniqueKeys: true }) as Document;
    const problem = findProblem(yaml, document, text);
    if (problem) return { ok: false, problem };
    const changed = editDocument(yaml, document, text, edit);
    if (changed === undefined) return { ok: true, value: undefined };
    const again = yaml.parseDocument(changed, { uniqueKeys: true });
    const wanted = withValue(document.toJS() ?? {}, edit.keys, edit.value);
    const isExact = again.errors.length === 0 && isSame(again.toJS(), wanted);
    if (isExact) return { ok: true, value: changed };
    const message = `${edit.keys.join(".")} cannot be set without changing other values`;
    return { ok: false, problem: { message } };
  } catch (error) {
    return { ok: false, problem: asProblem(error) };
  }
};

/** A value on one line: plain where no reader can misunderstand it, else in JSON's notation. */
const yamlScalar = (value: Json, isQuoted = false): string => {
  if (typeof value !== "string") return JSON.stringify(value);
  if (!isQuoted && plainText.test(value) && !reserved.test(value)) return value;
  return JSON.stringify(value).replace(unprintable, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, "0")}`;
  });
};

const plainText = /^[\p{L}](?:[\p{L}\p{N}_ ./()-]*[\p{L}\p{N}_./()])?$/u;
// Words that YAML 1.1 or 1.2 readers take for something else than text.
const reserved = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i;
const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

const editDocument = (
  yaml: Yaml,
  document: Document,
  text: string,
  edit: YamlEdit,
): string | undefined => {
  let node: unknown = document.contents;
  for (const [depth, key] of edit.keys.entries()) {
    const isLast = depth === edit.keys.length - 1;
    if (yaml.isMap(node)) {
      const pair = node.items.find((item) => keyText(yaml, item) === key);
      if (!pair) return edit.canCreate ? addPair(text, node as YAMLMap, edit, depth) : undefined;
      if (isLast) return replaceValue(yaml, text, pair as Pair<Node, Node | null>, edit.value);
      node = pair.value;
    } else if (yaml.isSeq(node)) {
      if (isLast && key === listEnd) return addItem(text, node as YAMLSeq<Node>, edit);
      const item = node.items[listIndex(key) ?? -1] as Node | undefined;
      if (!yaml.isNode(item)) return undefined;
      if (isLast) return replaceNode(yaml, text, item, edit.value);
      node = item;
    } else if (node === null && depth === 0 && edit.canCreate) {
      const gap = text === "" || text.endsWith("\n") ? "" : edit.eol;
      return `${text}${gap}${newPair(edit, 0)}${edit.eol}`;
    } else return undefined;
  }
  return undefined;
};

const replaceValue = (
  yaml: Yaml,
  text: string,
  pair: Pair<Node, Node | null>,
  value: Json,
): string => {
  const keyEnd = rangeOf(pair.key)[1];
  const colon = text.indexOf(":", keyEnd);
  const current = pair.value;
  if (current && isInline(yaml, text, current, colon))
    return replaceNode(yaml, text, current, value);
  // A value on lines of its own, or none: it goes behind the colon instead.
  const end = current ? trimmedEnd(text, rangeOf(current)[1], colon + 1) : colon + 1;
  return splice(text, { start: colon + 1, end }, ` ${yamlScalar(value)}`);
};

const replaceNode = (yaml: Yaml, text: string, node: Node, value: Json): string => {
  const [start, valueEnd] = rangeOf(node);
  const isQuoted = yaml.isScalar(node) && String((node as Scalar).type).startsWith("QUOTE_");
  return splice(
    text,
    { start, end: trimmedEnd(text, valueEnd, start) },
    yamlScalar(value, isQuoted),
  );
};

/** Scalars and flow collections that begin on the key's line and carry no anchor or tag before them. */
const isInline = (yaml: Yaml, text: string, node: Node, colon: number): boolean => {
  const [start, end] = rangeOf(node);
  if (start === end) return false;
  const isBlockScalar = yaml.isScalar(node) && String((node as Scalar).type).startsWith("BLOCK_");
  const isBlock = yaml.isCollection(node) && node.flow !== true;
  return !isBlockScalar && !isBlock && /^[ \t]+$/.test(text.slice(colon + 1, start));
};

const addPair = (text: string, map: YAMLMap, edit: YamlEdit, depth: number): string => {
  const last = map.items.at(-1) as Pair<Node, Node | null> | undefined;
  if (map.flow === true || !last) {
    const brace = rangeOf(map)[1] - 1;
    const at = trimmedEnd(text, brace, 0);
    return splice(text, { start: at, end: at }, `${last ? ", " : ""}${newPair(edit, depth)}`);
  }
  const start = rangeOf(last.key)[0];
  const indent = text.slice(text.lastIndexOf("\n", start - 1) + 1, start).replace(/[^ ]/g, " ");
  const contentEnd = trimmedEnd(text, rangeOf(last.value ?? last.key)[1], start);
  const lineEnd = /\r?\n|$/.exec(text.slice(contentEnd));
  const at = contentEnd + (lineEnd?.index ?? 0);
  return splice(text, { start: at, end: at }, `${edit.eol}${indent}${newPair(edit, depth)}`);
};

const addItem = (text: string, { items, flow, range }: YAMLSeq<Node>, edit: YamlEdit): string => {
  const last = items.at(-1);
  const value = yamlScalar(edit.value);
  if (flow === true || !last) {
    const at = trimmedEnd(text, (range?.[1] ?? 1) - 1, 0);
    return splice(text, { start: at, end: at }, `${last ? ", " : ""}${value}`);
  }
  const [start, valueEnd] = rangeOf(last);
  const dash = text.lastIndexOf("-", start - 1);
  const indent = text.slice(text.lastIndexOf("\n", dash) + 1, dash).replace(/[^ ]/g, " ");
  const contentEnd = trimmedEnd(text, valueEnd, start);
  const lineEnd = /\r?\n|$/.exec(text.slice(contentEnd));
  const at = contentEnd + (lineEnd?.index ?? 0);
  return splice(text, { start: at, end: at }, `${edit.eol}${indent}- ${value}`);
};

const newPair = ({ keys, value }: YamlEdit, depth: number): string => {
  const [key = "", ...rest] = keys.slice(depth);
  const nested = rest.reduceRight<Json>((inner, name) => ({ [name]: inner }), value);
  return `${yamlScalar(key)}: ${yamlScalar(nested)}`;
};

const rangeOf = (node: Node): Range => {
  if (!node.range) throw new SyntaxError("a value has no place in the text");
  return node.range;
};

const trimmedEnd = (text: string, end: number, start: number): number =>
  start + text.slice(start, end).trimEnd().length;

const keyText = (yaml: Yaml, pair: Pair): string | undefined =>
  yaml.isScalar(pair.key) ? String(pair.key.value) : undefined;

const findProblem = (yaml: Yaml, document: Document, text: string): Problem | undefined => {
  const [error] = document.errors;
  if (error) {
    const message = error.message.split("\n")[0]?.replace(/ at line \d+, column \d+:?$/, "") ?? "";
    return { message: `not YAML: ${message}`, ...positionAt(text, error.pos[0]) };
  }
  let problem: Problem | undefined;
  yaml.visit(document, {
    Pair: (_, pair) => {
      if (keyText(yaml, pair) !== "__proto__") return undefined;
      problem = { message: "the key __proto__ is not allowed" };
      return yaml.visit.BREAK;
    },
  });
  return problem;
};

/** The library throws on alias bombs and on nesting deeper than the stack; both are the text's fault. */
const asProblem = (error: unknown): Problem => {
  if (error instanceof RangeError) return { message: "nested too deeply" };
  if (error instanceof ReferenceError || error instanceof SyntaxError) {
    return { message: error.message };
  }
  throw error;
};

/** What the document must say afterwards. */
const withValue = (value: unknown, [key, ...rest]: readonly string[], leaf: Json): unknown => {
  if (key === undefined) return leaf;
  const copy = (
    Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }
  ) as Record<string, unknown>;
  const place = Array.isArray(copy) && key === listEnd ? copy.length : key;
  copy[place] = withValue(copy[place], rest, leaf);
  return copy;
};

const isSame = (left: unknown, right: unknown): boolean =>
  JSON.stringify(left) === JSON.stringify(right);
