import { sha256 } from "../../base/sha256.ts";

/** 0 to 1, the same for the same words: what looks like chance can be repeated and explained. */
export const chanceOf = (...words: readonly string[]): number =>
  Number.parseInt(sha256(words.join("\0")).slice(0, 12), 16) / 2 ** 48;
