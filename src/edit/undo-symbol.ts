/** One symbol's part of an edit taken out of it: the file as the edit left it, with that symbol as before. */
import { diffArrays } from "diff";
import {
  type Analysed,
  type Analyser,
  diffRegions,
  type OutlineSymbol,
} from "../structure/index.ts";

/** Undefined when the edit did not change the symbol. */
export const withoutSymbolChange = async (
  analyser: Analyser,
  path: string,
  {
    before,
    after,
    symbol,
  }: { readonly before: Buffer; readonly after: Buffer; readonly symbol: string },
): Promise<Buffer | undefined> => {
  const [old, now] = await Promise.all([
    analyser.outline(before, path),
    analyser.outline(after, path),
  ]);
  if (!isTouched(old, now, symbol)) return undefined;
  const [oldSymbol, newSymbol] = [find(old, symbol), find(now, symbol)];
  const { text } = now.source;
  if (oldSymbol && newSymbol) {
    const { from, to } = newSymbol.span;
    const part = old.source.text.slice(oldSymbol.span.from, oldSymbol.span.to);
    return now.source.encode(text.slice(0, from) + part + text.slice(to));
  }
  const [oldLines, newLines] = [splitLines(old.source.text), splitLines(text)];
  if (newSymbol) {
    const { from, to } = regionOf(linesOf(now, newSymbol), newLines, oldLines);
    return now.source.encode([...newLines.slice(0, from), ...newLines.slice(to)].join(""));
  }
  if (!oldSymbol) return undefined;
  const { from, to, place } = regionOf(linesOf(old, oldSymbol), oldLines, newLines);
  const part = oldLines.slice(from, to);
  const above = newLines.slice(0, place);
  const below = newLines.slice(place);
  const whole = [...endAll(above, oldLines), ...(below.length > 0 ? endAll(part, newLines) : part)];
  return now.source.encode([...whole, ...below].join(""));
};

const isTouched = (old: Analysed, now: Analysed, symbol: string): boolean => {
  const { added, removed, changed } = diffRegions(old, now);
  return [...added, ...removed, ...changed].some(
    (path) => path === symbol || path.startsWith(`${symbol}.`),
  );
};

const find = ({ outline }: Analysed, path: string): OutlineSymbol | undefined => {
  const search = (symbols: readonly OutlineSymbol[]): OutlineSymbol | undefined => {
    for (const one of symbols) {
      const found = one.path === path ? one : search(one.children);
      if (found) return found;
    }
    return undefined;
  };
  return search(outline.symbols);
};

interface LineList {
  /** From 0, the end exclusive. */
  readonly from: number;
  readonly to: number;
}

const linesOf = ({ source }: Analysed, { span }: OutlineSymbol): LineList => ({
  from: source.position(span.from).line - 1,
  to: source.position(Math.max(span.from, span.to - 1)).line,
});

/**
 * A symbol's lines with the blank ones around it that came or went with it, and the place in the other
 * version, which lacks it: behind the nearest line above that is there as well. The symbol itself is left
 * out of the comparison, or its last brace would pass for that of its neighbour.
 */
const regionOf = (
  own: LineList,
  lines: readonly string[],
  others: readonly string[],
): LineList & { readonly place: number } => {
  const rest = [...lines.slice(0, own.from), ...lines.slice(own.to)];
  const kept = keptLines(rest, others);
  let { from, to } = own;
  const isBlankOfIt = (index: number): boolean => {
    const inRest = index < own.from ? index : index - (own.to - own.from);
    return kept[inRest] === undefined && lines[index]?.trim() === "";
  };
  while (from > 0 && isBlankOfIt(from - 1)) from -= 1;
  while (to < lines.length && isBlankOfIt(to)) to += 1;
  let above = from - 1;
  while (above >= 0 && kept[above] === undefined) above -= 1;
  return { from, to, place: above < 0 ? 0 : (kept[above] ?? 0) + 1 };
};

/** For each line its number in the other version; undefined for lines that are not there. */
const keptLines = (lines: readonly string[], others: readonly string[]): (number | undefined)[] => {
  const kept: (number | undefined)[] = [];
  let other = 0;
  for (const { value, added, removed } of diffArrays(lines.map(bare), others.map(bare))) {
    if (added) other += value.length;
    else if (removed) kept.push(...value.map(() => undefined));
    else for (const _line of value) kept.push(other++);
  }
  return kept;
};

const lineEnd = /(?<![\r\n])[\r\n]+$/;

/** The last line of a file may lack its end. */
const bare = (line: string): string => line.replace(lineEnd, "");

/** A last line without an end gets one when others follow it. */
const endAll = (lines: readonly string[], others: readonly string[]): string[] =>
  lines.map((line) => {
    if (/[\r\n]$/.test(line)) return line;
    const [end = "\n"] = lineEnd.exec(lines[0] ?? "") ?? lineEnd.exec(others[0] ?? "") ?? [];
    return line + end;
  });

const splitLines = (text: string): string[] =>
  text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
