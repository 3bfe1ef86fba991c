/** Which findings of one review are the same problem, and which are only alike. */
import type { Finding } from "../types.ts";
import { findCandidates } from "./candidates.ts";
import { linkAverage } from "./linkage.ts";
import type { Normalised } from "./normalise.ts";
import { placeBonus, textSimilarity } from "./similarity.ts";
import { sketchAll } from "./sketch.ts";
import { mergeThreshold, relatedFrom, sameFrom } from "./threshold.ts";

export interface Group {
  readonly findings: readonly Normalised[];
  /** The member that is most like all others: its words speak for the group. */
  readonly speaker: Finding;
  /** Indexes of groups that are similar, but not similar enough. */
  readonly related: readonly number[];
}

interface Unit {
  readonly members: readonly Normalised[];
  readonly first: Finding;
  readonly reviewers: ReadonlySet<string>;
}

export const groupFindings = (
  findings: readonly Normalised[],
  textOf: (finding: Finding) => string,
): Group[] => {
  const units = joinExact(findings);
  const sketches = sketchAll(units.map(({ first }) => textOf(first)));
  const { all } = sketches;
  const raw = (left: number, right: number): number => {
    const one = all[left];
    const two = all[right];
    return one && two ? textSimilarity(one, two) : 0;
  };
  const isBarred = placesApart(units);
  const isOwn = sharedReviewer(units);
  const { scores, openShare } = sampleScores(units.length, raw, { isBarred, isOwn });
  // Where places keep most pairs apart, a review is as good as several small ones.
  const findingsNear = Math.max(1, units.length * openShare);
  const threshold = mergeThreshold(scores, {
    findings: findingsNear,
    reviewers: reviewersOf(units),
  });
  const scale = sameFrom / threshold;
  const mean = scores.reduce((sum, score) => sum + score, 0) / (scores.length || 1);
  const { clusters, similar } = linkAverage({
    size: units.length,
    pairs: findCandidates(
      sketches,
      isBarred,
      units.map(({ first }) => first),
    ),
    score: (left, right) => {
      const text = raw(left, right);
      const penalty = text < sameTextFrom && isOwn(left, right) ? ownPenalty : 0;
      return text * scale + placeBonus(firstOf(units, left), firstOf(units, right)) - penalty;
    },
    background: (left, right) => mean * scale - (isOwn(left, right) ? ownPenalty : 0),
    isBarred,
    threshold: sameFrom,
    edgeFrom: relatedFrom,
  });
  const related = clusters.map((): number[] => []);
  for (const [left, right, mean] of similar) {
    if (mean < relatedFrom || mean >= sameFrom) continue;
    related[left]?.push(right);
    related[right]?.push(left);
  }
  return clusters.map((members, index) => ({
    findings: members.flatMap((member) => units[member]?.members ?? []),
    speaker: speakerOf(members, units, raw),
    related: (related[index] ?? []).toSorted((left, right) => left - right),
  }));
};

/**
 * Reviewers rarely report one problem twice: two findings of one reviewer are two problems unless the text is
 * nearly the same. Worth 2 to 28 points of F1, most where tools write boilerplate (eval/review).
 */
const ownPenalty = 1;
const sameTextFrom = 1.5;

/** One rule at one place, or the same words about the same file, need no comparing. */
const joinExact = (findings: readonly Normalised[]): Unit[] => {
  const units = new Map<string, Normalised[]>();
  for (const one of findings) {
    const { rule, path, line, kind } = one.finding;
    const isAtRule = rule && path && line !== undefined;
    // A linter says the same words at every place that its rule finds: each is a problem of its own.
    const key = isAtRule ? JSON.stringify([rule, path, line, kind ?? ""]) : one.content;
    const unit = units.get(key);
    if (unit) unit.push(one);
    else units.set(key, [one]);
  }
  return Array.from(units.values(), (members): Unit => {
    const [first] = members as [Normalised];
    return {
      members,
      first: first.finding,
      reviewers: new Set(members.map(({ finding }) => finding.reviewer)),
    };
  });
};

/**
 * Findings about different files, of different kinds, or of one rule at different lines are never the same
 * problem. By numbers, because it is asked a
 * million times in a large review.
 */
const placesApart = (units: readonly Unit[]): ((left: number, right: number) => boolean) => {
  const numbers = (values: readonly (string | undefined)[]): Int32Array => {
    const known = new Map<string, number>();
    return Int32Array.from(values, (value) => {
      if (value === undefined) return -1;
      const number = known.get(value) ?? known.size;
      known.set(value, number);
      return number;
    });
  };
  const paths = numbers(units.map(({ first }) => first.path));
  const kinds = numbers(units.map(({ first }) => first.kind));
  const rules = numbers(
    units.map(({ first }) => (first.line === undefined ? undefined : first.rule)),
  );
  const lines = Int32Array.from(units, ({ first }) => first.line ?? 0);
  const areTwins = (left: number, right: number): boolean =>
    (rules[left] ?? -1) >= 0 && rules[left] === rules[right] && lines[left] !== lines[right];
  const differ = (of: Int32Array, left: number, right: number): boolean => {
    const one = of[left] ?? -1;
    const two = of[right] ?? -1;
    return one !== two && one >= 0 && two >= 0;
  };
  return (left, right) =>
    differ(paths, left, right) || differ(kinds, left, right) || areTwins(left, right);
};

/** Whether one reviewer said both. By numbers where it can be: asked as often as the places. */
const sharedReviewer = (units: readonly Unit[]): ((left: number, right: number) => boolean) => {
  const numbers = new Map<string, number>();
  for (const { reviewers } of units) {
    for (const one of reviewers) numbers.set(one, numbers.get(one) ?? numbers.size);
  }
  const severalOnes = -1;
  const soleOnes = Int32Array.from(units, ({ reviewers }) => {
    const [first = ""] = reviewers;
    return reviewers.size === 1 ? (numbers.get(first) ?? severalOnes) : severalOnes;
  });
  return (left, right) => {
    const one = soleOnes[left] ?? severalOnes;
    const two = soleOnes[right] ?? severalOnes;
    if (one >= 0 && two >= 0) return one === two;
    return haveCommon(units[left]?.reviewers ?? none, units[right]?.reviewers ?? none);
  };
};

const none: ReadonlySet<string> = new Set();

const firstOf = (units: readonly Unit[], at: number): Finding => (units[at] as Unit).first;

const haveCommon = (left: ReadonlySet<string>, right: ReadonlySet<string>): boolean => {
  for (const one of left) if (right.has(one)) return true;
  return false;
};

const reviewersOf = (units: readonly Unit[]): number =>
  new Set(units.flatMap(({ reviewers }) => [...reviewers])).size;

/** Pairs of different reviewers: all of a small review, an even selection of a large one. */
const sampleScores = (
  total: number,
  raw: (left: number, right: number) => number,
  { isBarred, isOwn }: Record<"isBarred" | "isOwn", (left: number, right: number) => boolean>,
): { readonly scores: readonly number[]; readonly openShare: number } => {
  const scores: number[] = [];
  const step = Math.max(1, Math.ceil((total * (total - 1)) / 2 / samplesMax));
  let count = 0;
  let visited = 0;
  let open = 0;
  // Units are in the order of a hash, so every n-th pair is as good as a random one.
  for (let left = 0; left < total; left += 1) {
    for (let right = left + 1 + ((step - (count % step)) % step); right < total; right += step) {
      visited += 1;
      if (isBarred(left, right)) continue;
      open += 1;
      if (!isOwn(left, right)) scores.push(raw(left, right));
    }
    count += total - left - 1;
  }
  return { scores, openShare: visited === 0 ? 1 : open / visited };
};

/** So many similarities give mean and deviation to two digits. */
const samplesMax = 12_000;

const speakerOf = (
  members: readonly number[],
  units: readonly Unit[],
  raw: (left: number, right: number) => number,
): Finding => {
  let best = members[0] ?? 0;
  let bestSum = Number.NEGATIVE_INFINITY;
  for (const one of members) {
    let sum = 0;
    for (const two of members) if (one !== two) sum += raw(one, two);
    if (sum > bestSum) [best, bestSum] = [one, sum];
  }
  return firstOf(units, best);
};
