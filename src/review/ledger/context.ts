/**
 * By what a finding is known again: what it says (a linter's rule, or the words of its title) together with
 * the text of the cited line and of what is around it. Line numbers and paths are not part of it, so a moved
 * block or a renamed file keeps its findings.
 */
import { sha256 } from "../../base/sha256.ts";
import type { OutlineSymbol } from "../../structure/index.ts";
import { symbolAt } from "../report/resolve-places.ts";
import { readWords } from "../synthesis/words.ts";
import type { Finding } from "../types.ts";

export interface Context {
  /** From the surest to the least sure. */
  readonly keys: readonly string[];
  readonly lineHash: string | null;
  readonly symbol: string | null;
}

export interface Source {
  /** Without white space; one entry per line. */
  readonly lines: readonly string[];
  readonly symbols: readonly OutlineSymbol[];
}

export const readSource = (text: string, symbols: readonly OutlineSymbol[] = []): Source => ({
  lines: text.split(/\r\n?|\n/).map(squeeze),
  symbols,
});

export const squeeze = (line: string): string => line.replace(/\s+/gu, "");

export const hashLine = (squeezed: string): string => sha256(squeezed).slice(0, hashLength);

export const contextOf = (finding: Finding, source: Source | undefined): Context => {
  const { rule, title, path = "", section = "", line } = finding;
  const said = rule === undefined ? `words ${wordsOf(title)}` : `rule ${rule}`;
  const cited = line === undefined ? "" : (source?.lines[line - 1] ?? "");
  if (!source || line === undefined || cited === "") {
    return { keys: [keyOf("place", [said, path, section])], lineHash: null, symbol: null };
  }
  const around = [nextText(source.lines, line - 1, -1), nextText(source.lines, line - 1, 1)];
  const symbol = symbolAt(source.symbols, line);
  return {
    keys: [
      keyOf("lines", [said, cited, ...around]),
      ...(symbol === undefined ? [] : [keyOf("symbol", [said, cited, symbol])]),
    ],
    lineHash: hashLine(cited),
    symbol: symbol ?? null,
  };
};

const hashLength = 32;

const keyOf = (form: string, parts: readonly string[]): string =>
  `${form}:${sha256(JSON.stringify(parts)).slice(0, hashLength)}`;

/** Stemmed and sorted: order, number and small words of a title are chance. */
const wordsOf = (title: string): string => [...readWords(title).counts.keys()].toSorted().join(" ");

/** The nearest line with something in it. */
const nextText = (lines: readonly string[], from: number, step: 1 | -1): string => {
  for (let at = from + step; at >= 0 && at < lines.length; at += step) {
    if (lines[at] !== "") return lines[at] ?? "";
  }
  return "";
};
