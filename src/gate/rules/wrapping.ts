/**
 * E-25: a file that holds what an agent said instead of the file. Its whole is put into Markdown fences, a sentence
 * comes first, line breaks are written as `\n`, or the marks of a diff are left in. Parsers miss some of it: fences
 * are template literals to JavaScript, sentences are commands to a shell.
 */
import { type Finding } from "./rule.ts";
import type { TextChange, TextSide } from "./text-change.ts";

export const wrapping = (change: TextChange): readonly Finding[] => {
  const { path, before, after } = change;
  if (!after || after.text.includes("\0")) return [];
  if (change.kind === "prose" || change.kind === "other") return [];
  const found = [fenced, spoken, escaped, diffed]
    .map((look) => look(change, after))
    .filter((one) => one !== undefined);
  const first = found.find(({ level }) => level === "deny") ?? found[0];
  if (!first) return [];
  // The file was like that before: then it is what its author wants.
  const old = before && [fenced, spoken, escaped, diffed].map((look) => look(change, before));
  if (old?.some((one) => one?.what === first.what)) return [];
  return [
    {
      level: first.level,
      code: "FILE_WRAPPED",
      path,
      line: first.line,
      message: `line ${first.line} ${first.what}`,
      remedy: first.remedy,
    },
  ];
};

interface Wrap {
  readonly level: "deny" | "note";
  readonly line: number;
  readonly what: string;
  readonly remedy: string;
}

type WrapSearch = (change: TextChange, side: TextSide) => Wrap | undefined;

const fenced: WrapSearch = ({ language, kind }, side) => {
  const { lines } = side;
  const isFence = (line: string | undefined): boolean =>
    /^(?:`{3,}|~{3,})[\w+#.-]*$/.test(line?.trimEnd() ?? "");
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const wrap = (index: number, level: Wrap["level"] = "deny"): Wrap => ({
    level,
    line: index + 1,
    what: "is a Markdown fence: the answer's wrapping is part of the file",
    remedy: "Write the file's own text, without the fences around it.",
  });
  if (first === last) return undefined;
  const [atTop, atEnd] = [isFence(lines[first]), isFence(lines[last])];
  // Text of a page may be anything, and what follows such a line in a script is data.
  const mayBeText = kind === "markup" || language === "php" || dataMark.test(side.text);
  if (atTop && atEnd) return wrap(first, kind === "data" && language === "yaml" ? "note" : "deny");
  if (atTop) return wrap(first, mayBeText ? "note" : "deny");
  if (atEnd) return wrap(last, mayBeText ? "note" : "deny");
  if (!plainQuotes.has(language)) return undefined;
  const inside = lineInCode(side, isFence);
  return inside === undefined ? undefined : wrap(inside, mayBeSkipped(side) ? "note" : "deny");
};

const dataMark = /^__(?:END|DATA)__\s*$/m;

/** Languages in which a back-tick begins no string, so that the scanner sees a fence as code. */
const plainQuotes = new Set([
  "c",
  "cpp",
  "java",
  "csharp",
  "rust",
  "python",
  "kotlin",
  "swift",
  "scala",
  "lua",
]);

/** The first line that fits and is neither in a string nor in a comment. */
const lineInCode = (side: TextSide, fits: (line: string) => boolean): number | undefined => {
  const at = side.lines.findIndex((line) => fits(line));
  if (at < 0) return undefined;
  const code = side.code.split(/\r\n|\r|\n/);
  const index = side.lines.findIndex(
    (line, here) => here >= at && fits(line) && code[here] === line,
  );
  return index < 0 ? undefined : index;
};

/** The preprocessor leaves such parts out, whatever they hold. */
const mayBeSkipped = ({ text }: TextSide): boolean => /^[ \t]*#[ \t]*if[ \t]+0\b/m.test(text);

const spoken: WrapSearch = ({ language, kind }, side) => {
  const index = side.lines.findIndex((line) => line.trim() !== "");
  const line = side.lines[index] ?? "";
  if (index < 0 || line.length > 300 || !answer.test(line)) return undefined;
  // A sentence before a tag may be text of a page; one that ends with a colon is a key.
  const next = side.lines.slice(index + 1).find((one) => one.trim() !== "") ?? "";
  const isBeforeStart = /^\s*<(?:\?php\b|!doctype\b|html\b|template\b|script\b)/i.test(next);
  const mayBeText =
    kind === "data" || ((kind === "markup" || language === "php") && !isBeforeStart);
  return {
    level: mayBeText ? "note" : "deny",
    line: index + 1,
    what: "is a sentence of the answer, not of the file",
    remedy: "Write only the file's own text; say the rest in the conversation.",
  };
};

const greeting = String.raw`(?:(?:sure|certainly|of course|absolutely|okay|ok|great|got it)[,!.]?\s+)?`;
const opening = String.raw`(?:here(?:'s|’s| is| are)|below (?:is|are)|this is|i(?:'ve|’ve| have)|the following is)`;
const thing = String.raw`(?:file|code|version|implementation|script|contents?|module|class|component|function|program|changes?|rewrite|solution)`;
const answer = new RegExp(
  String.raw`^${greeting}${opening}\s(?:[^;{}=<>]*\s)?(?:\S{1,60}\s)?${thing}\b[^;{}=<>]*[:.!]$`,
  "i",
);

const escaped: WrapSearch = ({ language, kind }, side) => {
  const text = side.text.trim();
  if (kind === "data" || text.includes("\n") || text.includes("\r")) return undefined;
  const body = /^"(?:[^"\\]|\\.)*"$/.test(text) ? text.slice(1, -1) : text;
  const count = (part: string): number => part.match(/\\n/g)?.length ?? 0;
  if (count(body) < 3) return undefined;
  // In a string they are right; outside they are no code, and a comment of one line has no use for them.
  const outside = body === text ? side.code + side.comments : body;
  // Quotes are escaped with the line breaks, or nothing but line breaks is.
  if (count(outside) < (/^(?:[^"\\]|\\.)*$/.test(body) ? 2 : 3)) return undefined;
  return {
    level: kind === "markup" || language === "sql" ? "note" : "deny",
    line: 1,
    what: "is the whole file, with its line breaks written as \\n",
    remedy: "Write the text with real line breaks: it was escaped once too often.",
  };
};

const diffed: WrapSearch = ({ language, kind }, side) => {
  const wrap = (index: number, level: Wrap["level"] = "deny"): Wrap => ({
    level,
    line: index + 1,
    what: "begins with the marks of a diff",
    remedy: "Write the lines as they shall be, or give the diff to `headgate apply`.",
  });
  if (kind === "data" || kind === "markup") return undefined;
  const full = side.lines.filter((line) => line.trim() !== "");
  if (full.length >= 5 && full.every((line) => line.startsWith("+"))) return wrap(0);
  if (isBody(full)) return wrap(0);
  const head = side.lines
    .slice(0, 5)
    .findIndex((line) => /^(?:diff --git a\/|--- a\/\S|@@ -\d+(?:,\d+)? \+\d+)/.test(line));
  const isHunk = (line: string): boolean => /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/.test(line);
  const hasMarks = full.filter((line) => /^[+-]/.test(line)).length >= 2;
  if (
    head >= 0 &&
    hasMarks &&
    full.every((line) =>
      /^(?:[ +\-@\\\t]|diff |index |new |deleted |similarity |rename )/.test(line),
    )
  ) {
    return wrap(head);
  }
  if (!scanned.has(language)) return undefined;
  const hunk = lineInCode(side, isHunk);
  if (hunk !== undefined) return wrap(hunk, mayBeSkipped(side) ? "note" : "deny");
  const block = marked(side, language);
  return block === undefined ? undefined : wrap(block, mayBeSkipped(side) ? "note" : "deny");
};

/** The body of a diff without its head: every line has its mark, lines were added and others taken away. */
const isBody = (full: readonly string[]): boolean =>
  full.length >= 5 &&
  full.every((line) => /^[ \t+-]/.test(line)) &&
  full.some((line) => /^\+(?!\+)/.test(line)) &&
  full.some((line) => /^-(?!-)/.test(line));

/** Their parsers guess; the others refuse a diff by themselves. */
const scanned = new Set([
  "c",
  "cpp",
  "csharp",
  "rust",
  "java",
  "kotlin",
  "swift",
  "scala",
  "lua",
  "bash",
]);

/** Three lines in a row, of which two are statements: an operator that begins a line cannot do that. */
const marked = (side: TextSide, language: string): number | undefined => {
  if (!/^\+.*[\r\n]+\+/m.test(side.text)) return undefined;
  const code = side.code.split(/\r\n|\r|\n/);
  const isStatement = (line: string): boolean =>
    language === "bash"
      ? /^\+\s*[\w$]/.test(line)
      : /[;{}]\s*$/.test(line) ||
        /^\+\s*(?:fun|func|val|var|let|def|return|import|local|fn)\b/.test(line);
  for (let at = 0; at + 2 < code.length; at += 1) {
    const three = code.slice(at, at + 3);
    if (!three.every((line) => /^\+(?![+=])/.test(line))) continue;
    if (three.filter(isStatement).length >= 2) return at;
  }
  return undefined;
};
