/**
 * A pattern as a nondeterministic automaton over the characters of a path: names with one `/` between
 * them, none at the ends, the root being the empty text. It may also accept texts that are no paths (an
 * empty name, `.`, `..`); whoever walks it leaves those out (see overlap-meet.ts).
 */
import {
  anyInName,
  anyInPath,
  type CharacterSet,
  costOf,
  onlySlash,
} from "./pattern-characters.ts";
import {
  isBehindDeep,
  isBetween,
  isAtStart,
  isInName,
  isWildMode,
  mode,
  modeAfterOne,
  modeAfterSlash,
  modeCount,
  reachedModes,
} from "./pattern-modes.ts";
import { charactersOf, type Instruction, type Program, type Reading } from "./pattern-program.ts";

export interface Automaton {
  readonly start: number;
  /** Per state: the characters that lead on, and where to; undefined where none do. */
  readonly sets: readonly (CharacterSet | undefined)[];
  readonly to: readonly number[];
  /** Per state: states reached without a character. */
  readonly free: readonly (readonly number[])[];
  readonly accepts: readonly Ending[];
  /** States, free ways and character ranges: what all costs are bounded by. */
  readonly size: number;
}

/**
 * Whether a path may end in a state; "root": even the empty one. `*` and `**` differ in this alone where
 * nothing stands before or behind them: a name has at least one character, no names are the root.
 */
export type Ending = "no" | "yes" | "root";

export interface AutomatonOptions {
  readonly reading: Reading;
  /** Something stands before the program, so that it begins with a slash. */
  readonly hasPrefix: boolean;
  /** What a way through the program without any wildcard stands for. */
  readonly extent: "file" | "tree";
  readonly sizeMax: number;
}

/** Undefined when it would be larger than `sizeMax`. */
export const makeAutomaton = (
  program: Program,
  options: AutomatonOptions,
): Automaton | undefined => {
  const { hasPrefix, extent, sizeMax } = options;
  const first = hasPrefix ? mode.betweenPlain : mode.startPlain;
  const reached = reachedModes(program, first);
  const states = new States();
  /** The state of each place and mode; places are filled from the end on. */
  const table: number[][] = Array.from({ length: program.length + 1 }, () => []);
  for (let place = program.length; place >= 0; place -= 1) {
    const instruction = program[place];
    const row = table[place] ?? [];
    for (let now = 0; now < modeCount; now += 1) {
      if (((reached[place] ?? 0) & (1 << now)) === 0) continue;
      const next = (wanted: number, at = place + 1): number => table[at]?.[wanted] ?? none;
      row[now] = instruction
        ? addInstruction(states, instruction, { now, next, reading: options.reading })
        : addEnd(states, now, extent);
      if (states.size > sizeMax) return undefined;
    }
  }
  return states.finish(table[0]?.[first] ?? none);
};

/** Accepts exactly the empty text: a file's automaton behind its path. */
export const nothingMore: Automaton = {
  start: 0,
  sets: [undefined],
  to: [0],
  free: [[]],
  accepts: ["root"],
  size: 1,
};

/** A folder's automaton behind its path; `isRoot`: there is no path before it. */
export const everythingBelow = (isRoot: boolean): Automaton => (isRoot ? belowRoot : belowFolder);

const belowFolder: Automaton = {
  start: 0,
  sets: [onlySlash, anyInPath],
  to: [1, 1],
  free: [[], []],
  accepts: ["root", "root"],
  size: 4,
};
const belowRoot: Automaton = { ...belowFolder, start: 1 };

/** `rest` behind a text whose letters are read as `setOf` says. */
export const behindText = (
  text: string,
  rest: Automaton,
  setOf: (letter: number) => CharacterSet,
): Automaton => {
  const states = new States();
  for (const [state, set] of rest.sets.entries()) {
    states.add({
      ...(set && { set, to: rest.to[state] ?? 0 }),
      free: rest.free[state] ?? [],
      accepts: rest.accepts[state] ?? "no",
    });
  }
  let start = rest.start;
  for (const letter of [...text].toReversed()) {
    start = states.add({ set: setOf(letter.codePointAt(0) ?? 0), to: start });
  }
  return states.finish(start);
};

const none = -1;

interface Spot {
  readonly now: number;
  readonly reading: Reading;
  next(mode: number, place?: number): number;
}

const addInstruction = (states: States, instruction: Instruction, spot: Spot): number => {
  const { now, next } = spot;
  switch (instruction.op) {
    case "fork":
      return states.addFree(instruction.to.map((place) => next(now, place)));
    case "jump":
      return next(now, instruction.to);
    case "slash":
      return next(modeAfterSlash(now));
    case "one": {
      const to = isBehindDeep(now) ? none : next(modeAfterOne(instruction, now));
      if (to === none) return none;
      const state = states.add({ set: charactersOf(instruction.one, spot.reading), to });
      return states.behindSlash(state, isBetween(now));
    }
    case "star":
      return isBehindDeep(now) ? none : addStar(states, spot);
    case "deep":
      if (isBehindDeep(now)) return none;
      if (isInName(now)) return addStar(states, spot);
      if (instruction.isAlways) return addDeep(states, spot);
      return states.addFree([addDeep(states, spot), addStar(states, spot)]);
  }
};

const addStar = (states: States, { now, next }: Spot): number => {
  const to = next(mode.inWild);
  if (to === none) return none;
  return states.behindSlash(states.addLoop({ set: anyInName, free: [to] }), isBetween(now));
};

const addDeep = (states: States, { now, next }: Spot): number => {
  const to = next(mode.deep);
  if (to === none) return none;
  const names = states.addLoop({ set: anyInPath, free: [to] });
  if (isBetween(now)) return states.add({ set: onlySlash, to: names, free: [to] });
  return states.addFree([next(mode.deepStart), names]);
};

const addEnd = (states: States, now: number, extent: "file" | "tree"): number => {
  const accepts = isAtStart(now) ? "root" : "yes";
  if (extent === "file" || isWildMode(now)) return states.add({ accepts });
  const below = states.addLoop({ set: anyInPath, accepts });
  return states.add({ set: onlySlash, to: below, accepts });
};

interface State {
  readonly set?: CharacterSet;
  readonly to?: number;
  readonly free?: readonly number[];
  readonly accepts?: Ending;
}

class States {
  readonly #sets: (CharacterSet | undefined)[] = [];
  readonly #to: number[] = [];
  readonly #free: (readonly number[])[] = [];
  readonly #accepts: Ending[] = [];
  size = 0;

  add(state: State): number {
    const { set, to = 0, free = [], accepts = "no" } = state;
    this.#sets.push(set);
    this.#to.push(to);
    this.#free.push(free);
    this.#accepts.push(accepts);
    this.size += 1 + free.length + (set ? costOf(set) : 0);
    return this.#sets.length - 1;
  }

  addFree(ways: readonly number[]): number {
    const free = ways.filter((way) => way !== none);
    const [only = none] = free;
    return free.length > 1 ? this.add({ free }) : only;
  }

  addLoop(state: Omit<State, "to">): number {
    return this.add({ ...state, to: this.#sets.length });
  }

  behindSlash(state: number, isBehind: boolean): number {
    return isBehind ? this.add({ set: onlySlash, to: state }) : state;
  }

  finish(start: number): Automaton {
    return {
      start,
      sets: this.#sets,
      to: this.#to,
      free: this.#free,
      accepts: this.#accepts,
      size: this.size,
    };
  }
}
