/** The three answers to a request, as a person or an agent gives them on every surface. */
import type { Answer } from "../claims/index.ts";

export const answerWords = ["yes", "no", "later"] as const;

export type AnswerWord = (typeof answerWords)[number];

export const answerFrom = (
  word: AnswerWord,
  {
    note,
    laterMs = laterDefaultMs,
  }: { readonly note: string; readonly laterMs?: number | undefined },
): Answer => {
  if (word === "yes") return { kind: "release", note };
  if (word === "no") return { kind: "refuse", note };
  return { kind: "defer", forMs: laterMs, note };
};

const laterDefaultMs = 10 * 60_000;
