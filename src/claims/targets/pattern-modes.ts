import { type Instruction, isWild, type Program } from "./pattern-program.ts";

/**
 * Where a way through the program stands. A slash is due only when another name follows, so an empty
 * name that braces leave (`a/{,b}`) vanishes. "Plain" says that no wildcard was met so far.
 */
export const mode = {
  startPlain: 0,
  betweenPlain: 1,
  inPlain: 2,
  startWild: 3,
  betweenWild: 4,
  inWild: 5,
  /** Behind a `**` that spanned nothing at the very start, and behind any other; a name must end here. */
  deepStart: 6,
  deep: 7,
} as const;
export const modeCount = 8;

export const isWildMode = (now: number): boolean => now >= mode.startWild;
export const isAtStart = (now: number): boolean =>
  now === mode.startPlain || now === mode.startWild || now === mode.deepStart;
export const isInName = (now: number): boolean => now === mode.inPlain || now === mode.inWild;
export const isBetween = (now: number): boolean =>
  now === mode.betweenPlain || now === mode.betweenWild;
export const isBehindDeep = (now: number): boolean => now >= mode.deepStart;

/** The modes possible behind an instruction that is met in mode `now`. */
const modesAfter = (instruction: Instruction, now: number): readonly number[] => {
  switch (instruction.op) {
    case "fork":
    case "jump":
      return [now];
    case "slash":
      return [modeAfterSlash(now)];
    case "one":
      return isBehindDeep(now) ? [] : [modeAfterOne(instruction, now)];
    case "star":
      return isBehindDeep(now) ? [] : [mode.inWild];
    case "deep": {
      if (isBehindDeep(now)) return [];
      if (isInName(now)) return [mode.inWild];
      const asDeep = isBetween(now) ? [mode.deep] : [mode.deepStart, mode.deep];
      return instruction.isAlways ? asDeep : [...asDeep, mode.inWild];
    }
  }
};

export const modeAfterOne = (instruction: Instruction, now: number): number =>
  isWild(instruction) || isWildMode(now) ? mode.inWild : mode.inPlain;

export const modeAfterSlash = (now: number): number => {
  if (now === mode.inPlain) return mode.betweenPlain;
  if (now === mode.inWild || now === mode.deep) return mode.betweenWild;
  return now === mode.deepStart ? mode.startWild : now;
};

/** Per place, a bit for each mode it can be reached in. */
export const reachedModes = (program: Program, first: number): number[] => {
  const reached = Array.from({ length: program.length + 1 }, () => 0);
  reached[0] = 1 << first;
  for (const [place, instruction] of program.entries()) {
    const places = placesAfter(instruction, place);
    for (let now = 0; now < modeCount; now += 1) {
      if (((reached[place] ?? 0) & (1 << now)) === 0) continue;
      let modes = 0;
      for (const next of modesAfter(instruction, now)) modes |= 1 << next;
      for (const next of places) reached[next] = (reached[next] ?? 0) | modes;
    }
  }
  return reached;
};

const placesAfter = (instruction: Instruction, place: number): readonly number[] => {
  if (instruction.op === "fork") return instruction.to;
  return [instruction.op === "jump" ? instruction.to : place + 1];
};

/** Whether some way through the program meets no wildcard. */
export const hasPlainWay = (program: Program): boolean => {
  const modes = reachedModes(program, mode.startPlain)[program.length] ?? 0;
  return (modes & ((1 << mode.startPlain) | (1 << mode.betweenPlain) | (1 << mode.inPlain))) !== 0;
};
