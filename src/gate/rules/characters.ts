/**
 * E-25: characters that are not typed. The sign of a decoding that failed (U+FFFD), controls that show code in another
 * order than it runs (bidi), characters without width, and NUL. Only more of them than before count. Texts in
 * languages that need such characters, emoji and what tests and locale files hold are left alone or are a note.
 */
import { isForeignName, isTestPath } from "../../base/path-kinds.ts";
import type { Finding } from "./rule.ts";
import type { TextChange, TextSide } from "./text-change.ts";

export const characters = (change: TextChange): readonly Finding[] => {
  const { path, before, after, kind } = change;
  if (!after || (kind !== "code" && kind !== "markup") || !suspect.test(after.text)) return [];
  const found: Finding[] = [];
  for (const sort of sorts) {
    const now = sort.find(after);
    const fresh = now.length - (before ? sort.find(before).length : 0);
    if (fresh <= 0) continue;
    const old = new Set(before?.lines);
    const at = now.find((index) => !old.has(lineAt(after, index).line)) ?? now[0] ?? 0;
    const { number, line, column } = lineAt(after, at);
    const level = sort.level({ change, after, at, line, column });
    if (level === undefined) continue;
    found.push({
      level,
      code: "ODD_CHARACTER",
      path,
      line: number,
      column: column + 1,
      message: `line ${number}, column ${column + 1} has ${sort.name(after.text, at)} that was not there before (${fresh} in all)`,
      remedy: sort.remedy,
    });
  }
  return found;
};

/** All of them, for the counts of a verdict. */
export const countOdd = (side: TextSide | undefined): number =>
  side && suspect.test(side.text)
    ? sorts.reduce((sum, sort) => sum + sort.find(side).length, 0)
    : 0;

interface OddPlace {
  readonly change: TextChange;
  readonly after: TextSide;
  readonly at: number;
  readonly line: string;
  readonly column: number;
}

interface Sort {
  find(side: TextSide): number[];
  level(place: OddPlace): Finding["level"] | undefined;
  name(text: string, at: number): string;
  readonly remedy: string;
}

// oxlint-disable-next-line no-control-regex -- NUL is one of those that are looked for.
const suspect = /[\ufffd\u202a-\u202e\u2066-\u2069\u200b-\u200d\u2060\ufeff\0]/;

const places = (text: string, pattern: RegExp): number[] =>
  Array.from(text.matchAll(pattern), ({ index }) => index);

const codePoint = (text: string, at: number): string =>
  `U+${(text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** Data of tests and of translations: what is odd elsewhere is their subject. */
const isTolerant = ({ path }: TextChange): boolean =>
  isTestPath(path) ||
  isForeignName(path) ||
  /(?:^|[/_.-])(?:locales?|i18n|l10n|lang|langs|translations?|intl|messages|unicode|charmaps?)(?:[/_.-]|$)/i.test(
    path,
  );

const isCode = ({ after, at }: OddPlace): boolean => (after.code[at] ?? "").trim() !== "";

const replaced: Sort = {
  find: ({ text }) => places(text, /\ufffd/g),
  level: (place) => {
    if (wasAnother(place)) return "deny";
    if (isTolerant(place.change)) return "note";
    const { text } = place.after;
    // Code that decodes speaks of it, and its examples show it.
    if (!isCode(place) && isSubject.test(text)) return "note";
    // Several in one line separate its parts.
    if (!isCode(place) && (place.line.match(/\ufffd+/g)?.length ?? 0) > 2) return "note";
    const [left = "", right = ""] = [text[place.at - 1], text[place.at + 1]];
    return isCode(place) || /\p{L}/u.test(left + right) ? "deny" : "note";
  },
  name: () => "U+FFFD, the sign of a character that was lost,",
  remedy: "Write the character that was meant; read the file as UTF-8 again if it came from there.",
};

const isSubject = /fffd|replacement char|lossy|utf-?8|utf-?16|decod|encoding|charset/i;

/** The same line was there before, with another character in its place. */
const wasAnother = ({ change, line }: OddPlace): boolean => {
  const parts = line.split(/\ufffd+/);
  if (parts.every((part) => part.trim() === "")) return false;
  const pattern = parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const form = new RegExp(`^${pattern.join("[^\\x00-\\x7f\\ufffd]{1,4}")}$`);
  return change.before?.lines.some((old) => form.test(old)) ?? false;
};

const bidi: Sort = {
  find: ({ text }) => places(text, /[\u202a-\u202e\u2066-\u2069]/g),
  level: (place) => {
    if (isTolerant(place.change)) return "note";
    const opened = place.line.match(/[\u202a\u202b\u202d\u202e\u2066-\u2068]/g)?.length ?? 0;
    const closed = place.line.match(/[\u202c\u2069]/g)?.length ?? 0;
    const isRightToLeft =
      /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}/u;
    return opened === closed && isRightToLeft.test(place.line) ? "note" : "deny";
  },
  name: (text, at) => `${codePoint(text, at)}, which shows code in another order than it runs,`,
  remedy: "Leave it out, or write it as an escape (\\u202e) where a text needs it.",
};

const widthless: Sort = {
  find: ({ text }) =>
    places(text, /[\u200b-\u200d\u2060]|(?<!^)\ufeff/g).filter((at) => !isJoining(text, at)),
  // In strings and comments they may be meant: a word break, an end of a comment that shall not end it.
  level: (place) => (isCode(place) && !isTolerant(place.change) ? "deny" : "note"),
  name: (text, at) => `${codePoint(text, at)}, a character without width,`,
  remedy: "Leave it out, or write it as an escape (\\u200b) where a text needs it.",
};

/** Emoji are joined by them, and so are letters of many scripts. */
const isJoining = (text: string, at: number): boolean => {
  if (!/[\u200b-\u200d]/.test(text[at] ?? "")) return false;
  const left = Array.from(text.slice(Math.max(0, at - 4), at)).at(-1) ?? "";
  const right = Array.from(text.slice(at + 1, at + 5))[0] ?? "";
  return isJoined.test(left) || isJoined.test(right);
};

const isJoined =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]|[\p{L}\p{M}](?<![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}])/u;

const nul: Sort = {
  // Many of them make a binary file, or one in UTF-16. Where the language is known, the rule `judgeable` tells it.
  find: ({ text }) => {
    // oxlint-disable-next-line no-control-regex -- as above.
    const found = places(text, /\0/g);
    return found.length * 100 > text.length && text.length > 100 ? [] : found;
  },
  level: ({ change }) => {
    if (change.language !== "text") return undefined;
    return isTolerant(change) ? "note" : "deny";
  },
  name: () => "a NUL character",
  remedy: "Leave it out, or write it as an escape (\\0).",
};

const sorts: readonly Sort[] = [replaced, bidi, widthless, nul];

const lineAt = ({ text }: TextSide, at: number) => {
  const start = Math.max(text.lastIndexOf("\n", at - 1), text.lastIndexOf("\r", at - 1)) + 1;
  const end = text.slice(at).search(/[\r\n]/);
  const number = text.slice(0, start).match(/\r\n|\r|\n/g)?.length ?? 0;
  const line = text.slice(start, end < 0 ? text.length : at + end);
  return { number: number + 1, line, column: at - start };
};
