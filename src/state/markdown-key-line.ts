import { type Markdown, outlineMarkdown } from "./markdown-outline.ts";
import type { Parsed } from "./problem.ts";
import { splice, withLineEnds } from "./text-content.ts";

/**
 * The text with the value of a `Key: value` line replaced (also `**Key:** value` and `- Key: value`).
 * Further lines of a value are indented by four blanks: Markdown takes them for text whatever they say.
 * Lines in code do not count. Undefined when there is no such line.
 */
export const setKeyLine = (
  markdown: Markdown,
  text: string,
  edit: {
    readonly key: string;
    readonly value: string;
    readonly eol: "\n" | "\r\n";
    /** Lines before the text, for messages. */
    readonly lineOffset: number;
  },
): Parsed<string | undefined> => {
  const found = findKeyLines(markdown, text, edit.key);
  const [line, second] = found;
  if (!line) return { ok: true, value: undefined };
  if (second) {
    const lines = found.map((one) => one.number + 1 + edit.lineOffset).join(", ");
    return { ok: false, problem: { message: `${edit.key}: stands on several lines: ${lines}` } };
  }
  const value = edit.value.replace(/(?<![\r\n])[\r\n]+$/, "");
  if (line.isItem && value.includes("\n")) {
    const message = `${edit.key}: is a list item and cannot hold several lines`;
    return { ok: false, problem: { message, line: line.number + 1 + edit.lineOffset, column: 1 } };
  }
  const folded = withLineEnds(value, edit.eol).replaceAll("\n", () => `\n${indent}`);
  const changed = splice(text, line.range, line.needsBlank ? ` ${folded}` : folded);
  return { ok: true, value: changed };
};

interface KeyLine {
  readonly number: number;
  readonly range: { readonly start: number; readonly end: number };
  readonly needsBlank: boolean;
  readonly isItem: boolean;
}

const indent = "    ";

const findKeyLines = (markdown: Markdown, text: string, key: string): readonly KeyLine[] => {
  const { lineStarts, literalLines } = outlineMarkdown(markdown, text);
  const lines = lineStarts.slice(0, -1).map((start, number) => {
    const end = lineStarts[number + 1] ?? text.length;
    return text.slice(start, end).replace(/(?<![\r\n])[\r\n]+$/, "");
  });
  return lines.flatMap((content, number): KeyLine[] => {
    if (literalLines.has(number)) return [];
    const head = keyHead(content, key);
    if (head === undefined) return [];
    const isItem = /^[-*+][ \t]/.test(content) && !content.startsWith("**");
    const last = isItem ? number : lastContinuation(lines, number);
    const lineStart = lineStarts[number] ?? 0;
    const start = lineStart + head.length;
    const lastText = lines[last] ?? "";
    // Two blanks at the end of a line are a line break; they stay.
    const end = Math.max(start, (lineStarts[last] ?? 0) + lastText.trimEnd().length);
    return [{ number, range: { start, end }, needsBlank: !/[ \t]$/.test(head), isItem }];
  });
};

/** What stands before the value, or undefined when the line is not about the key. */
const keyHead = (line: string, key: string): string | undefined => {
  const mark = /^(?:[-*+][ \t]+)?(?:\*\*|__)?/.exec(line)?.[0] ?? "";
  if (!line.startsWith(key, mark.length)) return undefined;
  const rest = line.slice(mark.length + key.length);
  const colon = /^(?:(?:\*\*|__):|:(?:\*\*|__)|:)[ \t]?/.exec(rest)?.[0];
  return colon === undefined ? undefined : mark + key + colon;
};

/** Indented lines behind the first belong to the value; blank ones only between two of them. */
const lastContinuation = (lines: readonly string[], number: number): number => {
  let last = number;
  for (let next = number + 1; lines[next]?.startsWith(indent) === true; next += 1) {
    if (lines[next]?.trim() !== "") last = next;
  }
  return last;
};
