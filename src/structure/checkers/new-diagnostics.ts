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
  return diagnostics.flatMap(({ code, message, range, severity }) => {
    const line = range.start.line + 1;
    if (!wanted.has(String(code)) || (severity ?? 1) > 2 || passedOver.test(message)) return [];
    if (!isEdited(line)) return [];
    const from = source.lineStart(line) + range.start.character;
    const to = source.lineStart(range.end.line + 1) + range.end.character;
    const receiver = receiverBefore(after.slice(source.lineStart(line), from));
    const type = typeNamed.exec(message)?.[1];
    return [
      {
        code: String(code),
        ...(type !== undefined && { type }),
        message: message.split("\n")[0] ?? message,
        line,
        column: range.start.character + 1,
        name: after.slice(from, to),
        ...(receiver !== undefined && { receiver }),
        isCall: /^\s*(?:\?\.)?(?:<[^\n()]*>)?\s*\(/.test(after.slice(to, to + 200)),
      },
    ];
  });
};

const typeNamed =
  /(?:on type '(?:typeof )?|for class "(?:type\[)?)([A-Za-z_$][\w$]*)(?:<[^]*>)?\*?\]?['"]/;

const receiverBefore = (text: string): string | undefined => {
  const match = /([\w$.\])]*)\s*(?:\?|!)?\.\s*#?$/.exec(text);
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
