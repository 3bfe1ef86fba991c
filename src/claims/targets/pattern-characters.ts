/** Sets of characters, as sorted code-point ranges: `[from, to, from, to, …]`, both ends included. */

export type Ranges = readonly number[];

export interface CharacterSet {
  readonly ranges: Ranges;
  /**
   * The character of a set of one, folded if the set is one letter in every case; else -1. Sets and
   * texts compared with each other are read in the same way, so this alone decides.
   */
  readonly single: number;
  readonly sorts: number;
  /** Holds every character of its sorts, so nothing has to be searched. */
  readonly isWhole: boolean;
}

/** Names' ends and dots matter to whoever walks a path. */
export const sorts = { slash: 1, dot: 2, other: 4 } as const;

export const slash = 0x2f;
export const dot = 0x2e;

/** Sorts and joins what touches. */
export const toRanges = (pairs: readonly (readonly [from: number, to: number])[]): number[] => {
  const ranges: number[] = [];
  for (const [from, to] of pairs.toSorted((left, right) => left[0] - right[0])) {
    const last = ranges.length - 1;
    const end = ranges[last];
    if (end !== undefined && from <= end + 1) ranges[last] = Math.max(end, to);
    else ranges.push(from, to);
  }
  return ranges;
};

export const pairsOf = (ranges: Ranges): [from: number, to: number][] => {
  const pairs: [number, number][] = [];
  for (let i = 0; i < ranges.length; i += 2) pairs.push([ranges[i] ?? 0, ranges[i + 1] ?? 0]);
  return pairs;
};

/** Everything but `ranges` that a name may hold. */
export const withoutRanges = (ranges: Ranges): number[] => {
  const pairs: [number, number][] = [];
  let from = 0;
  for (const [first, last] of [...pairsOf(toRanges([...pairsOf(ranges), ...unusable])), beyond]) {
    if (first > from) pairs.push([from, first - 1]);
    from = last + 1;
  }
  return toRanges(pairs);
};

export const hasCharacter = (ranges: Ranges, character: number): boolean => {
  for (let i = 0; i < ranges.length; i += 2) {
    if (character < (ranges[i] ?? 0)) return false;
    if (character <= (ranges[i + 1] ?? 0)) return true;
  }
  return false;
};

const beyond: [number, number] = [0x11_0000, 0x11_0000];

/** What `characterProblem` refuses in paths; and the slash, which stands between names. */
const unusable: [number, number][] = [
  [0x00, 0x1f],
  [slash, slash],
  [0x7f, 0x9f],
  [0x61c, 0x61c],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2066, 0x2069],
  [0xd800, 0xdfff],
];

const sortsIn = (from: number, to: number): number => {
  const hasSlash = from <= slash && slash <= to;
  const hasDot = from <= dot && dot <= to;
  const others = to - from + 1 - (hasSlash ? 1 : 0) - (hasDot ? 1 : 0);
  return (hasSlash ? sorts.slash : 0) | (hasDot ? sorts.dot : 0) | (others > 0 ? sorts.other : 0);
};

export const makeSet = (ranges: Ranges, single = -1): CharacterSet => {
  let held = 0;
  for (const [from, to] of pairsOf(ranges)) held |= sortsIn(from, to);
  return { ranges, single, sorts: held, isWhole: false };
};

const wholeSet = (ranges: Ranges): CharacterSet => ({ ...makeSet(ranges), isWhole: true });

/** What `?` and `*` stand for. */
export const anyInName = wholeSet(withoutRanges([]));
export const anyInPath = wholeSet(toRanges([...pairsOf(anyInName.ranges), [slash, slash]]));
export const onlySlash: CharacterSet = makeSet([slash, slash], slash);

/** The most steps that asking one of this set takes. */
export const costOf = (set: CharacterSet): number =>
  set.isWhole || set.single >= 0 ? 1 : set.ranges.length / 2;

export const isIn = (set: CharacterSet, character: number): boolean => {
  if (set.single >= 0) return set.single === character;
  return set.isWhole ? (set.sorts & sortOf(character)) !== 0 : hasCharacter(set.ranges, character);
};

/** The sorts of the characters that two sets share. */
export const sharedSorts = (left: CharacterSet, right: CharacterSet): number => {
  if (left.isWhole || right.isWhole) return left.sorts & right.sorts;
  if (left.single >= 0) return isIn(right, left.single) ? left.sorts : 0;
  if (right.single >= 0) return isIn(left, right.single) ? right.sorts : 0;
  let found = 0;
  for (let i = 0, j = 0; i < left.ranges.length && j < right.ranges.length;) {
    const leftEnd = left.ranges[i + 1] ?? 0;
    const rightEnd = right.ranges[j + 1] ?? 0;
    const from = Math.max(left.ranges[i] ?? 0, right.ranges[j] ?? 0);
    const to = Math.min(leftEnd, rightEnd);
    if (from <= to) found |= sortsIn(from, to);
    if (leftEnd < rightEnd) i += 2;
    else j += 2;
  }
  return found;
};

/** One character of the given sort that both have; for showing an example. */
export const sharedCharacter = (left: CharacterSet, right: CharacterSet, sort: number): number => {
  const fits = (one: number): boolean =>
    sortOf(one) === sort && hasCharacter(left.ranges, one) && hasCharacter(right.ranges, one);
  const starts = [...left.ranges, ...right.ranges];
  // Next to an end of a range lies the first character of what both share, unless it is of another sort.
  return (
    [example, dot, slash, slash + 1, ...starts, ...starts.map((one) => one + 1)].find(fits) ?? -1
  );
};

/** A letter that reads well where any would do. */
export const example = 0x78;

export const sortOf = (character: number): number => {
  if (character === slash) return sorts.slash;
  return character === dot ? sorts.dot : sorts.other;
};
