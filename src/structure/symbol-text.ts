import type { Analysed } from "./analyser.ts";
import type { OutlineSymbol } from "./types.ts";

/** The whole text of a symbol by its path; undefined when the file has none of that path. */
export const symbolText = ({ outline, source }: Analysed, path: string): string | undefined => {
  const find = (symbols: readonly OutlineSymbol[]): OutlineSymbol | undefined => {
    for (const one of symbols) {
      const found = one.path === path ? one : find(one.children);
      if (found) return found;
    }
    return undefined;
  };
  const symbol = find(outline.symbols);
  return symbol && source.text.slice(symbol.span.from, symbol.span.to);
};
