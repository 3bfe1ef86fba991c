/** Findings that need no comparing: one rule in one file, or the same words about the same place. */
import { order } from "./normalise.ts";
import type { Normalised } from "./normalise.ts";
import { distanceBetween, isApart, placeScore } from "./nearness.ts";
import type { Finding } from "../types.ts";

export interface Unit {
  readonly members: readonly Normalised[];
  readonly first: Finding;
  /** Of a linter's rule each place that it finds, ascending by line; of others the one. */
  readonly places: readonly Finding[];
  readonly reviewers: ReadonlySet<string>;
}

export const joinExact = (findings: readonly Normalised[]): Unit[] => {
  const units = new Map<string, Normalised[]>();
  for (const one of findings) {
    const { rule, path, line, kind } = one.finding;
    // The same mistake at twenty places of a file is one problem with twenty places; without a rule, the same words at
    // another line may be about something else.
    const key =
      rule && path ? JSON.stringify([rule, path, kind ?? ""]) : `${one.content} ${line ?? ""}`;
    const unit = units.get(key);
    if (unit) unit.push(one);
    else units.set(key, [one]);
  }
  return Array.from(units.values(), (members): Unit => {
    const [first] = members as [Normalised];
    const lines = new Set<number | undefined>();
    const places = members
      .map(({ finding }) => finding)
      .toSorted((left, right) => (left.line ?? 0) - (right.line ?? 0))
      .filter(({ line }) => !lines.has(line) && lines.add(line));
    return {
      ...{ members, places },
      first: first.finding,
      reviewers: new Set(members.map(({ finding }) => finding.reviewer)),
    };
  });
};

/** The two places of two units that are nearest to each other. */
const nearest = (left: Unit, right: Unit): readonly [Finding, Finding] => {
  if (left.places.length > right.places.length) {
    const [one, two] = nearest(right, left);
    return [two, one];
  }
  let best: readonly [Finding, Finding] = [left.first, right.first];
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const one of left.places) {
    for (const two of around(right.places, one.line ?? 0)) {
      const distance = distanceBetween(one, two) ?? 0;
      if (distance < bestDistance) [best, bestDistance] = [[one, two], distance];
    }
  }
  return best;
};

/** The last place up to a line, and the first after it. */
const around = (places: readonly Finding[], line: number): readonly Finding[] => {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.line ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return places.slice(Math.max(0, low - 1), low + 1);
};

export interface UnitPlaces {
  /** Findings about different files, or of different kinds, are never the same problem. */
  isBarred(left: number, right: number): boolean;
  /** In different symbols, or far from each other in one file. */
  isApart(left: number, right: number): boolean;
  score(left: number, right: number): number;
}

/** By numbers where it can be, because it is asked a million times in a large review. */
export const listPlaces = (units: readonly Unit[]): UnitPlaces => {
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
  const differ = (values: Int32Array, left: number, right: number): boolean => {
    const one = values[left] ?? -1;
    const two = values[right] ?? -1;
    return one !== two && one >= 0 && two >= 0;
  };
  const placesAt = (left: number, right: number): readonly [Finding, Finding] | undefined => {
    const one = units[left];
    const two = units[right];
    if (!one || !two || paths[left] !== paths[right] || (paths[left] ?? -1) < 0) return undefined;
    return one.places.length === 1 && two.places.length === 1
      ? [one.first, two.first]
      : nearest(one, two);
  };
  return {
    isBarred: (left, right) => differ(paths, left, right) || differ(kinds, left, right),
    isApart: (left, right) => {
      const places = placesAt(left, right);
      return places !== undefined && isApart(...places);
    },
    score: (left, right) => {
      const places = placesAt(left, right);
      return places === undefined ? 0 : placeScore(...places);
    },
  };
};

/** Pairs of one file, and of those that name none; the first by content, so that a sample is fair. */
export const byFile = (units: readonly Unit[]): readonly (readonly number[])[] =>
  [...Map.groupBy(units.keys(), (at) => units[at]?.first.path ?? "")]
    .toSorted(([left], [right]) => order(left, right))
    .map(([, own]) => own);
