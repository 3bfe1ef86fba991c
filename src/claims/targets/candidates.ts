/**
 * Which stored targets can overlap a given one at all, told by their place and tail, so that an index
 * finds them. Never misses one; the exact decision follows on what is found.
 */
import { limits } from "../../base/limits.ts";
import type { Target } from "./target.ts";

/** From included, to excluded, in the order of UTF-8 bytes (which is that of code points). */
export interface TextRange {
  readonly from: string;
  readonly to: string;
}

export interface WhereToLook {
  /** A candidate's place is one of these… */
  readonly places: readonly string[];
  /** …or lies in this range. */
  readonly below: TextRange | undefined;
  /** If given: its tail is one of these… */
  readonly tails: readonly string[] | undefined;
  /** …or lies in this range. */
  readonly tailRange: TextRange | undefined;
}

export const whereToLook = (target: Target): WhereToLook => {
  const { kind, place, tail, extent, shape } = target;
  if (kind === "name" || kind === "git") {
    return { places: [place], below: undefined, tails: undefined, tailRange: undefined };
  }
  const isOne = !shape.pattern && extent === "file";
  return {
    places: placesAbove(place),
    below: isOne ? undefined : startingWith(place),
    tails: tail === "" ? undefined : startsOf(tail),
    tailRange: tail === "" || isOne ? undefined : startingWith(tail),
  };
};

/** The place itself and each folder above it. */
const placesAbove = (place: string): string[] => {
  const places: string[] = [];
  for (let end = place.indexOf("/"); end >= 0; end = place.indexOf("/", end + 1)) {
    places.push(place.slice(0, end + 1));
  }
  return places;
};

const startsOf = (tail: string): string[] => {
  const starts = [""];
  for (const letter of tail) starts.push((starts.at(-1) ?? "") + letter);
  return starts;
};

/** All texts that start with this one. */
const startingWith = (text: string): TextRange => {
  const letters = Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
  for (let last = letters.pop(); last !== undefined; last = letters.pop()) {
    if (last === 0x10_ffff) continue;
    // Half pairs are no characters of their own.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    return { from: text, to: String.fromCodePoint(...letters, next) };
  }
  // Nothing but the last character there is: behind it come only longer texts of it.
  return { from: text, to: "\u{10ffff}".repeat(limits.targetTailLengthMax) };
};
