/**
 * Late writes (N-07): a write that went over lines which others wrote after it was allowed. Its session was
 * taken for idle, ended or dead, or its grant had lapsed. The weave has the lines of both until they are
 * committed, so either version can be brought back.
 */
import { showText } from "../base/text.ts";
import type { NewNotice } from "../notices/index.ts";
import type { FileRecord, Pending } from "./file-record.ts";
import { toBytes } from "./line-diff.ts";
import { overKey } from "./line-notices.ts";
import type { LineEdit } from "./types.ts";
import { currentLines } from "./weave.ts";

/** The file without and with a write. */
interface Overwriting {
  readonly path: string;
  readonly edit: LineEdit;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

export interface OverdueWrite extends Overwriting {
  /** A commit has changed the file since this time, when the write was allowed. */
  readonly commitSince?: number;
  /** Lines of the commit that it took away, from 0. */
  readonly took: readonly number[];
}

export interface LateWrite extends Overwriting {
  /** The newest of those whose lines it took away. */
  readonly over: { readonly actor: string; readonly session: string };
  readonly lines: number;
}

/** A claim does not end within this time of its grant, but by the word of a person. */
const overdueMs = 1_000;

/** The write of one tool use, where it came late enough for its claim to have ended. */
export const findOverdue = (
  path: string,
  { known, record, own, now }: TwoLooks & { readonly now: number },
): OverdueWrite[] => {
  const isOld = new Set(known.weave.edits.map(({ id }) => id));
  const isOwn = ({ id, actor, use }: LineEdit): boolean =>
    id === own?.id || (actor === own?.actor && use === own.use && !isOld.has(id));
  const edit = record.weave.edits.find(isOwn);
  if (!edit) return [];
  const allowedAt = edit.id === own?.id ? own.allowedAt : edit.at;
  if (allowedAt !== undefined && now - allowedAt < overdueMs) return [];
  const { isOverCommit } =
    known.pendings.find((one) => one.edit.id === edit.id || isUse(one, own)) ?? {};
  const committed = record.weave.rows.filter(({ by }) => by === null);
  const took = committed.flatMap(({ gone }, place) => (gone === edit.id ? [place] : []));
  return [
    {
      ...{ path, edit, took, before: bytesIn(known), after: bytesIn(record) },
      ...(isOverCommit && allowedAt !== undefined && { commitSince: allowedAt }),
    },
  ];
};

const isUse = ({ edit, use }: Pending, own: TwoLooks["own"]): boolean =>
  own !== undefined && edit.actor === own.actor && use === own.use;

/** Two looks at a file, and the edit that a tool would have made by itself. */
interface TwoLooks {
  readonly known: FileRecord;
  readonly record: FileRecord;
  readonly own?:
    | (Pick<LineEdit, "id" | "actor" | "use"> & { readonly allowedAt: number | undefined })
    | undefined;
}

export type LooksAt = { readonly path: string } & TwoLooks;

/**
 * Between two looks at a file. An edit bears the time when it was allowed. `own` is one that bears another: the
 * file shows it in another form, or nothing allowed it any more; then every line of others was taken late.
 */
export const findLate = (path: string, { known, record, own }: TwoLooks): LateWrite[] => {
  const edits = new Map(record.weave.edits.map((edit) => [edit.id, edit]));
  const isOld = new Set(known.weave.edits.map(({ id }) => id));
  const found = new Map<string, { edit: LineEdit; over: LineEdit; lines: number }>();
  for (const { by, gone } of record.weave.rows) {
    const [edit, over] = [edits.get(gone ?? ""), edits.get(by ?? "")];
    if (!edit || !over || isOld.has(edit.id) || edit.session === over.session) continue;
    if (edit.kind !== "edit" || over.kind === "unknown") continue;
    const allowedAt = edit.id === own?.id ? (own.allowedAt ?? Number.NEGATIVE_INFINITY) : edit.at;
    if (over.at <= allowedAt) continue;
    const key = `${edit.id} ${over.session}`;
    const lines = (found.get(key)?.lines ?? 0) + 1;
    found.set(key, { edit, over, lines });
  }
  if (found.size === 0) return [];
  const [before, after] = [bytesIn(known), bytesIn(record)];
  return [...found.values()].map(({ edit, over: { actor, session }, lines }) => ({
    ...{ path, edit, lines, before, after },
    over: { actor, session },
  }));
};

const bytesIn = ({ weave }: FileRecord): Uint8Array => toBytes(currentLines(weave) ?? []);

/** For both sides; `patch` is where the late version is kept. */
export const lateNotices = (
  { path, edit, over, lines }: LateWrite,
  patch: string | undefined,
): NewNotice[] => {
  const count = lines === 1 ? "a line" : `${lines} lines`;
  const common = { kind: "late-write", target: path } as const;
  return [
    {
      ...{ ...common, to: edit.actor, about: `late:${edit.id}` },
      replaces: overKey(path, over.actor),
      text:
        `your write came late: ${showText(over.actor, 80)} had written here since it was allowed, and it took ` +
        `${count} away; read the file again before you go on` +
        (patch === undefined ? "" : `; your change is kept as ${patch}`),
    },
    {
      ...{ ...common, to: over.actor, about: `late:${edit.id}` },
      text:
        `a late write of ${showText(edit.actor, 80)} took ${count} of yours away; ` +
        `headgate undo ${edit.id} --yes brings them back`,
    },
  ];
};
