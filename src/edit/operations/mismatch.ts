/** Why a text is not found: the place that comes nearest, the first line that differs there, and how. */
import { likeness } from "./nearest.ts";

export type MismatchKind =
  | "line-ending"
  | "trailing-blank"
  | "tab-or-space"
  | "indentation"
  | "unicode-form"
  | "curly-quote"
  | "special-blank"
  | "white-space"
  | "case"
  | "placeholder"
  | "text";

export interface Mismatch {
  readonly kind: MismatchKind;
  /** In the file. */
  readonly line: number;
  readonly column: number;
  readonly expected: string;
  readonly found: string;
  /** How many lines before it agree. */
  readonly linesEqual: number;
}

export const shownMismatch = (mismatch: Mismatch | undefined): string => {
  if (!mismatch) return "Nothing in the file resembles it.";
  const { kind, line, column, expected, found } = mismatch;
  const place = `Nearest: line ${line}, column ${column}`;
  return `${place}: ${explained[kind]}. Expected ${shown(expected)}, the file has ${shown(found)}.`;
};

const explained: Readonly<Record<MismatchKind, string>> = {
  "line-ending": "the line endings differ (CRLF against LF)",
  "trailing-blank": "blanks at the end of the line differ",
  "tab-or-space": "tabs against spaces in the indentation",
  indentation: "the indentation differs",
  "unicode-form": "the same letters in another Unicode form (NFC against NFD)",
  "curly-quote": "curly against straight quotes or dashes",
  "special-blank": "a special blank (no-break space or similar) against a plain one",
  "white-space": "white space inside the line differs",
  case: "upper and lower case differ",
  placeholder: "the text has a placeholder for lines left out; give the lines themselves",
  text: "the text differs",
};

const shown = (line: string): string =>
  JSON.stringify(line.length > 120 ? `${line.slice(0, 120)}…` : line);

export const mismatchOf = (text: string, wanted: string): Mismatch | undefined => {
  const lines = splitLines(text);
  const asked = splitLines(wanted);
  // A text may end with a line break; nothing stands behind it that could differ.
  if (asked.length > 1 && asked.at(-1)?.text === "") asked.pop();
  const start = nearestStart(lines, asked);
  if (start === undefined) return undefined;
  for (const [index, { text: expected, ending }] of asked.entries()) {
    const line = lines[start + index];
    const isFirst = index === 0;
    const isLast = index === asked.length - 1;
    const found = line?.text ?? "";
    const isSame =
      isFirst && isLast
        ? found.includes(expected)
        : isFirst
          ? found.endsWith(expected)
          : isLast && ending === ""
            ? found.startsWith(expected)
            : found === expected;
    const hasSameEnding = isLast || ending === line?.ending || ending === "\n";
    if (isSame && hasSameEnding) continue;
    const kind = isSame ? "line-ending" : kindOf(expected, found, isFirst);
    const column = isSame ? found.length + 1 : columnOf(expected, found, isFirst);
    return { kind, line: start + index + 1, column, expected, found, linesEqual: index };
  }
  return undefined;
};

interface Line {
  readonly text: string;
  readonly ending: string;
}

const splitLines = (text: string): Line[] => {
  const parts = text.split(/(\r\n|\r|\n)/);
  const lines: Line[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    lines.push({ text: parts[at] ?? "", ending: parts[at + 1] ?? "" });
  }
  return lines;
};

/** Every line of the wanted text that the file has, however written, votes for where it would begin. */
const nearestStart = (lines: readonly Line[], asked: readonly Line[]): number | undefined => {
  const places = new Map<string, number[]>();
  for (const [index, { text }] of lines.entries()) {
    const key = loose(text);
    if (key === "") continue;
    const known = places.get(key);
    if (known) known.push(index);
    else places.set(key, [index]);
  }
  const votes = new Map<number, number>();
  for (const [index, { text }] of asked.entries()) {
    const key = loose(text);
    for (const place of (key === "" ? undefined : places.get(key))?.slice(0, votesMax) ?? []) {
      votes.set(place - index, (votes.get(place - index) ?? 0) + 1);
    }
  }
  const best = [...votes]
    .filter(([start]) => start >= 0)
    .toSorted((a, b) => b[1] - a[1] || a[0] - b[0])[0];
  return best ? best[0] : mostAlike(lines, asked);
};

/** A line that every file has many times ("}") says little about the place. */
const votesMax = 200;

const mostAlike = (lines: readonly Line[], asked: readonly Line[]): number | undefined => {
  const offset = asked.findIndex(({ text }) => text.trim() !== "");
  const first = asked[offset]?.text.trim().slice(0, 400);
  if (first === undefined) return undefined;
  const key = loose(first);
  let best: { at: number; score: number } | undefined;
  for (const [at, { text }] of lines.slice(0, 50_000).entries()) {
    if (text.trim() === "") continue;
    const short = text.trim().slice(0, 400);
    const score = loose(short).includes(key) ? 0.99 : likeness(first, short);
    if (score > (best?.score ?? 0.4)) best = { at, score };
  }
  return best && best.at - offset >= 0 ? best.at - offset : best?.at;
};

const straight = (text: string): string =>
  text
    .replaceAll(/[\u2018\u2019\u201a\u2032]/g, "'")
    .replaceAll(/[\u201c\u201d\u201e\u2033]/g, '"')
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll("\u2026", "...");
const plainBlanks = (text: string): string =>
  text
    .replaceAll(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " ")
    .replaceAll(/[\u200b\u2060\ufeff]/g, "");
const loose = (text: string): string =>
  plainBlanks(straight(text.normalize("NFC")))
    .replaceAll(/\s+/g, "")
    .toLowerCase();

const lazy =
  /^\W*(?:(?:rest|remaining|existing|other|previous|same)\b.*(?:code|unchanged|same|as before|here|omitted|implementation)|unchanged)\W*$/i;

const kindOf = (expected: string, found: string, isFirst: boolean): MismatchKind => {
  if (lazy.test(expected)) return "placeholder";
  // The first line may begin anywhere in the file's line.
  const same = (change: (text: string) => string): boolean =>
    isFirst ? change(found).includes(change(expected)) : change(expected) === change(found);
  if (same((text) => text.trimEnd())) return "trailing-blank";
  if (same((text) => text.trimStart())) {
    return /\t/.test(leading(expected)) === /\t/.test(leading(found))
      ? "indentation"
      : "tab-or-space";
  }
  if (same((text) => text.normalize("NFC"))) return "unicode-form";
  if (same(straight)) return "curly-quote";
  if (same(plainBlanks)) return "special-blank";
  if (same((text) => text.replaceAll(/\s+/g, ""))) return "white-space";
  if (same((text) => text.toLowerCase())) return "case";
  return "text";
};

const leading = (text: string): string => /^\s*/.exec(text)?.[0] ?? "";

/** Where the file's line stops agreeing. */
const columnOf = (expected: string, found: string, isFirst: boolean): number => {
  const begin = isFirst ? Math.max(0, found.indexOf(expected.slice(0, 3))) : 0;
  let same = 0;
  while (same < expected.length && found[begin + same] === expected[same]) same += 1;
  return begin + same + 1;
};
