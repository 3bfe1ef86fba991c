/**
 * Two changes of one text brought together, line by line; a conflict where both touched the same lines.
 * A line that both added at one place is there once; where the lines alone do not show which one is meant, it is a
 * conflict, too.
 */
import { diffArrays } from "diff";

export type Merged =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly line: number; readonly ours: string; readonly theirs: string };

/** Lines that one side added, and the index of the first of them in that side's text. */
export interface Inserted {
  readonly lines: readonly string[];
  readonly at: number;
}

/** Two additions at one place made one; undefined is a conflict. */
export type JoinInserted = (ours: Inserted, theirs: Inserted) => readonly string[] | undefined;

interface Replaced extends Inserted {
  /** Lines of the base it replaces: from (inclusive) to (exclusive). */
  readonly from: number;
  readonly to: number;
}

/** Where both only add at one place, theirs comes first: it was there first. */
export const merge3 = (
  base: string,
  ours: string,
  theirs: string,
  join: JoinInserted = joinLines,
): Merged => {
  const lines = splitLines(base);
  const [mine, other] = [findHunks(lines, ours), findHunks(lines, theirs)];
  const merged: string[] = [];
  let [at, i, j] = [0, 0, 0];
  const take = (from: number, added: readonly string[], to: number): void => {
    merged.push(...lines.slice(at, from), ...added);
    at = to;
  };
  while (i < mine.length || j < other.length) {
    const [a, b] = [mine[i], other[j]];
    if (a && b && overlaps(a, b)) {
      const both = joinHunks(a, b, { lines, at, join });
      if (!both) return conflict(a, b);
      take(both.from, both.lines, both.to);
      i += 1;
      j += 1;
      continue;
    }
    const isMine =
      a !== undefined && (b === undefined || a.from < b.from || (a.from === b.from && a.to < b.to));
    const hunk = isMine ? a : b;
    if (!hunk) break;
    // Side by side, a line that both brought would stand twice.
    if (a && b && touches(a, b) && shares(a.lines, b.lines)) return conflict(a, b);
    take(hunk.from, hunk.lines, hunk.to);
    if (isMine) i += 1;
    else j += 1;
  }
  return { ok: true, text: joinText([...merged, ...lines.slice(at)]) };
};

/**
 * For text that nothing is known about. Lines of a list (one indentation, each complete in itself) are brought
 * together; other text must have nothing in common, or a part of it would stand twice.
 */
export const joinLines: JoinInserted = (ours, theirs) => {
  if (![ours.lines, theirs.lines].every((lines) => isBalanced(lines.join("")))) return undefined;
  if (!shares(ours.lines, theirs.lines)) return [...theirs.lines, ...ours.lines];
  return isFlat([...theirs.lines, ...ours.lines])
    ? [...theirs.lines, ...without(ours.lines, theirs.lines)]
    : undefined;
};

/** Blank lines and lines of brackets say nothing: they may stand as often as they like. */
export const saysSomething = (line: string): boolean => /[\p{L}\p{N}]/u.test(line);

/** With their endings, so that joining them gives the text back. */
export const splitLines = (text: string): string[] =>
  text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];

const conflict = (a: Replaced, b: Replaced): Merged => {
  const [ours, theirs] = [a.lines.join(""), b.lines.join("")];
  return { ok: false, line: Math.min(a.from, b.from) + 1, ours, theirs };
};

/** Both changed the same place: alike, or by additions that can be joined. */
const joinHunks = (
  a: Replaced,
  b: Replaced,
  {
    lines,
    at,
    join,
  }: { readonly lines: readonly string[]; readonly at: number; readonly join: JoinInserted },
): { from: number; to: number; lines: readonly string[] } | undefined => {
  const isSame = a.from === b.from && a.to === b.to && joinText(a.lines) === joinText(b.lines);
  if (isSame) return a;
  if (a.from !== a.to || b.from !== b.to) return undefined;
  // The same addition can be seen some lines further up where they repeat: "*/ f() {} /**" is "/** */ f() {}".
  const room = Math.min(a.from - at, slidesMax);
  for (let up = 0; up <= room; up += 1) {
    const [mine, other] = [slideUp(a, up, lines), slideUp(b, up, lines)];
    if (!mine || !other) return undefined;
    const joined = join(mine, other);
    if (joined) return { from: mine.from, to: mine.to, lines: joined };
  }
  return undefined;
};

const slidesMax = 20;

const slideUp = (hunk: Replaced, count: number, base: readonly string[]): Replaced | undefined => {
  let lines = [...hunk.lines];
  for (let step = 1; step <= count; step += 1) {
    const line = base[hunk.from - step];
    if (line === undefined || lines.at(-1) !== line) return undefined;
    lines = [line, ...lines.slice(0, -1)];
  }
  return { lines, at: hunk.at - count, from: hunk.from - count, to: hunk.to - count };
};

/** An insertion touches only another insertion at its place, or what is replaced around it. */
const overlaps = (a: Replaced, b: Replaced): boolean => {
  if (a.from === a.to && b.from === b.to) return a.from === b.from;
  return a.from < b.to && b.from < a.to;
};

const touches = (a: Replaced, b: Replaced): boolean => a.to === b.from || b.to === a.from;

const shares = (ours: readonly string[], theirs: readonly string[]): boolean => {
  const other = new Set(theirs.map((line) => line.trim()));
  return ours.some((line) => saysSomething(line) && other.has(line.trim()));
};

/** Each line of `known` takes one like it away. */
const without = (lines: readonly string[], known: readonly string[]): string[] => {
  const left = new Map<string, number>();
  for (const line of known) left.set(line.trim(), (left.get(line.trim()) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line.trim()) ?? 0;
    if (count > 0) left.set(line.trim(), count - 1);
    return count === 0;
  });
};

const isFlat = (lines: readonly string[]): boolean => {
  const full = lines.filter((line) => line.trim() !== "");
  const indentations = new Set(full.map((line) => /^\s*/.exec(line)?.[0]));
  return indentations.size <= 1 && full.every((line) => isBalanced(line) && saysSomething(line));
};

/** By number; brackets inside strings only make it more careful. */
const isBalanced = (text: string): boolean =>
  ["()", "[]", "{}"].every(
    ([open = "", close = ""]) => text.split(open).length === text.split(close).length,
  );

/** A last line without an ending gets one where another follows it now. */
const joinText = (lines: readonly string[]): string => {
  const ending = /\r\n|\r|\n/.exec(lines.find((line) => /[\r\n]$/.test(line)) ?? "")?.[0] ?? "\n";
  return lines
    .map((line, index) =>
      index === lines.length - 1 || /[\r\n]$/.test(line) ? line : line + ending,
    )
    .join("");
};

const findHunks = (base: readonly string[], changed: string): Replaced[] => {
  const hunks: Replaced[] = [];
  let [at, changedAt] = [0, 0];
  let open: { from: number; to: number; lines: string[]; at: number } | undefined;
  for (const part of diffArrays([...base], splitLines(changed))) {
    if (!part.added && !part.removed) {
      if (open) hunks.push(open);
      open = undefined;
      at += part.value.length;
      changedAt += part.value.length;
      continue;
    }
    open ??= { from: at, to: at, lines: [], at: changedAt };
    if (part.removed) {
      at += part.value.length;
      open.to = at;
    } else {
      open.lines.push(...part.value);
      changedAt += part.value.length;
    }
  }
  if (open) hunks.push(open);
  return hunks.map((hunk, index) => slideDown(hunk, base, hunks[index + 1]?.from ?? base.length));
};

/** Where lines repeat, one addition has several places; the last is taken, so that equal ones meet. */
const slideDown = (hunk: Replaced, base: readonly string[], end: number): Replaced => {
  if (hunk.from !== hunk.to) return hunk;
  const lines = [...hunk.lines];
  let { from, at } = hunk;
  const last = end === base.length ? end : end - 1;
  while (from < last && base[from] === lines[0]) {
    lines.push(lines.shift() ?? "");
    from += 1;
    at += 1;
  }
  return { lines, at, from, to: from };
};
