/**
 * Whether two targets have something in common, and whether one lies in the other. Both are decided, not
 * estimated: a target is a set of paths, described by an automaton, and these are questions about
 * automata (C-16). Case is ignored as soon as one of the two targets comes from a disk that does.
 */
import { limits } from "../../base/limits.ts";
import { HeadgateError } from "../../errors.ts";
import type { Budget } from "./overlap-budget.ts";
import { findOutside } from "./overlap-includes.ts";
import { type Group, Groups } from "./overlap-groups.ts";
import { mayEnd, meet, type Meeting, standing } from "./overlap-meet.ts";
import { type Automaton, behindText, everythingBelow, nothingMore } from "./pattern-automaton.ts";
import { everyCase, foldLetters } from "./pattern-case.ts";
import { makeSet } from "./pattern-characters.ts";
import { parseTarget, type Target } from "./target.ts";
import { isWithin, symbolsMeet } from "./target-symbol.ts";

export type { Budget } from "./overlap-budget.ts";

/** Throws TARGET_TOO_COMPLEX when a given budget is used up; without one it always answers. */
export const overlap = (a: Target, b: Target, budget?: Budget): boolean => {
  if (!isPath(a) || !isPath(b)) return a.text === b.text;
  if (a.kind === "symbol" && b.kind === "symbol" && !haveCommonSymbol(a, b)) return false;
  const pair = pairUp(a, b, a.folds || b.folds);
  if (pair === undefined) return false;
  if (!a.shape.pattern && !b.shape.pattern) return pair.rest === "" || pair.outer.extent === "tree";
  if (!a.tail.startsWith(b.tail) && !b.tail.startsWith(a.tail)) return false;
  return patternsMeet(pair, budget ?? { steps: limits.overlapStepsMax });
};

const patternsMeet = (pair: Pair, budget: Budget): boolean => {
  const { inner } = pair;
  const group = groupBehind(pair, budget);
  const ask = (): boolean => meet(meetingOf(pair, group, budget)) !== undefined;
  if (inner.shape.pattern || inner.shape.prefix === "") return ask();
  if (mayEnd(standing.inName, group.accepts)) return true;
  if (inner.extent === "file") return false;
  group.goesBelow ??= ask();
  return group.goesBelow;
};

/** The same for two texts, each relative to the repository's root. Throws as parseTarget does. */
export const targetsOverlap = (a: string, b: string): boolean =>
  overlap(parseTarget(a), parseTarget(b));

/** A path that lies in both, for explaining; undefined when they do not overlap or are no paths. */
export const examplePath = (a: Target, b: Target): string | undefined => {
  if (!isPath(a) || !isPath(b) || !overlap(a, b)) return undefined;
  const pair = pairUp(a, b, a.folds || b.folds);
  if (pair === undefined) return undefined;
  const budget = { steps: limits.overlapStepsMax };
  const trace: Meeting["trace"] = new Map();
  const end = meet({ ...meetingOf(pair, groupBehind(pair, budget), budget), trace });
  let path = "";
  for (let at = trace.get(end ?? -1); at !== undefined; at = trace.get(at.from)) {
    if (at.character >= 0) path = String.fromCodePoint(at.character) + path;
  }
  return pair.inner.shape.prefix + path || ".";
};

/**
 * Whether everything of `inner` is in `outer`. The answer is also no when finding out would take more steps
 * than the budget has.
 */
export const covers = (outer: Target, inner: Target, budget?: Budget): boolean => {
  try {
    return exampleOutside(outer, inner, budget) === undefined;
  } catch (error) {
    if (HeadgateError.isInstance(error) && error.code === "TARGET_TOO_COMPLEX") return false;
    throw error;
  }
};

/** Something of `inner` that is not in `outer`. Throws TARGET_TOO_COMPLEX when the budget is used up. */
export const exampleOutside = (
  outer: Target,
  inner: Target,
  budget: Budget = { steps: limits.coversStepsMax },
): string | undefined => {
  if (!isPath(outer) || !isPath(inner)) return outer.text === inner.text ? undefined : inner.text;
  if (outer.kind === "symbol") {
    const isInside = inner.kind === "symbol" && isWithin(inner.shape.symbol, outer.shape.symbol);
    if (!isInside) return inner.text;
  }
  return inner.folds && !outer.folds
    ? outsideInEveryCase(outer, inner, budget)
    : outside(outer, inner, budget);
};

const isPath = ({ kind }: Target): boolean => kind === "paths" || kind === "symbol";

const haveCommonSymbol = (a: Target, b: Target): boolean =>
  symbolsMeet(a.shape.symbol, b.shape.symbol);

/** Two targets on one line of folders. */
interface Pair {
  /** The one whose literal folders end first. */
  readonly outer: Target;
  readonly inner: Target;
  /** The literal names that `inner` has more, with the slash before them. */
  readonly rest: string;
  readonly ignoresCase: boolean;
}

/** Undefined where the literal folders lead apart. */
const pairUp = (a: Target, b: Target, ignoresCase: boolean): Pair | undefined => {
  const part = ignoresCase ? "folded" : "prefix";
  const [first, second] = [a.shape[part], b.shape[part]];
  const isFirstOuter = first.length <= second.length;
  const [short, long] = isFirstOuter ? [first, second] : [second, first];
  const isOnLine =
    short === "" ||
    (long.startsWith(short) && (long.length === short.length || long[short.length] === "/"));
  if (!isOnLine) return undefined;
  const [outer, inner] = isFirstOuter ? [a, b] : [b, a];
  const rest = restBehind(outer.shape.prefix, inner.shape.prefix);
  return { outer, inner, rest: ignoresCase ? foldLetters(rest) : rest, ignoresCase };
};

/** By names, not by length: folding may change a name's length. */
const restBehind = (outer: string, inner: string): string => {
  if (outer === "") return inner;
  let at = -1;
  for (let i = outer.indexOf("/"); i >= 0; i = outer.indexOf("/", i + 1)) {
    at = inner.indexOf("/", at + 1);
  }
  const end = inner.indexOf("/", at + 1);
  return end < 0 ? "" : inner.slice(end);
};

/** What follows a target's literal folders. */
const automatonOf = ({ shape, extent }: Target, ignoresCase: boolean): Automaton => {
  if (shape.pattern) return shape.pattern.automaton(ignoresCase);
  return extent === "tree" ? everythingBelow(shape.prefix === "") : nothingMore;
};

/** Where the outer target's automaton stands behind the inner one's literal folders. */
const groupBehind = ({ outer, rest, ignoresCase }: Pair, budget: Budget): Group =>
  groupsOf(automatonOf(outer, ignoresCase)).afterText(rest, budget);

/** Kept with the automaton: the same pattern is asked about many paths. */
const groupsOf = (automaton: Automaton): Groups => {
  let groups = known.get(automaton);
  if (groups === undefined) {
    groups = new Groups(automaton, groupsKeptMax);
    known.set(automaton, groups);
  }
  return groups;
};
const known = new WeakMap<Automaton, Groups>();
/** Ordinary patterns have a handful. */
const groupsKeptMax = 64;

const meetingOf = ({ outer, inner, ignoresCase }: Pair, group: Group, budget: Budget): Meeting => ({
  left: automatonOf(outer, ignoresCase),
  leftStates: group.states,
  right: automatonOf(inner, ignoresCase),
  now: standingBehind(inner),
  budget,
});

const standingBehind = ({ shape }: Target): number =>
  shape.prefix === "" ? standing.root : standing.inName;

const outside = (outer: Target, inner: Target, budget: Budget): string | undefined => {
  const ignoresCase = outer.folds;
  const pair = pairUp(outer, inner, ignoresCase);
  const isOuterFirst = pair?.outer === outer;
  // By far the most common question: a folder and something in it.
  if (isOuterFirst && !outer.shape.pattern && outer.extent === "tree") return undefined;
  const { prefix, pattern } = inner.shape;
  const now = standingBehind(inner);
  let whole = automatonOf(outer, ignoresCase);
  const group = isOuterFirst ? groupsOf(whole).afterText(pair.rest, budget) : undefined;
  if (!pattern) {
    // A path is the first of what it stands for; for a file it is also the last.
    if (!group || !mayEnd(now, group.accepts)) return namedPath(prefix, "");
    if (inner.extent === "file") return undefined;
  }
  let states = group?.states ?? [];
  if (pair && !isOuterFirst) {
    // The outer target goes on literally where the inner one has its pattern already.
    whole = behindText(pair.rest, whole, ignoresCase ? everyCase : oneCase);
    states = [whole.start];
  }
  const part = automatonOf(inner, inner.folds);
  return namedPath(prefix, findOutside({ outer: whole, states, inner: part, now, budget }));
};

/** On a disk that ignores case the inner target is also everything its letters can be written as. */
const outsideInEveryCase = (outer: Target, inner: Target, budget: Budget): string | undefined => {
  const whole = behindText(outer.shape.prefix, automatonOf(outer, false), oneCase);
  const part = behindText(inner.shape.prefix, automatonOf(inner, true), everyCase);
  const now = standing.root;
  return namedPath(
    "",
    findOutside({ outer: whole, states: [whole.start], inner: part, now, budget }),
  );
};

const namedPath = (prefix: string, rest: string | undefined): string | undefined =>
  rest === undefined ? undefined : prefix + rest || ".";

const oneCase = (letter: number) => makeSet([letter, letter], letter);
