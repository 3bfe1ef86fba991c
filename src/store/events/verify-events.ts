import { type Clock, systemClock } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import type { Scope, Store } from "../port.ts";
import { eventHash, firstHash } from "./event-hash.ts";
import { type EventHead, type EventRow, readEventRows, readHead } from "./read-event-page.ts";

export type Verification =
  | { readonly ok: true; readonly head: string; readonly events: number; readonly prunedTo: number }
  | {
      readonly ok: false;
      readonly code: "EVENTS_TAMPERED";
      /** The first event that does not fit. */
      readonly seq: number;
      readonly reason: string;
    };

/**
 * Recomputes the whole chain. With `head` ("SEQ:HASH", noted elsewhere earlier) it also proves that the
 * log still holds what it held then; without it, somebody who rewrites everything stays unseen.
 */
export const verifyEvents = async (
  store: Store,
  scope: Scope,
  options: { readonly head?: string; readonly clock?: Clock } = {},
): Promise<Verification> => {
  const { clock = systemClock } = options;
  const noted = options.head === undefined ? undefined : parseHead(options.head);
  for (;;) {
    const result = await walk(store, scope, noted, clock);
    // Pruning took away what was being walked: begin again behind it.
    if (result !== "pruned") return result;
  }
};

interface NotedHead {
  readonly seq: number;
  readonly hash: string;
}

const walk = async (
  store: Store,
  scope: Scope,
  noted: NotedHead | undefined,
  clock: Clock,
): Promise<Verification | "pruned"> => {
  let start: EventHead | undefined;
  let seq = 0;
  let hash = firstHash;
  const pruneMarks = new Set<string>();
  for (;;) {
    const { head, rows } = await store.read(async (tx) => {
      const head = await readHead(tx, scope);
      const since = start === undefined ? head.prunedSeq : seq;
      // No upper bound by the head: events behind it are just as wrong as missing ones.
      const range = { since, until: Number.MAX_SAFE_INTEGER, limit: limits.eventPageMax };
      return { head, rows: await readEventRows(tx, scope, range) };
    });
    if (start === undefined) {
      start = head;
      seq = head.prunedSeq;
      hash = head.prunedHash;
      if (seq === 0 && hash !== firstHash)
        return bad(1, "the chain does not start at its beginning");
      if (noted?.seq === seq && seq > 0 && noted.hash !== hash) {
        return bad(seq + 1, "the log was pruned at another chain than the noted head");
      }
    } else if (head.prunedSeq !== start.prunedSeq) {
      return "pruned";
    }
    for (const row of rows) {
      if (row.seq !== seq + 1) return bad(seq + 1, "it is missing");
      if (eventHash(hash, row) !== row.hash) return bad(row.seq, "its hash does not fit");
      ({ seq, hash } = row);
      if (noted?.seq === seq && noted.hash !== hash) return bad(seq, "it is not the noted head");
      collectPruneMark(row, pruneMarks);
    }
    if (rows.length === limits.eventPageMax) {
      // Lets other work of this process run between the pages.
      await clock.sleep(0);
      continue;
    }
    return judgeEnd({ head, seq, hash, pruneMarks, noted });
  }
};

const judgeEnd = (end: {
  readonly head: EventHead;
  readonly seq: number;
  readonly hash: string;
  readonly pruneMarks: ReadonlySet<string>;
  readonly noted: NotedHead | undefined;
}): Verification => {
  const { head, seq, hash, pruneMarks, noted } = end;
  if (seq < head.seq) return bad(seq + 1, "it is missing at the end");
  if (seq > head.seq) return bad(head.seq + 1, "it lies behind the head of the log");
  if (hash !== head.hash) return bad(seq, "it is not the head of the log");
  if (head.prunedSeq > 0 && !pruneMarks.has(`${head.prunedSeq}:${head.prunedHash}`)) {
    return bad(head.prunedSeq + 1, "events before it were removed without a record");
  }
  if (noted && noted.seq > seq) return bad(seq + 1, "the noted head is missing");
  return {
    ok: true,
    head: `${seq}:${hash}`,
    events: seq - head.prunedSeq,
    prunedTo: head.prunedSeq,
  };
};

const collectPruneMark = (row: EventRow, marks: Set<string>): void => {
  if (row.kind !== "events.pruned") return;
  const { to, hash } = JSON.parse(row.data) as { to?: unknown; hash?: unknown };
  marks.add(`${String(to)}:${String(hash)}`);
};

const parseHead = (text: string): NotedHead => {
  const match = /^([1-9]\d{0,15}):([0-9a-f]{64})$/.exec(text);
  if (match) return { seq: Number(match[1]), hash: String(match[2]) };
  throw new HeadgateError("USAGE", `"${showText(text)}" is not a head of the form SEQ:HASH`);
};

const bad = (seq: number, reason: string): Verification => ({
  ok: false,
  code: "EVENTS_TAMPERED",
  seq,
  reason,
});
