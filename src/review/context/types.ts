/** All that a reviewer should know of the project beside the change: all of it data, written by others. */

export interface ReviewContext {
  /** The project's own rules for who works on it, by path. */
  readonly rules: readonly RuleFile[];
  readonly symbols: readonly ChangedSymbol[];
  /** By path: the newest commits that wrote the lines which the change touches. */
  readonly commits: ReadonlyMap<string, readonly string[]>;
  readonly dismissed: readonly DismissedBefore[];
}

export interface RuleFile {
  readonly path: string;
  readonly text: string;
}

export interface ChangedSymbol {
  readonly path: string;
  readonly symbol: string;
  /** `path:line in symbol`: who calls it. */
  readonly callers: readonly string[];
  /** `path:line signature`: whom its changed lines call. */
  readonly callees: readonly string[];
}

export interface DismissedBefore {
  readonly path: string | null;
  readonly line: number | null;
  readonly title: string;
  readonly reviewers: readonly string[];
  readonly reason: string;
  readonly note: string | null;
}

export const nothingKnown: ReviewContext = {
  rules: [],
  symbols: [],
  commits: new Map(),
  dismissed: [],
};
