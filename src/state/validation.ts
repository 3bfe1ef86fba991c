import { extname } from "node:path";
import { findFrontMatter } from "./front-matter.ts";
import { unseal } from "./json-envelope.ts";
import { parseJsonText } from "./json-text.ts";
import type { Parsed, Problem } from "./problem.ts";
import { checkSchema, type Schema } from "./schema.ts";
import { decodeText } from "./text-content.ts";
import { loadYaml, parseYamlText, type Yaml } from "./yaml-text.ts";

const contentKinds = ["json", "jsonc", "yaml", "markdown", "text"] as const;
export type ContentKind = (typeof contentKinds)[number];

export interface ContentRules {
  /** Where the name's ending does not tell. */
  readonly kind?: ContentKind;
  readonly schema?: Schema;
  /** The value must lie in a checksummed envelope. Envelopes are verified in any case. */
  readonly hasChecksum?: boolean;
  /** Markdown: keys its front matter must have. */
  readonly frontMatter?: readonly string[];
  /** Markdown and text: a text that must occur. */
  readonly marker?: string;
}

/** By the name's ending; `text` has no rules of its own. */
export const kindOf = (path: string): ContentKind => kinds[extname(path).toLowerCase()] ?? "text";

export type Validator = (
  bytes: Uint8Array,
  kind: ContentKind,
  rules?: ContentRules,
) => Problem | undefined;

/** Loads what the kinds need, then judges without waiting, so that it can be used under a lock. */
export const loadValidator = async (needed: Iterable<ContentKind>): Promise<Validator> => {
  const needsYaml = [...needed].some((kind) => kind === "yaml" || kind === "markdown");
  const yaml = needsYaml ? await loadYaml() : undefined;
  return (bytes, kind, rules = {}) => {
    if (kind === "text") return checkMarker(Buffer.from(bytes).toString("utf8"), rules);
    const content = decodeText(bytes);
    if (!content) return { message: "not UTF-8 text" };
    const { text } = content;
    if (kind === "json" || kind === "jsonc") return checkJson(text, kind, rules);
    if (!yaml) throw new TypeError(`the validator was not loaded for ${kind}`);
    return kind === "yaml" ? checkYaml(yaml, text, rules) : checkMarkdown(yaml, text, rules);
  };
};

/** S-06: the content is what its kind and rules demand. */
export const validateContent = async (
  data: string | Uint8Array,
  kind: ContentKind,
  rules: ContentRules = {},
): Promise<Parsed<undefined>> => {
  const validate = await loadValidator([kind]);
  const problem = validate(typeof data === "string" ? Buffer.from(data) : data, kind, rules);
  return problem ? { ok: false, problem } : { ok: true, value: undefined };
};

const kinds: Readonly<Record<string, ContentKind>> = {
  ".json": "json",
  ".jsonc": "jsonc",
  ".yaml": "yaml",
  ".yml": "yaml",
  ".md": "markdown",
  ".markdown": "markdown",
};

const checkJson = (
  text: string,
  kind: "json" | "jsonc",
  { schema, hasChecksum = false }: ContentRules,
): Problem | undefined => {
  const parsed = parseJsonText(text, { hasComments: kind === "jsonc" });
  if (!parsed.ok) return parsed.problem;
  const unsealed = unseal(parsed.value, { isRequired: hasChecksum });
  return unsealed.ok ? schemaProblem(schema, unsealed.value) : unsealed.problem;
};

const checkYaml = (yaml: Yaml, text: string, { schema }: ContentRules): Problem | undefined => {
  if (text.trim() === "") return { message: "the content is empty", line: 1, column: 1 };
  const parsed = parseYamlText(yaml, text);
  return parsed.ok ? schemaProblem(schema, parsed.value[0]) : parsed.problem;
};

const checkMarkdown = (yaml: Yaml, text: string, rules: ContentRules): Problem | undefined => {
  if (text.trim() === "") return { message: "the content is empty", line: 1, column: 1 };
  if (text.includes("\0")) return { message: "the content has NUL bytes" };
  const front = findFrontMatter(text);
  const required = rules.frontMatter ?? [];
  if (!front) {
    return required.length > 0
      ? { message: `the front matter is missing (${required.join(", ")})`, line: 1, column: 1 }
      : checkMarker(text, rules);
  }
  const parsed = parseYamlText(yaml, text.slice(front.start, front.end));
  if (!parsed.ok) {
    const { line = 1, column = 1, message } = parsed.problem;
    return { message: `front matter: ${message}`, line: line + 1, column };
  }
  const value = parsed.value[0] ?? {};
  const absent = required.find((key) => typeof value !== "object" || !Object.hasOwn(value, key));
  if (absent !== undefined) {
    return { message: `the front matter has no ${absent}`, line: 1, column: 1 };
  }
  return schemaProblem(rules.schema, value) ?? checkMarker(text, rules);
};

const checkMarker = (text: string, { marker }: ContentRules): Problem | undefined =>
  marker === undefined || text.includes(marker)
    ? undefined
    : { message: `the marker ${marker} is missing` };

const schemaProblem = (schema: Schema | undefined, value: unknown): Problem | undefined => {
  const checked = checkSchema(schema, value);
  return checked.ok ? undefined : checked.problem;
};
