/**
 * Whether all members of a class can be seen: it and everything it inherits from stand in source that was
 * read, and nothing there makes members at run time.
 */
import type { Analysed } from "../analyser.ts";
import type { OutlineSymbol } from "../types.ts";
import { answersAnything, dynamicPackages, makesNames } from "./dynamic-code.ts";
import { isOwnModule } from "./module-names.ts";
import { familyOf } from "./source-facts.ts";
import type { Family, OutlineOf } from "./types.ts";
import type { SymbolUniverse } from "./universe.ts";

export interface ClassPlace {
  readonly path: string;
  readonly analysed: Analysed;
  readonly symbol: OutlineSymbol;
}

export interface ClassChain {
  /** closed: all in project source; known: some in library source; open: cannot be said, and why. */
  readonly state: "closed" | "known" | "open";
  readonly why?: string;
  /** The class itself first. */
  readonly classes: readonly ClassPlace[];
}

export const classChain = async (
  start: ClassPlace,
  universe: SymbolUniverse,
  outlineOf: OutlineOf,
): Promise<ClassChain> => {
  const classes: ClassPlace[] = [];
  const todo = [start];
  const seen = new Set<string>();
  let isKnownOnly = false;
  const open = (why: string): ClassChain => ({ state: "open", why, classes });
  for (let place = todo.shift(); place; place = todo.shift()) {
    const id = `${place.path}\0${place.symbol.path}`;
    if (seen.has(id)) continue;
    seen.add(id);
    classes.push(place);
    const why = opennessOf(place) ?? changedElsewhere(place, universe);
    if (why !== undefined) return open(why);
    for (const base of place.symbol.bases ?? []) {
      const found = await resolveBase(base, place, universe, outlineOf);
      if (found === "inert") continue;
      if (found === "library") isKnownOnly = true;
      else if (typeof found === "string") return open(found);
      else todo.push(found);
    }
  }
  return { state: isKnownOnly ? "known" : "closed", classes };
};

const opennessOf = ({ analysed, symbol }: ClassPlace): string | undefined => {
  const family = familyOf(analysed.outline.language);
  if (family === "python" && /\bmetaclass\s*=|\*/.test(symbol.signature)) {
    return `'${symbol.name}' is made by a metaclass`;
  }
  const decorator = symbol.decorators.find((one) => !inertDecorators.test(one));
  if (decorator !== undefined) return `'${symbol.name}' is changed by the decorator ${decorator}`;
  const text = analysed.source.text.slice(symbol.span.from, symbol.span.to);
  const isOpen = makesNames(text, family) || answersAnything(text);
  return isOpen ? `'${symbol.name}' makes members at run time` : undefined;
};

/** A file that speaks of the class and makes attributes may make them for it. */
const changedElsewhere = (
  { path, symbol }: ClassPlace,
  universe: SymbolUniverse,
): string | undefined => {
  const other = universe
    .filesWith(symbol.name)
    .find((file) => file !== path && universe.file(file)?.patchesOthers);
  return other === undefined ? undefined : `${other} may add members to '${symbol.name}'`;
};

const inertDecorators =
  /^(?:(?:dataclasses|functools|typing|typing_extensions|enum)\.)?(?:dataclass|total_ordering|final|runtime_checkable|unique)\b/;

const resolveBase = async (
  base: string,
  { path, analysed }: ClassPlace,
  universe: SymbolUniverse,
  outlineOf: OutlineOf,
): Promise<ClassPlace | "inert" | "library" | (string & {})> => {
  const family = familyOf(analysed.outline.language);
  const name = base.replace(/[[<(][^]*$/, "").trim();
  if (inertBases[family].has(name.slice(name.lastIndexOf(".") + 1))) return "inert";
  const unseen = `the base class '${base}' could not be followed`;
  if (!/^[\w$.]+$/.test(name) || /[(]/.test(base)) return unseen;
  const own = classNamed(analysed, name);
  if (own) return { path, analysed, symbol: own };
  const place = await imported(name, path, analysed, family, universe, outlineOf);
  return place ?? unseen;
};

/** By way of the file's imports: `Base`, `module.Base`, and one re-export further on. */
const imported = async (
  name: string,
  path: string,
  analysed: Analysed,
  family: Family,
  universe: SymbolUniverse,
  outlineOf: OutlineOf,
  depth = 0,
): Promise<ClassPlace | "library" | undefined> => {
  const parts = name.split(".");
  const [head = ""] = parts;
  for (const one of analysed.outline.imports) {
    for (const { name: there, as } of one.names) {
      const isModule = there === "" || there === "*";
      const local = as === "" ? one.from : as;
      const isHere = isModule ? name.startsWith(`${local}.`) : local === head;
      if (!isHere) continue;
      const wanted = isModule ? name.slice(local.length + 1) : [there, ...parts.slice(1)].join(".");
      const target = universe.resolve(one.from, path, family);
      if (target.kind === "package") {
        const found = universe.library(family).packages.get(target.name);
        const isAnything = found?.answersAnything && !isOwnModule(target.name, family);
        return isAnything || dynamicPackages.has(target.name) ? undefined : "library";
      }
      if (target.kind === "unknown" || target.path === undefined) return undefined;
      const other = await outlineOf(target.path);
      if (!other) return undefined;
      const symbol = classNamed(other, wanted);
      if (symbol) return { path: target.path, analysed: other, symbol };
      if (depth >= 3) return undefined;
      return imported(wanted, target.path, other, family, universe, outlineOf, depth + 1);
    }
  }
  return undefined;
};

/** The one class of that name in the file, at the top or inside another one. */
export const classNamed = ({ outline }: Analysed, name: string): OutlineSymbol | undefined => {
  const found: OutlineSymbol[] = [];
  const visit = (symbols: readonly OutlineSymbol[]): void => {
    for (const symbol of symbols) {
      if (symbol.kind !== "class") continue;
      if (symbol.path.replace(/~\d+/g, "") === name) found.push(symbol);
      visit(symbol.children);
    }
  };
  visit(outline.symbols);
  return found.length === 1 ? found[0] : undefined;
};

/** The innermost class around a place, and whether the path in between is only its own methods. */
export const classAround = ({ outline }: Analysed, within: string): OutlineSymbol | undefined => {
  let level = outline.symbols;
  let found: OutlineSymbol | undefined;
  for (;;) {
    const next = level.find((one) => one.path === within || within.startsWith(`${one.path}.`));
    if (!next) return found;
    if (next.kind === "class") found = next;
    level = next.children;
  }
};

/** Bases of the languages' own libraries that make no members. */
const inertBases: Readonly<Record<Family, ReadonlySet<string>>> = {
  python: new Set(
    `object ABC Generic Protocol Exception BaseException ValueError TypeError KeyError RuntimeError OSError
    IOError AttributeError LookupError IndexError NotImplementedError StopIteration ArithmeticError Warning
    UserWarning ImportError AssertionError dict list set frozenset tuple str bytes bytearray int float bool
    type Enum IntEnum StrEnum Flag IntFlag NamedTuple TypedDict`.split(/\s+/),
  ),
  script: new Set(
    `Object Error TypeError RangeError SyntaxError Array Map Set WeakMap WeakSet Promise EventEmitter
    EventTarget Event`.split(/\s+/),
  ),
  other: new Set(),
};
