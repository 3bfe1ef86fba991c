import { assert } from "../../base/assert.ts";
import { eventHash } from "../events/event-hash.ts";
import type { PendingEvent } from "../events/pending-events.ts";
import type { Statement } from "../port.ts";
import type { Connection } from "./connection.ts";

/** Adds events to the scope's chain inside the open transaction; returns the new head's seq. */
export const appendEvents = (
  connection: Connection,
  options: {
    readonly scopeId: string;
    readonly operation: string;
    readonly atWallMs: number;
    readonly events: readonly PendingEvent[];
  },
): number => {
  const { scopeId, operation, atWallMs, events } = options;
  const [head] = connection.all<{ seq: number; hash: string }>(readHead, { scope: scopeId });
  assert(head, `the scope ${scopeId} is not in the store`);
  let { seq, hash } = head;
  for (const event of events) {
    seq += 1;
    const stored = { ...event, scope_id: scopeId, seq, at: atWallMs, operation };
    hash = eventHash(hash, stored);
    connection.run(insertEvent, { ...stored, hash });
  }
  connection.run(moveHead, { scope: scopeId, seq, hash });
  return seq;
};

const readHead: Statement = {
  sql: "SELECT event_seq AS seq, event_hash AS hash FROM scopes WHERE id = :scope",
};
const insertEvent: Statement = {
  sql: `INSERT INTO events (scope_id, seq, id, at, kind, actor, subject, operation, data, hash)
        VALUES (:scope_id, :seq, :id, :at, :kind, :actor, :subject, :operation, :data, :hash)`,
};
const moveHead: Statement = {
  sql: "UPDATE scopes SET event_seq = :seq, event_hash = :hash WHERE id = :scope",
};
