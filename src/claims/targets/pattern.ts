/** The part of a target from its first wildcard or braces on, ready for comparing. */
import { limits } from "../../base/limits.ts";
import { meet, standing } from "./overlap-meet.ts";
import { type Automaton, everythingBelow, makeAutomaton } from "./pattern-automaton.ts";
import { alternativesProblem } from "./pattern-check.ts";
import type { Instruction, Program, Reading } from "./pattern-program.ts";
import { complexTarget, invalidTarget } from "./target-problem.ts";

export interface PatternSource {
  /** The target as given, for messages. */
  readonly given: string;
  readonly program: Program;
  readonly hasBraces: boolean;
  readonly hasPrefix: boolean;
  readonly extent: "file" | "tree";
  readonly folds: boolean;
}

export class Pattern {
  readonly #source: PatternSource;
  readonly #made = new Map<Reading, Automaton>();

  /** Throws TARGET_INVALID for a pattern that no path fits, TARGET_TOO_COMPLEX for one too costly. */
  constructor(source: PatternSource) {
    this.#source = source;
    const { given, program, hasBraces, hasPrefix } = source;
    const problem = hasBraces ? alternativesProblem(program, hasPrefix) : undefined;
    if (problem !== undefined) throw invalidTarget(given, problem);
    // Only classes differ in size when case is ignored.
    if (program.some(isClass)) this.automaton(true);
    if (!fitsSomePath(this.automaton(source.folds), hasPrefix)) {
      throw invalidTarget(given, "no path can ever fit it");
    }
  }

  /** As it is compared with targets that ignore case, or with those that do not. */
  automaton(ignoresCase: boolean): Automaton {
    const { folds } = this.#source;
    if (folds) return this.#read("ownCase");
    return this.#read(ignoresCase ? "otherCase" : "exact");
  }

  #read(reading: Reading): Automaton {
    let automaton = this.#made.get(reading);
    if (automaton === undefined) {
      const { program, hasPrefix, extent, given } = this.#source;
      const sizeMax = limits.targetSizeMax;
      automaton = makeAutomaton(program, { reading, hasPrefix, extent, sizeMax });
      if (automaton === undefined) {
        throw complexTarget(
          given,
          "it takes too many steps to compare; claim several targets instead",
        );
      }
      this.#made.set(reading, automaton);
    }
    return automaton;
  }
}

const isClass = (instruction: Instruction): boolean =>
  instruction.op === "one" && instruction.one.kind === "class";

/** `[.]`, `.[.]` and classes that hold nothing a name may hold are the ways to fit none. */
const fitsSomePath = (automaton: Automaton, hasPrefix: boolean): boolean => {
  const now = hasPrefix ? standing.inName : standing.root;
  const [left, right] = [automaton, everythingBelow(true)];
  const budget = { steps: limits.overlapStepsMax };
  return meet({ left, leftStates: [left.start], right, now, budget }) !== undefined;
};
