import type { Automaton, Ending } from "./pattern-automaton.ts";
import { costOf, sharedCharacter, sharedSorts, sorts } from "./pattern-characters.ts";
import { type Budget, spend } from "./overlap-budget.ts";

/**
 * What the characters so far make of a path: names are never empty, `.` or `..`, so a slash or the end may
 * come only behind a finished name; the empty text is the root.
 */
export const standing = { behindSlash: 0, dot: 1, dots: 2, inName: 3, root: 4 } as const;
const standingCount = 5;

/** Whether a path that stands here may end in a state that accepts like this. */
export const mayEnd = (now: number, ending: Ending | undefined): boolean =>
  ending === "root" ? now >= standing.inName : ending === "yes" && now === standing.inName;

/** Where a character of this sort leads; -1: no path goes on like that. */
export const standAfter = (now: number, sort: number): number => {
  if (sort === sorts.slash) return now === standing.inName ? standing.behindSlash : -1;
  if (sort === sorts.other || now === standing.inName || now === standing.dots) {
    return standing.inName;
  }
  return now === standing.dot ? standing.dots : standing.dot;
};

export interface Meeting {
  readonly left: Automaton;
  readonly leftStates: readonly number[];
  readonly right: Automaton;
  readonly now: number;
  readonly budget: Budget;
  /** Filled with how each pair was reached, for reading off an example. */
  readonly trace?: Map<number, { readonly from: number; readonly character: number }>;
}

/** Whether one text leads both automata to an end: the pair in which they arrive, or undefined. */
export const meet = (meeting: Meeting): number | undefined => {
  const { left, right, budget, trace } = meeting;
  const rightCount = right.sets.length;
  const seen = new Uint8Array(left.sets.length * rightCount * standingCount);
  const open: number[] = [];
  const visit = (l: number, r: number, now: number, from = -1, character = -1): void => {
    const pair = (l * rightCount + r) * standingCount + now;
    if (seen[pair] === 1) return;
    seen[pair] = 1;
    open.push(pair);
    trace?.set(pair, { from, character });
  };
  for (const state of meeting.leftStates) visit(state, right.start, meeting.now);
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const now = pair % standingCount;
    const states = (pair - now) / standingCount;
    const r = states % rightCount;
    const l = (states - r) / rightCount;
    if (mayEnd(now, left.accepts[l]) && mayEnd(now, right.accepts[r])) return pair;
    const leftFree = left.free[l] ?? [];
    const rightFree = right.free[r] ?? [];
    for (const next of leftFree) visit(next, r, now, pair);
    for (const next of rightFree) visit(l, next, now, pair);
    const leftSet = left.sets[l];
    const rightSet = right.sets[r];
    let steps = 1 + leftFree.length + rightFree.length;
    if (leftSet && rightSet) {
      steps += costOf(leftSet) + costOf(rightSet);
      const found = sharedSorts(leftSet, rightSet);
      for (const sort of allSorts) {
        const next = (found & sort) === 0 ? -1 : standAfter(now, sort);
        if (next < 0) continue;
        const character = trace ? sharedCharacter(leftSet, rightSet, sort) : -1;
        visit(left.to[l] ?? 0, right.to[r] ?? 0, next, pair, character);
      }
    }
    spend(budget, steps);
  }
  return undefined;
};

const allSorts = [sorts.slash, sorts.dot, sorts.other];
