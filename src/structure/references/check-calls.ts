/**
 * The ladder: is a call that an edit brings in proven wrong? Each step needs a closed proof; what is not
 * proven passes. Nowhere: no text the project could run names it. Closed class: all of the class is seen
 * and no source defines such a member. Unbound (Python): nothing in the file binds the name.
 */
import type { Analysed } from "../analyser.ts";
import type { Reference } from "../types.ts";
import {
  classAround,
  type ClassChain,
  classChain,
  classNamed,
  type ClassPlace,
} from "./class-chain.ts";
import { answersAnything, injectedNames, makesNames, speaksOfMocks } from "./dynamic-code.ts";
import { ambientDoubt, valueDoubt } from "./closed-world.ts";
import { introducedCalls } from "./introduced-calls.ts";
import { libraryMember } from "./library-members.ts";
import { moduleDoubt, projectDoubt } from "./module-doubts.ts";
import { nearestNames, placeOf } from "./nearest-names.ts";
import { absentMember } from "./project-members.ts";
import { scriptUnbound } from "./script-unbound.ts";
import { factsOf, familyOf, wordsBesides } from "./source-facts.ts";
import type { CallFinding, EditedFile, Family, OutlineOf } from "./types.ts";
import type { SymbolUniverse } from "./universe.ts";

interface Situation {
  readonly path: string;
  readonly after: Analysed;
  readonly family: Family;
  readonly universe: SymbolUniverse;
  readonly outlineOf: OutlineOf;
  /** Names that the edit itself brings in besides calling them, in all of its files. */
  brought(): ReadonlySet<string>;
  definedNow(): ReadonlySet<string>;
  readonly doubts: FileDoubts;
  /** Asked for every call of a file; made once. */
  readonly chains: Map<string, Promise<ClassChain>>;
  bound(): ReadonlySet<string>;
}

/** Why nothing can be proven in a file, by what the proof would be about. */
interface FileDoubts {
  file(): string | undefined;
  /** About objects that come from elsewhere; takes a walk through the imports. */
  objects(): string | undefined;
}

type Decision =
  | (Pick<CallFinding, "state" | "by" | "why"> & {
      readonly chain?: ClassChain;
      /** Default: the project's. */
      readonly owner?: CallFinding["owner"];
      /** Where they are known already. */
      readonly nearest?: CallFinding["nearest"];
    })
  | undefined;

export const checkCalls = async (
  files: readonly EditedFile[],
  universe: SymbolUniverse,
  outlineOf: OutlineOf,
): Promise<CallFinding[]> => {
  const edited = files.flatMap(({ path, before, after }) => {
    const family = familyOf(after?.outline.language ?? "");
    if (!after || family === "other" || after.outline.coverage.calls.state === "off") return [];
    return [{ path, after, family, calls: introducedCalls(before, after) }];
  });
  if (edited.every(({ calls }) => calls.length === 0)) return [];
  // Most edits call what is known already: then the new versions need not be read word by word.
  const brought = once(() => namesBrought(files));
  const definedNow = once(() => {
    const all = edited.map(({ after, family }) => factsOf(after.source.text, family).defined);
    return new Set(all.flatMap((names) => [...names]));
  });
  const outlines: OutlineOf = async (path) =>
    edited.find((one) => one.path === path)?.after ?? outlineOf(path);
  const found: CallFinding[] = [];
  for (const { path, after, family, calls } of edited) {
    const doubts = doubtsOf(path, after, family, universe);
    const situation: Situation = {
      path,
      after,
      family,
      universe,
      outlineOf: outlines,
      brought,
      definedNow,
      doubts,
      chains: new Map(),
      bound: once(() => boundNames(after)),
    };
    for (const reference of calls) {
      const decision = await decide(reference, situation);
      if (decision) found.push(await toFinding(reference, decision, situation));
    }
  }
  return found;
};

/** Names that stand in the new versions other than as calls that the edit brings in. */
export const namesBrought = (files: readonly EditedFile[]): ReadonlySet<string> => {
  const brought = new Set<string>();
  for (const { before, after } of files) {
    const family = familyOf(after?.outline.language ?? "");
    if (!after || family === "other") continue;
    const at = new Set(introducedCalls(before, after).map(({ span }) => span.from));
    for (const word of wordsBesides(after.source.text, family, at)) brought.add(word);
  }
  return brought;
};

const decide = async (reference: Reference, situation: Situation): Promise<Decision> => {
  const { name, receiver, line } = reference;
  const { after, family, universe, brought } = situation;
  if (!/^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name) || /^__\w+__$/.test(name))
    return undefined;
  const isNowhere = !universe.has(name, family) && !brought().has(name);
  // Where the parser lost its way, what it takes for a call is a guess.
  if (after.outline.problems.some((one) => Math.abs(one.line - line) <= 3)) return undefined;
  if (receiver === undefined) {
    if (family === "python") return unbound(reference, situation);
    if (isNowhere)
      return nowhere(situation, situation.doubts.file() ?? ambientDoubt(name, situation));
    if (brought().has(name) || situation.doubts.file() !== undefined) return undefined;
    const found = await scriptUnbound(reference, situation, situation.outlineOf);
    return found && notImported(situation, found.doubt);
  }
  const own = classOf(reference, situation);
  if (!own) {
    const member =
      family === "other"
        ? undefined
        : await libraryMember(reference, family, situation, situation.outlineOf);
    if (member?.state === "there") return undefined;
    if (member) {
      const { state, why, nearest } = member;
      return { state, by: "nowhere", why, owner: "library", nearest };
    }
    if (!isNowhere) return inClosedSight(reference, situation);
    if (/^(?:self|cls|this)$/.test(receiver)) {
      return nowhere(situation, `it is not known what '${receiver}' is there`);
    }
    const module = moduleOf(receiver, situation);
    const { doubts } = situation;
    const doubt = module
      ? module.doubt
      : (doubts.file() ??
        doubts.objects() ??
        (family === "python" ? undefined : valueDoubt(receiver, situation)));
    // Doubts about objects in general are none about a class that is seen whole.
    const seen = doubt === undefined ? undefined : await inClosedSight(reference, situation);
    return seen ?? { ...nowhere(situation, doubt), ...(module && { owner: module.owner }) };
  }
  const isDefined = universe.isDefined(name, family) || situation.definedNow().has(name);
  if (isDefined) return inClosedSight(reference, situation);
  const chain = await chainOf(own, situation);
  if (isNowhere) {
    const why = chain.state === "open" ? chain.why : librariesUnread(situation, chain);
    return { ...nowhere(situation, situation.doubts.file() ?? why), chain };
  }
  if (chain.state !== "closed" || situation.doubts.file() !== undefined) return undefined;
  const { symbol } = own;
  return {
    state: "missing",
    by: "closed-class",
    why: `'${symbol.name}' and what it inherits from have no member '${name}', and no source defines one`,
    chain,
  };
};

/** The name exists, but not in the module or class that is asked for it. */
const inClosedSight = async (reference: Reference, situation: Situation): Promise<Decision> => {
  const { path, after, universe, outlineOf, brought } = situation;
  // The edit itself may bring it, in whatever file.
  if (brought().has(reference.name)) return undefined;
  const found = await absentMember(reference, { path, analysed: after }, { universe, outlineOf });
  return found && { state: "missing", by: "closed-class", ...found };
};

const chainOf = (own: ClassPlace, { chains, universe, outlineOf }: Situation) => {
  const known = chains.get(own.symbol.path);
  if (known) return known;
  const made = classChain(own, universe, outlineOf);
  chains.set(own.symbol.path, made);
  return made;
};

/** Words of a Python file that are more than a call of that name: they may bind it. */
export const boundNames = ({ source, outline }: Analysed): ReadonlySet<string> => {
  const calls = outline.references.filter(({ kind }) => kind === "call");
  return wordsBesides(source.text, "python", new Set(calls.map(({ span }) => span.from)));
};

const nowhere = ({ path }: Situation, doubt: string | undefined) => ({
  state: doubt === undefined ? ("missing" as const) : ("doubtful" as const),
  by: "nowhere" as const,
  why: doubt ?? `nothing in the project or in what it builds upon names it besides ${path}`,
});

const notImported = ({ path }: Situation, doubt: string | undefined) => ({
  state: doubt === undefined ? ("missing" as const) : ("doubtful" as const),
  by: "unbound" as const,
  why: doubt ?? `nothing in ${path} defines or imports it`,
});

const librariesUnread = (
  { universe, family }: Situation,
  { state }: ClassChain,
): string | undefined =>
  state === "known" && !universe.library(family).isRead ? unreadLibraries : undefined;

const unreadLibraries = "the sources of its libraries were not read";

/** A Python name is looked up in its file and among the built-in ones, nowhere else. */
const unbound = async ({ name }: Reference, situation: Situation): Promise<Decision> => {
  const { path, after, universe, doubts } = situation;
  if (universe.library("python").isBuiltin(name) || injectedNames.has(name)) return undefined;
  if (!/\.pyi?$/.test(path)) return undefined;
  const { text } = after.source;
  if (situation.bound().has(name)) return undefined;
  const doubt = doubts.file() ?? (await namesFromOutside(name, text, situation));
  const by = universe.has(name, "python") ? "unbound" : "nowhere";
  return { ...notImported(situation, doubt), by };
};

const namesFromOutside = async (
  name: string,
  text: string,
  { universe, outlineOf }: Situation,
): Promise<string | undefined> => {
  if (/^[ \t]*from[ \t]+[.\w]+[ \t]+import[ \t(]*\*/m.test(text))
    return "a star import may bring it";
  if (/\bNameError\b|\bbuiltins\b|__builtins__/.test(text))
    return "the file asks for names at run time";
  const makers = new Set(universe.filesWith("builtins"));
  const adds = new RegExp(
    String.raw`\bbuiltins\.${name}\b|\bsetattr\s*\(\s*builtins\b|\b(?:builtins\.__dict__|__builtins__)\b`,
  );
  for (const path of universe.filesWith(name)) {
    const other = makers.has(path) ? await outlineOf(path) : undefined;
    if (other && adds.test(other.source.text)) return "it may be added to the built-in names";
  }
  return undefined;
};

/** For a receiver that is an imported module: why nothing can be proven about its members, if so. */
const moduleOf = (
  receiver: string,
  { path, after, family, universe }: Situation,
): { readonly doubt: string | undefined; readonly owner: CallFinding["owner"] } | undefined => {
  for (const { from, names } of after.outline.imports) {
    const isModule = names.some(
      ({ name, as }) => (name === "" || name === "*") && (as || from) === receiver,
    );
    if (!isModule || after.source.text.includes(`${receiver} = `)) continue;
    const target = universe.resolve(from, path, family);
    const owner = target.kind === "project" ? "project" : "library";
    if (!universe.library(family).isRead) return { doubt: unreadLibraries, owner };
    const isRead =
      target.kind === "project" ||
      (target.kind === "package" && universe.library(family).packages.has(target.name));
    if (!isRead) return { doubt: `the source of the module ${from} was not read`, owner };
    return { doubt: moduleDoubt(from, path, family, universe), owner };
  }
  return undefined;
};

/** The class whose member is called, if the receiver says so. */
const classOf = ({ receiver, within }: Reference, { path, after, family }: Situation) => {
  const isSelf = family === "python" ? /^(?:self|cls)$/.test(receiver ?? "") : receiver === "this";
  const symbol = isSelf ? classAround(after, within) : classNamed(after, receiver ?? "");
  return symbol && { path, analysed: after, symbol };
};

const doubtsOf = (
  path: string,
  after: Analysed,
  family: Family,
  universe: SymbolUniverse,
): FileDoubts => {
  const { text } = after.source;
  return {
    file: once(() => (makesNames(text, family) ? "the file makes names at run time" : undefined)),
    objects: once(() => objectsDoubt(path, text, family, universe)),
  };
};

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
};

/** Objects go everywhere, so one module that is not known casts doubt on them in the whole project. */
const objectsDoubt = (
  path: string,
  text: string,
  family: Family,
  universe: SymbolUniverse,
): string | undefined => {
  if (!universe.library(family).isRead) return unreadLibraries;
  if (answersAnything(text)) return "objects of this file may answer to any name";
  if (speaksOfMocks(text)) return "objects that stand for others answer to any name";
  const { imports } = factsOf(text, family);
  for (const module of imports) {
    const why = moduleDoubt(module, path, family, universe);
    if (why !== undefined) return why;
  }
  return projectDoubt(family, universe);
};

const toFinding = async (
  reference: Reference,
  { chain, owner = "project", nearest: meant, ...decision }: Exclude<Decision, undefined>,
  { path, after, universe, outlineOf }: Situation,
): Promise<CallFinding> => {
  if (decision.state === "doubtful" || meant)
    return { path, reference, ...decision, owner, nearest: meant ?? [] };
  const at = { path, analysed: after, classes: chain?.classes ?? [] };
  const same =
    decision.by === "unbound" ? await placeOf(reference.name, universe, outlineOf) : undefined;
  const nearest = same
    ? [{ ...same, name: reference.name }]
    : await nearestNames(reference, at, universe, outlineOf);
  return { path, reference, ...decision, owner, nearest };
};
