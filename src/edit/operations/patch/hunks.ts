/**
 * Applies hunks to lines. Context must be there exactly, apart from its line number; where it fits several
 * places and nothing tells which, the patch is refused.
 */
import { HeadgateError } from "../../../errors.ts";
import type { SourceText } from "../../../structure/index.ts";
import { mismatchOf, shownMismatch } from "../mismatch.ts";

export interface Hunk {
  /** What the hunk says about its place: lines that come before it, from the outside in. */
  readonly anchors: readonly string[];
  /** First line (from 1) of the old lines, or the line after which new ones go; undefined when not told. */
  readonly oldStart?: number | undefined;
  readonly old: readonly string[];
  readonly new: readonly string[];
  /** It ends where the file ends. */
  readonly isAtEnd?: boolean;
  /** The patch says how the file ends: with a line ending or without. */
  readonly newEndsOpen?: boolean | undefined;
  /** For each new line the old line (index) that it keeps, so that its own ending stays. */
  readonly kept: readonly (number | undefined)[];
}

interface Line {
  readonly text: string;
  readonly ending: string;
}

export const applyHunks = (path: string, source: SourceText, hunks: readonly Hunk[]): string => {
  const lines = linesOf(source.text);
  const result: Line[] = [];
  let at = 0;
  for (const [index, hunk] of hunks.entries()) {
    const place = placeOf({ path, lines, from: at, hunk, number: index + 1, source });
    result.push(...lines.slice(at, place), ...replaced(source, lines, place, hunk));
    at = place + hunk.old.length;
  }
  result.push(...lines.slice(at));
  return ended(result, lines, source, hunks.at(-1));
};

const linesOf = (text: string): Line[] => {
  const parts = text.split(/(\r\n|\r|\n)/);
  const lines: Line[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    lines.push({ text: parts[at] ?? "", ending: parts[at + 1] ?? "" });
  }
  if (lines.at(-1)?.text === "" && lines.at(-1)?.ending === "") lines.pop();
  return lines;
};

const replaced = (source: SourceText, lines: readonly Line[], place: number, hunk: Hunk): Line[] =>
  hunk.new.map((text, index) => {
    const kept = hunk.kept[index];
    const old = kept === undefined ? undefined : lines[place + kept];
    return old ?? { text, ending: source.lineEnding };
  });

/** Every line but the last has an ending; the last one has what it had, unless the patch says otherwise. */
const ended = (
  result: readonly Line[],
  lines: readonly Line[],
  source: SourceText,
  last: Hunk | undefined,
): string => {
  const wasOpen = lines.length > 0 && lines.at(-1)?.ending === "";
  const isOpen = last?.newEndsOpen ?? wasOpen;
  return result
    .map(({ text, ending }, index) => {
      if (index < result.length - 1) return text + (ending === "" ? source.lineEnding : ending);
      return text + (isOpen ? "" : ending === "" ? source.lineEnding : ending);
    })
    .join("");
};

interface Search {
  readonly path: string;
  readonly lines: readonly Line[];
  /** The first line that earlier hunks left. */
  readonly from: number;
  readonly hunk: Hunk;
  readonly number: number;
  readonly source: SourceText;
}

const placeOf = (search: Search): number => {
  const { hunk, lines, from } = search;
  if (hunk.old.length === 0) return placeOfAddition(search);
  const all = placesOf(lines, hunk.old, from).filter(
    (place) => !hunk.isAtEnd || place + hunk.old.length === lines.length,
  );
  const told = hunk.oldStart === undefined ? undefined : hunk.oldStart - 1;
  const anchored = afterAnchors(search, all);
  if (told !== undefined && anchored.includes(told)) return told;
  const [only] = anchored;
  if (anchored.length === 1 && only !== undefined) return only;
  if (anchored.length > 1) throw ambiguous(search, anchored);
  throw notThere(search, all);
};

const placesOf = (lines: readonly Line[], wanted: readonly string[], from: number): number[] => {
  const places: number[] = [];
  for (let at = from; at + wanted.length <= lines.length; at += 1) {
    if (wanted.every((text, index) => lines[at + index]?.text === text)) places.push(at);
  }
  return places;
};

/** The place that follows each possible reading of the anchors; two readings may agree. */
const afterAnchors = (search: Search, places: readonly number[]): readonly number[] => {
  const { hunk } = search;
  if (hunk.anchors.length === 0) return places;
  const firsts = anchorEnds(search).map((end) =>
    places.find((place) => place >= end || isItself(search, place, end)),
  );
  return [...new Set(firsts.filter((place) => place !== undefined))];
};

/** Some writers repeat the anchor as the first line of the context. */
const isItself = ({ hunk }: Search, place: number, end: number): boolean =>
  place === end - 1 && hunk.old[0]?.trim() === hunk.anchors.at(-1)?.trim();

/** Lines behind the last anchor, for every way to find the anchors one after the other. */
const anchorEnds = ({ lines, from, hunk }: Search): number[] => {
  let starts = [from];
  for (const anchor of hunk.anchors) {
    const wanted = anchor.trim();
    const next = new Set<number>();
    const first = Math.min(...starts);
    for (let at = first; at < lines.length; at += 1) {
      const text = lines[at]?.text ?? "";
      if (text === anchor || text.trim() === wanted) next.add(at + 1);
    }
    starts = [...next];
    if (starts.length === 0) return [];
  }
  return starts;
};

const placeOfAddition = (search: Search): number => {
  const { hunk, lines, from } = search;
  if (lines.length === 0 || hunk.isAtEnd) return lines.length;
  if (hunk.oldStart !== undefined && hunk.oldStart >= from && hunk.oldStart <= lines.length) {
    const isUnderAnchor =
      hunk.anchors.length === 0 ||
      anchorEnds({ ...search, from: 0 }).some((end) => end <= (hunk.oldStart ?? 0));
    if (isUnderAnchor) return hunk.oldStart;
    throw notThere(search, []);
  }
  const ends = hunk.anchors.length === 0 ? [] : anchorEnds(search);
  const [only] = ends;
  if (ends.length === 1 && only !== undefined) return only;
  if (ends.length > 1)
    throw ambiguous(
      search,
      ends.map((end) => end - 1),
    );
  throw notThere(search, []);
};

const ambiguous = ({ path, number }: Search, places: readonly number[]): HeadgateError => {
  const lines = places.map((place) => place + 1);
  return new HeadgateError(
    "PATCH_MISMATCH",
    `Hunk ${number} for ${path} fits ${places.length} places (lines ${lines.slice(0, 20).join(", ")}); give more context.`,
    { data: { path, hunk: number, lines } },
  );
};

const notThere = (search: Search, elsewhere: readonly number[]): HeadgateError => {
  const { path, hunk, number, lines, source, from } = search;
  const done = hunk.new.some((line) => line.trim() !== "") ? placesOf(lines, hunk.new, 0) : [];
  const isTelling = hunk.new.join("").trim().length >= 8 && !isPart(hunk.new, hunk.old);
  if (done.length > 0 && isTelling) {
    return new HeadgateError(
      "ALREADY_APPLIED",
      `Hunk ${number} is already in ${path}, at line ${(done[0] ?? 0) + 1}.`,
      { data: { path, hunk: number, lines: done.map((place) => place + 1) } },
    );
  }
  const data = { path, hunk: number };
  const missing = hunk.anchors.find(
    (anchor) => !lines.some(({ text }) => text.trim() === anchor.trim()),
  );
  if (missing !== undefined) {
    const message = `Hunk ${number}: ${path} has no line ${JSON.stringify(missing.slice(0, 120))}.`;
    return new HeadgateError("PATCH_MISMATCH", message, { data: { ...data, anchor: missing } });
  }
  if (hunk.old.length === 0) {
    const message = `Hunk ${number} for ${path} only adds lines and does not say where; give context.`;
    return new HeadgateError("PATCH_MISMATCH", message, { data });
  }
  const before = placesOf(lines, hunk.old, 0).filter((place) => place < from);
  if (before.length > 0 && elsewhere.length === 0) {
    const line = (before[0] ?? 0) + 1;
    const message = `Hunk ${number} for ${path} belongs to line ${line}, before the hunk in front of it; put hunks in order.`;
    return new HeadgateError("PATCH_MISMATCH", message, { data: { ...data, lines: [line] } });
  }
  const mismatch = mismatchOf(source.text, hunk.old.join("\n"));
  return new HeadgateError(
    "PATCH_MISMATCH",
    `The context of hunk ${number} is not in ${path}. ${shownMismatch(mismatch)}`,
    { data: { ...data, ...(mismatch && { mismatch }) } },
  );
};

const isPart = (part: readonly string[], whole: readonly string[]): boolean =>
  whole.join("\n").includes(part.join("\n"));
