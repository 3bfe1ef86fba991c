/** The write-ahead rows of changes that git and the store must agree on. */
import type { Row, Reader, Statement, Writer } from "../../store/index.ts";
import type { Override } from "../types.ts";

export type ChangeKind = "apply" | "update" | "revert" | "expire";

/** What a change does, all of it: recovery needs nothing else. */
export interface Payload {
  readonly kind: ChangeKind;
  readonly reviewer: string;
  readonly override: Override | null;
  readonly proposal: string | null;
  readonly reason: string;
  readonly worktree: string;
  readonly path: string;
  /** The file's blob before and after; null where there was none. */
  readonly blobBefore: string | null;
  readonly blob: string;
  /** SHA-256 of the content before; null where there was none. */
  readonly before: string | null;
  readonly after: string;
  /** Of the watch that it opens. */
  readonly canary: { readonly id: string; readonly settings: string; readonly days: number };
  readonly isBlacklisting: boolean;
}

export interface Operation {
  readonly id: string;
  readonly state: "prepared" | "done" | "aborted";
  readonly place: string;
  readonly atMs: number;
  readonly actor: string;
  readonly ref: string;
  readonly parent: string | null;
  readonly commit: string;
  readonly payload: Payload;
}

export const insertOperation = async (
  tx: Writer,
  scope: string,
  operation: Operation,
): Promise<void> => {
  const { id, state, place, atMs, actor, ref, parent, commit, payload } = operation;
  await tx.run(insert, {
    ...{ scope, id, state, place, actor, ref },
    at: Math.trunc(atMs),
    subject: payload.reviewer,
    parent_id: parent,
    commit_id: commit,
    payload: JSON.stringify(payload),
  });
};

export const endOperation = (
  tx: Writer,
  scope: string,
  id: string,
  state: "done" | "aborted",
): Promise<number> => tx.run(end, { scope, id, state });

/** Begun in this clone and not ended. */
export const openOperations = async (
  tx: Reader,
  scope: string,
  place: string,
): Promise<Operation[]> =>
  (await tx.all<OperationRow>(selectOpen, { scope, place })).map((row) => toOperation(row));

/** Anywhere: another clone may be at the same proposal. */
export const operationOnProposal = async (
  tx: Reader,
  scope: string,
  reviewer: string,
): Promise<Operation[]> =>
  (await tx.all<OperationRow>(selectOfReviewer, { scope, reviewer })).map((row) =>
    toOperation(row),
  );

interface OperationRow extends Row {
  readonly id: string;
  readonly state: Operation["state"];
  readonly place: string;
  readonly at: number;
  readonly actor: string;
  readonly ref: string;
  readonly parent_id: string | null;
  readonly commit_id: string;
  readonly payload: string;
}

const toOperation = (row: OperationRow): Operation => ({
  id: row.id,
  state: row.state,
  place: row.place,
  atMs: row.at,
  actor: row.actor,
  ref: row.ref,
  parent: row.parent_id,
  commit: row.commit_id,
  payload: JSON.parse(row.payload) as Payload,
});

const columns = "id, state, place, at, actor, ref, parent_id, commit_id, payload";
const insert: Statement = {
  sql: `INSERT INTO operations (scope_id, kind, subject, ${columns})
        VALUES (:scope, 'routing', :subject, :id, :state, :place, :at, :actor, :ref, :parent_id,
          :commit_id, :payload)`,
};
const end: Statement = {
  sql: `UPDATE operations SET state = :state
        WHERE scope_id = :scope AND id = :id AND state = 'prepared'`,
};
const selectOpen: Statement = {
  sql: `SELECT ${columns} FROM operations WHERE scope_id = :scope AND kind = 'routing'
        AND state = 'prepared' AND place = :place ORDER BY id`,
};
const selectOfReviewer: Statement = {
  sql: `SELECT ${columns} FROM operations WHERE scope_id = :scope AND kind = 'routing'
        AND state = 'prepared' AND subject = :reviewer ORDER BY id`,
};
