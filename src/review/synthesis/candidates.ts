/**
 * Which pairs are worth comparing. Small reviews: all. Large ones: each finding with those that share its
 * rarest words, a bounded number of each, so that work grows with the findings and not with their square.
 */
import type { Sketches } from "./sketch.ts";

export type Pair = readonly [left: number, right: number];

export const findCandidates = (
  { all, frequency }: Sketches,
  isBarred: (left: number, right: number) => boolean,
): Pair[] => {
  const total = all.length;
  if (total <= allPairsMax) {
    return all.flatMap((_, left) =>
      Array.from({ length: total - left - 1 }, (__, step): Pair => [left, left + step + 1]),
    );
  }
  const postings = indexWords(all, frequency.length);
  const pairs = new Set<number>();
  const scores = new Float64Array(total);
  for (const [left, { words, weights }] of all.entries()) {
    const touched: number[] = [];
    let budget = visitsMax;
    const order = [...words.keys()].toSorted(
      (a, b) => frequencyAt(frequency, words[a]) - frequencyAt(frequency, words[b]) || a - b,
    );
    for (const at of order) {
      const list = postings[words[at] ?? -1];
      if (!list || list.length < 2) continue;
      budget -= list.length;
      if (budget < 0) break;
      const weight = weights[at] ?? 0;
      for (const right of list) {
        if (right === left || isBarred(left, right)) continue;
        if (scores[right] === 0) touched.push(right);
        scores[right] = (scores[right] ?? 0) + weight;
      }
    }
    for (const right of bestOf(touched, scores)) {
      pairs.add(left < right ? left * total + right : right * total + left);
    }
    for (const right of touched) scores[right] = 0;
  }
  return Array.from(pairs, (pair): Pair => [Math.floor(pair / total), pair % total]).toSorted(
    ([a, b], [c, d]) => a - c || b - d,
  );
};

/** 28,680 comparisons, about 50 ms; reviews in the wild have 15 to 100 findings. */
const allPairsMax = 240;
/** A problem seen by a dozen reviewers has eleven partners; the rest is for related ones. */
const partnersMax = 24;
/** Places in word lists visited per finding, rarest words first. */
const visitsMax = 800;

/** Sorting numbers first and names after is several times faster than sorting all by a function. */
const bestOf = (touched: readonly number[], scores: Float64Array): number[] => {
  if (touched.length <= partnersMax) return [...touched];
  const sorted = new Float64Array(touched.length);
  for (let at = 0; at < sorted.length; at += 1) sorted[at] = scores[touched[at] ?? 0] ?? 0;
  sorted.sort();
  const least = sorted[sorted.length - partnersMax] ?? 0;
  return touched
    .filter((one) => (scores[one] ?? 0) >= least)
    .toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .slice(0, partnersMax);
};

const frequencyAt = (frequency: Int32Array, word: number | undefined): number =>
  frequency[word ?? -1] ?? 0;

const indexWords = (all: Sketches["all"], wordCount: number): number[][] => {
  const postings: number[][] = Array.from({ length: wordCount }, () => []);
  for (const [index, { words }] of all.entries()) {
    for (const word of words) postings[word]?.push(index);
  }
  return postings;
};
