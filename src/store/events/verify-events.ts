import { type Clock, systemClock } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import type { Reader, Scope, Store } from "../port.ts";
import type { EventCheckpoint } from "./checkpoint.ts";
import { eventHash, firstHash } from "./event-hash.ts";
import { type EventHead, type EventRow, readEventRows, readHead } from "./read-event-page.ts";

export type Verification =
  | {
      readonly ok: true;
      readonly head: string;
      readonly events: number;
      readonly prunedTo: number;
      /** The last event that was taken as verified before; absent: the whole log was checked. */
      readonly onwardFrom?: number;
    }
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
  options: EventVerifyOptions = {},
): Promise<Verification> => {
  const { clock = systemClock, from, keep } = options;
  const noted = options.head === undefined ? undefined : parseHead(options.head);
  for (;;) {
    const result = await walk(store, scope, { noted, clock, from, keep });
    // Pruning took away what was being walked: begin again behind it.
    if (result !== "pruned") return result;
  }
};

export interface EventVerifyOptions {
  readonly head?: string;
  readonly clock?: Clock;
  /** Events up to it are taken as verified, if the log still holds it; otherwise the whole log is checked. */
  readonly from?: EventCheckpoint | undefined;
  /** Gets the last event up to which everything holds: from time to time, and at the end. */
  readonly keep?: ((checkpoint: EventCheckpoint) => void) | undefined;
}

interface NotedHead {
  readonly seq: number;
  readonly hash: string;
}

const walk = async (
  store: Store,
  scope: Scope,
  options: Required<Pick<EventVerifyOptions, "clock" | "from" | "keep">> & {
    readonly noted: NotedHead | undefined;
  },
): Promise<Verification | "pruned"> => {
  const { noted, clock, from, keep } = options;
  let start: EventHead | undefined;
  let onwardFrom: number | undefined;
  let [seq, kept] = [0, 0];
  let hash = firstHash;
  const pruneMarks = new Set<string>();
  for (;;) {
    const { head, rows } = await store.read(async (tx) => {
      const head = await readHead(tx, scope);
      if (start === undefined) {
        // A head that was noted further back can only be compared on the whole way.
        const isBehind = noted === undefined || noted.seq >= (from?.seq ?? 0);
        const isHeld = from && isBehind && (await holds(tx, scope, { head, from }));
        ({ prunedSeq: seq, prunedHash: hash } = head);
        if (isHeld) {
          ({ seq, hash } = from);
          onwardFrom = seq;
          if (from.isPruneMet) pruneMarks.add(pruneMark(from));
        }
      }
      // No upper bound by the head: events behind it are just as wrong as missing ones.
      const range = { since: seq, until: Number.MAX_SAFE_INTEGER, limit: limits.eventPageMax };
      return { head, rows: await readEventRows(tx, scope, range) };
    });
    if (start === undefined) {
      start = head;
      if (seq === 0 && hash !== firstHash)
        return bad(1, "the chain does not start at its beginning");
      if (noted?.seq === seq && seq > 0 && noted.hash !== hash) {
        return onwardFrom === undefined
          ? bad(seq + 1, "the log was pruned at another chain than the noted head")
          : bad(seq, "it is not the noted head");
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
    const { prunedSeq, prunedHash } = head;
    const isPruneMet = prunedSeq === 0 || pruneMarks.has(pruneMark(head));
    const checkpoint = { scope: scope.id, seq, hash, prunedSeq, prunedHash, isPruneMet };
    if (rows.length === limits.eventPageMax) {
      if (seq - kept >= limits.eventCheckpointEvery) {
        keep?.(checkpoint);
        kept = seq;
      }
      // Lets other work of this process run between the pages.
      await clock.sleep(0);
      continue;
    }
    const result = judgeEnd({ head, seq, hash, isPruneMet, noted });
    if (!result.ok) return result;
    keep?.(checkpoint);
    return onwardFrom === undefined ? result : { ...result, onwardFrom };
  }
};

/** The log still has the event of the checkpoint, or was pruned exactly there. */
const holds = async (
  tx: Reader,
  scope: Scope,
  { head, from }: { readonly head: EventHead; readonly from: EventCheckpoint },
): Promise<boolean> => {
  if (from.scope !== scope.id || from.seq < head.prunedSeq || from.seq > head.seq) return false;
  if (from.seq === head.prunedSeq) return from.hash === head.prunedHash;
  const range = { since: from.seq - 1, until: from.seq, limit: 1 };
  const [row] = await readEventRows(tx, scope, range);
  return row?.hash === from.hash;
};

const pruneMark = ({
  prunedSeq,
  prunedHash,
}: Pick<EventHead, "prunedSeq" | "prunedHash">): string => `${prunedSeq}:${prunedHash}`;

const judgeEnd = (end: {
  readonly head: EventHead;
  readonly seq: number;
  readonly hash: string;
  readonly isPruneMet: boolean;
  readonly noted: NotedHead | undefined;
}): Verification => {
  const { head, seq, hash, isPruneMet, noted } = end;
  if (seq < head.seq) return bad(seq + 1, "it is missing at the end");
  if (seq > head.seq) return bad(head.seq + 1, "it lies behind the head of the log");
  if (hash !== head.hash) return bad(seq, "it is not the head of the log");
  if (!isPruneMet) {
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
