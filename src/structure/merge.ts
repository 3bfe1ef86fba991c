/** Two changes of one text brought together, line by line; a conflict where both touched the same lines. */
import { diffArrays } from "diff";

export type Merged =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly line: number; readonly ours: string; readonly theirs: string };

interface Hunk {
  /** Lines of the base it replaces: from (inclusive) to (exclusive). */
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** Where both only add at one place, theirs comes first: it was there first. */
export const merge3 = (base: string, ours: string, theirs: string): Merged => {
  const lines = splitLines(base);
  const [mine, other] = [hunksOf(lines, splitLines(ours)), hunksOf(lines, splitLines(theirs))];
  const merged: string[] = [];
  let [at, i, j] = [0, 0, 0];
  while (i < mine.length || j < other.length) {
    const [a, b] = [mine[i], other[j]];
    if (a && b && overlaps(a, b)) {
      const isSame = a.from === b.from && a.to === b.to && a.lines.join("") === b.lines.join("");
      const areInsertions = a.from === a.to && b.from === b.to;
      if (!isSame && !areInsertions) {
        const shown = (hunk: Hunk): string => hunk.lines.join("");
        return { ok: false, line: Math.min(a.from, b.from) + 1, ours: shown(a), theirs: shown(b) };
      }
      merged.push(...lines.slice(at, a.from), ...b.lines, ...(isSame ? [] : a.lines));
      at = a.to;
      i += 1;
      j += 1;
      continue;
    }
    const isMine =
      a !== undefined && (b === undefined || a.from < b.from || (a.from === b.from && a.to < b.to));
    const hunk = isMine ? a : b;
    if (!hunk) break;
    merged.push(...lines.slice(at, hunk.from), ...hunk.lines);
    at = hunk.to;
    if (isMine) i += 1;
    else j += 1;
  }
  return { ok: true, text: [...merged, ...lines.slice(at)].join("") };
};

/** An insertion touches only another insertion at its place, or what is replaced around it. */
const overlaps = (a: Hunk, b: Hunk): boolean => {
  if (a.from === a.to && b.from === b.to) return a.from === b.from;
  return a.from < b.to && b.from < a.to;
};

/** With their endings, so that joining them gives the text back. */
const splitLines = (text: string): string[] =>
  text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];

const hunksOf = (base: readonly string[], changed: readonly string[]): Hunk[] => {
  const hunks: Hunk[] = [];
  let at = 0;
  let open: { from: number; to: number; lines: string[] } | undefined;
  for (const part of diffArrays([...base], [...changed])) {
    if (!part.added && !part.removed) {
      if (open) hunks.push(open);
      open = undefined;
      at += part.value.length;
      continue;
    }
    open ??= { from: at, to: at, lines: [] };
    if (part.removed) {
      at += part.value.length;
      open.to = at;
    } else open.lines.push(...part.value);
  }
  if (open) hunks.push(open);
  return hunks;
};
