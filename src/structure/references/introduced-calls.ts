/** Calls that an edit brings in: those that stand more often in the new version than in the old one. */
import type { Analysed } from "../analyser.ts";
import type { Reference } from "../types.ts";

export const introducedCalls = (
  before: Analysed | undefined,
  after: Analysed | undefined,
): Reference[] => {
  const old = calls(before);
  const [placed, anywhere] = [countBy(old, placeKey), countBy(old, callKey)];
  // From the end: of equal calls in one function, the later ones are taken for the new ones.
  const left = countBy(calls(after), callKey);
  for (const [key, count] of left) left.set(key, count - (anywhere.get(key) ?? 0));
  const found: Reference[] = [];
  const perPlace = Map.groupBy(calls(after), placeKey);
  for (const [place, group] of perPlace) {
    const extra = group.length - (placed.get(place) ?? 0);
    if (extra <= 0) continue;
    for (const one of group.slice(-extra).toReversed()) {
      // A function that was moved or renamed takes its calls along: they are not new.
      const rest = left.get(callKey(one)) ?? 0;
      if (rest <= 0) continue;
      left.set(callKey(one), rest - 1);
      found.push(one);
    }
  }
  return found.toSorted((a, b) => a.span.from - b.span.from);
};

const calls = (analysed: Analysed | undefined): Reference[] =>
  analysed?.outline.references.filter(({ kind }) => kind === "call" || kind === "member-call") ??
  [];

const callKey = ({ name, receiver }: Reference): string => `${receiver ?? ""}\0${name}`;
const placeKey = (one: Reference): string => `${callKey(one)}\0${one.within}`;

const countBy = (
  references: readonly Reference[],
  keyOf: (one: Reference) => string,
): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const one of references) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return counts;
};
