/**
 * What a textbook does: words without endings, TF-IDF cosine plus Jaccard, average linkage, and no two findings of one
 * reviewer in one group. It knows no places. The product has to be better than this.
 */
import { stemOf } from "../../src/review/synthesis/stem.ts";
import { stopWords } from "../../src/review/synthesis/stop-words.ts";
import type { Labelled } from "./labelled.ts";

/** Groups of ids. */
export const groupByTextbook = (
  findings: readonly Labelled[],
  threshold: number,
): readonly (readonly string[])[] =>
  [...Map.groupBy(findings, ({ review }) => review).values()].flatMap((own) =>
    groupReview(own, threshold),
  );

/** The threshold with the best F1, tried in steps. */
export const thresholds: readonly number[] = Array.from(
  { length: 10 },
  (_, at) => 0.12 + at * 0.06,
);

const groupReview = (findings: readonly Labelled[], threshold: number): string[][] => {
  const scores = scoresIn(findings);
  let groups = findings.map((_, at) => [at]);
  const mean = (left: readonly number[], right: readonly number[]): number =>
    left.reduce(
      (sum, one) => sum + right.reduce((inner, two) => inner + (scores[one]?.[two] ?? 0), 0),
      0,
    ) /
    (left.length * right.length);
  for (;;) {
    let best: { left: number; right: number; score: number } | undefined;
    for (let left = 0; left < groups.length; left += 1) {
      for (let right = left + 1; right < groups.length; right += 1) {
        const score = mean(groups[left] ?? [], groups[right] ?? []);
        if (score >= threshold && score > (best?.score ?? 0)) best = { left, right, score };
      }
    }
    if (!best) break;
    const { left, right } = best;
    const joined = [...(groups[left] ?? []), ...(groups[right] ?? [])];
    groups = [...groups.filter((_, at) => at !== left && at !== right), joined];
  }
  return groups.map((group) => group.flatMap((at) => findings[at]?.id ?? []));
};

const scoresIn = (findings: readonly Labelled[]): readonly (readonly number[])[] => {
  const texts = findings.map(({ title, body = "" }) => wordsIn(`${title} ${body}`));
  const frequency = new Map<string, number>();
  for (const words of texts) {
    for (const word of words.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  const vectors = texts.map((words) => {
    const weights = new Map(
      [...words].map(([word, count]): [string, number] => [
        word,
        count * Math.log(1 + texts.length / (frequency.get(word) ?? 1)),
      ]),
    );
    return { weights, length: Math.hypot(...weights.values()) || 1 };
  });
  const similarity = (left: number, right: number): number => {
    const one = vectors[left];
    const two = vectors[right];
    if (!one || !two) return 0;
    let shared = 0;
    let product = 0;
    for (const [word, weight] of one.weights) {
      const other = two.weights.get(word);
      if (other === undefined) continue;
      shared += 1;
      product += weight * other;
    }
    const union = one.weights.size + two.weights.size - shared || 1;
    return shared / union + product / (one.length * two.length);
  };
  return findings.map((left, at) =>
    findings.map((right, other) =>
      left.reviewer === right.reviewer ? -1 : similarity(Math.min(at, other), Math.max(at, other)),
    ),
  );
};

const wordsIn = (text: string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    if (stopWords.has(word)) continue;
    const stem = stemOf(word);
    counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return counts;
};
