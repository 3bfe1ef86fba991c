/** What became of a file, for the writer to go on with: no need to read it again (E-01). */
import { hash } from "node:crypto";
import type { JudgedCase } from "../gate/index.ts";
import type { OutlineSymbol } from "../structure/index.ts";
import type { OutlineDelta } from "./types.ts";

export const outlineDelta = ({ file }: JudgedCase): OutlineDelta => {
  const { path, regions, before, after, afterBytes } = file;
  const [old, now] = [linesOf(before?.outline.symbols), linesOf(after?.outline.symbols)];
  const entry = (symbol: string, change: OutlineDelta["symbols"][number]["change"]) => {
    const lines = now.get(symbol);
    return { path: symbol, change, ...(lines && { lines }) };
  };
  const touched = new Set([...regions.added, ...regions.changed, ...regions.removed]);
  const moved = [...now].filter(
    ([symbol, [from]]) => !touched.has(symbol) && old.get(symbol)?.[0] !== from,
  );
  return {
    path,
    hash: afterBytes ? hash("sha256", afterBytes) : null,
    symbols: [
      ...regions.added.map((symbol) => entry(symbol, "added")),
      ...regions.changed.map((symbol) => entry(symbol, "changed")),
      ...regions.removed.map((symbol) => entry(symbol, "removed")),
      ...moved.map(([symbol]) => entry(symbol, "moved")),
    ],
  };
};

const linesOf = (
  symbols: readonly OutlineSymbol[] = [],
): Map<string, readonly [number, number]> => {
  const found = new Map<string, readonly [number, number]>();
  const visit = ({ path, range, children }: OutlineSymbol): void => {
    found.set(path, [range.start.line, range.end.line]);
    children.forEach(visit);
  };
  symbols.forEach(visit);
  return found;
};
