/**
 * Members that a class gets from those it is put together with: a mixin calls what its host defines, and
 * only the class that inherits from both has all of it.
 */
import type { Analysed } from "../analyser.ts";
import type { OutlineSymbol, Reference } from "../types.ts";
import { classAround, classChain } from "./class-chain.ts";
import type { OutlineOf } from "./types.ts";
import type { SymbolUniverse } from "./universe.ts";

/** Classes looked at; more of them are no longer "all relatives", so the answer is yes. */
const classesMax = 50;

/** Whether a class that inherits from the one around this call, or its other bases, has the member. */
export const isDefinedByRelatives = async (
  { name, within }: Pick<Reference, "name" | "within">,
  { path, analysed }: { readonly path: string; readonly analysed: Analysed },
  universe: SymbolUniverse,
  outlineOf: OutlineOf,
): Promise<boolean> => {
  const own = classAround(analysed, within);
  if (!own) return true;
  const todo = [own.name];
  const seen = new Set(todo);
  for (let base = todo.shift(); base !== undefined; base = todo.shift()) {
    for (const file of new Set([path, ...universe.filesWith(base)])) {
      const other = file === path ? analysed : await outlineOf(file);
      if (!other) continue;
      for (const symbol of classesOf(other.outline.symbols)) {
        if (!symbol.bases?.some((one) => isNamed(one, base))) continue;
        const chain = await classChain(
          { path: file, analysed: other, symbol },
          universe,
          outlineOf,
        );
        if (chain.state === "open") return true;
        if (chain.classes.some((one) => one.symbol.children.some((child) => child.name === name)))
          return true;
        if (seen.has(symbol.name)) continue;
        seen.add(symbol.name);
        if (seen.size > classesMax) return true;
        todo.push(symbol.name);
      }
    }
  }
  return false;
};

const isNamed = (written: string, name: string): boolean =>
  written
    .replace(/[[<(][^]*$/, "")
    .split(".")
    .at(-1)
    ?.trim() === name;

function* classesOf(symbols: readonly OutlineSymbol[]): Generator<OutlineSymbol> {
  for (const symbol of symbols) {
    if (symbol.kind === "class") yield symbol;
    yield* classesOf(symbol.children);
  }
}
