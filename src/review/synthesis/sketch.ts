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
  const words = numbersOf(read.map(({ counts }) => counts));
  const trigrams = numbersOf(read.map(({ trigrams: threes }) => threes));
  const names = numbersOf(read.map((one) => new Map([...one.names].map((name) => [name, 1]))));
  const { frequency } = words;
  const weighWord = (count: number, at: number): number =>
    Math.sqrt(count) * Math.log(1 + texts.length / (frequency[at] ?? 1));
  const all = texts.map((_, index): Sketch => {
    const [ownWords, weights] = vectorOf(words.lists[index] ?? nothing, weighWord);
    const [threes, trigramWeights] = vectorOf(trigrams.lists[index] ?? nothing, (count) => count);
    const [ownNames] = vectorOf(names.lists[index] ?? nothing, (count) => count);
    return { words: ownWords, weights, trigrams: threes, trigramWeights, names: ownNames };
  });
  return { all, frequency };
};

/** Each text's keys as numbers in the order of first sight, packed with how often: `number · packing + count`. */
const numbersOf = (counted: readonly ReadonlyMap<string, number>[]) => {
  const numbers = new Map<string, number>();
  const frequency: number[] = [];
  const lists = counted.map((counts) => {
    const packed = new Float64Array(counts.size);
    let position = 0;
    for (const [key, count] of counts) {
      let at = numbers.get(key);
      if (at === undefined) {
        at = frequency.push(0) - 1;
        numbers.set(key, at);
      }
      frequency[at] = (frequency[at] ?? 0) + 1;
      packed[position] = at * packing + count;
      position += 1;
    }
    // Numbers alone sort several times faster than pairs by a function.
    return packed.toSorted();
  });
  return { lists, frequency: Int32Array.from(frequency) };
};

const nothing = new Float64Array();

/** No text that is read has so many words or letters. */
const packing = 2 ** 16;

const vectorOf = (
  packed: Float64Array,
  weigh: (count: number, at: number) => number,
): [Int32Array, Float64Array] => {
  const keys = new Int32Array(packed.length);
  const weights = new Float64Array(packed.length);
  let squares = 0;
  for (let index = 0; index < packed.length; index += 1) {
    const one = packed[index] ?? 0;
    const at = Math.floor(one / packing);
    const weight = weigh(one - at * packing, at);
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
