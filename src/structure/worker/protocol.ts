/** What the parsing process is asked and answers; one question at a time. */
import type { ModuleShape } from "../modules/module-shape.ts";
import type { SyntaxQuestion } from "../syntax/index.ts";
import type { Outline, SyntaxVerdict } from "../types.ts";
import type { FlatTree } from "./flat-tree.ts";

export type Question =
  | { readonly do: "outline"; readonly language: string; readonly text: string }
  | { readonly do: "tree"; readonly language: string; readonly text: string }
  | { readonly do: "module"; readonly language: string; readonly text: string }
  | ({ readonly do: "syntax" } & SyntaxQuestion);

export type ParsedOutline = Omit<Outline, "path" | "coverage" | "ranOut"> & {
  /** The file is wrong in the eyes of a second judge as well: no guess any more. */
  readonly isProvenWrong?: boolean;
};

export interface Answers {
  readonly outline: ParsedOutline;
  readonly syntax: SyntaxVerdict;
  readonly tree: FlatTree;
  /** Null for what does not parse, and for languages without one. */
  readonly module: ModuleShape | null;
}

/** Trees are arrays of numbers; everything else goes as JSON, which is made and read in half the time. */
type SentAnswer = { readonly tree: FlatTree } | { readonly json: string };

export const sendAnswer = (value: Answers[Question["do"]]): SentAnswer =>
  value !== null && "parent" in value ? { tree: value } : { json: JSON.stringify(value) };

export const readAnswer = (sent: SentAnswer): Answers[Question["do"]] =>
  "tree" in sent ? sent.tree : (JSON.parse(sent.json) as Answers["outline" | "syntax" | "module"]);

export type Reply =
  /** The process has started and will look at its first question now. */
  | { readonly ready: true }
  | {
      readonly ready?: undefined;
      readonly ok: true;
      readonly answer: SentAnswer;
      readonly memoryBytes: number;
    }
  | {
      readonly ready?: undefined;
      readonly ok: false;
      readonly why: string;
      /** A parser broke down; its memory cannot be trusted for another file. */
      readonly isSpent: boolean;
      /** The machine or the installation failed, not the file. */
      readonly isOurs?: true;
      readonly memoryBytes: number;
    };
