/** The shapes that the room offers and needs. */
import type { IdSource } from "../base/ids.ts";
import type { Actor } from "../claims/index.ts";
import type { Scope, Store, StoreTime, Writer } from "../store/index.ts";
import type { FileRecord, ChangedLines } from "./file-record.ts";
import type { LateWrite, OverdueWrite } from "./late-writes.ts";
import type { NotedFile } from "./lines-store.ts";
import type { WriteKind } from "./types.ts";

/** A file before and after; undefined: it is not there. */
export interface AskedWrite {
  readonly path: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
  /** Only some of its lines are replaced, wherever they are when it is written. */
  readonly isEdit?: boolean;
  /** The parts of the file that it changes, as targets; absent or none: the whole file. */
  readonly parts?: readonly string[];
  /**
   * Where uncommitted lines of others are in the way besides those that it meets: in these lines of `before` (from
   * 1, both ends included), or anywhere in the file.
   */
  readonly keepsOff?: "file" | readonly { readonly from: number; readonly to: number }[];
}

/** An author whose uncommitted lines are in the way. */
export interface LineBlocker {
  readonly path: string;
  readonly actor: string;
  readonly session: string;
  readonly task: string;
  /** Of the oldest of these lines. */
  readonly since: number;
  /** How many others asked for the same lines before. */
  readonly ahead: number;
  /** The lines are free, and kept for this session until then, because it waited for them first. */
  readonly until?: number;
}

/** Lines of others that are written over, and why that is right. */
export interface LineGrant {
  readonly path: string;
  readonly actor: string;
  readonly session: string;
  readonly why: "circle" | "idle" | "ended" | "dead";
}

/** Another session at work whose uncommitted lines are close to a write, but do not meet it. */
export interface NearLines {
  readonly path: string;
  readonly actor: string;
  readonly session: string;
  readonly task: string;
}

/** A session that has uncommitted lines in a file of some worktree. */
export interface FileAuthor {
  readonly session: string;
  readonly task: string;
  /** As the store names it; undefined: this one. */
  readonly elsewhere?: string;
}

export type LineAnswer =
  | {
      readonly ok: true;
      readonly granted: readonly LineGrant[];
      readonly near: readonly NearLines[];
      /** The work of the session, as far as it said so. */
      readonly task: string;
    }
  /** `isStale`: the files are not any more what the write starts from, so nothing can be said. */
  | { readonly ok: false; readonly blockers: readonly LineBlocker[]; readonly isStale?: true };

/** Contents of the last commit by path, as they would lie in the working tree; undefined: not in it. */
export type CommittedFiles = ReadonlyMap<string, Uint8Array | undefined>;

/** Whether a session is still at work here. */
export type Presence = "here" | LineGrant["why"];

export interface OpenLinesOptions {
  open(): Promise<{ readonly store: Store; readonly scope: Scope }>;
  look(): Promise<{ readonly store: Store; readonly scope: Scope } | undefined>;
  /** Absolute, links resolved; with the machine's name where others share the store. */
  readonly worktree: string;
  readonly newId: IdSource;
  /** The file as it is now; undefined: there is none. Asked inside of transactions, so it must not wait. */
  read(path: string): Uint8Array | undefined;
  /** After this time without a hook a session is idle. */
  readonly idleMs: number;
  /** Keeps what a late write made of a file, and says where. */
  keepLate?(late: LateWrite): Promise<string>;
}

/** A file that is not as it was before a command. */
export interface ChangedFile {
  readonly path: string;
  /** sha256 of what it was; null: it was not there; undefined: as its commit has it. */
  readonly before?: string | null;
  readonly committed?: Uint8Array | undefined;
}

export interface Writing {
  readonly actor: Actor;
  readonly kind: WriteKind;
  readonly task?: string;
  /** With `note` and `heard`: read or written in the same transaction, which spares one of its own. */
  readonly along?: Along;
}

export type Along = (
  tx: Writer,
  at: { readonly scope: Scope; readonly now: StoreTime },
) => Promise<void>;

/** A formatter's change of a session's part of one file. */
export interface ReformatWish {
  readonly path: string;
  /** The edits that make the part. */
  readonly edits: ReadonlySet<string>;
  /** The part, and the formatter's version of it; undefined: there was no such file. */
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array;
  /** Replaces the file, which must still be `present`; false: it is not. Inside of a transaction. */
  replace(content: Uint8Array, present: Uint8Array | undefined): boolean;
}

/** done: all of it is in the file. part: some lines were not there any more. busy: a write is under way. */
export type ReformatAnswer = "done" | "part" | "none" | "busy";

export interface Noted {
  /** Files in which the session of `rest` has no uncommitted lines. */
  readonly settled: readonly string[];
  /** Writes of `rest` that came late enough for their grant to have ended. */
  readonly overdue: readonly OverdueWrite[];
}

export interface Lines {
  /** Before a write. Allowed: it is noted, and believed when the file shows it. */
  ask(writes: readonly AskedWrite[], by: Writing & { readonly use?: string }): Promise<LineAnswer>;
  /**
   * After a write, or whenever files are looked at: what the files show is written down. Changes that no allowed
   * write explains are `rest`'s; without it they have no author. A tool that failed wrote none of them.
   */
  note(
    paths: readonly string[],
    rest?: Writing & {
      readonly use?: string;
      readonly hasFailed?: boolean;
      /** Whether the tool can have made a change, by its own words. */
      readonly mayWrite?: (change: ChangedLines) => boolean;
    },
  ): Promise<Noted>;
  /**
   * After a command of a session: what changed in these files while it ran is the session's, where it is
   * known what they were before. `since`: it began then; lines of no author that were found after it are its.
   */
  noteCommand(changes: readonly ChangedFile[], by: Writing, since?: number): Promise<void>;
  /**
   * The session was heard of; its end frees those who wait for it. `goesOn`: its client's process may go on with
   * its lines under another id (`passLines`).
   */
  heard(
    by: Writing,
    options?: { readonly isEnd?: boolean; readonly goesOn?: boolean },
  ): Promise<void>;
  /**
   * Sessions at work whose uncommitted lines the session's own were written onto, so that its commit should
   * come after theirs. None where they wait for it in turn. With `isWaiting` it is noted that it waits.
   */
  ground(by: Writing, isWaiting: boolean): Promise<readonly string[]>;
  /** Every file that is known to differ from its commit, without its lines. */
  noted(): Promise<ReadonlyMap<string, NotedFile>>;
  /** Those of these files that are known to differ from their commit. */
  records(paths: Iterable<string>): Promise<ReadonlyMap<string, FileRecord>>;
  record(path: string): Promise<FileRecord | undefined>;
  /** When something new was last known of a file; undefined: it is as its commit has it. */
  changedAt(path: string): Promise<number | undefined>;
  /**
   * Brings files up to what they and their commit are now, and answers all of them: also those of which
   * nothing was known, whose differences then have no author.
   */
  refresh(committed: CommittedFiles): Promise<ReadonlyMap<string, FileRecord>>;
  /** As `refresh`, for looking: nothing is written down, and nothing need be stored. */
  view(committed: CommittedFiles): Promise<ReadonlyMap<string, FileRecord>>;
  /** Edits were taken back out of their files; believed where the file shows it. */
  takenBack(edits: ReadonlyMap<string, ReadonlySet<string>>): Promise<void>;
  /** Puts a formatter's change into the file, as lines of its session, where those lines are still there. */
  reformat(wish: ReformatWish, by: Writing): Promise<ReformatAnswer>;
  /** A commit was made: what it took is settled. `sets` are the edits it may have taken, likeliest first. */
  committed(
    files: CommittedFiles,
    sets: (record: FileRecord, path: string) => readonly ReadonlySet<string>[],
  ): Promise<void>;
  /** Which of these sessions have uncommitted lines in a file, and in which worktrees. */
  authors(path: string, sessions: readonly string[]): Promise<readonly FileAuthor[]>;
  /** Sessions that have written here, and whether they are still at work. */
  presence(): Promise<ReadonlyMap<string, SessionPresence>>;
}

export interface SessionPresence {
  readonly actor: string;
  readonly task: string;
  readonly at: number;
  readonly state: Presence;
}
