import type { Json } from "../base/json.ts";
import { showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";
import { updateFileAtomic, type WriteOptions, type WriteResult } from "./atomic-file.ts";
import { findFrontMatter } from "./front-matter.ts";
import { missing } from "./json-file.ts";
import { setKeyLine } from "./markdown-key-line.ts";
import { loadMarkdown, type Markdown } from "./markdown-outline.ts";
import { setSection } from "./markdown-section.ts";
import { type Parsed, problemError } from "./problem.ts";
import { decodeText, encodeText, splice, type TextContent } from "./text-content.ts";
import { loadYaml, setInYamlText, type Yaml } from "./yaml-text.ts";

export type MarkdownChange =
  /** A key of the front matter; else of a `Key: value` line; else, with `canCreate`, new front matter. */
  | { readonly key: string; readonly value: Json; readonly canCreate?: boolean }
  /** The text of a section: `Title` or `Parent/Child`. */
  | { readonly heading: string; readonly value: string; readonly canCreate?: boolean };

/** Changes one value of a Markdown file; every byte outside of it stays as it is. */
export const setMarkdownValue = async (
  path: string,
  change: MarkdownChange,
  options: Omit<WriteOptions, "expect" | "allowEmpty"> = {},
): Promise<WriteResult> => {
  requireOneLine(change);
  const tools = { markdown: await loadMarkdown(), yaml: await loadYaml() };
  return updateFileAtomic(
    path,
    (bytes) => {
      if (!bytes) throw missing(path);
      const content = decodeText(bytes);
      if (!content) throw problemError("STATE_CORRUPT", path, { message: "not UTF-8 text" });
      const edited = setInMarkdownText(tools, content, change);
      if (!edited.ok) throw problemError("STATE_INVALID", path, edited.problem);
      if (edited.value === undefined) {
        throw missing(path, "key" in change ? `key ${change.key}` : `heading ${change.heading}`);
      }
      return encodeText(edited.value, content);
    },
    options,
  );
};

interface Tools {
  readonly markdown: Markdown;
  readonly yaml: Yaml;
}

/** The text with the value in place; undefined when it has no such key or heading. */
export const setInMarkdownText = (
  tools: Tools,
  content: TextContent,
  change: MarkdownChange,
): Parsed<string | undefined> => {
  const { text } = content;
  const bodyStart = findFrontMatter(text)?.bodyStart ?? 0;
  const inBody = (edited: Parsed<string | undefined>): Parsed<string | undefined> =>
    edited.ok && edited.value !== undefined
      ? { ok: true, value: text.slice(0, bodyStart) + edited.value }
      : edited;
  const body = text.slice(bodyStart);
  const { canCreate = false } = change;
  const place = { eol: content.eol, lineOffset: text.slice(0, bodyStart).split("\n").length - 1 };
  if ("heading" in change) {
    const edit = { ...change, canCreate, ...place };
    return inBody(setSection(tools.markdown, body, edit));
  }
  const existing = setFrontMatter(tools, content, { ...change, canCreate: false });
  if (!existing.ok || existing.value !== undefined) return existing;
  const value = typeof change.value === "string" ? change.value : JSON.stringify(change.value);
  const line = setKeyLine(tools.markdown, body, { key: change.key, value, ...place });
  if (!line.ok || line.value !== undefined) return inBody(line);
  return canCreate ? setFrontMatter(tools, content, { ...change, canCreate }) : line;
};

const setFrontMatter = (
  { yaml }: Tools,
  { text, eol }: TextContent,
  { key, value, canCreate }: { key: string; value: Json; canCreate: boolean },
): Parsed<string | undefined> => {
  const front = findFrontMatter(text);
  if (!front && !canCreate) return { ok: true, value: undefined };
  const range = front ?? { start: 0, end: 0 };
  const edit = { value, canCreate, eol };
  const source = text.slice(range.start, range.end);
  let edited = setInYamlText(yaml, source, { ...edit, keys: [key] });
  // A key with dots in it comes first; else the dots lead into nested values.
  if (edited.ok && edited.value === undefined && key.includes(".")) {
    edited = setInYamlText(yaml, source, { ...edit, keys: key.split(".") });
  }
  if (!edited.ok || edited.value === undefined) return edited;
  const block = front ? edited.value : `---${eol}${edited.value}---${eol}`;
  return { ok: true, value: splice(text, range, block) };
};

const requireOneLine = (change: MarkdownChange): void => {
  const name = "key" in change ? change.key : change.heading;
  if (name.trim() !== "" && !/[\r\n]/.test(name)) return;
  throw new HeadgateError("USAGE", `not a key or heading: ${showText(JSON.stringify(name))}`);
};
