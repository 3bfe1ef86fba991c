/** The words of the evaluation. */
import type { Proposal, Tree, Verdict } from "../src/gate/index.ts";

/** A definition in a real file. Offsets are UTF-16 units; `from` is the start of its first line. */
export interface Member {
  readonly name: string;
  readonly kind: "class" | "function" | "method" | "getter" | "setter" | "other";
  readonly from: number;
  /** The declaration without decorators and comments. */
  readonly core: number;
  /** End of its last line, without the line break. */
  readonly to: number;
  readonly indent: string;
  readonly nameFrom: number;
  /** Beginning of the first statement, or of the line after the opening brace. */
  readonly body?: number;
  readonly decorators: readonly string[];
  readonly isStatic: boolean;
  /** Written once more it is wrong in this language, whatever its body. */
  readonly isPlain: boolean;
  /** Inside another one, whatever its indentation says. */
  readonly isNested?: boolean;
}

export interface ClassLike extends Member {
  readonly members: readonly Member[];
}

export interface Located {
  readonly classes: readonly ClassLike[];
  readonly functions: readonly Member[];
  readonly imports: readonly { readonly from: number; readonly to: number }[];
  /** Whether a parser that has nothing to do with the gate found them. */
  readonly isIndependent: boolean;
}

export interface Source {
  /** As the gate sees it. */
  readonly path: string;
  /** Where it was found; only shown. */
  readonly place: string;
  readonly bytes: Buffer;
  readonly text: string;
  readonly located: Located;
}

export type Group =
  | "duplicate"
  | "legal"
  | "syntax"
  | "stale"
  | "encoding"
  | "placeholder"
  | "edit"
  | "calls";

export interface Attempt {
  readonly group: Group;
  readonly kind: string;
  readonly place: string;
  readonly proposal: Proposal;
  readonly tree: Tree;
  /** oracle: refused if and only if the oracle finds the result invalid. */
  readonly expect: "refuse" | "pass" | "oracle";
  /** The codes that count as the right reason. */
  readonly codes: readonly string[];
  /** Put before the oracle: a wrong attempt must not count against the gate. */
  readonly result?: Buffer;
  /** What must be true of an allowed attempt besides; a text says what is wrong. */
  readonly check?: (verdict: Verdict) => Problem | undefined;
  /** Found while the attempt was made (an edit went to the wrong place). */
  readonly problem?: Problem;
  /** What was put in, for the list of mistakes. */
  readonly excerpt: string;
}

export interface Problem {
  readonly what: "wrong place" | "indentation" | "collateral" | "not restored" | "merge" | "failed";
  readonly bytes?: number;
  readonly message: string;
}

export interface Oracle {
  readonly name: string;
  /** undefined: it could not say. */
  judge(content: Buffer, path: string, place: string): Promise<boolean | undefined>;
  /** Asked when the first word was "valid" and the gate found a syntax error. */
  second?(content: Buffer, path: string): Promise<boolean | undefined>;
  close(): void;
}
