import type { JSONScanner, Node, ParseError } from "jsonc-parser";
import { HeadgateError } from "../errors.ts";
import { type Files, errnoOf, openFlags } from "../base/files.ts";
import type { Json } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { showText } from "../base/text.ts";

export interface JsoncFile {
  readonly path: string;
  readonly value: Json;
  /** `file:line:column` of a key, or of the nearest thing around it that is there. */
  placeOf(keys: readonly (string | number)[]): string;
}

/**
 * Reads a configuration file: undefined when there is none, CONFIG_UNREADABLE when it cannot be used.
 * `noFollow` for a path whose links were resolved before: if it is a link now, it was swapped.
 */
export const readJsoncFile = async (
  path: string,
  options: { readonly files: Files; readonly noFollow: boolean },
): Promise<JsoncFile | undefined> => {
  const bytes = readBounded(path, options);
  if (bytes === undefined) return undefined;
  let text: string;
  try {
    // A byte order mark is dropped by the decoder.
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unreadable(showText(path), "is not UTF-8 text", cause);
  }
  return parseJsonc(path, text);
};

const parseJsonc = async (path: string, text: string): Promise<JsoncFile> => {
  // Loaded only when there is a file to parse. Node sees CommonJS, with the names on `default`; the
  // bundle of the command line has the package's modules instead.
  const library = await import("jsonc-parser");
  const jsonc = library.default ?? library;
  const place = placesIn(path, text);
  checkDepth(jsonc.createScanner(text, true), text, place);
  const errors: ParseError[] = [];
  const root = jsonc.parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error) {
    const problem = jsonc.printParseErrorCode(error.error).replace(/(?<=[a-z])(?=[A-Z])/g, " ");
    throw unreadable(place(error.offset), `is not valid JSON here: ${problem.toLowerCase()}`);
  }
  return {
    path,
    value: root ? toValue(root, place) : {},
    placeOf: (keys) => {
      if (!root) return place(0);
      for (let length = keys.length; length > 0; length -= 1) {
        const node = jsonc.findNodeAtLocation(root, keys.slice(0, length));
        const shown = node?.parent?.type === "property" ? node.parent : node;
        if (shown) return place(shown.offset);
      }
      return place(root.offset);
    },
  };
};

const unreadable = (place: string, problem: string, cause?: unknown) =>
  new HeadgateError("CONFIG_UNREADABLE", `${place} ${problem}`, { data: { place }, cause });

type Place = (offset: number) => string;

const placesIn =
  (path: string, text: string): Place =>
  (offset) => {
    const before = text.slice(0, offset);
    const line = before.split("\n").length;
    return `${showText(path)}:${line}:${offset - before.lastIndexOf("\n")}`;
  };

/** The parser calls itself for every level, so the levels are counted before it runs. */
const checkDepth = (scanner: JSONScanner, text: string, place: Place): void => {
  let depth = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const offset = scanner.getTokenOffset();
    const first = text.charAt(offset);
    if (first === "{" || first === "[") depth += 1;
    if (first === "}" || first === "]") depth -= 1;
    if (depth > limits.configDepthMax) throw unreadable(place(offset), "is nested too deeply");
  }
};

const toValue = (node: Node, place: Place): Json => {
  if (node.type === "array") return (node.children ?? []).map((child) => toValue(child, place));
  if (node.type !== "object") return node.value as Json;
  const result: Record<string, Json> = {};
  for (const { offset, children } of node.children ?? []) {
    const [key, value] = children ?? [];
    if (!key || !value) throw unreadable(place(offset), "is not valid JSON here");
    const name = String(key.value);
    if (name === "__proto__") throw unreadable(place(offset), "uses the key __proto__");
    if (Object.hasOwn(result, name)) {
      // Programs differ in which of the two counts, so neither does.
      throw unreadable(place(offset), `has the key ${JSON.stringify(showText(name))} twice`);
    }
    result[name] = toValue(value, place);
  }
  return result;
};

const readBounded = (
  path: string,
  { files, noFollow }: { readonly files: Files; readonly noFollow: boolean },
): Uint8Array | undefined => {
  const shown = showText(path);
  try {
    // Asked first, because opening a pipe would wait for a writer.
    const stat = files.statFollowing(path);
    if (!stat) return undefined;
    if (!stat.isFile()) throw unreadable(shown, "is not a plain file");
    const fd = files.open(path, openFlags.read | (noFollow ? openFlags.noFollow : 0));
    try {
      const bytes = new Uint8Array(Math.min(stat.size, limits.configFileBytesMax) + 1);
      let length = 0;
      // Ends when the bytes are full, too: nothing is read into an empty rest.
      for (let count = -1; count !== 0; length += count) {
        count = files.read(fd, bytes.subarray(length), 0);
      }
      if (length > limits.configFileBytesMax) {
        throw unreadable(shown, `is larger than ${limits.configFileBytesMax} bytes`);
      }
      if (length > stat.size) throw unreadable(shown, "was changed while it was read");
      return bytes.subarray(0, length);
    } finally {
      files.close(fd);
    }
  } catch (cause) {
    if (HeadgateError.isInstance(cause)) throw cause;
    throw unreadable(shown, `cannot be read: ${errnoOf(cause) ?? "unexpected error"}`, cause);
  }
};
