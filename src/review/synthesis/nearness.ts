/** Two places speak about two findings: near is a hint that they are one problem, far counts against it. */
import type { Finding } from "../types.ts";

export type PlaceHint = Pick<Finding, "path" | "line" | "symbol">;

/** Lines between two findings of one file; undefined where one of them names none. */
export const distanceBetween = (left: PlaceHint, right: PlaceHint): number | undefined =>
  left.path === undefined ||
  left.path !== right.path ||
  left.line === undefined ||
  right.line === undefined
    ? undefined
    : Math.abs(left.line - right.line);

/**
 * In different symbols, or further apart than a function is long: one problem only if the text says so strongly. Within
 * one symbol a reviewer may name its head and another the statement.
 */
export const isApart = (left: PlaceHint, right: PlaceHint): boolean => {
  const distance = distanceBetween(left, right);
  if (distance === undefined || distance <= sameLines) return false;
  if (left.symbol === undefined || right.symbol === undefined) return distance > apartLines;
  if (left.symbol === right.symbol) return distance > apartInSymbol;
  // The outline names a class for what is between its methods: one is within the other.
  return !isWithin(left.symbol, right.symbol) || distance > apartLines;
};

/** Added to the likeness of two texts; 0 where a place is not known. */
export const placeScore = (left: PlaceHint, right: PlaceHint): number => {
  const lines = distanceBetween(left, right);
  if (lines === undefined) return 0;
  const isSameSymbol = left.symbol !== undefined && left.symbol === right.symbol;
  const distance = isSameSymbol ? lines / 2 : lines;
  for (const [upTo, score] of steps) if (distance <= upTo) return score;
  return farScore;
};

const steps: readonly (readonly [upTo: number, score: number])[] = [
  [0, 0.3],
  [3, 0.25],
  [8, 0.1],
  [15, -0.1],
  [25, -0.3],
];
const farScore = -0.5;

const isWithin = (one: string, two: string): boolean =>
  one.startsWith(`${two}.`) || two.startsWith(`${one}.`);

const sameLines = 3;
/** Longer than most functions; without an outline all that can be said. */
const apartLines = 30;
const apartInSymbol = 120;
