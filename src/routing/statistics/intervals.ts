/** Intervals for showing only: decisions are made by e-processes, which may be looked at any time. */
import { logLowerBeta, logUpperBeta } from "./special.ts";

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Wilson's score interval. */
export const wilson = (hits: number, total: number, z = 1.959964): Interval => {
  if (total === 0) return { low: 0, high: 1 };
  const rate = hits / total;
  const middle = (rate + (z * z) / (2 * total)) / (1 + (z * z) / total);
  const half =
    (z / (1 + (z * z) / total)) *
    Math.sqrt((rate * (1 - rate)) / total + (z * z) / (4 * total * total));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
};

/** Clopper and Pearson's exact interval. */
export const clopperPearson = (hits: number, total: number, level = 0.95): Interval => {
  if (total === 0) return { low: 0, high: 1 };
  const tail = Math.log((1 - level) / 2);
  return {
    low: hits === 0 ? 0 : solve((x) => logLowerBeta(x, hits, total - hits + 1) - tail),
    high: hits === total ? 1 : solve((x) => tail - logUpperBeta(x, hits + 1, total - hits)),
  };
};

/** The root of a rising function on (0, 1). */
const solve = (rising: (x: number) => number): number => {
  let [low, high] = [0, 1];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (rising(middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
};
