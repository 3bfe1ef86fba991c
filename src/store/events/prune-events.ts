import { limits } from "../../base/limits.ts";
import { HeadgateError } from "../../errors.ts";
import type { Reader, Scope, Statement, Store } from "../port.ts";
import { readHead } from "./read-event-page.ts";

export interface Pruned {
  readonly count: number;
  /** The oldest event that is still there. */
  readonly oldest: number;
}

/**
 * Removes the oldest events, with a record: the event `events.pruned` in the same transaction says what
 * went and with which hash it ended, and verification accepts exactly that. The newest event stays.
 */
export const pruneEvents = (
  store: Store,
  scope: Scope,
  options: { readonly keepDays: number } | { readonly beforeSeq: number },
): Promise<Pruned> => {
  checkOptions(options);
  return store.write({ scope }, async (tx) => {
    const head = await readHead(tx, scope);
    const { wallMs } = await tx.now();
    const wanted =
      "beforeSeq" in options
        ? options.beforeSeq - 1
        : await lastSeqBefore(tx, scope, wallMs - options.keepDays * dayMs);
    const to = Math.min(wanted, head.seq - 1);
    if (to <= head.prunedSeq) return { count: 0, oldest: head.prunedSeq + 1 };
    const last = await tx.get<{ hash: string }>(selectHash, { scope: scope.id, to });
    if (!last) throw new HeadgateError("EVENTS_TAMPERED", `event ${to} is missing from the log`);
    await tx.run(moveStart, { scope: scope.id, to, hash: last.hash });
    const count = await tx.run(deleteEvents, { scope: scope.id, to });
    if (count !== to - head.prunedSeq) {
      throw new HeadgateError("EVENTS_TAMPERED", `events up to ${to} were already missing`);
    }
    const before = wallMs - limits.outcomeKeepDays * dayMs;
    await tx.run(deleteOutcomes, { scope: scope.id, before });
    const from = head.prunedSeq + 1;
    tx.emit({ kind: "events.pruned", data: { from, to, count, hash: last.hash } });
    return { count, oldest: to + 1 };
  });
};

const dayMs = 24 * 60 * 60 * 1000;

const checkOptions = (options: { keepDays: number } | { beforeSeq: number }): void => {
  const number = "beforeSeq" in options ? options.beforeSeq : options.keepDays;
  if (Number.isSafeInteger(number) && number >= 0) return;
  throw new HeadgateError("USAGE", "keepDays or beforeSeq is not a whole number of 0 or more");
};

/** Prunes a prefix only: everything before the first event that is young enough to stay. */
const lastSeqBefore = async (tx: Reader, scope: Scope, wallMs: number): Promise<number> => {
  const row = await tx.get<{ seq: number | null }>(selectFirstYoung, { scope: scope.id, wallMs });
  return typeof row?.seq === "number" ? row.seq - 1 : Number.MAX_SAFE_INTEGER;
};

const selectFirstYoung: Statement = {
  sql: "SELECT min(seq) AS seq FROM events WHERE scope_id = :scope AND at >= :wallMs",
};
const selectHash: Statement = {
  sql: "SELECT hash FROM events WHERE scope_id = :scope AND seq = :to",
};
const moveStart: Statement = {
  sql: "UPDATE scopes SET pruned_seq = :to, pruned_hash = :hash WHERE id = :scope",
};
const deleteEvents: Statement = {
  sql: "DELETE FROM events WHERE scope_id = :scope AND seq <= :to",
};
const deleteOutcomes: Statement = {
  sql: "DELETE FROM outcomes WHERE scope_id = :scope AND at < :before",
};
