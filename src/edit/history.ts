/**
 * The edits of a repository as the store knows them. A row is written with its event, after the files:
 * the journal says what the store has not been told, and telling it twice changes nothing.
 */
import { isoTime } from "../base/clock.ts";
import type { Json } from "../base/json.ts";
import type { Reader, Row, Scope, Statement, Store, Writer } from "../store/index.ts";
import type { JournalRecord, Undone } from "./journal.ts";
import type { EditRecord } from "./types.ts";

export interface StoredFile {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly beforeMode: number | null;
  readonly afterMode: number | null;
}

export interface StoredEdit extends EditRecord {
  readonly files: readonly StoredFile[];
  readonly undoes?: Undone;
}

export interface HistoryFilter {
  readonly actor?: string;
  readonly path?: string;
  /** Only edits before this one. */
  readonly before?: string;
  /** Default 50, at most 1,000. */
  readonly limit?: number;
}

export interface EditHistory {
  /** False when the store knew it already. */
  add(record: JournalRecord, outcome: "applied" | "rolled-back"): Promise<boolean>;
  /** Newest first. */
  list(filter?: HistoryFilter): Promise<readonly StoredEdit[]>;
  show(id: string): Promise<StoredEdit | undefined>;
  /** Edits of a file after that one, oldest first. */
  later(id: string, path: string): Promise<readonly StoredEdit[]>;
}

export interface HistoryPlace {
  /** Opens the store for writing, creating it first. */
  open(): Promise<{ readonly store: Store; readonly scope: Scope }>;
  /** For looking: undefined while nothing was ever stored. */
  look(): Promise<{ readonly store: Store; readonly scope: Scope } | undefined>;
}

export const openHistory = (place: HistoryPlace): EditHistory => {
  const read = async <T>(
    nothing: T,
    work: (tx: Reader, scope: string) => Promise<T>,
  ): Promise<T> => {
    const there = await place.look();
    if (!there) return nothing;
    return there.store.read((tx) => work(tx, there.scope.id));
  };
  return {
    add: async (record, outcome) => {
      const { store, scope } = await place.open();
      return store.write({ scope }, (tx) => addEdit(tx, scope.id, record, outcome));
    },
    list: (filter = {}) =>
      read<readonly StoredEdit[]>([], async (tx, scope) => {
        const { actor = "", path = "", before = "", limit = 50 } = filter;
        const count = Math.max(1, Math.min(Math.trunc(limit), listedMax));
        const rows = await tx.all<EditRow>(selectEdits, { scope, actor, path, before, count });
        return withFiles(tx, scope, rows);
      }),
    show: (id) =>
      read<StoredEdit | undefined>(undefined, async (tx, scope) => {
        const row = await tx.get<EditRow>(selectEdit, { scope, id });
        return row && (await withFiles(tx, scope, [row]))[0];
      }),
    later: (id, path) =>
      read<readonly StoredEdit[]>([], async (tx, scope) => {
        const rows = await tx.all<EditRow>(selectLater, { scope, id, path, count: listedMax });
        return withFiles(tx, scope, rows);
      }),
  };
};

/** A store that is open already. */
export const openHistoryIn = (there: {
  readonly store: Store;
  readonly scope: Scope;
}): EditHistory => openHistory({ open: async () => there, look: async () => there });

interface EditRow extends Row {
  readonly id: string;
  readonly at: number;
  readonly actor: string;
  readonly reason: string;
  readonly state: EditRecord["state"];
  readonly undoes: string | null;
  readonly part: Undone["part"] | null;
  readonly part_file: string | null;
  readonly part_symbol: string | null;
}

interface FileRow extends Row {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly before_mode: number | null;
  readonly after_mode: number | null;
}

const addEdit = async (
  tx: Writer,
  scope: string,
  record: JournalRecord,
  outcome: "applied" | "rolled-back",
): Promise<boolean> => {
  const { id, atMs, actor, reason, undoes } = record;
  if (await tx.get(selectEdit, { scope, id })) return false;
  await tx.run(insertEdit, {
    scope,
    id,
    at: Math.trunc(atMs),
    actor,
    reason,
    state: outcome,
    undoes: undoes?.id ?? null,
    part: undoes?.part ?? null,
    part_file: undoes?.file ?? null,
    part_symbol: undoes?.symbol ?? null,
  });
  const inserts = record.files.map(({ path, before, after, beforeMode, afterMode }, number) =>
    tx.run(insertFile, {
      scope,
      id,
      number,
      path,
      before,
      after,
      before_mode: beforeMode,
      after_mode: afterMode,
    }),
  );
  await Promise.all(inserts);
  tx.emit({ kind: `edit.${outcome}`, actor, subject: id, data: eventData(record) });
  if (undoes && outcome === "applied") await markUndone(tx, scope, { id, actor, undoes });
  return true;
};

/** An event has only so much room: the first files by name, the number of all. */
const eventData = ({ files, reason, undoes }: JournalRecord): { [key: string]: Json } => {
  const shown: Json[] = [];
  let size = 0;
  for (const { path, kind, before, after } of files) {
    size += path.length * 3 + 200;
    if (size > eventFilesBytesMax) break;
    shown.push({ path, kind, before, after });
  }
  return {
    count: files.length,
    files: shown,
    ...(reason !== "" && { reason }),
    ...(undoes && { undoes: { ...undoes } }),
  };
};

/** Undoing an undo brings the first edit back, so the change of state goes up the chain. */
const markUndone = async (
  tx: Writer,
  scope: string,
  by: { readonly id: string; readonly actor: string; readonly undoes: Undone },
): Promise<void> => {
  let at: string | null = by.undoes.id;
  for (let depth = 0; at !== null && depth < undoDepthMax; depth += 1) {
    const edit: EditRow | undefined = await tx.get<EditRow>(selectEdit, { scope, id: at });
    if (!edit || edit.state === "rolled-back") return;
    const state = await stateOf(tx, scope, edit.id);
    if (state !== edit.state) await tx.run(updateState, { scope, id: edit.id, state });
    if (depth === 0 || state !== edit.state) {
      const data = { by: by.id, state, ...(depth === 0 && { part: by.undoes.part }) };
      const kind = state === "applied" ? "edit.redone" : "edit.undone";
      tx.emit({ kind, actor: by.actor, subject: edit.id, data });
    }
    at = edit.undoes;
  }
};

const stateOf = async (tx: Reader, scope: string, id: string): Promise<EditRecord["state"]> => {
  const undos = await tx.all<EditRow>(selectUndos, { scope, id });
  const live = undos.filter(({ state }) => state === "applied" || state === "partly-undone");
  if (live.length === 0) return "applied";
  if (live.some(({ part, state }) => part === "whole" && state === "applied")) return "undone";
  const files = await tx.all<FileRow>(selectFiles, { scope, id });
  const back = new Set(
    live.flatMap(({ part, part_file: file, state }) =>
      part === "file" && state === "applied" ? [file] : [],
    ),
  );
  return files.every(({ path }) => back.has(path)) ? "undone" : "partly-undone";
};

const withFiles = async (
  tx: Reader,
  scope: string,
  rows: readonly EditRow[],
): Promise<StoredEdit[]> =>
  Promise.all(
    rows.map(async (row) => toEdit(row, await tx.all<FileRow>(selectFiles, { scope, id: row.id }))),
  );

const toEdit = (row: EditRow, files: readonly FileRow[]): StoredEdit => ({
  id: row.id,
  at: isoTime(row.at),
  actor: row.actor,
  reason: row.reason,
  state: row.state,
  files: files.map(({ path, before, after, before_mode: beforeMode, after_mode: afterMode }) => ({
    path,
    before,
    after,
    beforeMode,
    afterMode,
  })),
  ...(row.undoes !== null && {
    undoes: {
      id: row.undoes,
      part: row.part ?? "whole",
      ...(row.part_file !== null && { file: row.part_file }),
      ...(row.part_symbol !== null && { symbol: row.part_symbol }),
    },
  }),
});

const listedMax = 1_000;
const undoDepthMax = 1_000;
const eventFilesBytesMax = 32 * 1024;

const columns = "id, at, actor, reason, state, undoes, part, part_file, part_symbol";
const selectEdit: Statement = {
  sql: `SELECT ${columns} FROM edits WHERE scope_id = :scope AND id = :id`,
};
const selectEdits: Statement = {
  sql: `SELECT ${columns} FROM edits WHERE scope_id = :scope
        AND (:actor = '' OR actor = :actor) AND (:before = '' OR id < :before)
        AND (:path = '' OR EXISTS (SELECT 1 FROM edit_files
          WHERE edit_files.scope_id = edits.scope_id AND edit_id = edits.id AND path = :path))
        ORDER BY id DESC LIMIT :count`,
};
const selectLater: Statement = {
  sql: `SELECT ${columns} FROM edits WHERE scope_id = :scope AND id > :id AND state <> 'rolled-back'
        AND EXISTS (SELECT 1 FROM edit_files
          WHERE edit_files.scope_id = edits.scope_id AND edit_id = edits.id AND path = :path)
        ORDER BY id LIMIT :count`,
};
const selectUndos: Statement = {
  sql: `SELECT ${columns} FROM edits WHERE scope_id = :scope AND undoes = :id`,
};
const selectFiles: Statement = {
  sql: `SELECT path, before, after, before_mode, after_mode FROM edit_files
        WHERE scope_id = :scope AND edit_id = :id ORDER BY number`,
};
const insertEdit: Statement = {
  sql: `INSERT INTO edits
        (scope_id, id, at, actor, reason, state, undoes, part, part_file, part_symbol)
        VALUES (:scope, :id, :at, :actor, :reason, :state, :undoes, :part, :part_file, :part_symbol)`,
};
const insertFile: Statement = {
  sql: `INSERT INTO edit_files
        (scope_id, edit_id, number, path, before, after, before_mode, after_mode)
        VALUES (:scope, :id, :number, :path, :before, :after, :before_mode, :after_mode)`,
};
const updateState: Statement = {
  sql: "UPDATE edits SET state = :state WHERE scope_id = :scope AND id = :id",
};
