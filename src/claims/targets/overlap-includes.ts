import { type Budget, spend } from "./overlap-budget.ts";
import { type Group, Groups } from "./overlap-groups.ts";
import { mayEnd, standAfter } from "./overlap-meet.ts";
import type { Automaton } from "./pattern-automaton.ts";
import { sortOf } from "./pattern-characters.ts";

export interface Inclusion {
  readonly outer: Automaton;
  /** Where the outer automaton stands when the inner one starts. */
  readonly states: readonly number[];
  readonly inner: Automaton;
  readonly now: number;
  readonly budget: Budget;
}

/**
 * A path that the inner automaton accepts and the outer one does not, or undefined: everything is
 * included. Each way of the inner one is followed together with the set of states the outer one can be
 * in; the sets are made as they are met.
 */
export const findOutside = ({
  outer,
  states,
  inner,
  now,
  budget,
}: Inclusion): string | undefined => {
  const groups = new Groups(outer);
  const seen = new Set<string>();
  const open: Point[] = [];
  const visit = (point: Point): void => {
    const key = `${point.state} ${point.now} ${point.group.id}`;
    if (seen.has(key)) return;
    seen.add(key);
    open.push(point);
  };
  visit({ state: inner.start, group: groups.of(states, budget), now });
  for (let point = open.pop(); point !== undefined; point = open.pop()) {
    const { state, group, now } = point;
    spend(budget, 1);
    if (mayEnd(now, inner.accepts[state]) && !mayEnd(now, group.accepts)) return textTo(point);
    for (const free of inner.free[state] ?? []) visit({ state: free, group, now, from: point });
    const set = inner.sets[state];
    if (!set) continue;
    for (const character of groups.differing(group, set, budget)) {
      const then = standAfter(now, sortOf(character));
      if (then < 0) continue;
      const next = groups.after(group, character, budget);
      visit({ state: inner.to[state] ?? 0, group: next, now: then, from: point, character });
    }
  }
  return undefined;
};

interface Point {
  readonly state: number;
  readonly group: Group;
  readonly now: number;
  readonly from?: Point;
  readonly character?: number;
}

const textTo = (point: Point): string => {
  let text = "";
  for (let at: Point | undefined = point; at; at = at.from) {
    if (at.character !== undefined) text = String.fromCodePoint(at.character) + text;
  }
  return text;
};
