/**
 * A Markdown document with front matter, taken apart into its sections. The roster, the domains and
 * clients' agent files are of this form. What is read is data: nothing in it is followed or run.
 */
import type { Parsed, Problem } from "../state/index.ts";
import { limits } from "../base/limits.ts";

export interface Section {
  readonly level: number;
  readonly title: string;
  /** Of its heading, counted from 1. */
  readonly line: number;
  /** The text up to the next heading, without blank lines around it. */
  readonly body: string;
}

export interface Document {
  readonly meta: Readonly<Record<string, unknown>>;
  readonly sections: readonly Section[];
}

export type ReadDocument = (text: string) => Parsed<Document>;

/** Loads what reading needs; the reader itself then answers at once. */
export const loadDocumentReader = async (): Promise<ReadDocument> => {
  const yaml = await import("yaml");
  return (given) => {
    const text = normalText(given);
    if (Buffer.byteLength(text) > limits.reviewerDocumentBytesMax) {
      return bad(`larger than ${limits.reviewerDocumentBytesMax} bytes`);
    }
    const front = /^---[ \t]*\n((?:[^]*?\n)??)---[ \t]*(?:\n|$)/.exec(text);
    if (!front) return bad("no front matter between two --- lines", 1);
    const parsed = yaml.parseDocument(front[1] ?? "", { uniqueKeys: true });
    const [error] = parsed.errors;
    if (error) return bad(`the front matter is not YAML: ${error.message.split("\n")[0]}`, 1);
    let meta: unknown;
    try {
      meta = parsed.toJS({ maxAliasCount: 10 });
    } catch (cause) {
      return bad(`the front matter is not usable: ${cause instanceof Error ? cause.message : "?"}`);
    }
    if (typeof meta !== "object" || meta === null || Array.isArray(meta)) {
      return bad("the front matter is not a list of keys", 1);
    }
    const lineOffset = front[0].split("\n").length - 1;
    const sections = sectionsOf(text.slice(front[0].length), lineOffset);
    return { ok: true, value: { meta: { ...meta }, sections } };
  };
};

/** Without byte order mark, with line feeds only: what is compared and hashed. */
export const normalText = (text: string): string =>
  text.replace(/^\ufeff/, "").replaceAll(/\r\n?/g, "\n");

export const bad = (message: string, line?: number): { ok: false; problem: Problem } => ({
  ok: false,
  problem: { message, ...(line !== undefined && { line }) },
});

/** The items of a bullet list, each on one line; undefined when something else stands between them. */
export const bulletsOf = (body: string): string[] | undefined => {
  const items: string[] = [];
  for (const line of body.split("\n")) {
    if (line.trim() === "") continue;
    const start = /^- (.*)$/.exec(line);
    if (start) items.push(start[1]?.trim() ?? "");
    else if (/^ {2,}\S/.test(line) && items.length > 0) {
      items.push(`${items.pop() ?? ""} ${line.trim()}`);
    } else return undefined;
  }
  return items.length > 0 ? items : undefined;
};

/** A paragraph as one line. */
export const oneLine = (body: string): string => body.replaceAll(/\s+/g, " ").trim();

const sectionsOf = (text: string, lineOffset: number): Section[] => {
  const sections: (Omit<Section, "body"> & { lines: string[] })[] = [];
  let fence: string | undefined;
  for (const [at, line] of text.split("\n").entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence)) fence = undefined;
    }
    const heading = fence === undefined ? /^(#{1,6}) +(?! )(.*)$/.exec(line) : null;
    if (heading) {
      const [, marks = "", title = ""] = heading;
      const place = { level: marks.length, line: lineOffset + at + 1 };
      sections.push({ ...place, title: title.replace(/(?<! ) +#+$/, "").trim(), lines: [] });
    } else sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ lines, ...rest }) => ({
    ...rest,
    body: lines
      .join("\n")
      .replace(/^(?:[ \t]*\n)+/, "")
      .trimEnd(),
  }));
};
