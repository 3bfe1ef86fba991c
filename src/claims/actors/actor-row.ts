/** An actor as it is stored: who it is, which process proves its life, when it was last heard of. */
import type { ProcessIdentity } from "../../base/process-identity.ts";
import type { Row, Statement, StoreTime } from "../../store/index.ts";
import { type Seen, seenNow } from "../deadline.ts";
import { inList, listSize } from "../in-list.ts";
import { chooseProcess, judgeLiveness } from "./liveness.ts";
import type { Actor, ClaimLiveness } from "../types.ts";

export interface ActorRow extends Row, Seen {
  readonly id: string;
  readonly session: string;
  readonly harness: string | null;
  readonly host: string | null;
  readonly boot_id: string | null;
  readonly pid_namespace: string | null;
  readonly pid: number | null;
  readonly start_time: string | null;
  readonly seen_at: number;
  readonly seen_mono: number | null;
  readonly seen_boot: string | null;
}

export const actorColumns = `id, session, harness, host, boot_id, pid_namespace, pid, start_time,
  seen_at, seen_mono, seen_boot`;

export const upsertActor: Statement = {
  sql: `INSERT INTO actors (scope_id, ${actorColumns})
        VALUES (:scope, :id, :session, :harness, :host, :boot_id, :pid_namespace, :pid, :start_time,
          :seen_at, :seen_mono, :seen_boot)
        ON CONFLICT (scope_id, id) DO UPDATE SET session = excluded.session,
          harness = excluded.harness, host = excluded.host, boot_id = excluded.boot_id,
          pid_namespace = excluded.pid_namespace, pid = excluded.pid,
          start_time = excluded.start_time, seen_at = excluded.seen_at,
          seen_mono = excluded.seen_mono, seen_boot = excluded.seen_boot`,
};

export const readActors = (ids: readonly string[]): Statement => ({
  sql: `SELECT ${actorColumns} FROM actors
        WHERE scope_id = :scope AND ${inList("id", "id", listSize(ids))}`,
});

export const actorRowOf = (actor: Actor, now: StoreTime): ActorRow => ({
  id: actor.id,
  session: actor.session,
  harness: actor.harness ?? null,
  host: actor.process?.host ?? null,
  boot_id: actor.process?.bootId ?? null,
  pid_namespace: actor.process?.pidNamespace ?? null,
  pid: actor.process?.pid ?? null,
  start_time: actor.process?.startTime ?? null,
  ...seenNow(now),
});

/** Apart from when it was seen. */
export const isSameActorRow = (a: ActorRow, b: ActorRow): boolean =>
  a.harness === b.harness &&
  a.host === b.host &&
  a.boot_id === b.boot_id &&
  a.pid_namespace === b.pid_namespace &&
  a.pid === b.pid &&
  a.start_time === b.start_time;

/** The process whose end proves the actor's, as stored. */
const processOf = (row: ActorRow): ProcessIdentity | undefined => {
  const { host, boot_id, pid_namespace, pid, start_time } = row;
  if (host === null || pid === null || start_time === null) return undefined;
  const namespace = pid_namespace === null ? {} : { pidNamespace: pid_namespace };
  return { host, bootId: boot_id ?? "", pid, startTime: start_time, ...namespace };
};

/**
 * The actor as it is now, with the process that proves most: a second command under the same name must
 * not make its own short life the measure of the first one's (C-03).
 */
export const withKnownProcess = (actor: Actor, known: ActorRow | undefined): Actor => {
  const { process: offered, ...rest } = actor;
  const isSame = known?.pid === offered?.pid && known?.start_time === offered?.startTime;
  if (known === undefined || isSame) return actor;
  const chosen = chooseProcess(processOf(known), offered);
  return chosen ? { ...rest, process: chosen } : rest;
};

export const livenessOf = (row: ActorRow | undefined, now: StoreTime): ClaimLiveness => {
  if (row === undefined) return { state: "unknown", evidence: ["never heard of"] };
  const seen = { wallMs: row.seen_at, monoMs: row.seen_mono, bootId: row.seen_boot };
  const identity = processOf(row);
  return judgeLiveness({ seen, ...(identity && { process: identity }) }, now);
};
