/** How alike two short texts are, and which of many are nearest. */

/** Share of pairs of neighbouring letters that both have: 1 for equal texts, 0 for strangers. */
export const likeness = (a: string, b: string): number => {
  if (a === b) return 1;
  const [first, second] = [pairsOf(a.toLowerCase()), pairsOf(b.toLowerCase())];
  let shared = 0;
  let total = 0;
  for (const count of first.values()) total += count;
  for (const [pair, count] of second) {
    shared += Math.min(count, first.get(pair) ?? 0);
    total += count;
  }
  return total === 0 ? 0 : (2 * shared) / total;
};

export const nearest = <T>(
  wanted: string,
  all: readonly T[],
  nameOf: (one: T) => string,
  count: number,
): T[] =>
  all
    .map((one) => ({ one, score: likeness(wanted, nameOf(one)) }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, count)
    .filter(({ score }) => score > 0.2)
    .map(({ one }) => one);

const pairsOf = (text: string): Map<string, number> => {
  const pairs = new Map<string, number>();
  const padded = ` ${text} `;
  for (let at = 0; at + 1 < padded.length; at += 1) {
    const pair = padded.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
};
