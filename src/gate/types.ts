/** The words of this room: what is proposed, what is answered. */
import type { Deltas } from "./deltas.ts";
import type { Coverage, RegionDiff } from "../structure/index.ts";

/** One file before and after. Text is UTF-8; bytes are taken as they are. */
export interface Write {
  /** Relative to the repository's root, with slashes. */
  readonly path: string;
  /** What the writer took as its base. Absent: whatever is there now. Null: it must not exist. */
  readonly before?: string | Uint8Array | null;
  /** Null deletes the file. */
  readonly after: string | Uint8Array | null;
  /** The writer names the file it moves; its path is deleted by another write of the same proposal. */
  readonly movedFrom?: string;
  readonly mode?: number;
}

export interface Proposal {
  readonly writes: readonly Write[];
  readonly actor?: string;
  /** The tree to judge against instead of the working tree (replays of history). */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Reasons that the writer insists on passing, by code and path; written into the log. */
  readonly overrides?: readonly Override[];
}

/** The edit leaves open whatever a later edit can make right; the commit refuses it. */
export type JudgeStage = "edit" | "commit";

export interface Override {
  readonly code: string;
  readonly path?: string;
  readonly reason: string;
}

export interface Reason {
  readonly code: string;
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
  readonly symbol?: string;
  readonly message: string;
  readonly remedy: string;
  /** The next call that would do what was probably meant: a `headgate edit` operation. */
  readonly call?: Readonly<Record<string, unknown>>;
  /** The same edit passes when it is repeated. */
  readonly confirm?: true;
  /** An open end: what an allowed edit still owes. It is refused at the commit. */
  readonly missing?: string;
}

/** What was looked at, per file: "allowed" must never mean "not looked at". */
export interface JudgedFile {
  readonly path: string;
  readonly language: string;
  readonly coverage: Coverage;
  /** sha256 of the content; null when absent. */
  readonly before: string | null;
  readonly after: string | null;
  readonly regions: RegionDiff;
  /** Present when the writer's base was older and both changes were brought together. */
  readonly merged?: string | Uint8Array;
}

export interface Verdict {
  readonly verdict: "allow" | "deny";
  readonly reasons: readonly Reason[];
  readonly notes: readonly Reason[];
  readonly files: readonly JudgedFile[];
  /** Counts before and after the change, of each file and in all. */
  readonly deltas: Deltas;
  /** Denied, and the same proposal passes when it is repeated. */
  readonly confirm?: true;
}
