/** Who calls what an edit takes away or gives another signature: told, so that the callers can follow. */
import { callSites, type OutlineOf, type OutlineSymbol } from "../../structure/index.ts";
import type { FileCase } from "../file-case.ts";
import type { ManyRule } from "../judge.ts";
import type { ProjectNames } from "../project-names.ts";
import { type Finding, findingsMax } from "./rule.ts";

export interface SignaturesContext {
  readonly universe: ProjectNames;
  readonly outlineOf: OutlineOf;
}

const sitesMax = 20;

export const signatures =
  ({ universe: open, outlineOf }: SignaturesContext): ManyRule =>
  async (cases) => {
    const concerned = cases.flatMap((one) => concernedSymbols(one));
    if (concerned.length === 0) return [];
    const universe = await open([], cases);
    const edited = new Map(cases.map((one) => [one.path, one.after]));
    const outlines: OutlineOf = async (path) =>
      edited.has(path) ? edited.get(path) : outlineOf(path);
    const found: Finding[] = [];
    for (const { one, symbol, isRemoved } of concerned) {
      if (!one.before) continue;
      if (isRemoved && cases.some((other) => isStillThere(other, symbol))) continue;
      const at = { path: one.path, analysed: one.before };
      const also = cases.map(({ path }) => path);
      const { sites, hasMore } = await callSites(symbol.path, at, universe, outlines, {
        sitesMax,
        also,
      });
      if (sites.length === 0) continue;
      const list = sites.map(({ path, line }) => `${path}:${line}`).join(", ");
      const count = `${sites.length}${hasMore ? " or more" : ""} call${sites.length === 1 ? "" : "s"}`;
      found.push({
        level: "remark",
        code: isRemoved ? "SYMBOL_REMOVED" : "SIGNATURE_CHANGED",
        path: one.path,
        symbol: symbol.path,
        message: isRemoved
          ? `'${symbol.path}' is gone; ${count} by that name: ${list}${hasMore ? ", …" : ""}`
          : `'${symbol.path}' has another signature; ${count} by that name: ${list}${hasMore ? ", …" : ""}`,
        remedy: "Look at these calls and change them where they mean it.",
      });
      if (found.length >= findingsMax) break;
    }
    return found;
  };

interface Concerned {
  readonly one: FileCase;
  readonly symbol: OutlineSymbol;
  readonly isRemoved: boolean;
}

const concernedSymbols = (one: FileCase): Concerned[] => {
  const [removed, resigned] = [new Set(one.regions.removed), new Set(one.regions.resigned)];
  const found: Concerned[] = [];
  const visit = (symbols: readonly OutlineSymbol[]): void => {
    for (const symbol of symbols) {
      const isFunction = ["function", "method", "constructor"].includes(symbol.kind);
      const isRemoved = removed.has(symbol.path);
      if (
        isRemoved ? isFunction || symbol.kind === "class" : isFunction && resigned.has(symbol.path)
      )
        found.push({ one, symbol, isRemoved });
      // What is inside of something removed goes with it.
      if (!isRemoved) visit(symbol.children);
    }
  };
  visit(one.before?.outline.symbols ?? []);
  return found;
};

/** Moved to another place or file of the same proposal under its own name. */
const isStillThere = ({ regions }: FileCase, { name }: OutlineSymbol): boolean =>
  regions.added.some((path) => path.replace(/~\d+$/, "").split(".").at(-1) === name);
