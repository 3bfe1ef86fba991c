/**
 * Which pairs are worth comparing. Small reviews: all. Large ones: each finding with those that share its
 * rarest words, a bounded number of each, so that work grows with the findings and not with their square; and with
 * its neighbours in the file, because one mistake made in a thousand files is told in words that are all common.
 */
import type { Finding } from "../types.ts";
import { order } from "./normalise.ts";
import type { Sketches } from "./sketch.ts";

/** Pairs of findings, left < right, ascending; two lists of numbers, because a large review has a million. */
export interface Pairs {
  readonly lefts: Int32Array;
  readonly rights: Int32Array;
}

export const findCandidates = (
  { all, frequency }: Sketches,
  isBarred: (left: number, right: number) => boolean,
  places: readonly Pick<Finding, "path" | "line">[],
): Pairs => {
  const total = all.length;
  if (total <= allPairsMax) return allPairs(total);
  const postings = indexWords(all, frequency.length);
  const pairs = new Set<number>();
  const scores = new Float64Array(total);
  for (const [left, { words, weights }] of all.entries()) {
    const touched: number[] = [];
    let budget = visitsMax;
    const byRarity = [...words.keys()].toSorted(
      (a, b) => frequencyAt(frequency, words[a]) - frequencyAt(frequency, words[b]) || a - b,
    );
    for (const at of byRarity) {
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
  for (const [one, two] of neighbours(places)) {
    if (!isBarred(one, two)) pairs.add(one < two ? one * total + two : two * total + one);
  }
  const sorted = Float64Array.from(pairs).toSorted();
  return {
    lefts: Int32Array.from(sorted, (pair) => Math.floor(pair / total)),
    rights: Int32Array.from(sorted, (pair) => pair % total),
  };
};

/** Each with those that follow it in the same file. */
function* neighbours(
  places: readonly Pick<Finding, "path" | "line">[],
): Generator<readonly [one: number, two: number]> {
  const sorted = [...places.entries()]
    .flatMap(([at, { path, line = 0 }]) => (path === undefined ? [] : [{ at, path, line }]))
    .toSorted((a, b) => order(a.path, b.path) || a.line - b.line || a.at - b.at);
  for (const [position, one] of sorted.entries()) {
    for (let step = 1; step <= neighboursMax; step += 1) {
      const two = sorted[position + step];
      if (two === undefined || two.path !== one.path) break;
      yield [one.at, two.at];
    }
  }
}

const allPairs = (total: number): Pairs => {
  const lefts = new Int32Array((total * (total - 1)) / 2);
  const rights = new Int32Array(lefts.length);
  let at = 0;
  for (let left = 0; left < total; left += 1) {
    for (let right = left + 1; right < total; right += 1) {
      lefts[at] = left;
      rights[at] = right;
      at += 1;
    }
  }
  return { lefts, rights };
};

/** 28,680 comparisons, about 50 ms; reviews in the wild have 15 to 100 findings. */
const allPairsMax = 240;
/** A problem seen by a dozen reviewers has eleven partners; the rest is for related ones. */
const partnersMax = 24;
/** A dozen reviewers at one place. */
const neighboursMax = 12;
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
