/** Of what a checker says about two versions, that which the edit brought in and which concerns us. */
import { diffLines } from "diff";
import { SourceText } from "../source-text.ts";
import type { LspDiagnostic } from "./language-server.ts";
import type { NewDiagnostic } from "./types.ts";

/** Names that do not exist: TypeScript's codes for members and for names, pyright's rules. */
const wanted = new Set([
  "2339",
  "2551",
  "2304",
  "2552",
  "reportAttributeAccessIssue",
  "reportUndefinedVariable",
]);

/** Numbers and names of arguments; types of arguments are the checkers' own business. */
const aboutArguments = new Set(["2554", "2555", "2575", "reportCallIssue"]);
const pythonCounts =
  /^Arguments? missing for|^Expected \d+ (?:more )?positional arg|^No parameter named|^Multiple parameters have name/;

/** About flow and gaps in knowledge, not about names. */
const passedOver = /unbound|optional|partially unknown|possibly|\bNone\b/i;

export type Candidate = Omit<NewDiagnostic, "declared">;

/** On lines that the edit wrote. */
export const candidatesOf = (
  diagnostics: readonly LspDiagnostic[],
  after: string,
  isEdited: (line: number) => boolean,
): Candidate[] => {
  const source = new SourceText(after);
  return diagnostics.flatMap(({ code, message, range, severity }): Candidate[] => {
    const line = range.start.line + 1;
    if (aboutArguments.has(String(code)) && (severity ?? 1) <= 2) {
      const called = isEdited(line) ? calledAt(range, after, source) : undefined;
      const isCount = code !== "reportCallIssue" || pythonCounts.test(message);
      return called && isCount
        ? [
            {
              about: "arguments",
              code: String(code),
              message: message.split("\n")[0] ?? message,
              isCall: true,
              ...called,
            },
          ]
        : [];
    }
    if (!wanted.has(String(code)) || (severity ?? 1) > 2 || passedOver.test(message)) return [];
    if (!isEdited(line)) return [];
    const from = source.lineStart(line) + range.start.character;
    const to = source.lineStart(range.end.line + 1) + range.end.character;
    const receiver = receiverBefore(after.slice(source.lineStart(line), from));
    const type = typeNamed.exec(message)?.[1];
    return [
      {
        about: "name" as const,
        code: String(code),
        ...(type !== undefined && { type }),
        message: message.split("\n")[0] ?? message,
        line,
        column: range.start.character + 1,
        name: after.slice(from, to),
        ...(receiver !== undefined && { receiver }),
        isCall: /^\s*(?:\?\.\s*)?(?:<[^\n()]*>\s*)?\(/.test(after.slice(to, to + 200)),
      },
    ];
  });
};

/** Checkers mark the function, the whole call or an argument: all lead to the name before the parenthesis. */
const calledAt = (
  { start, end }: LspDiagnostic["range"],
  text: string,
  source: SourceText,
): Pick<Candidate, "name" | "receiver" | "line" | "column"> | undefined => {
  const from = source.lineStart(start.line + 1) + start.character;
  const to = source.lineStart(end.line + 1) + end.character;
  const isName = /^\s*(?:\?\.\s*)?(?:<[^\n()]*>\s*)?\(/.test(text.slice(to, to + 200));
  const isWhole = text[to - 1] === ")";
  const open = isWhole ? openedBefore(text, to - 1) : isName ? to : openedBefore(text, from);
  if (open === undefined) return undefined;
  const head = text.slice(Math.max(0, open - 300), open);
  const name = /([\p{ID_Start}_$][\p{ID_Continue}$]*)\s*(?:\?\.)?(?:<[^\n()]*>)?\s*$/u.exec(head);
  if (!name?.[1]) return undefined;
  const at = open - head.length + name.index;
  const { line, column } = source.position(at);
  const receiver = receiverBefore(text.slice(source.lineStart(line), at));
  return { name: name[1], line, column, ...(receiver !== undefined && { receiver }) };
};

/** The parenthesis around a place; undefined where texts or comments make it a guess. */
const openedBefore = (text: string, from: number): number | undefined => {
  let depth = 0;
  for (let at = from - 1; at >= Math.max(0, from - 2000); at -= 1) {
    const letter = text[at] ?? "";
    if (")]}".includes(letter)) depth += 1;
    else if ("([{".includes(letter)) {
      if (depth === 0) return letter === "(" ? at : undefined;
      depth -= 1;
    }
  }
  return undefined;
};

const typeNamed =
  /(?:on type '(?:typeof )?|for class "(?:type\[)?)([A-Za-z_$][\w$]*)(?:<[^]*>)?\*?\]?['"]/;

const receiverBefore = (text: string): string | undefined => {
  const match = /([\w$.\])]*)\s*(?:\?|!)?\.\s*#?$/.exec(text.slice(-300));
  return match ? (match[1] ?? "") : undefined;
};

/** Without those that the old version had already, on the lines that the edit replaced. */
export const withoutOld = (
  candidates: readonly Candidate[],
  old: readonly LspDiagnostic[],
  before: string,
  isReplaced: (line: number) => boolean,
): Candidate[] => {
  const left = new Map<string, number>();
  for (const { code, name } of candidatesOf(old, before, isReplaced)) {
    left.set(`${code} ${name}`, (left.get(`${code} ${name}`) ?? 0) + 1);
  }
  return candidates.filter(({ code, name }) => {
    const count = left.get(`${code} ${name}`) ?? 0;
    left.set(`${code} ${name}`, count - 1);
    return count <= 0;
  });
};

/** Lines of the new version that the edit wrote, and lines of the old one that it took away. */
export const editedLines = (
  before: string | undefined,
  after: string,
): { isEdited: (line: number) => boolean; isReplaced: (line: number) => boolean } => {
  if (before === undefined) return { isEdited: () => true, isReplaced: () => false };
  const [edited, replaced] = [new Set<number>(), new Set<number>()];
  let [oldLine, newLine] = [1, 1];
  const parts = diffLines(before, after, { timeout: 200 });
  // Too different to be compared line by line: all of it counts as written.
  if (!parts) return { isEdited: () => true, isReplaced: () => true };
  for (const { count, added, removed } of parts) {
    for (let index = 0; index < count; index += 1) {
      if (added) edited.add(newLine + index);
      if (removed) replaced.add(oldLine + index);
    }
    if (!removed) newLine += count;
    if (!added) oldLine += count;
  }
  return { isEdited: (line) => edited.has(line), isReplaced: (line) => replaced.has(line) };
};
