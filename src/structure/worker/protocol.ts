/** What the parsing process is asked and answers; one question at a time. */
import type { SyntaxQuestion } from "../syntax/index.ts";
import type { Outline, SyntaxVerdict } from "../types.ts";

export type Question =
  | { readonly do: "outline"; readonly language: string; readonly text: string }
  | ({ readonly do: "syntax" } & SyntaxQuestion);

export type ParsedOutline = Omit<Outline, "path" | "coverage">;

export interface Answers {
  readonly outline: ParsedOutline;
  readonly syntax: SyntaxVerdict;
}

export type Reply =
  /** The process has started and will look at its first question now. */
  | { readonly ready: true }
  | {
      readonly ready?: undefined;
      readonly ok: true;
      readonly value: Answers[Question["do"]];
      readonly memoryBytes: number;
    }
  | {
      readonly ready?: undefined;
      readonly ok: false;
      readonly why: string;
      /** A parser broke down; its memory cannot be trusted for another file. */
      readonly isSpent: boolean;
      readonly memoryBytes: number;
    };
