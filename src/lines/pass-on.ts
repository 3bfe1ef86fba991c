/**
 * A session that goes on in its client's process under a new id keeps its lines: all its records of the scope are
 * given to the new id, inside of a transaction that others make.
 */
import type { Scope, StoreTime, Writer } from "../store/index.ts";
import type { FileRecord } from "./file-record.ts";
import {
  endedHere,
  endWaits,
  goesOnHere,
  readRecordsNaming,
  readSessionsIn,
  saveRecord,
  saveSession,
} from "./lines-store.ts";
import type { LineEdit } from "./types.ts";

export interface PassedOn {
  /** The new id. */
  readonly to: { readonly id: string; readonly session: string };
  /** Sessions that were heard of in the same process. */
  readonly peers: readonly string[];
  /** Where none said that it goes on, the only one that has not ended is the one. */
  readonly mayGuess: boolean;
}

/** Answers the sessions that go on as `to`; two that may be meant are none. */
export const passLines = async (
  tx: Writer,
  { scope, now }: { readonly scope: Scope; readonly now: StoreTime },
  { to, peers, mayGuess }: PassedOn,
): Promise<readonly string[]> => {
  const rows = (await readSessionsIn(tx, scope.id)).filter(
    ({ session, ended }) => ended !== endedHere && peers.includes(session),
  );
  const known = new Set(rows.map(({ session }) => session));
  const said = new Set(rows.filter(({ ended }) => ended === goesOnHere).map((one) => one.session));
  const isOnlyOne = mayGuess && known.size === 1;
  const from = said.size > 0 ? said : isOnlyOne ? known : new Set<string>();
  for (const session of from) {
    const rename = renamed(session, to);
    const found = await readRecordsNaming(tx, scope.id, session);
    for (const { worktree, path, at, record } of found) {
      await saveRecord(tx, { scope: scope.id, worktree }, { path, record: rename(record), at });
    }
    for (const row of rows.filter((one) => one.session === session)) {
      const place = { scope: scope.id, worktree: row.worktree };
      const at = Math.trunc(now.wallMs);
      await saveSession(tx, place, { ...row, ended: endedHere });
      await saveSession(tx, place, { ...row, session: to.session, actor: to.id, at, ended: 0 });
      await endWaits(tx, place, { session });
    }
    const data = { from: session, files: found.length };
    tx.emit({ kind: "lines.passed", actor: to.id, data });
  }
  return [...from];
};

const renamed = (session: string, to: PassedOn["to"]) => {
  const rename = (edit: LineEdit): LineEdit =>
    edit.session === session
      ? { ...edit, session: to.session, actor: `${to.id}${edit.actor.slice(session.length)}` }
      : edit;
  return ({ weave, pendings }: FileRecord): FileRecord => ({
    weave: { ...weave, edits: weave.edits.map(rename) },
    pendings: pendings.map((one) => ({ ...one, edit: rename(one.edit) })),
  });
};
