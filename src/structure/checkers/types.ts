/** The words of this folder: what a type checker says about an edit. */

/** A problem that the edit brought in, on a line that it wrote. */
export interface NewDiagnostic {
  /** A name that is not there, or arguments that a function does not take. */
  readonly about: "name" | "arguments";
  readonly code: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
  /** The name that is said not to exist, or that of the called function. */
  readonly name: string;
  /** What stands before the dot, as written. */
  readonly receiver?: string;
  readonly isCall: boolean;
  /** The receiver's type by name, as far as the checker says it. */
  readonly type?: string;
  /** Where the receiver's type or the called function is declared: in source of the project, or somewhere else. */
  readonly declared: "project" | "elsewhere" | "unknown";
}

export interface Checked {
  /** not-proven: no answer, or none in time. It never means that nothing was found. */
  readonly state: "checked" | "not-proven";
  readonly by: string;
  readonly why?: string;
  readonly diagnostics: readonly NewDiagnostic[];
  /** For an answer that did not come in time: what it will be. */
  readonly later?: Promise<Checked>;
}

export interface Checker {
  check(path: string, before: string | undefined, after: string): Promise<Checked>;
  /** Files that were written meanwhile. */
  changed(paths: readonly string[]): void;
  close(): void;
}
