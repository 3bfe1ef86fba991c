/** What a rule is: it looks at one parsed file and points at what it found. */
import type { Severity } from "../types.ts";
import type { Node } from "./node.ts";
import type { Family, SourceFile } from "./source-file.ts";

export interface Hit {
  readonly node: Node;
  /** What is wrong in this place, in one sentence; begins in lower case, no full stop. */
  readonly title: string;
  /** Where one place weighs more or less than the rule in general. */
  readonly severity?: Severity;
}

export interface StaticRule {
  /** Kebab-case; what a suppression names. */
  readonly name: string;
  readonly severity: Severity;
  readonly kind: "bug" | "security" | "concurrency" | "durability" | "reliability";
  readonly languages: readonly Family[];
  /** A file without such a text cannot have a hit: it is not parsed for this rule. */
  readonly needs: RegExp;
  /** Tests, fixtures and examples are not looked at. */
  readonly skipsTests?: boolean;
  readonly why: string;
  readonly fix: string;
  readonly check: (file: SourceFile) => Iterable<Hit>;
}
