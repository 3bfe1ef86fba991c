/** How well findings were brought together: by pairs of different reviewers, and by what is shown at each agreement. */
import type { Labelled } from "./labelled.ts";

export interface Quality {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** `groups` are ids. */
export const pairQuality = (
  findings: readonly Labelled[],
  groups: readonly (readonly string[])[],
): Quality => {
  const groupOf = new Map(groups.flatMap((ids, at) => ids.map((id) => [id, at] as const)));
  const merged = pairsWithin(findings, ({ review, id }) => `${review} ${groupOf.get(id)}`);
  const same = pairsWithin(findings, ({ review, problem }) => `${review} ${problem}`);
  const both = pairsWithin(
    findings,
    ({ review, id, problem }) => `${review} ${groupOf.get(id)} ${problem}`,
  );
  return toQuality(both, merged, same);
};

/** Pairs of different reviewers with the same key: counted, because of twenty thousand findings all pairs are too many. */
const pairsWithin = (findings: readonly Labelled[], keyOf: (one: Labelled) => string): number => {
  const pairs = (count: number): number => (count * (count - 1)) / 2;
  let sum = 0;
  for (const own of Map.groupBy(findings, keyOf).values()) {
    sum += pairs(own.length);
    for (const sole of Map.groupBy(own, ({ reviewer }) => reviewer).values()) {
      sum -= pairs(sole.length);
    }
  }
  return sum;
};

export const toQuality = (hits: number, shown: number, wanted: number): Quality => {
  const precision = shown === 0 ? 1 : hits / shown;
  const recall = wanted === 0 ? 1 : hits / wanted;
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall || 1) };
};

/** Expected calibration error: ten bins, weighted by how many are in each. */
export const calibrationError = (
  said: readonly { readonly probability: number; readonly isReal: boolean }[],
): number => {
  const bins = Map.groupBy(said, ({ probability }) => Math.min(9, Math.floor(probability * 10)));
  let sum = 0;
  for (const own of bins.values()) {
    const mean = own.reduce((total, one) => total + one.probability, 0);
    const real = own.filter(({ isReal }) => isReal).length;
    sum += Math.abs(mean - real);
  }
  return sum / (said.length || 1);
};

/** Every panel of `size` of the reviewers, or a fixed selection of them. */
export const panelsFrom = (reviewers: readonly string[], size: number): string[][] => {
  const choose = (from: readonly string[], count: number): string[][] => {
    if (count === 0) return [[]];
    return from.flatMap((one, at) =>
      choose(from.slice(at + 1), count - 1).map((rest) => [one, ...rest]),
    );
  };
  const all = choose(reviewers.toSorted(), size);
  const step = Math.max(1, Math.floor(all.length / panelsMax));
  return all.filter((_, at) => at % step === 0).slice(0, panelsMax);
};

const panelsMax = 6;
