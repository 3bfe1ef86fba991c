/** The one symbol that a path names; several or none are told with what was probably meant. */
import { HeadgateError } from "../../errors.ts";
import type { OutlineSymbol } from "../../structure/index.ts";
import type { Document } from "./document.ts";
import { nearest } from "./nearest.ts";

/** A symbol with the list it stands in and what that list belongs to. */
export interface Found {
  readonly symbol: OutlineSymbol;
  readonly parent: OutlineSymbol | undefined;
  readonly siblings: readonly OutlineSymbol[];
}

/**
 * `name` alone must be the only one: twins are named `name~1`, `name~2`, and `name@line` is understood. With `inside`, a name is looked
 * for there first, so that `after: "login"` is enough beside `into: "AuthService"`.
 */
export const findSymbol = (document: Document, path: string, inside?: string): Found => {
  const all = everySymbol(document);
  const wanted = inside === undefined ? [path] : [`${inside}.${path}`, path];
  for (const one of wanted) {
    const found = matching(all, one);
    if (found.length > 1) throw ambiguous(document, path, found);
    if (found[0]) return found[0];
  }
  throw unknown(document, path, all);
};

export const everySymbol = (document: Document): Found[] => {
  const found: Found[] = [];
  const walk = (siblings: readonly OutlineSymbol[], parent: OutlineSymbol | undefined): void => {
    for (const symbol of siblings) {
      found.push({ symbol, parent, siblings });
      walk(symbol.children, symbol);
    }
  };
  walk(document.outline.symbols, undefined);
  return found;
};

const twinMark = /~\d+(?=\.|$)/g;

const matching = (all: readonly Found[], path: string): Found[] => {
  const [, name = path, line] = /^(.*)@(\d+)$/.exec(path) ?? [];
  const found = named(all, name);
  return line === undefined
    ? found
    : found.filter(({ symbol: { range } }) => range.start.line === Number(line));
};

const named = (all: readonly Found[], path: string): Found[] => {
  if (path.search(twinMark) >= 0) {
    const exact = path.replaceAll(/~1(?=\.|$)/g, "");
    return all.filter(({ symbol }) => symbol.path === exact);
  }
  return all.filter(({ symbol }) => symbol.path.replaceAll(twinMark, "") === path);
};

const ambiguous = (document: Document, path: string, found: readonly Found[]): HeadgateError => {
  const shown = found.map(({ symbol }) => {
    const { line } = symbol.range.start;
    const isFirst = symbol.path.search(twinMark) < 0;
    const hasEqual = found.some((one) => one.symbol !== symbol && one.symbol.path === symbol.path);
    // A member declared inside and defined outside has one path twice.
    const name = hasEqual ? `${symbol.path}@${line}` : isFirst ? `${symbol.path}~1` : symbol.path;
    return { symbol: name, line };
  });
  const list = shown.map(({ symbol, line }) => `${symbol} (line ${line})`).join(", ");
  return new HeadgateError(
    "SYMBOL_AMBIGUOUS",
    `${document.path} has ${found.length} symbols called ${path}: ${list}.`,
    { data: { path: document.path, symbol: path, candidates: shown } },
  );
};

const unknown = (document: Document, path: string, all: readonly Found[]): HeadgateError => {
  const last = path.slice(path.lastIndexOf(".") + 1);
  // The same name elsewhere is more likely meant than another name nearby.
  const sameName = all.filter(({ symbol }) => symbol.name === last).slice(0, 5);
  const others = nearest(path, all, ({ symbol }) => symbol.path, 5);
  const near = [...new Set([...sameName, ...others])].slice(0, 5);
  const shown = near.map(({ symbol }) => ({ symbol: symbol.path, line: symbol.range.start.line }));
  const list = shown.map(({ symbol, line }) => `${symbol} (line ${line})`).join(", ");
  const hint = [list === "" ? "" : `Nearest: ${list}.`, existing(all)].filter(Boolean).join(" ");
  return new HeadgateError(
    "SYMBOL_UNKNOWN",
    `${document.path} has no symbol called ${path}. ${hint}`,
    { data: { path: document.path, symbol: path, nearest: shown } },
  );
};

/** Who misses a name looks for one of these. */
const existing = (all: readonly Found[]): string => {
  if (all.length === 0) return "It has no symbols.";
  const names = [...new Set(all.map(({ symbol }) => symbol.path))];
  const more = names.length > namesMax ? `, and ${names.length - namesMax} more` : "";
  return `It has: ${names.slice(0, namesMax).join(", ")}${more}.`;
};

const namesMax = 30;
