/** What a rule is: it looks at one file's change and says what is wrong with it, if anything. */
import type { Reason } from "../types.ts";
import type { FileCase } from "../file-case.ts";

/** The rules that a policy can name. */
export type RuleName =
  | "path"
  | "freshness"
  | "claims"
  | "judgeable"
  | "duplicates"
  | "syntax"
  | "placeholders"
  | "wrapping"
  | "characters"
  | "lineEnds"
  | "secrets"
  | "generated"
  | "tests"
  | "suppressions"
  | "losses"
  | "debugging"
  | "references"
  | "imports"
  | "signatures"
  | "arguments";

export interface Finding extends Reason {
  /** note: never a reason to refuse. remark: a note, unless a policy says deny for its rule. */
  readonly level: "deny" | "note" | "remark";
  /** A later edit can make it right: `missing` is what it owes. */
  readonly later?: {
    readonly missing: string;
    /** It looks like a slip of this name, which exists. */
    readonly slipOf?: string;
  };
}

export type Rule = (one: FileCase) => Promise<readonly Finding[]>;

/** At most this many findings of one rule and file are told; the rest is counted. */
export const findingsMax = 20;
