/** What the parsing process is asked and answers; one question at a time. */
import type { SyntaxQuestion } from "../syntax/index.ts";
import type { Outline, SyntaxVerdict } from "../types.ts";
import type { FlatTree } from "./flat-tree.ts";

export type Question =
  | { readonly do: "outline"; readonly language: string; readonly text: string }
  | { readonly do: "tree"; readonly language: string; readonly text: string }
  | ({ readonly do: "syntax" } & SyntaxQuestion);

export type ParsedOutline = Omit<Outline, "path" | "coverage"> & {
  /** The file is wrong in the eyes of a second judge as well: no guess any more. */
  readonly isProvenWrong?: boolean;
};

export interface Answers {
  readonly outline: ParsedOutline;
  readonly syntax: SyntaxVerdict;
  readonly tree: FlatTree;
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
