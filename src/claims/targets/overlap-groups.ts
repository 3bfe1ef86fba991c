import { type Budget, spend } from "./overlap-budget.ts";
import type { Automaton, Ending } from "./pattern-automaton.ts";
import {
  type CharacterSet,
  costOf,
  dot,
  example,
  hasCharacter,
  slash,
} from "./pattern-characters.ts";

/** A set of an automaton's states that one text leads to. */
export interface Group {
  readonly id: number;
  readonly states: readonly number[];
  readonly accepts: Ending;
  /** Where characters lead, as far as it was asked. */
  readonly next: Map<number, Group>;
  /** Whether a name may end here and a path go on below; undefined: not asked yet. */
  goesBelow: boolean | undefined;
}

/**
 * The groups of an automaton, made as they are met: the way to read a text without following each state on
 * its own. Every state looked at and every range compared is a step of the budget.
 */
export class Groups {
  readonly #automaton: Automaton;
  readonly #keepMax: number;
  readonly #known = new Map<string, Group>();
  #start: Group | undefined;

  /** When there are more than `keepMax` of them they are made anew; a group met before may be another then. */
  constructor(automaton: Automaton, keepMax = Number.POSITIVE_INFINITY) {
    this.#automaton = automaton;
    this.#keepMax = keepMax;
  }

  start(budget: Budget): Group {
    this.#start ??= this.of([this.#automaton.start], budget);
    return this.#start;
  }

  /** The group of these states and of all that are reached from them without a character. */
  of(states: readonly number[], budget: Budget): Group {
    const all = this.#withFree(states, budget);
    const key = all.join();
    let group = this.#known.get(key);
    if (group === undefined) {
      if (this.#known.size >= this.#keepMax) this.#forget();
      const accepts = widest(all.map((state) => this.#automaton.accepts[state] ?? "no"));
      group = { id: this.#known.size, states: all, accepts, next: new Map(), goesBelow: undefined };
      this.#known.set(key, group);
    }
    return group;
  }

  after(group: Group, character: number, budget: Budget): Group {
    let next = group.next.get(character);
    if (next === undefined) {
      const { sets, to } = this.#automaton;
      const states: number[] = [];
      for (const state of group.states) {
        const ranges = sets[state]?.ranges ?? [];
        spend(budget, 1 + ranges.length / 2);
        if (hasCharacter(ranges, character)) states.push(to[state] ?? 0);
      }
      next = this.of(states, budget);
      group.next.set(character, next);
    }
    spend(budget, 1);
    return next;
  }

  afterText(text: string, budget: Budget): Group {
    let group = this.start(budget);
    for (let at = 0; at < text.length && group.states.length > 0;) {
      const letter = text.codePointAt(at) ?? 0;
      at += letter > 0xffff ? 2 : 1;
      group = this.after(group, letter, budget);
    }
    return group;
  }

  /** One character of `set` for each way the group can go on. */
  differing(group: Group, set: CharacterSet, budget: Budget): number[] {
    const cuts = new Set([0, dot, dot + 1, slash + 1]);
    for (const state of group.states) {
      const own = this.#automaton.sets[state];
      if (!own) continue;
      spend(budget, costOf(own));
      if (own.isWhole) continue;
      for (const [index, end] of own.ranges.entries()) cuts.add(end + (index % 2));
    }
    const { ranges } = set;
    spend(budget, cuts.size + ranges.length);
    const sorted = [...cuts].toSorted((left, right) => left - right);
    const characters: number[] = [];
    let i = 0;
    for (const [index, cut] of sorted.entries()) {
      while (i < ranges.length && (ranges[i + 1] ?? 0) < cut) i += 2;
      const end = sorted[index + 1] ?? Number.POSITIVE_INFINITY;
      const first = Math.max(cut, ranges[i] ?? Number.POSITIVE_INFINITY);
      const isNice = first <= example && example < end && hasCharacter(ranges, example);
      if (first < end) characters.push(isNice ? example : first);
    }
    return characters;
  }

  #withFree(states: readonly number[], budget: Budget): number[] {
    const all = new Set(states);
    // A set grows while it is walked.
    for (const state of all) {
      const ways = this.#automaton.free[state] ?? [];
      spend(budget, 1 + ways.length);
      for (const way of ways) all.add(way);
    }
    return [...all].toSorted((left, right) => left - right);
  }

  #forget(): void {
    this.#known.clear();
    this.#start = undefined;
  }
}

const widest = (endings: readonly Ending[]): Ending => {
  if (endings.includes("root")) return "root";
  return endings.includes("yes") ? "yes" : "no";
};
