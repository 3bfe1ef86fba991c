/** What a changed file is for. */
export type Role =
  | "code"
  | "tests"
  | "docs"
  | "data"
  | "settings"
  | "dependencies"
  | "styles"
  /** A plan or another text that is itself the subject. */
  | "document";

/** What draws a reviewer to a change. Data only; score.ts says how it counts. */
export interface Affinity {
  /** How much it has to say about each role, 0 to 2; weighed by the share of changed lines. */
  readonly roles: Readonly<Partial<Record<Role, number>>>;
  /** Globs over paths and words in names of files, each list with its weight. */
  readonly paths: readonly {
    readonly globs: readonly string[];
    readonly names?: string;
    readonly weight: number;
  }[];
  /** Words on changed lines: single ones as parts of names in any form, phrases as they stand (`^`: at a line's beginning). */
  readonly words: string;
  readonly phrases?: readonly string[];
  readonly languages?: Readonly<Record<string, number>>;
  /** By domain of the project. */
  readonly domains?: Readonly<Record<string, number>>;
  /** Gains this with the largest changes. */
  readonly size?: number;
  /** Gains this when code changes and no test does. */
  readonly untested?: number;
}
