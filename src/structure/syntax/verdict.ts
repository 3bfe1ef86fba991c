/** What all judges have in common. */
import { provenCode } from "../proven-code.ts";
import type { Encoding } from "../source-text.ts";
import type { SourceProblem, SyntaxError, SyntaxVerdict } from "../types.ts";

export interface SyntaxQuestion {
  readonly language: string;
  readonly path: string;
  readonly text: string;
  /** How the text was written; languages that name their encoding in the file can contradict it. */
  readonly encoding?: Encoding;
  readonly hasBom?: boolean;
}

export type TreeErrors = (language: string, text: string) => Promise<readonly SourceProblem[]>;

export type Judge = (
  question: SyntaxQuestion,
  treeErrors: TreeErrors,
) => SyntaxVerdict | Promise<SyntaxVerdict>;

/** More are never read; the first ones are the causes. */
const errorsMax = 50;
const messageLengthMax = 300;

/** One error per place: a second one there says the same in other words. */
export const verdict = (by: string, found: readonly SyntaxError[]): SyntaxVerdict => {
  const sorted = found.toSorted((a, b) => a.line - b.line || a.column - b.column);
  const errors = sorted
    .filter(({ line, column, code }, at) => {
      const last = sorted[at - 1];
      return (
        code === moreCode || code === provenCode || last?.line !== line || last.column !== column
      );
    })
    .slice(0, errorsMax)
    .map((one) => ({ ...one, message: oneLine(one.message) }));
  return { state: errors.length === 0 ? "valid" : "invalid", by, errors };
};

/** For errors that a parser counts without showing them: they may share a place. */
export const moreCode = "more";

export const notChecked = (by: string, why: string): SyntaxVerdict => ({
  state: "not-checked",
  by,
  why,
  errors: [],
});

/** Messages may quote the source; what is shown stays short, on one line, without control characters. */
const oneLine = (message: string): string => {
  const line = message.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return line.length > messageLengthMax ? `${line.slice(0, messageLengthMax - 1)}…` : line;
};
