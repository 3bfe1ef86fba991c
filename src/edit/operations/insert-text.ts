/**
 * Puts lines beside a symbol, beside a line that is quoted, or at the end of the file. Unlike `add` it
 * leaves no blank lines by itself, and it works on files without structure.
 */
import { HeadgateError } from "../../errors.ts";
import {
  type Outline,
  type OutlineSymbol,
  rulesOf,
  type SourceText,
} from "../../structure/index.ts";
import { fitCode } from "./fit-code.ts";
import { nearest } from "./nearest.ts";
import { occurrences } from "./occurrences.ts";
import { indentAt, lineEnd, lineStart, type Splice } from "./text-lines.ts";

export const insertion = (
  { path, source }: { readonly path: string; readonly source: SourceText },
  outline: Outline,
  { code, before, after }: { code: string; before?: string; after?: string },
): Splice => {
  const { text, lineEnding } = source;
  const fit = (indent: string): string =>
    fitCode(code, {
      language: outline.language,
      block: rulesOf(outline.language)?.block ?? "braces",
      indent,
      unit: undefined,
      lineEnding,
    });
  const anchor = after ?? before;
  if (anchor === undefined) {
    const end = text.length;
    const isOpen = text !== "" && !source.endsWithNewline;
    return { from: end, to: end, text: isOpen ? lineEnding + fit("") : fit("") + lineEnding };
  }
  const { from, to } = anchorOf(path, source, outline, anchor);
  const indent = indentAt(text, from);
  if (after !== undefined) {
    const end = lineEnd(text, to);
    return { from: end, to: end, text: lineEnding + fit(indent) };
  }
  const start = lineStart(text, from);
  return { from: start, to: start, text: fit(indent) + lineEnding };
};

const anchorOf = (
  path: string,
  source: SourceText,
  outline: Outline,
  anchor: string,
): { from: number; to: number } => {
  const all = flat(outline.symbols);
  const named = all.filter((symbol) => symbol.path === anchor);
  if (named[0] && named.length === 1) return named[0].span;
  const quoted = occurrences(source.text, anchor);
  if (quoted.length === 1 && quoted[0]) return quoted[0];
  const lines = quoted.map(({ from }) => source.position(from).line);
  if (quoted.length > 1) {
    throw new HeadgateError(
      "TEXT_NOT_UNIQUE",
      `The text to insert beside is in ${path} ${quoted.length} times: lines ${lines.slice(0, 20).join(", ")}.`,
      { data: { path, lines } },
    );
  }
  const near = nearest(anchor, all, (symbol) => symbol.path, 5).map((symbol) => ({
    symbol: symbol.path,
    line: symbol.range.start.line,
  }));
  const list = near.map(({ symbol, line }) => `${symbol} (line ${line})`).join(", ");
  throw new HeadgateError(
    "SYMBOL_UNKNOWN",
    `${path} has neither a symbol nor a text ${JSON.stringify(anchor.slice(0, 80))}.${list === "" ? "" : ` Nearest: ${list}.`}`,
    { data: { path, symbol: anchor, nearest: near } },
  );
};

const flat = (symbols: readonly OutlineSymbol[]): OutlineSymbol[] =>
  symbols.flatMap((symbol) => [symbol, ...flat(symbol.children)]);
