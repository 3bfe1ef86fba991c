/** Where the project calls a symbol: asked when its signature changes or it goes away. */
import type { Analysed } from "../analyser.ts";
import { languageOf } from "../languages/index.ts";
import { familyOf } from "./source-facts.ts";
import type { OutlineOf } from "./types.ts";
import type { SymbolUniverse } from "./universe.ts";

export interface CallSite {
  readonly path: string;
  readonly line: number;
  readonly within: string;
}

export interface CallSites {
  /** Ordered by path and line, at most as many as asked for. */
  readonly sites: readonly CallSite[];
  readonly hasMore: boolean;
}

/** Files looked into for one name; a name in more of them is too common to say whose it is. */
const filesMax = 200;

/**
 * Calls by that name, whatever stands before the dot: which object it is cannot be told from the text.
 * `symbol` is a path such as `AuthService.login`; a constructor is called by the name of its class.
 */
export const callSites = async (
  symbol: string,
  { path, analysed }: { readonly path: string; readonly analysed: Analysed },
  universe: SymbolUniverse,
  outlineOf: OutlineOf,
  {
    sitesMax = 20,
    also = [],
  }: { readonly sitesMax?: number; readonly also?: readonly string[] } = {},
): Promise<CallSites> => {
  const names = symbol.replaceAll(/~\d+/g, "").split(".");
  const last = names.at(-1) ?? "";
  const isConstructor = last === "__init__" || last === "__new__" || last === "constructor";
  const name = isConstructor ? (names.at(-2) ?? last) : last;
  const isMember = names.length > 1 && !isConstructor;
  const family = familyOf(analysed.outline.language);
  const files = new Set([path, ...also, ...universe.filesWith(name).toSorted()]);
  const sites: CallSite[] = [];
  let looked = 0;
  for (const file of files) {
    if (familyOf(languageOf(file)) !== family) continue;
    if (looked >= filesMax) return { sites, hasMore: true };
    looked += 1;
    const other = await outlineOf(file);
    for (const one of other?.outline.references ?? []) {
      const isCall = one.kind === "member-call" || (one.kind === "call" && !isMember);
      if (one.name !== name || !isCall) continue;
      if (sites.length >= sitesMax) return { sites, hasMore: true };
      sites.push({ path: file, line: one.line, within: one.within });
    }
  }
  return { sites, hasMore: false };
};
