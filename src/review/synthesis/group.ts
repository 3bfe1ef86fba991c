/** Which findings of one review are the same problem, and which are only alike. */
import type { Finding } from "../types.ts";
import { findCandidates } from "./candidates.ts";
import { linkAverage } from "./linkage.ts";
import type { ProblemWords } from "./said.ts";
import { type Normalised, order } from "./normalise.ts";
import { shareName, textSimilarity } from "./similarity.ts";
import { byFile, joinExact, listPlaces, type Unit } from "./units.ts";
import { isContrast, titleWords } from "./contrast.ts";
import { sketchAll } from "./sketch.ts";
import { mergeThreshold, relatedFrom, sameFrom } from "./threshold.ts";

export interface Group {
  readonly findings: readonly Normalised[];
  /** The member that is most like all others: its words speak for the group. */
  readonly speaker: Finding;
  /** Indexes of groups that are similar, but not similar enough. */
  readonly related: readonly number[];
}

export const groupFindings = (
  findings: readonly Normalised[],
  saidOf: (finding: Finding) => ProblemWords,
): Group[] => {
  const units = joinExact(findings);
  const said = units.map(({ first }) => saidOf(first));
  const sketches = sketchAll(said.map(({ title, body }) => `${title}\n${body}`));
  const titles = said.map(({ title }) => titleWords(title));
  const { all } = sketches;
  const raw = (left: number, right: number): number => {
    const one = all[left];
    const two = all[right];
    return one && two ? textSimilarity(one, two) : 0;
  };
  const differ = (left: number, right: number): boolean => {
    const one = titles[left];
    const two = titles[right];
    return one !== undefined && two !== undefined && isContrast(one, two);
  };
  const places = listPlaces(units);
  const { isBarred } = places;
  const isOwn = sharedReviewer(units);
  const { scores, openShare } = sampleScores(
    units,
    raw,
    (left, right) => !isBarred(left, right) && !isOwn(left, right) && !places.isApart(left, right),
  );
  // Where places keep most pairs apart, a review is as good as several small ones.
  const findingsNear = Math.max(1, units.length * openShare);
  const threshold = mergeThreshold(scores, {
    findings: findingsNear,
    reviewers: reviewersOf(units),
  });
  const scale = sameFrom / threshold;
  const mean = scores.reduce((sum, score) => sum + score, 0) / (scores.length || 1);
  const isStrong = (left: number, right: number, text: number): boolean => {
    const one = all[left];
    const two = all[right];
    if (!one || !two || text < strongText || differ(left, right)) return false;
    return shareName(one, two);
  };
  const { clusters, similar } = linkAverage({
    size: units.length,
    pairs: findCandidates(
      sketches,
      isBarred,
      units.map(({ first }) => first),
    ),
    score: (left, right) => {
      const text = raw(left, right);
      if (places.isApart(left, right) && !isStrong(left, right, text)) return apart;
      const near = places.score(left, right);
      const own = isOwn(left, right) && (text < sameTextFrom || near < nearScore) ? ownPenalty : 0;
      const isNear = near >= nearScore;
      if (differ(left, right)) {
        // Next to each other it may be one statement after all; elsewhere it is another subject.
        return isNear && !isOwn(left, right) ? text * scale + near - nearContrast : apart;
      }
      return text * scale + near - own;
    },
    background: (left, right) =>
      places.isApart(left, right)
        ? apart
        : mean * scale +
          Math.min(0, places.score(left, right)) -
          (isOwn(left, right) ? ownPenalty : 0),
    isBarred,
    threshold: sameFrom,
    edgeFrom: relatedFrom,
  });
  const joined = joinRules(clusters, units);
  const related = joined.groups.map(() => new Set<number>());
  for (const [left, right, mean] of similar) {
    if (mean < relatedFrom || mean >= sameFrom) continue;
    const [one, two] = [joined.index[left] ?? 0, joined.index[right] ?? 0];
    if (one === two) continue;
    related[one]?.add(two);
    related[two]?.add(one);
  }
  return joined.groups.map((members, index) => ({
    findings: members.flatMap((member) => units[member]?.members ?? []),
    speaker: speakerOf(members, units, raw),
    related: [...(related[index] ?? [])].toSorted((left, right) => left - right),
  }));
};

/** Over several files only the findings of one rule are one problem: groups in which no one else has a word. */
const joinRules = (
  clusters: readonly (readonly number[])[],
  units: readonly Unit[],
): { readonly groups: readonly (readonly number[])[]; readonly index: readonly number[] } => {
  const groups: number[][] = [];
  const byRule = new Map<string, number>();
  const index = clusters.map((members) => {
    const key = soleRule(members, units);
    const known = key === undefined ? undefined : byRule.get(key);
    if (known !== undefined) {
      groups[known]?.push(...members);
      return known;
    }
    const at = groups.push([...members]) - 1;
    if (key !== undefined) byRule.set(key, at);
    return at;
  });
  return { groups, index };
};

const soleRule = (members: readonly number[], units: readonly Unit[]): string | undefined => {
  const keys = new Set(
    members.flatMap((at) =>
      (units[at]?.members ?? []).map(({ finding: { rule, path, kind } }) =>
        rule === undefined || path === undefined ? undefined : JSON.stringify([rule, kind ?? ""]),
      ),
    ),
  );
  const [key] = keys;
  return keys.size === 1 ? key : undefined;
};

/** Never one problem, whatever else is in the two clusters. */
const apart = Number.NEGATIVE_INFINITY;
/** Of two findings in different symbols: the same sentences about the same name. */
const strongText = 1.3;
/** At the same line or next to it. */
const nearScore = 0.25;
/** The same frame of words around different subjects. */
const nearContrast = 0.2;

/**
 * Reviewers rarely report one problem twice: two findings of one reviewer are two problems unless the text is
 * nearly the same. Worth 2 to 28 points of F1, most where tools write boilerplate (eval/review).
 */
const ownPenalty = 1;
const sameTextFrom = 1.5;

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

/** Pairs of different reviewers that could be one problem: all of a small review, a selection of a large one. */
const sampleScores = (
  units: readonly Unit[],
  raw: (left: number, right: number) => number,
  isOpen: (left: number, right: number) => boolean,
): { readonly scores: readonly number[]; readonly openShare: number } => {
  const files = byFile(units);
  const unplaced = files.find((own) => units[own[0] ?? 0]?.first.path === undefined) ?? [];
  const scores: number[] = [];
  let visited = 0;
  let open = 0;
  // Only pairs of one file can be the same, so only these are looked at; who names no file may meet all.
  const total = files.reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0);
  const step = Math.max(1, Math.ceil(total / samplesMax));
  let count = 0;
  const visit = (left: number, right: number): void => {
    count += 1;
    if (count % step !== 0) return;
    visited += 1;
    if (!isOpen(left, right)) return;
    open += 1;
    scores.push(raw(left, right));
  };
  for (const own of files) {
    for (const [at, left] of own.entries()) {
      for (let next = at + 1; next < own.length; next += 1) visit(left, own[next] ?? 0);
    }
  }
  const pairs = (units.length * (units.length - 1)) / 2 || 1;
  const reach = (total + unplaced.length * (units.length - unplaced.length)) / pairs;
  return { scores, openShare: visited === 0 ? 1 : Math.min(1, (open / visited) * reach) };
};

/** So many similarities give mean and deviation to two digits. */
const samplesMax = 12_000;

/** Of two that are as much like the others: the more severe one, the one with a fix, the longer one, the first place. */
const tellsMore = (one: Finding, two: Finding): boolean => {
  const grade = ({ severity = "P2" }: Finding): string => severity;
  if (grade(one) !== grade(two)) return grade(one) < grade(two);
  if ((one.fix === undefined) !== (two.fix === undefined)) return two.fix === undefined;
  const longer = (one.body ?? "").length - (two.body ?? "").length;
  if (longer !== 0) return longer > 0;
  return (order(one.path ?? "", two.path ?? "") || (one.line ?? 0) - (two.line ?? 0)) < 0;
};

/** Of a rule in thousands of files any one speaks for all. */
const speakersMax = 50;

const speakerOf = (
  members: readonly number[],
  units: readonly Unit[],
  raw: (left: number, right: number) => number,
): Finding => {
  // A place that can be opened is worth more than a word in common.
  const placed = members.filter((at) => firstOf(units, at).path !== undefined);
  const candidates = (placed.length > 0 ? placed : members).slice(0, speakersMax);
  let best = candidates[0] ?? 0;
  let bestSum = Number.NEGATIVE_INFINITY;
  for (const one of candidates) {
    let sum = 0;
    for (const two of candidates) if (one !== two) sum += raw(one, two);
    const isBetter =
      Math.abs(sum - bestSum) < 1e-9
        ? tellsMore(firstOf(units, one), firstOf(units, best))
        : sum > bestSum;
    if (isBetter) [best, bestSum] = [one, sum];
  }
  return firstOf(units, best);
};
