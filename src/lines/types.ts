/** Lines, edits and files as the room knows them. */

/** How a line came to be written. `unknown`: nothing proves whose it is. */
export type WriteKind = "edit" | "shell" | "person" | "unknown";

/** One change of one file by one actor: everything it wrote and took away there at once. */
export interface LineEdit {
  readonly id: string;
  /** Empty when it is unknown. */
  readonly actor: string;
  /** The actor without its sub-agent part: a session commits as one. */
  readonly session: string;
  readonly kind: WriteKind;
  /** Milliseconds of the store's clock. */
  readonly at: number;
  readonly task?: string;
  /** The client's name of the tool use. */
  readonly use?: string;
  /** Older edits whose uncommitted lines it changed, lay inside of, or touched. */
  readonly onto: readonly string[];
}

/** One line, with its ending, as bytes read as Latin-1. */
export interface LineRow {
  readonly text: string;
  /** The edit that wrote it; null: it is in the last commit. */
  readonly by: string | null;
  /** The edit that took it away; null: it is in the file. */
  readonly gone: string | null;
}

/**
 * A file between its last commit and its state in the working tree. The rows that are not `by` anybody are the
 * committed file; the rows that are not `gone` are the file as it is.
 */
export interface Weave {
  readonly rows: readonly LineRow[];
  readonly edits: readonly LineEdit[];
  readonly inCommit: boolean;
  readonly inTree: boolean;
  /** The edit that made the file, or that deleted it. */
  readonly born: string | null;
  readonly died: string | null;
}

/** Lines `from` (inclusive) to `to` (exclusive) are replaced by others. */
export interface LineSplice {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}
