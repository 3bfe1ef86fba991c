/** The words of this folder: where sources come from, what is said about calls. */
import type { Analysed } from "../analyser.ts";
import type { Reference } from "../types.ts";

/** Languages that call each other by the same names. */
export type Family = "python" | "script" | "other";

export interface SourceFiles {
  /** Relative paths with slashes. */
  list(): Iterable<string>;
  read(path: string): Buffer | undefined;
  /** Something that changes with the content (size and times): an equal stamp saves the reading. */
  stamp?(path: string): string | undefined;
}

/** One file before and after an edit. */
export interface EditedFile {
  readonly path: string;
  readonly before: Analysed | undefined;
  readonly after: Analysed | undefined;
}

/** Outlines of other project files, as they are or, for edited ones, will be. */
export type OutlineOf = (path: string) => Promise<Analysed | undefined>;

export interface NearName {
  /** As it would be called: `self.login`, `login`. */
  readonly name: string;
  readonly path: string;
  readonly line: number;
}

export interface CallFinding {
  readonly path: string;
  readonly reference: Reference;
  /** missing: proven wrong; doubtful: nothing names it, but something could make it at run time. */
  readonly state: "missing" | "doubtful";
  /** What decided: nowhere at all, not in a class whose members are all known, not bound in the file. */
  readonly by: "nowhere" | "closed-class" | "unbound";
  readonly why: string;
  /** Whose it would be: an edit of this project can add what is the project's, and nothing else. */
  readonly owner: "project" | "library";
  readonly nearest: readonly NearName[];
}
