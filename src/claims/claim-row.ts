/** A live claim as it is stored, and what is made of it. */
import { isoTime } from "../base/clock.ts";
import type { Row, Statement, StoreTime } from "../store/index.ts";
import { type Deadline, endWallMs, isOver } from "./deadline.ts";
import { inList, listSize } from "./in-list.ts";
import { parseTarget, type Target } from "./targets/target.ts";
import type { Actor, Claim, Mode } from "./types.ts";

export interface ClaimRow extends Row, Deadline {
  readonly id: string;
  readonly target: string;
  readonly extent: "file" | "tree";
  readonly folds: 0 | 1;
  readonly place: string;
  readonly tail: string;
  readonly mode: Mode;
  readonly actor: string;
  readonly session: string;
  readonly for_session: 0 | 1;
  readonly fence: number;
  readonly reason: string;
  readonly granted_at: number;
  readonly ttl_ms: number;
  readonly expires_at: number;
  readonly expires_mono: number | null;
  readonly expires_boot: string | null;
  /** Hash of the holder's secret; null: the name is enough. */
  readonly holder: string | null;
}

/** Explicit, so that a column added later never changes a row's shape. */
export const claimColumns = `id, target, extent, folds, place, tail, mode, actor, session, for_session,
  fence, reason, granted_at, ttl_ms, expires_at, expires_mono, expires_boot, holder`;

export const insertClaim: Statement = {
  sql: `INSERT INTO claims (scope_id, ${claimColumns})
        VALUES (:scope, :id, :target, :extent, :folds, :place, :tail, :mode, :actor, :session,
          :for_session, :fence, :reason, :granted_at, :ttl_ms, :expires_at, :expires_mono,
          :expires_boot, :holder)`,
};

export const readClaimsById = (ids: readonly string[]): Statement => ({
  sql: `SELECT ${claimColumns} FROM claims
        WHERE scope_id = :scope AND ${inList("id", "id", listSize(ids))} ORDER BY id`,
});

export const deleteClaim: Statement = {
  sql: "DELETE FROM claims WHERE scope_id = :scope AND id = :id",
};

/** Everything of a claim that may change while it lives. */
export const updateClaim: Statement = {
  sql: `UPDATE claims SET mode = :mode, fence = :fence, reason = :reason, ttl_ms = :ttl_ms,
          for_session = :for_session, expires_at = :expires_at, expires_mono = :expires_mono,
          expires_boot = :expires_boot
        WHERE scope_id = :scope AND id = :id`,
};

export const isLive = (row: ClaimRow, now: StoreTime): boolean => !isOver(row, now, row.ttl_ms);

export const isHeldBy = (row: BoundRow, actor: Actor): boolean =>
  (row.actor === actor.id || (row.for_session === 1 && row.session === actor.session)) &&
  isProven(row, actor);

type BoundRow = Pick<ClaimRow, "actor" | "session" | "for_session" | "holder">;

/** A name alone shows nothing where the grant was bound to a secret (T-03). */
const isProven = ({ holder }: BoundRow, { proof }: Actor): boolean =>
  holder === null || !proof || proof.isShown || proof.hashes().includes(holder);

/** Two rights to overlapping targets that cannot exist side by side. */
export const modesConflict = (a: Mode, b: Mode): boolean => a !== b || a === "exclusive";

export const toClaim = (row: ClaimRow, now: StoreTime): Claim => ({
  id: row.id,
  target: row.target,
  mode: row.mode,
  actor: row.actor,
  fence: row.fence,
  grantedAt: isoTime(row.granted_at),
  expiresAt: isoTime(endWallMs(row, now, row.ttl_ms)),
  reason: row.reason,
  ...(row.for_session === 1 && { forSession: true as const }),
});

const parsed = new Map<string, Target>();

/** Stored targets come again and again; what was parsed once is kept for a while. */
export const targetOf = (stored: {
  readonly target: string;
  readonly extent: "file" | "tree";
  readonly folds: 0 | 1;
}): Target => {
  const key = `${stored.extent}${stored.folds}${stored.target}`;
  let target = parsed.get(key);
  if (target === undefined) {
    if (parsed.size >= parsedMax) parsed.clear();
    target = parseTarget(stored.target, { extent: stored.extent, folds: stored.folds === 1 });
    parsed.set(key, target);
  }
  return target;
};

const parsedMax = 10_000;
