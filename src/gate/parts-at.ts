/**
 * The parts of a file that some of its lines belong to, for those who look: the largest named things that are wholly in them, and for the rest
 * the smallest thing around each line; a region where nothing has a name. The names are those of `held-parts.ts`.
 */
import type { Analysed } from "../structure/index.ts";
import {
  exportedNames,
  importedNames,
  linesIn,
  type LineRange,
  namesFrom,
  survey,
  toRegions,
} from "./held-parts.ts";

interface NamedLines extends LineRange {
  readonly names: readonly string[];
}

/** In the order of the file; asked for several ranges of one file, the names are looked up once. */
export const partsIn = (
  analysed: Analysed,
): ((range: LineRange) => readonly (readonly string[])[]) => {
  const named = namedLines(analysed);
  const lines = analysed.source.text.split("\n");
  return (range) => {
    const inside = named.filter((one) => isIn(one, range));
    const largest = inside.filter(
      (one) => !inside.some((other) => isIn(one, other) && !isIn(other, one)),
    );
    const found: NamedLines[] = [...largest];
    const free: number[] = [];
    for (let line = range.from; line <= range.to; line += 1) {
      const here = { from: line, to: line };
      if (largest.some((one) => isIn(here, one)) || (lines[line - 1] ?? "").trim() === "") continue;
      const smallest = smallestAround(named, here);
      // One line may bring in many names, of which it does not say which was changed.
      if (smallest.length === 0 || smallest.length > sameMax) free.push(line);
      else found.push(...smallest);
    }
    for (const { names } of toRegions(free)) found.push({ names, ...regionLines(names[0]) });
    const byName = new Map(
      found.toSorted((a, b) => a.from - b.from).map(({ names }) => [names.join("\0"), names]),
    );
    return [...byName.values()];
  };
};

const sameMax = 3;

const smallestAround = (named: readonly NamedLines[], here: LineRange): NamedLines[] => {
  const around = named.filter((one) => isIn(here, one));
  const least = Math.min(...around.map(({ from, to }) => to - from));
  return around.filter(({ from, to }) => to - from === least);
};

const isIn = (inner: LineRange, outer: LineRange): boolean =>
  outer.from <= inner.from && inner.to <= outer.to;

const regionLines = (name = ""): LineRange => {
  const [from = 0, to = from] = (name.match(/\d+/g) ?? []).map(Number);
  return { from, to };
};

const namedLines = (analysed: Analysed): NamedLines[] => {
  const { symbols, blocks } = survey(analysed);
  const entries = [
    ...[...importedNames(analysed.outline.imports).values()].map((one) => ({
      ...one,
      as: "import",
    })),
    ...[...exportedNames(analysed).values()].map((one) => ({ ...one, as: "export" })),
  ];
  return [
    ...[...symbols.values()].map((one) => ({
      names: namesFrom(one),
      ...linesIn(one.symbol.range),
    })),
    ...blocks.map(({ names, range }) => ({ names, ...linesIn(range) })),
    ...entries.map(({ as, name, range }) => ({ names: [`${as}:${name}`], ...linesIn(range) })),
  ];
};
