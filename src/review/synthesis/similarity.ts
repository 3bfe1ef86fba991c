/** How much two findings say the same: words shared, weighted words, letters, names of code, place. */
import type { Sketch } from "./sketch.ts";

/**
 * Jaccard + TF-IDF cosine + ½ · cosine of letters in threes, and a little for a shared name of code: 0 to 2.6.
 * The sum is better than each part (measured on 17,881 labelled pairs: F1 0.70 against 0.62–0.68).
 */
export const textSimilarity = (left: Sketch, right: Sketch): number => {
  const [shared, cosine] = compare(left.words, left.weights, right.words, right.weights);
  const union = left.words.length + right.words.length - shared;
  if (union === 0) return 0;
  const [, letters] = compare(
    left.trigrams,
    left.trigramWeights,
    right.trigrams,
    right.trigramWeights,
  );
  return shared / union + cosine + 0.5 * letters + (haveCommon(left.names, right.names) ? 0.1 : 0);
};

/** Both use the same name of code. */
export const shareName = (left: Sketch, right: Sketch): boolean =>
  haveCommon(left.names, right.names);

const compare = (
  left: Int32Array,
  leftWeights: Float64Array,
  right: Int32Array,
  rightWeights: Float64Array,
): [shared: number, cosine: number] => {
  let shared = 0;
  let cosine = 0;
  let at = 0;
  let other = 0;
  while (at < left.length && other < right.length) {
    const difference = (left[at] ?? 0) - (right[other] ?? 0);
    if (difference === 0) {
      shared += 1;
      cosine += (leftWeights[at] ?? 0) * (rightWeights[other] ?? 0);
      at += 1;
      other += 1;
    } else if (difference < 0) at += 1;
    else other += 1;
  }
  return [shared, cosine];
};

const haveCommon = (left: Int32Array, right: Int32Array): boolean => {
  let other = 0;
  for (const name of left) {
    while (other < right.length && (right[other] ?? 0) < name) other += 1;
    if (right[other] === name) return true;
  }
  return false;
};
