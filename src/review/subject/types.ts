/** What is reviewed: taken once as bytes, so that every reviewer sees the same. */

export interface Subject {
  /** `change`: hunks of a diff. `files`: whole files. `document`: a plan or another text. */
  readonly kind: "change" | "files" | "document";
  /** As a person names it: `working tree`, `main..HEAD`, `docs/plan.md`. */
  readonly name: string;
  /** Commit ids, where there are such. */
  readonly base?: string;
  readonly head?: string;
  /** By path, in order of code units. */
  readonly files: readonly SubjectFile[];
  /** sha256 over everything above: the same subject has the same digest. */
  readonly digest: string;
}

export interface SubjectFile {
  /** Relative to the repository's root. */
  readonly path: string;
  readonly oldPath?: string;
  readonly status: "added" | "modified" | "deleted" | "renamed" | "whole";
  readonly language?: string;
  /** Of a whole file: none. */
  readonly hunks: readonly Hunk[];
  /** The content after the change; absent when deleted, binary or too large. */
  readonly after?: string;
  /** Why there is no content. Hunks of generated files are left out, too. `unread`: source that holds NUL. */
  readonly leftOut?:
    | "deleted"
    | "binary"
    | "unread"
    | "too-large"
    | "generated"
    | "link"
    | "submodule";
  /** How many lines a change adds and removes, also where its hunks are left out. */
  readonly counts?: { readonly added: number; readonly removed: number };
  /** Where the kind of file or its permission changes: `100644 → 100755`. */
  readonly mode?: string;
}

export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** What git shows behind `@@`: the function around it. */
  readonly section: string;
  /** With their first character: `+`, `-` or a space. */
  readonly lines: readonly string[];
  /** Whose last line has no line end. */
  readonly endsOpen?: "old" | "new" | "both";
}

/** A part of a subject that fits into one prompt. Small subjects have one. */
export interface Slice {
  /** From 1. */
  readonly number: number;
  readonly of: number;
  readonly files: readonly SubjectFile[];
  readonly characters: number;
  /** What the other slices hold, so that a reviewer knows what it does not see. */
  readonly elsewhere?: readonly { readonly path: string; readonly slices: readonly number[] }[];
}
