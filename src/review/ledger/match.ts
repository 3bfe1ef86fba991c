/** Which problems of this review are known already. Pure. */
import { order } from "../synthesis/normalise.ts";
import { textSimilarity } from "../synthesis/similarity.ts";
import { sketchAll } from "../synthesis/sketch.ts";
import { mergeThreshold, sameFrom } from "../synthesis/threshold.ts";

export interface SeenPlace {
  readonly keys: readonly string[];
  readonly lineHash: string | null;
  readonly symbol: string | null;
  readonly path: string | undefined;
  readonly line: number | undefined;
}

/** One cluster of the review, with the places that its members cite. */
export interface Seen {
  readonly places: readonly SeenPlace[];
  readonly kinds: ReadonlySet<string>;
  readonly text: string;
}

export interface Known {
  readonly id: string;
  readonly keys: ReadonlySet<string>;
  readonly path: string | null;
  readonly line: number | null;
  readonly lineHash: string | null;
  readonly symbol: string | null;
  readonly kind: string | null;
  readonly text: string;
  readonly isDismissed: boolean;
}

export interface MatchOptions {
  /** Where a file is now, by where it was. */
  readonly renames: ReadonlyMap<string, string>;
  /** Whether the cited line can still be where it was: then the same text elsewhere is another problem. */
  mayStay(known: Known): boolean;
}

/** For each seen one the known ones that it is, oldest first: several when it was reported as several before. */
export const matchFindings = (
  seen: readonly Seen[],
  known: readonly Known[],
  options: MatchOptions,
): (readonly string[])[] => {
  const owner = new Map<string, number>();
  const found = seen.map((): Set<string> => new Set());
  const take = (at: number, id: string): void => {
    owner.set(id, at);
    found[at]?.add(id);
  };
  const renames = new Map(options.renames);
  for (const form of ["lines", "symbol", "place"]) {
    for (const [at, one] of pairByKeys(seen, known, { form, owner, options })) {
      take(at, one.known.id);
      const { path } = one.place;
      if (one.known.path !== null && path !== undefined && path !== one.known.path) {
        renames.set(one.known.path, path);
      }
    }
  }
  const rest = seen.flatMap((one, at) => (found[at]?.size === 0 ? [{ one, at }] : []));
  const free = known.filter(({ id }) => !owner.has(id));
  for (const [at, id] of pairByText(rest, free, renames)) take(at, id);
  return found.map((ids) => [...ids].toSorted(order));
};

interface Pair {
  readonly at: number;
  readonly place: SeenPlace;
  readonly known: Known;
  readonly isMoved: boolean;
  readonly distance: number;
}

/** Twins share a key: those of one file are told apart by how near they are. */
const pairByKeys = (
  seen: readonly Seen[],
  known: readonly Known[],
  context: {
    readonly form: string;
    readonly owner: ReadonlyMap<string, number>;
    readonly options: MatchOptions;
  },
): [number, Pair][] => {
  const { form, owner, options } = context;
  const byKey = new Map<string, Known[]>();
  for (const one of known) {
    for (const key of one.keys) {
      if (!key.startsWith(`${form}:`)) continue;
      const list = byKey.get(key);
      if (list) list.push(one);
      else byKey.set(key, [one]);
    }
  }
  const manyOf = new Map<string, NearTo>();
  /** A rule that speaks in hundreds of equal lines: only what is near can be told apart. */
  const twinsOf = (key: string, { path, line = 0 }: SeenPlace): readonly Known[] => {
    const twins = byKey.get(key) ?? [];
    if (twins.length <= twinsMax) return twins;
    let near = manyOf.get(key);
    if (!near) manyOf.set(key, (near = nearTo(twins)));
    return near(path ?? null, line);
  };
  const taken = new Map(owner);
  const pairs = seen.flatMap(({ places }, at) =>
    places.flatMap((place) =>
      place.keys.flatMap((key) =>
        twinsOf(key, place).flatMap((one): Pair[] => {
          if ((taken.get(one.id) ?? at) !== at) return [];
          const isMoved = one.path !== (place.path ?? null);
          const distance = Math.abs((one.line ?? 0) - (place.line ?? 0));
          if (isMoved && !isWayFree(one, place, options)) return [];
          return [{ at, place, known: one, isMoved, distance }];
        }),
      ),
    ),
  );
  const chosen: [number, Pair][] = [];
  const placed = new Set<SeenPlace>();
  for (const pair of pairs.toSorted(
    (left, right) =>
      Number(left.isMoved) - Number(right.isMoved) ||
      left.distance - right.distance ||
      order(left.known.id, right.known.id) ||
      left.at - right.at,
  )) {
    if (placed.has(pair.place) || (taken.get(pair.known.id) ?? pair.at) !== pair.at) continue;
    placed.add(pair.place);
    taken.set(pair.known.id, pair.at);
    chosen.push([pair.at, pair]);
  }
  return chosen;
};

const isWayFree = (known: Known, place: SeenPlace, options: MatchOptions): boolean =>
  (known.path !== null && options.renames.get(known.path) === place.path) ||
  !options.mayStay(known);

/**
 * Other words, or another text in the cited line: the same file, near, and as similar as two findings of one
 * review must be. What somebody dismissed must not hide a new problem, so there the line has to be the same.
 */
const pairByText = (
  seen: readonly { readonly one: Seen; readonly at: number }[],
  known: readonly Known[],
  renames: ReadonlyMap<string, string>,
): [at: number, id: string][] => {
  const groups = Map.groupBy(known, ({ path }) =>
    path === null ? null : (renames.get(path) ?? path),
  );
  const byPath = new Map([...groups].map(([path, own]) => [path, candidatesIn(own)]));
  const near = seen.flatMap(({ one, at }) => {
    const paths = new Set(one.places.map(({ path }) => path ?? null));
    return [...paths]
      .flatMap((path) => byPath.get(path)?.(one) ?? [])
      .map((other) => ({ at, one, other }));
  });
  if (near.length === 0) return [];
  const texts = [...new Set(near.flatMap(({ one, other }) => [one.text, other.text]))];
  const { all } = sketchAll(texts);
  const sketches = new Map(texts.map((text, index) => [text, all[index]]));
  const scored = near.map((pair) => {
    const [left, right] = [sketches.get(pair.one.text), sketches.get(pair.other.text)];
    return { ...pair, score: left && right ? textSimilarity(left, right) : 0 };
  });
  const threshold = mergeThreshold(
    scored.map(({ score }) => score),
    { findings: texts.length, reviewers: 2 },
  );
  const owned = new Set<string>();
  const done = new Set<number>();
  const chosen: [number, string][] = [];
  for (const { at, other, score } of scored.toSorted(
    (left, right) => right.score - left.score || order(left.other.id, right.other.id),
  )) {
    if ((score * sameFrom) / threshold < sameFrom || owned.has(other.id) || done.has(at)) continue;
    owned.add(other.id);
    done.add(at);
    chosen.push([at, other.id]);
  }
  return chosen;
};

const isNear = ({ places, kinds }: Seen, known: Known): boolean => {
  if (known.kind !== null && kinds.size > 0 && !kinds.has(known.kind)) return false;
  return places.some(({ lineHash, symbol, line }) => {
    if (lineHash !== null && lineHash === known.lineHash) return true;
    if (known.isDismissed) return known.lineHash === null && lineHash === null;
    if (symbol !== null && symbol === known.symbol) return true;
    if (line === undefined || known.line === null) return true;
    return Math.abs(line - known.line) <= nearLines;
  });
};

/**
 * Those of one file that `isNear` can accept, the surest first. Each with each would take minutes for ten thousand,
 * inside a transaction that others wait for.
 */
const candidatesIn = (known: readonly Known[]): ((seen: Seen) => Known[]) => {
  const byHash = Map.groupBy(known, ({ lineHash }) => lineHash);
  const bySymbol = Map.groupBy(known, ({ symbol }) => symbol);
  const near = nearTo(known, () => null);
  const lineless = known.filter(({ line }) => line === null);
  return (seen) => {
    const found = new Set<Known>();
    const take = (list: readonly Known[] = []): void => {
      // The newest: what was seen last is most likely seen again.
      for (const one of list.slice(-triedMax).toReversed()) {
        if (found.size >= comparedMax) return;
        if (isNear(seen, one)) found.add(one);
      }
    };
    for (const { lineHash, symbol, line } of seen.places) {
      take(byHash.get(lineHash));
      if (line !== undefined) {
        take(near(null, line));
        take(lineless);
      }
      if (symbol !== null) take(bySymbol.get(symbol));
      if (line === undefined) take(known);
    }
    return [...found];
  };
};

type NearTo = (path: string | null, line: number) => Known[];

/** In the same file, at most a screen away. */
const nearTo = (
  known: readonly Known[],
  pathOf: (one: Known) => string | null = ({ path }) => path,
): NearTo => {
  const keyOf = (path: string | null, step: number): string => `${step} ${path ?? ""}`;
  const steps = Map.groupBy(known, (one) =>
    keyOf(pathOf(one), Math.floor((one.line ?? 0) / nearLines)),
  );
  return (path, line) => {
    const step = Math.floor(line / nearLines);
    return [step - 1, step, step + 1]
      .flatMap((one) => steps.get(keyOf(path, one)) ?? [])
      .filter((one) => Math.abs((one.line ?? 0) - line) <= nearLines);
  };
};

const triedMax = 1_000;
const comparedMax = 60;
const twinsMax = 200;
/** A screen: what moves further without keeping its text or its symbol is taken for another one. */
const nearLines = 25;
