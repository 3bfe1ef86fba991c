/**
 * Additions of two sides at one place of a file whose structure is known. Definitions, imports, re-exports and tests
 * are wholes: each is kept, and what both added alike is there once. Of other text (statements, comments) only the
 * lines of a list can be brought together; the order of statements is their writer's to choose.
 */
import type { Analysed } from "./analyser.ts";
import type { Range } from "./types.ts";
import { type Inserted, type JoinInserted, saysSomething, splitLines } from "./merge.ts";

export const joinUnits = (ours: Analysed, theirs: Analysed): JoinInserted => {
  const [mine, other] = [findUnits(ours), findUnits(theirs)];
  return (own, foreign) => {
    const [pieces, first] = [cutIntoPieces(own, mine), cutIntoPieces(foreign, other)];
    if (!pieces || !first) return undefined;
    const known = new Set(first.map(({ text }) => text));
    const news = pieces.filter(({ text }) => !known.has(text));
    const names = new Set(first.map(({ name }) => name));
    if (news.some(({ name }) => name !== undefined && names.has(name))) return undefined;
    const isOnlyLists = [...news, ...first].every(({ isUnit, text }) => isUnit || isListItem(text));
    const isLooseOnBoth = [news, first].every((side) => side.some(({ isUnit }) => !isUnit));
    if (isLooseOnBoth && !isOnlyLists) return undefined;
    return [...first, ...news].flatMap(({ lines }) => lines);
  };
};

/** Lines at module level that belong to no whole, as often as they stand there. */
export const looseLines = (analysed: Analysed): ReadonlyMap<string, number> => {
  const covered = new Set(
    findUnits(analysed).flatMap(({ from, to }) =>
      Array.from({ length: to - from }, (_, index) => from + index),
    ),
  );
  const counts = new Map<string, number>();
  for (const [index, line] of splitLines(analysed.source.text).entries()) {
    if (covered.has(index) || !saysSomething(line)) continue;
    counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1);
  }
  return counts;
};

/** Lines from (inclusive) to (exclusive), counted from 0. */
interface Whole {
  readonly from: number;
  readonly to: number;
  /** Two units of one name cannot stand together. */
  readonly name?: string;
}

const findUnits = ({ outline }: Analysed): Whole[] => {
  const units: Whole[] = [];
  const push = ({ start, end }: Range, name?: string): void => {
    const to = end.column === 1 ? end.line - 1 : end.line;
    units.push({ from: start.line - 1, to, ...(name !== undefined && { name }) });
  };
  const visit = (symbols: typeof outline.symbols): void => {
    for (const { range, path, children } of symbols) {
      push(range, `symbol ${path}`);
      visit(children);
    }
  };
  visit(outline.symbols);
  for (const { range } of outline.imports) push(range);
  for (const { range, from } of outline.exports) if (from !== undefined) push(range);
  for (const { range, titles } of outline.tests ?? []) push(range, `test ${titles.join("\0")}`);
  return units.toSorted((a, b) => a.from - b.from || b.to - a.to);
};

interface AddedPart {
  readonly lines: readonly string[];
  /** Without the blank lines around it. */
  readonly text: string;
  readonly isUnit: boolean;
  readonly name?: string;
}

/** Undefined where an addition begins or ends inside of a whole: then it is not known what it is. */
const cutIntoPieces = (
  { lines, at }: Inserted,
  units: readonly Whole[],
): AddedPart[] | undefined => {
  const end = at + lines.length;
  const pieces: AddedPart[] = [];
  let blank: string[] = [];
  let next = at;
  while (next < end) {
    const line = lines[next - at] ?? "";
    if (line.trim() === "") {
      blank.push(line);
      next += 1;
      continue;
    }
    const here = next;
    const unit = units.find(({ from, to }) => from <= here && here < to && !isAround(from, to));
    if (unit && (unit.from < here || unit.to > end)) return undefined;
    const to = unit?.to ?? here + 1;
    const own = lines.slice(here - at, to - at);
    pieces.push({
      lines: [...blank, ...own],
      text: own.join("").trim(),
      isUnit: unit !== undefined,
      ...(unit?.name !== undefined && { name: unit.name }),
    });
    blank = [];
    next = to;
  }
  return withBlanksAfter(pieces, blank);

  /** A class around an added method, say. */
  function isAround(from: number, to: number): boolean {
    return from < at && to >= end;
  }
};

/** Where the addition ends in blank lines, each piece ends in them. */
const withBlanksAfter = (pieces: readonly AddedPart[], last: readonly string[]): AddedPart[] => {
  if (last.length === 0) return [...pieces];
  return pieces.map((piece, index) => {
    const isBlank = (line: string): boolean => line.trim() === "";
    const own = piece.lines.slice(piece.lines.findIndex((line) => !isBlank(line)));
    const before = pieces[index + 1]?.lines.findIndex((line) => !isBlank(line)) ?? 0;
    const after = pieces[index + 1]?.lines.slice(0, before) ?? last;
    const lead = index === 0 ? piece.lines.slice(0, piece.lines.length - own.length) : [];
    return { ...piece, lines: [...lead, ...own, ...after] };
  });
};

const isListItem = (text: string): boolean => /,$|^[-*+] /.test(text);
