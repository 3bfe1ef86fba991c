/** A waiter as it is stored. */
import type { ProcessIdentity } from "../base/process-identity.ts";
import type { Row, Statement } from "../store/index.ts";
import { targetOf } from "./claim-row.ts";
import type { Deadline, Seen } from "./deadline.ts";
import type { Target } from "./targets/target.ts";
import type { Mode } from "./types.ts";

export interface WaiterRow extends Row, Deadline, Seen {
  readonly id: string;
  readonly actor: string;
  readonly session: string;
  readonly for_session: 0 | 1;
  readonly targets: string;
  readonly mode: Mode;
  readonly ttl_ms: number;
  readonly reason: string;
  readonly priority: number;
  readonly rank: number;
  readonly queued_at: number;
  readonly expires_at: number;
  readonly expires_mono: number | null;
  readonly expires_boot: string | null;
  readonly process: string;
  readonly seen_at: number;
  readonly seen_mono: number | null;
  readonly seen_boot: string | null;
  readonly state: "waiting" | "granted" | "victim" | "ended";
  readonly outcome: string | null;
  readonly holder: string | null;
}

export const waiterColumns = `id, actor, session, for_session, targets, mode, ttl_ms, reason, priority,
  rank, queued_at, expires_at, expires_mono, expires_boot, process, seen_at, seen_mono, seen_boot,
  state, outcome, holder`;

/** Who is served first stands first. */
export const readQueue: Statement = {
  sql: `SELECT ${waiterColumns} FROM waiters WHERE scope_id = :scope AND state = 'waiting'
        ORDER BY rank, id`,
};
export const readWaiter: Statement = {
  sql: `SELECT ${waiterColumns} FROM waiters WHERE scope_id = :scope AND id = :id`,
};
export const insertWaiter: Statement = {
  sql: `INSERT INTO waiters (scope_id, ${waiterColumns})
        VALUES (:scope, :id, :actor, :session, :for_session, :targets, :mode, :ttl_ms, :reason,
          :priority, :rank, :queued_at, :expires_at, :expires_mono, :expires_boot, :process, :seen_at,
          :seen_mono, :seen_boot, :state, :outcome, :holder)`,
};
export const endWaiter: Statement = {
  sql: `UPDATE waiters SET state = :state, outcome = :outcome, seen_at = :seen_at
        WHERE scope_id = :scope AND id = :id AND state = 'waiting'`,
};
export const seeWaiter: Statement = {
  sql: `UPDATE waiters SET seen_at = :seen_at, seen_mono = :seen_mono, seen_boot = :seen_boot
        WHERE scope_id = :scope AND id = :id AND state = 'waiting'`,
};
/** What nobody has asked for in a while. */
export const deleteOldWaiters: Statement = {
  sql: "DELETE FROM waiters WHERE scope_id = :scope AND state <> 'waiting' AND seen_at < :before",
};

interface StoredTarget {
  readonly target: string;
  readonly extent: "file" | "tree";
  readonly folds: 0 | 1;
}

export const storeTargets = (targets: readonly Target[]): string =>
  JSON.stringify(
    targets.map(({ text, extent, folds }): StoredTarget => ({
      target: text,
      extent,
      folds: folds ? 1 : 0,
    })),
  );

export const waiterTargets = (row: Pick<WaiterRow, "targets">): Target[] =>
  (JSON.parse(row.targets) as StoredTarget[]).map(targetOf);

export const waiterProcess = (row: Pick<WaiterRow, "process">): ProcessIdentity =>
  JSON.parse(row.process) as ProcessIdentity;

export const waiterSpanMs = (row: Pick<WaiterRow, "expires_at" | "queued_at">): number =>
  row.expires_at - row.queued_at;
