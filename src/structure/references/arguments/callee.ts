/**
 * Which function of the project a call means: by the file's own definitions and imports, by `self` and
 * `this`, by a class or a module before the dot. Undefined wherever more than one could be meant.
 */
import type { Analysed } from "../../analyser.ts";
import type { DeclaredParameter, OutlineSymbol, Reference } from "../../types.ts";
import { classAround, classChain, type ClassPlace } from "../class-chain.ts";
import { classMeant } from "../class-meant.ts";
import {
  type CallPlace,
  type Definition,
  findDefinition,
  type Hop,
  moduleNamed,
  type World,
} from "../find-definition.ts";
import { familyOf } from "../source-facts.ts";
import type { Family } from "../types.ts";

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

export const findCallee = async (
  reference: Reference,
  at: CallPlace,
  world: World,
): Promise<Callee | undefined> => {
  const { name, receiver, within } = reference;
  if (receiver === undefined) {
    const found = await findDefinition(name, at, world);
    return found && callable(found, world);
  }
  const isPython = familyOf(at.analysed.outline.language) === "python";
  if (isPython ? /^(?:self|cls)$/.test(receiver) : receiver === "this")
    return ownMember(name, within, receiver, at, world);
  if (!/^[\w$.]+$/.test(receiver)) return objectMember(reference, at, world);
  const module = await moduleNamed(receiver, at, world);
  if (module) {
    const found = await findDefinition(name, module, world);
    return found && callable({ ...found, hops: [...module.hops, ...found.hops] }, world);
  }
  const holder = await findDefinition(receiver, at, world);
  if (holder) return holder.symbol.kind === "class" ? classMember(name, holder) : undefined;
  return objectMember(reference, at, world);
};

/** `Class().member(…)`, or that of a variable which is set to such an object once: the class itself, no heir of it. */
const objectMember = async (
  reference: Reference,
  at: CallPlace,
  world: World,
): Promise<Callee | undefined> => {
  const place = await classMeant(reference, at, world);
  if (!place) return undefined;
  const family = familyOf(at.analysed.outline.language);
  const isMadeOtherwise = place.symbol.children.some(({ name }) => name === "__new__");
  if (isMadeOtherwise || place.hops.length === 0) return undefined;
  const receiver = family === "python" ? "self" : "this";
  const found = await memberIn(place, { name: reference.name, receiver }, world, true);
  return found && { ...found, hops: place.hops };
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
  at: CallPlace,
  world: World,
): Promise<Callee | undefined> => {
  const symbol = classAround(at.analysed, within);
  return symbol && memberIn({ ...at, symbol }, { name, receiver }, world);
};

/** `isWhole`: nothing may be open in the whole chain, also where the first class has the member. */
const memberIn = async (
  place: ClassPlace,
  { name, receiver }: { readonly name: string; readonly receiver: string },
  { universe, outlineOf }: World,
  isWhole = false,
): Promise<Callee | undefined> => {
  const { path, analysed, symbol } = place;
  const family = familyOf(analysed.outline.language);
  const chain = await classChain({ path, analysed, symbol }, universe, outlineOf);
  if (isWhole && chain.state !== "closed") return undefined;
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
