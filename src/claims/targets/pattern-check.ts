import type { Program } from "./pattern-program.ts";

/**
 * What is wrong with the paths that a pattern's braces can put together, or undefined. Outside braces
 * `./a` and `a//b` are tidied up while reading; what only some alternatives make is refused instead.
 */
export const alternativesProblem = (program: Program, hasPrefix: boolean): string | undefined => {
  const reached: Set<State>[] = Array.from({ length: program.length + 1 }, () => new Set());
  reached[0]?.add(hasPrefix ? "name" : "start");
  for (const [place, instruction] of program.entries()) {
    for (const state of reached[place] ?? []) {
      if (instruction.op === "fork") {
        for (const to of instruction.to) reached[to]?.add(state);
      } else if (instruction.op === "jump") reached[instruction.to]?.add(state);
      else if (instruction.op === "slash") {
        const problem = problemAtSlash(state);
        if (problem !== undefined) return problem;
        reached[place + 1]?.add("name");
      } else {
        const isDot =
          instruction.op === "one" &&
          instruction.one.kind === "letter" &&
          instruction.one.letter === 0x2e;
        reached[place + 1]?.add(isDot ? afterDot[state] : "other");
      }
    }
  }
  const ends = reached[program.length] ?? new Set();
  if (ends.has("start")) return 'one alternative is empty; write "." for the whole repository';
  return ends.has("dot") || ends.has("dots") ? dotProblem : undefined;
};

/** The very start of the path, the start of a name, a name that is dots so far, any other name. */
type State = "start" | "name" | "dot" | "dots" | "other";

const afterDot: Readonly<Record<State, State>> = {
  start: "dot",
  name: "dot",
  dot: "dots",
  dots: "other",
  other: "other",
};

const problemAtSlash = (state: State): string | undefined => {
  if (state === "start") return "one alternative begins with a slash; write {a/,}b for {a,}/b";
  return state === "dot" || state === "dots" ? dotProblem : undefined;
};

const dotProblem = 'braces make a name "." or ".." here; write the alternatives without it';
