/**
 * Evidence that waits: it is kept and shown, and counts for nothing until another session or a person confirms
 * it. An agent that could speak for others, or loudly enough, would get rid of a reviewer that is in its way.
 */
import { limits } from "../../base/limits.ts";
import { HeadgateError } from "../../errors.ts";
import type { Reader, Row, Statement, Writer } from "../../store/index.ts";
import { isAgentSession, type RoutingActor, sessionOf } from "../ports.ts";
import { dayMs } from "../settings.ts";
import type { Evidence } from "../types.ts";

export const heldReasons = ["other-session", "flood", "contradiction"] as const;
export type HeldReason = (typeof heldReasons)[number];

/** Null: it counts at once. What people say always does; they could confirm it as well. */
export const whyHeld = async (
  tx: Reader,
  scope: string,
  entry: Evidence,
  told: { readonly actor: string; readonly atMs: number },
): Promise<HeldReason | null> => {
  const teller = sessionOf(told.actor);
  if (!isAgentSession(teller)) return null;
  const { reviewer, session = teller, finding, outcome } = entry;
  if (sessionOf(session) !== teller) return "other-session";
  if (finding !== undefined) {
    const dismissal = outcome === "dismissed" ? 1 : 0;
    const asked = { scope, reviewer, finding, session: teller, dismissal };
    if (await tx.get<Row>(selectOpposite, asked)) return "contradiction";
  }
  const since = Math.trunc(told.atMs - dayMs);
  const row = await tx.get<{ amount: number } & Row>(countOfSession, {
    ...{ scope, reviewer, session, since },
  });
  return (row?.amount ?? 0) >= limits.evidencePerSessionMax ? "flood" : null;
};

/** Which held outcomes are meant; at least one of them. */
export interface HeldFilter {
  readonly ids?: readonly string[];
  readonly reviewer?: string;
  /** Whoever told it, or in whose name it was told. */
  readonly session?: string;
}

export interface Confirmed {
  readonly confirmed: number;
  /** Left because the same session told them. */
  readonly own: number;
}

/** From now on they count. An agent's session cannot confirm what it told itself. */
export const confirmHeld = async (
  tx: Writer,
  scope: string,
  filter: HeldFilter,
  actor: RoutingActor,
): Promise<Confirmed> => {
  const found = await findHeld(tx, scope, filter);
  const isOwn = (row: HeldRow): boolean =>
    isAgentSession(actor.session) && sessionOf(row.actor) === actor.session;
  let confirmed = 0;
  for (const row of found.filter((one) => !isOwn(one))) {
    confirmed += await tx.run(release, { scope, id: row.id });
  }
  if (confirmed > 0) {
    tx.emit({ kind: "evidence.confirmed", actor: actor.id, data: { count: confirmed } });
  }
  return { confirmed, own: found.filter(isOwn).length };
};

/** Takes them away. Only what never counted can be: history is not made nicer. */
export const discardHeld = async (
  tx: Writer,
  scope: string,
  filter: HeldFilter,
  actor: RoutingActor,
): Promise<number> => {
  let discarded = 0;
  for (const { id } of await findHeld(tx, scope, filter)) {
    discarded += await tx.run(remove, { scope, id });
  }
  if (discarded > 0) {
    tx.emit({ kind: "evidence.discarded", actor: actor.id, data: { count: discarded } });
  }
  return discarded;
};

export const countHeld = async (tx: Reader, scope: string): Promise<number> =>
  (await tx.get<{ amount: number } & Row>(count, { scope }))?.amount ?? 0;

/** By reviewer. */
export const heldByReviewer = async (
  tx: Reader,
  scope: string,
): Promise<ReadonlyMap<string, number>> =>
  new Map(
    (await tx.all<{ reviewer: string; amount: number } & Row>(countEach, { scope })).map(
      ({ reviewer, amount }) => [reviewer, amount],
    ),
  );

interface HeldRow extends Row {
  readonly id: string;
  readonly reviewer: string;
  readonly actor: string;
  readonly session: string | null;
}

const findHeld = async (tx: Reader, scope: string, filter: HeldFilter): Promise<HeldRow[]> => {
  const { ids, reviewer, session } = filter;
  if (ids === undefined && reviewer === undefined && session === undefined) {
    throw new HeadgateError("USAGE", "name what is meant: ids, a reviewer or a session");
  }
  const wanted = ids && new Set(ids);
  const found = (await tx.all<HeldRow>(selectHeld, { scope })).filter(
    (row) =>
      (wanted?.has(row.id) ?? true) &&
      (reviewer === undefined || row.reviewer === reviewer) &&
      (session === undefined || row.session === session || sessionOf(row.actor) === session),
  );
  const missing = ids?.find((id) => !found.some((row) => row.id === id));
  if (missing === undefined) return found;
  throw new HeadgateError("ROUTING_UNKNOWN", `no held outcome has the id ${missing}`);
};

const selectOpposite: Statement = {
  sql: `SELECT id FROM evidence WHERE scope_id = :scope AND reviewer = :reviewer AND finding = :finding
        AND (CASE WHEN outcome = 'dismissed' THEN 1 ELSE 0 END) <> :dismissal
        AND held IS NULL AND (session IS NULL OR session <> :session) LIMIT 1`,
};
const countOfSession: Statement = {
  sql: `SELECT COUNT(*) AS amount FROM evidence WHERE scope_id = :scope AND reviewer = :reviewer
        AND session = :session AND at >= :since AND held IS NULL`,
};
const selectHeld: Statement = {
  sql: `SELECT id, reviewer, actor, session FROM evidence
        WHERE scope_id = :scope AND held IS NOT NULL ORDER BY id`,
};
const release: Statement = {
  sql: "UPDATE evidence SET held = NULL WHERE scope_id = :scope AND id = :id AND held IS NOT NULL",
};
const remove: Statement = {
  sql: "DELETE FROM evidence WHERE scope_id = :scope AND id = :id AND held IS NOT NULL",
};
const count: Statement = {
  sql: "SELECT COUNT(*) AS amount FROM evidence WHERE scope_id = :scope AND held IS NOT NULL",
};
const countEach: Statement = {
  sql: `SELECT reviewer, COUNT(*) AS amount FROM evidence
        WHERE scope_id = :scope AND held IS NOT NULL GROUP BY reviewer`,
};
