/**
 * Whether overrides may be changed without a person. Where half of the watches alerted, either the overrides
 * were badly chosen or the alarm itself is wrong, and both are for a person to look at.
 */
import { isoTime } from "../../base/clock.ts";
import type { Reader, Row, Statement, Writer } from "../../store/index.ts";
import { isPerson, type RoutingActor } from "../ports.ts";
import { alertDays, alertShare, alertsMin, dayMs } from "../settings.ts";
import { refusal } from "./guards.ts";

export interface Autonomy {
  readonly isOn: boolean;
  /** Why it is off. */
  readonly why: string | null;
  /** Open now or within the last 30 days, since it was last turned on. */
  readonly watches: number;
  /** Of these, how many alerted. */
  readonly alerted: number;
  /** When it was last turned on or off, and by whom (empty: by itself); null when never. */
  readonly set: { readonly to: "on" | "off"; readonly at: string; readonly actor: string } | null;
}

/** While nothing was ever stored. */
export const neverAlerted: Autonomy = { isOn: true, why: null, watches: 0, alerted: 0, set: null };

export const readAutonomy = async (tx: Reader, scope: string): Promise<Autonomy> => {
  const { wallMs } = await tx.now();
  const last = await tx.get<SetRow>(selectSet, { scope });
  const since = Math.max(
    Math.trunc(wallMs - alertDays * dayMs),
    last?.to_state === "on" ? last.at : 0,
  );
  const row = await tx.get<CountRow>(countWatches, { scope, since });
  const counts = { watches: row?.watches ?? 0, alerted: row?.alerted ?? 0 };
  if (!last) return { ...neverAlerted, ...counts };
  const { to_state: to, at, actor, reason } = last;
  const set = { to, at: isoTime(at), actor };
  if (to === "on") return { ...neverAlerted, ...counts, set };
  const why = actor === itself ? reason : `turned off by ${actor}${reason && `: ${reason}`}`;
  return { isOn: false, why, ...counts, set };
};

/** After an alert: where that makes half of them, it is off until a person has looked. */
export const tripAutonomy = async (tx: Writer, scope: string): Promise<void> => {
  const { isOn, watches, alerted } = await readAutonomy(tx, scope);
  if (!isOn || alerted < alertsMin || alerted < alertShare * watches) return;
  const reason = `${alerted} of ${watches} canaries alerted within ${alertDays} days`;
  await write(tx, scope, { to: "off", reason, actor: itself });
};

/** Who turned it off: a name that no actor has, because it has no session. */
const itself = "";

/** Turning it off is anybody's, turning it on again a person's. Throws ROUTING_REFUSED. */
export const setAutonomy = async (
  tx: Writer,
  scope: string,
  request: {
    readonly to: "on" | "off";
    readonly reason: string;
    readonly actor: RoutingActor;
    readonly isPersons?: boolean;
  },
): Promise<Autonomy> => {
  const { to, reason, actor, isPersons = isPerson(actor) } = request;
  if (to === "on" && !isPersons) {
    throw refusal("a person turns autonomy on again, not a session", { guard: "autonomy" });
  }
  await write(tx, scope, { to, reason, actor: actor.id });
  return readAutonomy(tx, scope);
};

const write = async (
  tx: Writer,
  scope: string,
  said: { readonly to: "on" | "off"; readonly reason: string; readonly actor: string },
): Promise<void> => {
  const { to, reason, actor } = said;
  const { wallMs } = await tx.now();
  // What alerted in this very millisecond is seen to as well, when it is turned on.
  const at = Math.trunc(wallMs) + (to === "on" ? 1 : 0);
  await tx.run(upsert, { scope, to_state: to, at, actor, reason });
  tx.emit({ kind: "routing.autonomy", ...(actor !== "" && { actor }), data: { to, reason } });
};

/** What a session may not do while it is off; a person may. */
export const refuseWithoutAutonomy = async (
  tx: Reader,
  scope: string,
  actor: RoutingActor,
): Promise<void> => {
  if (isPerson(actor)) return;
  const { isOn, why } = await readAutonomy(tx, scope);
  if (!isOn) throw refusal(autonomyOff(why), { guard: "autonomy" });
};

export const autonomyOff = (why: string | null): string =>
  `autonomy is off (${why ?? ""}): a person approves, applies and reverts; ` +
  "`headgate routing autonomy on` turns it on again";

interface SetRow extends Row {
  readonly to_state: "on" | "off";
  readonly at: number;
  readonly actor: string;
  readonly reason: string;
}

interface CountRow extends Row {
  readonly watches: number;
  readonly alerted: number;
}

const selectSet: Statement = {
  sql: "SELECT to_state, at, actor, reason FROM autonomy WHERE scope_id = :scope",
};
const upsert: Statement = {
  sql: `INSERT INTO autonomy (scope_id, to_state, at, actor, reason)
        VALUES (:scope, :to_state, :at, :actor, :reason)
        ON CONFLICT (scope_id) DO UPDATE SET to_state = excluded.to_state, at = excluded.at,
          actor = excluded.actor, reason = excluded.reason`,
};
const countWatches: Statement = {
  sql: `SELECT COUNT(*) AS watches,
          CAST(COALESCE(SUM(CASE WHEN alerted_at >= :since THEN 1 ELSE 0 END), 0) AS bigint) AS alerted
        FROM canaries WHERE scope_id = :scope AND (closed_at IS NULL OR closed_at >= :since)`,
};
