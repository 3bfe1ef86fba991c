/**
 * E-19: calls whose arguments do not fit the one project function they mean, as far as an edit brings that
 * about: by a new call, or by another signature that calls elsewhere do not follow.
 */
import type { Analysed } from "../../analyser.ts";
import type { OutlineSymbol, Reference } from "../../types.ts";
import { languageOf } from "../../languages/index.ts";
import { familyOf } from "../source-facts.ts";
import type { EditedFile, OutlineOf } from "../types.ts";
import type { SymbolUniverse } from "../universe.ts";
import type { CallPlace, World } from "../find-definition.ts";
import { type Callee, findCallee } from "./callee.ts";
import { isDoubtful, type TreeSource } from "./doubts.ts";
import { misfit } from "./misfit.ts";

export interface ArgumentFinding {
  readonly path: string;
  readonly reference: Reference;
  readonly why: string;
  /** As its declaration says it, on one line. */
  readonly signature: string;
  readonly declared: { readonly path: string; readonly line: number };
  /** The language's own compiler or interpreter refuses it. */
  readonly isProven: boolean;
}

export interface ArgumentContext {
  readonly universe: SymbolUniverse;
  /** As the files are now, without the edit. */
  readonly outlineOf: OutlineOf;
  readonly parseTree: TreeSource;
}

/** Files looked into for one name; a name in more of them is left alone. */
const filesMax = 200;

export const checkArguments = async (
  files: readonly EditedFile[],
  { universe, outlineOf, parseTree }: ArgumentContext,
): Promise<ArgumentFinding[]> => {
  const edited = new Map(files.map((one) => [one.path, one]));
  const { now, after: then } = openWorlds(files, { universe, outlineOf });
  const found: ArgumentFinding[] = [];
  for (const { path, before, after } of files) {
    if (!after || familyOf(after.outline.language) === "other") continue;
    const wrong = await misfits({ path, analysed: after }, then);
    if (wrong.length === 0) continue;
    const old = before ? await misfits({ path, analysed: before }, now) : [];
    const fresh = withoutKnown(wrong, old);
    found.push(...(await confirmed(fresh, { path, analysed: after }, then, parseTree)));
  }
  const names = changedNames(files);
  for (const path of callersElsewhere(names, universe, edited)) {
    const analysed = await outlineOf(path);
    if (!analysed || !analysed.outline.references.some(({ name }) => names.has(name))) continue;
    const wrong = await misfits({ path, analysed }, then, names);
    const concerned = wrong.filter(({ callee }) => edited.has(callee.path));
    if (concerned.length === 0) continue;
    const fresh = withoutKnown(concerned, await misfits({ path, analysed }, now, names));
    found.push(...(await confirmed(fresh, { path, analysed }, then, parseTree)));
  }
  return found;
};

/** The project before and after the edit. */
export const openWorlds = (
  files: readonly EditedFile[],
  { universe, outlineOf }: World,
): { readonly now: World; readonly after: World } => {
  const edited = new Map(files.map((one) => [one.path, one]));
  const readEdited: OutlineOf = async (path) => {
    const one = edited.get(path);
    return one ? one.after : outlineOf(path);
  };
  return {
    now: { universe, outlineOf },
    after: { universe: withEdits(universe, files), outlineOf: readEdited },
  };
};

/** Modules that the edit makes or takes away. */
const withEdits = (universe: SymbolUniverse, files: readonly EditedFile[]): SymbolUniverse => {
  const moved = files.filter(({ before, after }) => !before !== !after);
  if (moved.length === 0) return universe;
  const all = universe.copy();
  for (const { path, after } of moved) all.setFile(path, after && Buffer.from(after.source.text));
  return all;
};

interface Misfit {
  readonly reference: Reference;
  readonly callee: Callee;
  readonly why: string;
}

const misfits = async (
  at: CallPlace,
  world: World,
  names?: ReadonlySet<string>,
): Promise<Misfit[]> => {
  const family = familyOf(at.analysed.outline.language);
  const found: Misfit[] = [];
  const callees = new Map<string, Promise<Callee | undefined>>();
  const { references, problems } = at.analysed.outline;
  for (const reference of references) {
    const { given, name, receiver = "", within, line } = reference;
    if (!given || given.isOpen || (names && !names.has(name))) continue;
    // Where the parser lost its way, the arguments are a guess.
    if (problems.some((one) => Math.abs(one.line - line) <= 3)) continue;
    const key = `${receiver}\0${name}\0${isOwnObject.test(receiver) ? within : ""}`;
    const known = callees.get(key) ?? findCallee(reference, at, world);
    callees.set(key, known);
    const callee = await known;
    if (!callee || callee.analysed.outline.problems.length > 0) continue;
    const why = misfit(callee.parameters, given, family);
    if (why !== undefined) found.push({ reference, callee, why });
  }
  return found;
};

const isOwnObject = /^(?:self|cls|this)$/;

/** Without those that were wrong in the same way before the edit. */
const withoutKnown = (wrong: readonly Misfit[], old: readonly Misfit[]): Misfit[] => {
  const sameness = ({ reference, why }: Misfit): string =>
    `${reference.receiver ?? ""}\0${reference.name}\0${why}`;
  const left = new Map<string, number>();
  for (const one of old) left.set(sameness(one), (left.get(sameness(one)) ?? 0) + 1);
  return wrong.filter((one) => {
    const count = left.get(sameness(one)) ?? 0;
    left.set(sameness(one), count - 1);
    return count <= 0;
  });
};

const confirmed = async (
  wrong: readonly Misfit[],
  at: CallPlace,
  world: World,
  parseTree: TreeSource,
): Promise<ArgumentFinding[]> => {
  const found: ArgumentFinding[] = [];
  for (const { reference, callee, why } of wrong) {
    if (await isDoubtful(reference, at, callee, world, parseTree)) continue;
    const { symbol, path, analysed } = callee;
    const line = analysed.source.position(symbol.nameSpan.from).line;
    found.push({
      ...{ path: at.path, reference, why, signature: symbol.signature.slice(0, 200) },
      ...{ declared: { path, line }, isProven: isChecked(at.analysed) && isChecked(analysed) },
    });
  }
  return found;
};

/** JavaScript takes any number of arguments; so it is only remarked upon there. */
const isChecked = ({ outline }: Analysed): boolean =>
  ["python", "typescript", "tsx"].includes(outline.language);

/** Functions and constructors whose parameters the edit changes, by the name they are called by. */
const changedNames = (files: readonly EditedFile[]): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const { before, after } of files) {
    if (!before || !after) continue;
    const old = new Map(declared(before.outline.symbols));
    for (const [path, { parameters, name }] of declared(after.outline.symbols)) {
      const was = old.get(path);
      if (!was || JSON.stringify(was.parameters) === JSON.stringify(parameters)) continue;
      const isMaker = name === "__init__" || name === "constructor";
      names.add(isMaker ? (path.split(".").at(-2) ?? name) : name);
    }
  }
  return names;
};

function* declared(symbols: readonly OutlineSymbol[]): Generator<[string, OutlineSymbol]> {
  for (const symbol of symbols) {
    if (symbol.parameters) yield [symbol.path, symbol];
    yield* declared(symbol.children);
  }
}

export const callersElsewhere = (
  names: ReadonlySet<string>,
  universe: SymbolUniverse,
  edited: ReadonlyMap<string, unknown>,
): ReadonlySet<string> => {
  const families = new Set([...edited.keys()].map((path) => familyOf(languageOf(path))));
  const paths = new Set<string>();
  for (const name of names) {
    const all = universe.filesWith(name).filter((path) => !edited.has(path));
    if (all.length > filesMax) continue;
    for (const path of all) if (families.has(familyOf(languageOf(path)))) paths.add(path);
  }
  return paths;
};
