/** All findings of one review as vectors, with weights that this review itself gives to words. */
import { readWords } from "./words.ts";

export interface Sketch {
  /** Numbers of words, ascending; `weights` goes with them and has length 1 as a vector. */
  readonly words: Int32Array;
  readonly weights: Float64Array;
  readonly trigrams: Int32Array;
  readonly trigramWeights: Float64Array;
  readonly names: Int32Array;
}

export interface Sketches {
  readonly all: readonly Sketch[];
  /** In how many findings a word occurs. */
  readonly frequency: Int32Array;
}

/**
 * The weight of a word falls with the findings of *this review* that have it: all of them speak about the same
 * change, so its vocabulary tells nothing (measured: better than weights over all reviews).
 */
export const sketchAll = (texts: readonly string[]): Sketches => {
  const read = texts.map(readWords);
  const wordNumbers = numbersOf(read.map(({ counts }) => counts.keys()));
  const trigramNumbers = numbersOf(read.map(({ trigrams }) => trigrams.keys()));
  const nameNumbers = numbersOf(read.map(({ names }) => names.keys()));
  const { frequency } = wordNumbers;
  const all = read.map(({ counts, trigrams, names }): Sketch => {
    const [words, weights] = vectorOf(
      counts,
      wordNumbers.numbers,
      (count, at) => Math.sqrt(count) * Math.log(1 + texts.length / (frequency[at] ?? 1)),
    );
    const [threes, threeWeights] = vectorOf(trigrams, trigramNumbers.numbers, (count) => count);
    const ids = Int32Array.from(names, (name) => nameNumbers.numbers.get(name) ?? -1).toSorted();
    return { words, weights, trigrams: threes, trigramWeights: threeWeights, names: ids };
  });
  return { all, frequency };
};

const numbersOf = (lists: readonly Iterable<string>[]) => {
  const numbers = new Map<string, number>();
  const frequency: number[] = [];
  for (const list of lists) {
    for (const key of list) {
      const known = numbers.get(key);
      if (known === undefined) {
        numbers.set(key, frequency.length);
        frequency.push(1);
      } else frequency[known] = (frequency[known] ?? 0) + 1;
    }
  }
  return { numbers, frequency: Int32Array.from(frequency) };
};

const vectorOf = (
  counts: ReadonlyMap<string, number>,
  numbers: ReadonlyMap<string, number>,
  weigh: (count: number, at: number) => number,
): [Int32Array, Float64Array] => {
  const entries = [...counts]
    .map(([key, count]): [number, number] => [numbers.get(key) ?? -1, count])
    .toSorted(([left], [right]) => left - right);
  const keys = new Int32Array(entries.length);
  const weights = new Float64Array(entries.length);
  let squares = 0;
  for (const [index, [at, count]] of entries.entries()) {
    const weight = weigh(count, at);
    keys[index] = at;
    weights[index] = weight;
    squares += weight * weight;
  }
  const length = Math.sqrt(squares) || 1;
  for (let index = 0; index < weights.length; index += 1) {
    weights[index] = (weights[index] ?? 0) / length;
  }
  return [keys, weights];
};
