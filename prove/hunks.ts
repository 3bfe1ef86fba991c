/**
 * Hunks of a commit, and how an agent makes an Edit of one: it reads the file as it is now, finds the place by the
 * old lines and their neighbours, and takes as much around it as makes the text unique.
 */
import { compareLines, isTelling, toLines } from "./lines.ts";

export interface Hunk {
  /** Line in the old file, from 0. */
  readonly at: number;
  /** Up to three unchanged lines on each side. */
  readonly above: readonly string[];
  readonly old: readonly string[];
  readonly new: readonly string[];
  readonly below: readonly string[];
}

const contextLines = 3;

/** Changes with at most twice the context between them are one hunk, as git shows them. */
export const toHunks = (before: string, after: string): Hunk[] => {
  const oldLines = toLines(before);
  const newLines = toLines(after);
  const spans: { oldFrom: number; oldTo: number; newFrom: number; newTo: number }[] = [];
  for (const change of compareLines(oldLines, newLines)) {
    const oldTo = change.oldAt + change.oldLines.length;
    const newTo = change.newAt + change.newLines.length;
    const last = spans.at(-1);
    if (last && change.oldAt - last.oldTo <= 2 * contextLines)
      Object.assign(last, { oldTo, newTo });
    else spans.push({ oldFrom: change.oldAt, oldTo, newFrom: change.newAt, newTo });
  }
  return spans.map(({ oldFrom, oldTo, newFrom, newTo }) => ({
    at: oldFrom,
    above: oldLines.slice(Math.max(0, oldFrom - contextLines), oldFrom),
    old: oldLines.slice(oldFrom, oldTo),
    new: newLines.slice(newFrom, newTo),
    below: oldLines.slice(oldTo, oldTo + contextLines),
  }));
};

/** Two hunks and the lines between them as one. */
export const joinHunks = (first: Hunk, second: Hunk, before: string): Hunk => {
  const between = toLines(before).slice(first.at + first.old.length, second.at);
  return {
    at: first.at,
    above: first.above,
    old: [...first.old, ...between, ...second.old],
    new: [...first.new, ...between, ...second.new],
    below: second.below,
  };
};

/** Hunks that belong to the text they were made from. */
export const applyHunks = (before: string, hunks: readonly Hunk[]): string => {
  const lines = toLines(before);
  for (const hunk of hunks.toReversed()) lines.splice(hunk.at, hunk.old.length, ...hunk.new);
  return lines.join("\n");
};

export interface TextEdit {
  readonly old: string;
  readonly new: string;
}

/** The edit that makes the hunk in the present text; undefined where the text lacks what the hunk builds on. */
export const fitHunk = (text: string, hunk: Hunk): TextEdit | undefined => {
  const lines = toLines(text);
  const at = isThere(lines, hunk) ? undefined : findPlace(lines, hunk);
  if (at === undefined) return undefined;
  for (let around = hunk.old.length === 0 ? 1 : 0; ; around += 1) {
    const from = Math.max(0, at - around);
    const to = Math.min(lines.length, at + hunk.old.length + around);
    const old = lines.slice(from, to).join("\n");
    const isWhole = from === 0 && to === lines.length;
    if (old !== "" && text.split(old).length === 2) {
      const above = lines.slice(from, at);
      const below = lines.slice(at + hunk.old.length, to);
      return { old, new: [...above, ...hunk.new, ...below].join("\n") };
    }
    if (isWhole) return undefined;
  }
};

/** Enough lines that they are not the same by chance. */
const blockLines = 4;

/** A commit that brings a block back which the checkout never lost, or one that was picked to two branches. */
const isThere = (lines: readonly string[], hunk: Hunk): boolean => {
  const added = hunk.new.filter((line) => isTelling(line) && !hunk.old.includes(line));
  if (added.length < blockLines) return false;
  return lines.some((_, at) => hunk.new.every((line, index) => lines[at + index] === line));
};

const findPlace = (lines: readonly string[], hunk: Hunk): number | undefined => {
  const known = [...hunk.above, ...hunk.below].filter(isTelling).length;
  const wanted = Math.min(known, hunk.old.some(isTelling) ? 1 : 2);
  let best: { at: number; score: number; distance: number } | undefined;
  for (let at = 0; at + hunk.old.length <= lines.length; at += 1) {
    if (hunk.old.some((line, index) => lines[at + index] !== line)) continue;
    const above = countAlike(hunk.above.toReversed(), (index) => lines[at - 1 - index]);
    const below = countAlike(hunk.below, (index) => lines[at + hunk.old.length + index]);
    // Less than a block, but at the very place.
    const isDone =
      hunk.old.length === 0 && hunk.new.every((line, index) => lines[at + index] === line);
    if (isDone && above > 0) return undefined;
    const score = above + below;
    const distance = Math.abs(at - hunk.at);
    if (score < wanted) continue;
    if (!best || score > best.score || (score === best.score && distance < best.distance)) {
      best = { at, score, distance };
    }
  }
  return best?.at;
};

/** How many telling lines agree, going outward from the hunk until the first difference. */
const countAlike = (
  wanted: readonly string[],
  lineAt: (index: number) => string | undefined,
): number => {
  const end = wanted.findIndex((line, index) => lineAt(index) !== line);
  return wanted.slice(0, end < 0 ? wanted.length : end).filter(isTelling).length;
};
