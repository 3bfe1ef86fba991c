/**
 * Sections of a Markdown document by its headings, and the entries of a changelog. Read line by line: headings
 * with `#` count, outside of fenced code.
 */
import type { TitledBlock } from "./types.ts";

export interface DocumentBlock extends TitledBlock {
  readonly kind: "section" | "entry";
}

const isMarkdown = /\.(?:md|mdx|markdown)$/i;
const isChangelog = /(?:^|\/)(?:changelog|changes|history|news|releases?)[^/]*$/i;
const entryLengthMax = 60;

interface OpenBlock {
  readonly kind: DocumentBlock["kind"];
  /** Of the heading; an entry is inside of all of them. */
  readonly depth: number;
  readonly titles: readonly string[];
  readonly from: number;
}

/** Outer ones first; none for other files. */
export const documentSections = (path: string, text: string): readonly DocumentBlock[] => {
  if (!isMarkdown.test(path)) return [];
  const hasEntries = isChangelog.test(path);
  const lines = text.split(/\r\n|\r|\n/);
  const found: DocumentBlock[] = [];
  const open: OpenBlock[] = [];
  const close = (depth: number, line: number): void => {
    while ((open.at(-1)?.depth ?? -1) >= depth) {
      const { kind, titles, from } = open.pop() as OpenBlock;
      const end = { line, column: (lines[line - 1] ?? "").length + 1 };
      found.push({ kind, titles, range: { start: { line: from, column: 1 }, end } });
    }
  };
  let fence: string | undefined;
  lines.forEach((line, index) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence)) fence = undefined;
      return;
    }
    if (fence !== undefined) return;
    const [, signs, words = ""] = /^ {0,3}(#{1,6})[ \t]+(?![ \t])(.*)$/.exec(line) ?? [];
    const title = words.replace(/(?<![ \t#])[ \t#]+$/, "");
    const [, item] = hasEntries ? (/^ {0,1}[-*+][ \t]+(\S.*)$/.exec(line) ?? []) : [];
    if (signs === undefined && item === undefined) return;
    const depth = signs?.length ?? entryDepth;
    close(depth, index);
    const kind = signs === undefined ? "entry" : "section";
    const own = kind === "section" ? title : (item ?? "").trim().slice(0, entryLengthMax).trim();
    open.push({ kind, depth, titles: [...(open.at(-1)?.titles ?? []), own], from: index + 1 });
  });
  close(0, lines.length);
  return found.toSorted((a, b) => a.range.start.line - b.range.start.line);
};

const entryDepth = 7;
