/** An actor as it is stored: who it is, which process proves its life, when it was last heard of. */
import { probe, type ProcessIdentity } from "../../base/process-identity.ts";
import type { Row, Statement, StoreTime } from "../../store/index.ts";
import { type Seen, seenNow } from "../deadline.ts";
import { inList, listSize } from "../in-list.ts";
import { judgeLiveness } from "./liveness.ts";
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

/** Whether `actor` names another process than the one that stands for it. */
export const changesProcess = ({ process: offered }: Actor, known: ActorRow | undefined): boolean =>
  known !== undefined &&
  (known.pid !== (offered?.pid ?? null) ||
    known.start_time !== (offered?.startTime ?? null) ||
    known.host !== (offered?.host ?? null) ||
    known.boot_id !== (offered?.bootId ?? null));

/**
 * The actor with the process that stands for it now. A process proves an actor's end only while it is
 * the only one that ever acted under the name: where two did, neither's end says anything about what
 * the other holds, so there is no proof until nothing is held any more (C-03).
 */
export const withProvenProcess = (actor: Actor, known: ActorRow, holdsClaims: boolean): Actor => {
  const { process: offered, ...rest } = actor;
  const standing = processOf(known);
  // A client's session is one client, also where a sandbox hides its process from us.
  if (!offered && actor.harness !== undefined) return withProcess(rest, standing);
  const isFree = !holdsClaims || (standing && probe(standing).state === "dead");
  return withProcess(rest, isFree ? offered : undefined);
};

const withProcess = (actor: Actor, identity: ProcessIdentity | undefined): Actor =>
  identity ? { ...actor, process: identity } : actor;

export const livenessOf = (row: ActorRow | undefined, now: StoreTime): ClaimLiveness => {
  if (row === undefined) return { state: "unknown", evidence: ["never heard of"] };
  const seen = { wallMs: row.seen_at, monoMs: row.seen_mono, bootId: row.seen_boot };
  const identity = processOf(row);
  return judgeLiveness({ seen, ...(identity && { process: identity }) }, now);
};
