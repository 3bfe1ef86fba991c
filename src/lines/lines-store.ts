/** Rows of this room in the store. A worktree is named by its folder, on a shared store by its machine too. */
import type { Json } from "../base/json.ts";
import type { Reader, Row, Statement, Writer } from "../store/index.ts";
import type { FileRecord, Pending } from "./file-record.ts";
import type { LineEdit, LineRow } from "./types.ts";

export interface TreePlace {
  readonly scope: string;
  readonly worktree: string;
}

export const readRecord = async (
  tx: Reader,
  place: TreePlace,
  path: string,
): Promise<FileRecord | undefined> => {
  const row = await tx.get<{ record: string }>(selectFile, { ...place, path });
  return row && decode(row.record);
};

export const readChangedAt = async (
  tx: Reader,
  place: TreePlace,
  path: string,
): Promise<number | undefined> =>
  (await tx.get<{ at: number }>(selectFile, { ...place, path }))?.at;

/** Those of these files that are known, in one reading of all where they are many. */
export const readRecords = async (
  tx: Reader,
  place: TreePlace,
  paths: Iterable<string>,
): Promise<Map<string, FileRecord>> => {
  const wanted = new Set(paths);
  const found = new Map<string, FileRecord>();
  if (wanted.size <= singlyMax) {
    for (const path of wanted) {
      const record = await readRecord(tx, place, path);
      if (record) found.set(path, record);
    }
    return found;
  }
  const rows = await tx.all<{ path: string; record: string }>(selectFiles, { ...place });
  for (const { path, record } of rows) if (wanted.has(path)) found.set(path, decode(record));
  return found;
};

const singlyMax = 50;

/** A file that is known to differ from its commit, without its lines: ten thousand of them are read at once. */
export interface NotedFile {
  /** Oldest first; those that are allowed but not seen yet are in `pendings`. */
  readonly edits: readonly LineEdit[];
  readonly pendings: readonly Pending[];
  /** When something new was last known of it. */
  readonly at: number;
}

export const readNoted = async (
  tx: Reader,
  place: TreePlace,
): Promise<ReadonlyMap<string, NotedFile>> => {
  const rows = await tx.all<{ path: string; at: number; head: string; whole: string | null }>(
    selectNoted,
    { ...place },
  );
  return new Map(
    rows.map(({ path, at, head, whole }) => {
      const { edits } = JSON.parse(`${head}}`) as Pick<KeptRecord, "edits">;
      const { pendings = [] } = whole === null ? {} : (JSON.parse(whole) as KeptRecord);
      return [path, { edits, pendings, at }];
    }),
  );
};

/** Records of all worktrees that name a session. */
export const readRecordsNaming = async (tx: Reader, scope: string, session: string) => {
  const rows = await tx.all<{ worktree: string; path: string; record: string; at: number }>(
    selectAllFiles,
    { scope },
  );
  const name = JSON.stringify(session);
  return rows
    .filter(({ record }) => record.includes(name))
    .map(({ record, ...rest }) => ({ ...rest, record: decode(record) }));
};

/** A clean file is not kept. */
export const saveRecord = async (
  tx: Writer,
  place: TreePlace,
  { path, record, at }: { readonly path: string; readonly record: FileRecord; readonly at: number },
): Promise<void> => {
  const { weave, pendings } = record;
  const isIdle =
    weave.edits.length === 0 && weave.inTree === weave.inCommit && pendings.length === 0;
  if (isIdle) await tx.run(deleteFile, { ...place, path });
  else await tx.run(upsertFile, { ...place, path, record: encode(record), at });
};

export interface SessionRow extends Row {
  readonly session: string;
  readonly actor: string;
  readonly task: string;
  readonly at: number;
  /** 0: it is at work, or may be. */
  readonly ended: number;
}

/** It comes back no more. */
export const endedHere = 1;
/** It ended under this id; its client's process goes on. */
export const goesOnHere = 2;

export const readSessions = (tx: Reader, place: TreePlace): Promise<SessionRow[]> =>
  tx.all<SessionRow>(selectSessions, { ...place });

/** Where a session has worked, and what for. */
export const readWorktrees = (
  tx: Reader,
  scope: string,
  session: string,
): Promise<(Row & { readonly worktree: string; readonly task: string })[]> =>
  tx.all(selectWorktrees, { scope, session });

/** In all worktrees. */
export const readSessionsIn = (
  tx: Reader,
  scope: string,
): Promise<(SessionRow & { readonly worktree: string })[]> => tx.all(selectAllSessions, { scope });

export const saveSession = async (
  tx: Writer,
  place: TreePlace,
  { session, actor, task, at, ended }: SessionRow,
): Promise<void> => {
  await tx.run(upsertSession, { ...place, session, actor, task, at, ended });
};

/** Who waits for whose lines. */
export interface WaitRow extends Row {
  readonly session: string;
  readonly path: string;
  /** Sessions, as JSON. */
  readonly holders: string;
  readonly since: number;
  readonly at: number;
  /** Targets, as JSON; none: the whole file. */
  readonly parts: string;
}

export const readWaits = (tx: Reader, place: TreePlace): Promise<WaitRow[]> =>
  tx.all<WaitRow>(selectWaits, { ...place });

export const saveWait = async (tx: Writer, place: TreePlace, row: WaitRow): Promise<void> => {
  const { session, path, holders, since, at, parts } = row;
  await tx.run(upsertWait, { ...place, session, path, holders, since, at, parts });
};

export const endWaits = (
  tx: Writer,
  place: TreePlace,
  { session, path }: { readonly session: string; readonly path?: string },
): Promise<number> =>
  path === undefined
    ? tx.run(deleteWaits, { ...place, session })
    : tx.run(deleteWait, { ...place, session, path });

/** Lines of one author stand together, so that a file that hardly changed takes hardly any marks. */
type LineRun = readonly [by: number, gone: number, ...lines: string[]];

const encode = ({ weave, pendings }: FileRecord): string => {
  const { rows, edits, inCommit, inTree, born, died } = weave;
  const numbers = new Map(edits.map(({ id }, at) => [id, at + 1]));
  const number = (id: string | null): number => (id === null ? 0 : (numbers.get(id) ?? 0));
  const runs: [number, number, ...string[]][] = [];
  for (const { text, by, gone } of rows) {
    const [b, g] = [number(by), number(gone)];
    const last = runs.at(-1);
    if (last && last[0] === b && last[1] === g) last.push(text);
    else runs.push([b, g, text]);
  }
  return JSON.stringify({ edits, runs, inCommit, inTree, born, died, pendings } as unknown as Json);
};

interface KeptRecord {
  readonly edits: readonly LineEdit[];
  readonly runs: readonly LineRun[];
  readonly inCommit: boolean;
  readonly inTree: boolean;
  readonly born: string | null;
  readonly died: string | null;
  readonly pendings: readonly Pending[];
}

const decode = (text: string): FileRecord => {
  const { edits, runs, pendings, ...rest } = JSON.parse(text) as KeptRecord;
  const name = (number: number): string | null => edits[number - 1]?.id ?? null;
  const rows: LineRow[] = [];
  for (const run of runs) {
    const [by, gone] = [name(run[0]), name(run[1])];
    for (let at = 2; at < run.length; at += 1) rows.push({ text: run[at] as string, by, gone });
  }
  return { weave: { ...rest, rows, edits }, pendings };
};

// PostgreSQL finds rows by a digest of the path, which may be longer than an index entry.
const there = "scope_id = :scope AND worktree = :worktree";
const selectFile: Statement = {
  sqlite: `SELECT record, at FROM line_files WHERE ${there} AND path = :path`,
  postgres: `SELECT record, at FROM line_files WHERE ${there} AND md5(path) = md5(:path) AND path = :path`,
};
const selectFiles: Statement = { sql: `SELECT path, record FROM line_files WHERE ${there}` };
// As `encode` writes them: edits come first, pending writes last. Quotes in a text are escaped, so it holds no such mark.
const afterEdits = `',"runs":'`;
const noPendings = `',"pendings":[]}'`;
const pendingLength = noPendings.length - 2;
const whole = (end: string): string =>
  `CASE WHEN ${end} = ${noPendings} THEN NULL ELSE record END AS whole`;
const selectNoted: Statement = {
  sqlite: `SELECT path, at, substr(record, 1, instr(record, ${afterEdits}) - 1) AS head,
             ${whole(`substr(record, -${pendingLength})`)} FROM line_files WHERE ${there}`,
  postgres: `SELECT path, at, split_part(record, ${afterEdits}, 1) AS head,
               ${whole(`right(record, ${pendingLength})`)} FROM line_files WHERE ${there}`,
};
const selectAllFiles: Statement = {
  sql: "SELECT worktree, path, record, at FROM line_files WHERE scope_id = :scope",
};
const upsertFile: Statement = {
  sqlite: `INSERT INTO line_files (scope_id, worktree, path, record, at)
           VALUES (:scope, :worktree, :path, :record, :at)
           ON CONFLICT (scope_id, worktree, path)
           DO UPDATE SET record = excluded.record, at = excluded.at`,
  postgres: `INSERT INTO line_files (scope_id, worktree, path, record, at)
             VALUES (:scope, :worktree, :path, :record, :at)
             ON CONFLICT (scope_id, worktree, md5(path))
             DO UPDATE SET path = excluded.path, record = excluded.record, at = excluded.at`,
};
const deleteFile: Statement = {
  sqlite: `DELETE FROM line_files WHERE ${there} AND path = :path`,
  postgres: `DELETE FROM line_files WHERE ${there} AND md5(path) = md5(:path) AND path = :path`,
};
const selectSessions: Statement = {
  sql: `SELECT session, actor, task, at, ended FROM line_sessions WHERE ${there}`,
};
const selectWorktrees: Statement = {
  sql: "SELECT worktree, task FROM line_sessions WHERE scope_id = :scope AND session = :session",
};
const selectAllSessions: Statement = {
  sql: "SELECT worktree, session, actor, task, at, ended FROM line_sessions WHERE scope_id = :scope",
};
const upsertSession: Statement = {
  sql: `INSERT INTO line_sessions (scope_id, worktree, session, actor, task, at, ended)
        VALUES (:scope, :worktree, :session, :actor, :task, :at, :ended)
        ON CONFLICT (scope_id, worktree, session) DO UPDATE SET actor = excluded.actor,
          task = CASE WHEN excluded.task = '' THEN line_sessions.task ELSE excluded.task END,
          at = excluded.at, ended = excluded.ended`,
};
const selectWaits: Statement = {
  sql: `SELECT session, path, holders, since, at, parts FROM line_waits WHERE ${there}`,
};
const upsertWait: Statement = {
  sqlite: `INSERT INTO line_waits (scope_id, worktree, session, path, holders, since, at, parts)
           VALUES (:scope, :worktree, :session, :path, :holders, :since, :at, :parts)
           ON CONFLICT (scope_id, worktree, session, path)
           DO UPDATE SET holders = excluded.holders, at = excluded.at,
             parts = excluded.parts`,
  postgres: `INSERT INTO line_waits (scope_id, worktree, session, path, holders, since, at, parts)
             VALUES (:scope, :worktree, :session, :path, :holders, :since, :at, :parts)
             ON CONFLICT (scope_id, worktree, session, md5(path))
             DO UPDATE SET holders = excluded.holders, at = excluded.at,
             parts = excluded.parts`,
};
const deleteWaits: Statement = {
  sql: `DELETE FROM line_waits WHERE ${there} AND session = :session`,
};
const deleteWait: Statement = {
  sql: `DELETE FROM line_waits WHERE ${there} AND session = :session AND path = :path`,
};
