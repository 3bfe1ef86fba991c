/**
 * Which function of the project a call means: by the file's own definitions and imports, by `self` and
 * `this`, by a class or a module before the dot. Undefined wherever more than one could be meant.
 */
import type { Analysed } from "../../analyser.ts";
import type { DeclaredParameter, OutlineSymbol, Reference } from "../../types.ts";
import { classAround, classChain } from "../class-chain.ts";
import { isOwnModule } from "../module-names.ts";
import { familyOf } from "../source-facts.ts";
import type { Family, OutlineOf } from "../types.ts";
import type { SymbolUniverse } from "../universe.ts";

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

export interface Callee {
  readonly path: string;
  readonly analysed: Analysed;
  readonly symbol: OutlineSymbol;
  /** Of the class, where a member or a constructor is called. */
  readonly owner?: OutlineSymbol;
  /** Without the one that the language fills in. */
  readonly parameters: readonly DeclaredParameter[];
  readonly hops: readonly Hop[];
}

export interface CallPlace {
  readonly path: string;
  readonly analysed: Analysed;
}

export const findCallee = async (
  { name, receiver, within }: Reference,
  at: CallPlace,
  world: World,
): Promise<Callee | undefined> => {
  if (receiver === undefined) {
    const found = await findDefinition(name, at, world);
    return found && callable(found, world);
  }
  const isPython = familyOf(at.analysed.outline.language) === "python";
  if (isPython ? /^(?:self|cls)$/.test(receiver) : receiver === "this")
    return ownMember(name, within, receiver, at, world);
  if (!/^[\w$.]+$/.test(receiver)) return undefined;
  const module = await moduleNamed(receiver, at, world);
  if (module) {
    const found = await findDefinition(name, module, world);
    return found && callable({ ...found, hops: [...module.hops, ...found.hops] }, world);
  }
  const holder = await findDefinition(receiver, at, world);
  return holder?.symbol.kind === "class" ? classMember(name, holder) : undefined;
};

interface Definition extends CallPlace {
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

/** A function as it is, or a class by its constructor. */
const callable = async (found: Definition, world: World): Promise<Callee | undefined> => {
  const { symbol } = found;
  if (symbol.kind === "class") return constructed(found, world);
  const { parameters } = symbol;
  if (!parameters || !symbol.decorators.every((one) => keepsSignature.test(one))) return undefined;
  return { ...found, parameters };
};

/** Decorators that give back a function with the same parameters. */
const keepsSignature =
  /^(?:\w+\.)*(?:lru_cache|cache|contextmanager|asynccontextmanager|abstractmethod|override|final|no_type_check)\b/;

const constructors = new Set(["__init__", "constructor"]);

const constructed = async (found: Definition, world: World): Promise<Callee | undefined> => {
  const { symbol, path, analysed } = found;
  const isPython = familyOf(analysed.outline.language) === "python";
  if (symbol.decorators.length > 0 || /\bmetaclass\b|\babstract\b/.test(symbol.signature))
    return undefined;
  const chain = await classChain({ path, analysed, symbol }, world.universe, world.outlineOf);
  for (const one of chain.classes) {
    const { children, bases = [], decorators } = one.symbol;
    if (decorators.length > 0 || children.some(({ name }) => name === "__new__")) return undefined;
    if (isPython && bases.some((base) => makesByItself.test(base))) return undefined;
    const isOwn = (base: string): boolean => !isPython || inert.test(base);
    const own = children.filter(({ name }) => constructors.has(name));
    const [maker] = own;
    if (own.length > 1 || (!maker && bases.length > 0 && !bases.every(isOwn))) {
      // Only one line of project classes can be followed to the next constructor.
      if (own.length > 1 || chain.state !== "closed" || bases.length !== 1) return undefined;
      continue;
    }
    if (isPython && chain.state !== "closed") return undefined;
    if (!maker) return isPython || bases.length === 0 ? { ...found, parameters: [] } : undefined;
    const parameters = maker.decorators.length === 0 ? maker.parameters : undefined;
    if (!parameters || (isPython && parameters[0]?.kind === "rest")) return undefined;
    return {
      ...{ path: one.path, analysed: one.analysed, hops: found.hops },
      ...{
        symbol: maker,
        owner: one.symbol,
        parameters: isPython ? parameters.slice(1) : parameters,
      },
    };
  }
  return undefined;
};

/** Bases that leave the making of an object to the class. */
const inert = /^(?:object|(?:abc\.)?ABC|(?:typing\.)?Generic\[.*\])$/;

/** Bases that make the object before the constructor is asked. */
const makesByItself =
  /^(?:\w+\.)*(?:\w*Enum|\w*Flag|NamedTuple|TypedDict|Protocol|type|tuple|str|bytes|int|float|frozenset)\b/;

const ownMember = async (
  name: string,
  within: string,
  receiver: string,
  { path, analysed }: CallPlace,
  { universe, outlineOf }: World,
): Promise<Callee | undefined> => {
  const symbol = classAround(analysed, within);
  if (!symbol) return undefined;
  const family = familyOf(analysed.outline.language);
  const chain = await classChain({ path, analysed, symbol }, universe, outlineOf);
  for (const one of chain.classes) {
    const named = one.symbol.children.filter((child) => child.name === name);
    const [member] = named;
    if (!member) {
      // The next class is the one that is asked next only in a single line of bases.
      if (chain.state !== "closed" || (one.symbol.bases?.length ?? 0) > 1) return undefined;
      continue;
    }
    const parameters = named.length === 1 ? memberParameters(member, receiver, family) : undefined;
    const owned = { symbol: member, owner: one.symbol, hops: [] };
    return parameters && { path: one.path, analysed: one.analysed, ...owned, parameters };
  }
  return undefined;
};

const memberParameters = (
  { kind, parameters, decorators, key = "" }: OutlineSymbol,
  receiver: string,
  family: Family,
): readonly DeclaredParameter[] | undefined => {
  if (kind !== "method" || !parameters) return undefined;
  if (family !== "python")
    return decorators.length === 0 && !key.startsWith("static ") ? parameters : undefined;
  const isStatic = decorators.includes("staticmethod");
  const isOfClass = decorators.includes("classmethod");
  const others = decorators.filter((one) => one !== "staticmethod" && one !== "classmethod");
  if (!others.every((one) => keepsSignature.test(one))) return undefined;
  if (isStatic) return parameters;
  if (receiver !== "self" && !isOfClass) return undefined;
  const [first] = parameters;
  return first && first.kind !== "rest" && !first.isOptional ? parameters.slice(1) : undefined;
};

/** `Class.member(…)`: only of those that belong to the class itself. */
const classMember = (
  name: string,
  { path, analysed, symbol, hops }: Definition,
): Callee | undefined => {
  const named = symbol.children.filter((child) => child.name === name);
  const [member] = named;
  if (!member?.parameters || named.length > 1 || member.kind !== "method") return undefined;
  const found = { path, analysed, symbol: member, owner: symbol, hops };
  if (familyOf(analysed.outline.language) !== "python") {
    const isStatic = member.key?.startsWith("static ") && member.decorators.length === 0;
    return isStatic ? { ...found, parameters: member.parameters } : undefined;
  }
  const [only] = member.decorators;
  if (member.decorators.length !== 1 || (only !== "staticmethod" && only !== "classmethod"))
    return undefined;
  const { parameters } = member;
  return { ...found, parameters: only === "staticmethod" ? parameters : parameters.slice(1) };
};
