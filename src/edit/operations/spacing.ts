/** How many blank lines a file leaves between neighbours. */
import type { OutlineSymbol } from "../../structure/index.ts";
import type { Document } from "./document.ts";

/** Blocks are functions, classes and whatever takes several lines; the rest is listed densely. */
export const blankLinesBetween = (
  document: Document,
  siblings: readonly OutlineSymbol[],
  { isBlock, isTop }: { readonly isBlock: boolean; readonly isTop: boolean },
): number => {
  const here = habitOf(document, siblings, isBlock);
  if (here !== undefined) return here;
  const elsewhere = isTop ? undefined : habitOfMembers(document, isBlock);
  if (elsewhere !== undefined) return elsewhere;
  if (!isBlock) return 0;
  return isTop && document.language === "python" ? 2 : 1;
};

const habitOf = (
  document: Document,
  siblings: readonly OutlineSymbol[],
  isBlock: boolean,
): number | undefined => mostCommon(gapsOf(document, siblings, isBlock));

const habitOfMembers = (document: Document, isBlock: boolean): number | undefined =>
  mostCommon(
    document.outline.symbols.flatMap(({ children }) => gapsOf(document, children, isBlock)),
  );

const gapsOf = (
  document: Document,
  siblings: readonly OutlineSymbol[],
  isBlock: boolean,
): number[] => {
  const gaps: number[] = [];
  for (const [index, symbol] of siblings.entries()) {
    const before = siblings[index - 1];
    if (!before || isBlockSymbol(before) !== isBlock || isBlockSymbol(symbol) !== isBlock) continue;
    const between = document.text.slice(before.span.to, symbol.span.from);
    if (!/^[ \t]*(?:\r\n|\r|\n)\s*$/.test(between)) continue;
    gaps.push((between.match(/\r\n|\r|\n/g)?.length ?? 1) - 1);
  }
  return gaps;
};

export const isBlockSymbol = ({ range }: OutlineSymbol): boolean =>
  range.end.line > range.start.line;

const mostCommon = (values: readonly number[]): number | undefined => {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0];
};
