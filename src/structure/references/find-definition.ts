/** Which definition of the project a name means: by the file's own definitions, its imports and re-exports. */
import type { Analysed } from "../analyser.ts";
import type { OutlineSymbol } from "../types.ts";
import { isOwnModule } from "./module-names.ts";
import { familyOf } from "./source-facts.ts";
import type { OutlineOf } from "./types.ts";
import type { SymbolUniverse } from "./universe.ts";

/** The project in one state: as it is, or as it will be. */
export interface World {
  readonly universe: SymbolUniverse;
  readonly outlineOf: OutlineOf;
}

/** A name that must have one meaning in its file for the answer to hold. */
export interface Hop {
  readonly path: string;
  readonly analysed: Analysed;
  readonly name: string;
}

export interface CallPlace {
  readonly path: string;
  readonly analysed: Analysed;
}

export interface Definition extends CallPlace {
  readonly symbol: OutlineSymbol;
  readonly hops: readonly Hop[];
}

const hopsMax = 5;

/** The one function or class that a name means at the top of a file. */
export const findDefinition = async (
  name: string,
  { path, analysed }: CallPlace,
  world: World,
  depth = 0,
): Promise<Definition | undefined> => {
  const hops = [{ path, analysed, name }];
  const { symbols, imports, exports } = analysed.outline;
  const own = symbols.filter((one) => one.name === name);
  const brought = imports.filter(({ names }) => names.some(({ as }) => as === name));
  if (own.length + brought.length > 1) return undefined;
  const [symbol] = own;
  if (symbol) {
    const isPlain = symbol.scope === "" && ["function", "class"].includes(symbol.kind);
    return isPlain ? { path, analysed, symbol, hops } : undefined;
  }
  if (depth >= hopsMax) return undefined;
  const [one] = brought;
  const there = one?.names.find(({ as }) => as === name)?.name;
  const passedOn = exports.filter((each) => each.name === name && each.from !== undefined);
  const from = one?.from ?? (passedOn.length === 1 ? passedOn[0]?.from : undefined);
  if (from === undefined || there === "" || there === "*" || there === "default") return undefined;
  if (!one && isRenamed(name, analysed)) return undefined;
  const target = await fileNamed(from, { path, analysed }, world);
  const found = target && (await findDefinition(there ?? name, target, world, depth + 1));
  return found && { ...found, hops: [...hops, ...found.hops] };
};

/** `export { other as name } from`. */
const isRenamed = (name: string, { source }: Analysed): boolean =>
  new RegExp(String.raw`\bas\s+${name.replaceAll("$", String.raw`\$`)}\b`).test(source.text);

const fileNamed = async (
  module: string,
  { path, analysed }: CallPlace,
  { universe, outlineOf }: World,
): Promise<CallPlace | undefined> => {
  const family = familyOf(analysed.outline.language);
  const target = universe.resolve(module, path, family);
  if (target.kind !== "project" || target.path === undefined) return undefined;
  const isSure =
    family === "python"
      ? isImportable(module, target.path, universe)
      : isOnly(target.path, universe);
  const other = isSure ? await outlineOf(target.path) : undefined;
  return other && { path: target.path, analysed: other };
};

const withoutEnding = (path: string): string => path.replace(/(?:\/index)?(?:\.d)?\.\w+$/, "");

/** No second file answers to the same module name. */
const isOnly = (path: string, universe: SymbolUniverse): boolean => {
  const wanted = withoutEnding(path);
  for (const { path: other, family } of universe.files()) {
    if (family === "script" && other !== path && withoutEnding(other) === wanted) return false;
  }
  return true;
};

/** A whole name is looked for from the folders that programs start in, not from inside of a package. */
const isImportable = (module: string, path: string, universe: SymbolUniverse): boolean => {
  if (module.startsWith(".")) return true;
  if (isOwnModule(module.split(".")[0] ?? "", "python")) return false;
  const tail = `${module.replaceAll(".", "/")}`;
  const stem = path.replace(/(?:\/__init__)?\.pyi?$/, "");
  if (stem !== tail && !stem.endsWith(`/${tail}`)) return false;
  const start = stem.slice(0, Math.max(0, stem.length - tail.length - 1));
  if (start !== "" && universe.file(`${start}/__init__.py`)) return false;
  for (const { path: other, family } of universe.files()) {
    if (family !== "python" || other === path) continue;
    const name = other.replace(/(?:\/__init__)?\.pyi?$/, "");
    if (name === tail || name.endsWith(`/${tail}`)) return false;
  }
  return true;
};

/** `import m`, `import * as m`, `from pkg import m`. */
export const moduleNamed = async (
  receiver: string,
  at: CallPlace,
  world: World,
): Promise<(CallPlace & { readonly hops: readonly Hop[] }) | undefined> => {
  const { imports, symbols } = at.analysed.outline;
  if (symbols.some(({ name }) => name === receiver)) return undefined;
  const fitting = imports.flatMap(({ from, names }) =>
    names.flatMap(({ name, as }) => (as === receiver ? [{ from, name }] : [])),
  );
  const [one] = fitting;
  if (!one || fitting.length > 1) return undefined;
  const isPython = familyOf(at.analysed.outline.language) === "python";
  const isModule = one.name === "" || one.name === "*";
  if (!isModule && !isPython) return undefined;
  const inside = one.from.endsWith(".") ? `${one.from}${one.name}` : `${one.from}.${one.name}`;
  const target = await fileNamed(isModule ? one.from : inside, at, world);
  const [head = receiver] = receiver.split(".");
  return target && { ...target, hops: [{ ...at, name: head }] };
};
