/**
 * A unified diff for a terminal: control characters made visible, in colours and by words only if asked.
 * Everything here is a function of the plain diff.
 */
import { diffWordsWithSpace } from "diff";

export interface DiffView {
  readonly colour?: boolean;
  /** Lines that replace others show which words differ, as `git diff --word-diff` does. */
  readonly words?: boolean;
}

export const viewDiff = (
  diff: string,
  { colour = false, words = false }: DiffView = {},
): string => {
  const lines = diff.replace(/\n$/, "").split("\n");
  const paint = colour ? painted : plain;
  const view: string[] = [];
  // Inside a hunk `--- x` is a removed line, not a name; the hunk's head says how many lines it has.
  let left = { old: 0, now: 0 };
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? "";
    const head = hunkHead.exec(line);
    if (left.old + left.now === 0 || head) {
      if (head) left = { old: countOf(head[1]), now: countOf(head[2]) };
      view.push(paint(head ? "hunk" : isNote(line) ? "note" : "head", safe(line)));
      at += 1;
      continue;
    }
    const run = takeRun(lines, at, left);
    left = { old: left.old - run.old.length - run.same, now: left.now - run.now.length - run.same };
    view.push(
      ...(words && run.old.length > 0 && run.now.length > 0
        ? byWords(run, paint)
        : byLines(run, paint)),
    );
    at += run.length;
  }
  return diff === "" ? "" : `${view.join("\n")}\n`;
};

interface Run {
  /** Lines taken from the diff. */
  readonly length: number;
  readonly all: readonly string[];
  readonly old: readonly string[];
  readonly now: readonly string[];
  readonly same: number;
}

/** One unchanged line, or removed ones with the added ones behind them. */
const takeRun = (
  lines: readonly string[],
  at: number,
  left: { readonly old: number; readonly now: number },
): Run => {
  const all: string[] = [];
  const [old, now]: [string[], string[]] = [[], []];
  let same = 0;
  for (let index = at; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const isOld = line.startsWith("-") && old.length < left.old && now.length === 0;
    const isNew = line.startsWith("+") && now.length < left.now;
    if (isOld) old.push(line.slice(1));
    else if (isNew) now.push(line.slice(1));
    else if (!isNote(line)) {
      if (all.length > 0) break;
      same = 1;
    }
    all.push(line);
    if (same > 0) break;
  }
  return { length: Math.max(1, all.length), all, old, now, same };
};

type Paint = (kind: Kind, text: string) => string;
type Kind = "head" | "hunk" | "note" | "old" | "new" | "same";

const byLines = ({ all }: Run, paint: Paint): string[] =>
  all.map((line) => paint(kindOf(line), safe(line)));

const kindOf = (line: string): Kind => {
  if (isNote(line)) return "note";
  if (line.startsWith("-")) return "old";
  return line.startsWith("+") ? "new" : "same";
};

/** The words that went in [-…-], those that came in {+…+}; with colours the marks stay, as git's do. */
const byWords = ({ old, now, all }: Run, paint: Paint): string[] => {
  const parts = diffWordsWithSpace(old.join("\n"), now.join("\n"));
  const text = parts.map(({ value, added, removed }) => {
    const lines = value.split("\n").map(safe);
    const marked = (kind: Kind, before: string, behind: string): string =>
      lines.map((line) => (line === "" ? "" : paint(kind, before + line + behind))).join("\n");
    if (added) return marked("new", "{+", "+}");
    return removed ? marked("old", "[-", "-]") : lines.join("\n");
  });
  const notes = all.filter(isNote).map((line) => paint("note", safe(line)));
  return [
    ...text
      .join("")
      .split("\n")
      .map((line) => ` ${line}`),
    ...notes,
  ];
};

const isNote = (line: string): boolean => line.startsWith("\\ ");
const hunkHead = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const countOf = (text: string | undefined): number => (text === undefined ? 1 : Number(text));

/** Source may hold terminal escapes and characters that reorder text; a reviewer must see them. */
const safe = (line: string): string =>
  line.replaceAll(
    // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose here.
    /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const plain: Paint = (_kind, text) => text;
const painted: Paint = (kind, text) => {
  const code = colours[kind];
  if (code === undefined || text === "") return text;
  // Each is ended by its own code: those are what a terminal's output lets pass.
  return `\u001b[${code}m${text}\u001b[${code === "1" || code === "2" ? 22 : 39}m`;
};
const colours: Partial<Record<Kind, string>> = {
  head: "1",
  hunk: "36",
  old: "31",
  new: "32",
};
