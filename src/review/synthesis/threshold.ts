/**
 * From which similarity on two findings of this review are one problem. The scale of the similarity depends on
 * how long the texts are and how much vocabulary the change itself gives them (the best fixed threshold was 0.50
 * on one corpus and 0.29 on another), so it is taken from the review: most pairs are different problems, hence
 * mean + c · deviation over pairs of *different* reviewers, and above it: on the half of eval/review/labelled.jsonl
 * that was tuned on, without places, a wrong merge is then half as frequent at four points of recall.
 */
export const mergeThreshold = (scores: readonly number[], shape: ReviewShape): number => {
  const { findings, reviewers } = shape;
  if (scores.length === 0) return usual * sureness;
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length;
  // The share of pairs that are duplicates falls with the findings and grows with the reviewers: 0.27 · r / n
  // fits both corpora. The rarer they are, the further out they begin.
  const share = (0.27 * reviewers) / Math.max(1, findings);
  const distance = clamp(0.75 + Math.log(0.11 / share), 0.3, 4);
  const own = mean + distance * Math.sqrt(variance);
  // A handful of pairs says little: the usual value counts as this many.
  const blended = (own * scores.length + usual * usualWeight) / (scores.length + usualWeight);
  return clamp(blended * sureness, lowest, highest);
};

export interface ReviewShape {
  readonly findings: number;
  readonly reviewers: number;
}

/** Similarity on the review's own scale: 0.50 means the same problem, 0.40 to 0.50 related. */
export const sameFrom = 0.5;
export const relatedFrom = 0.4;

const usual = 0.4;
const usualWeight = 60;
/** A problem that is shown twice costs a reader less than one that disappears in another. */
const sureness = 1.15;
/** Below it unrelated findings of a quiet review would merge, above it a dozen sightings of one would not. */
const lowest = 0.26;
const highest = 0.7;

const clamp = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value));
