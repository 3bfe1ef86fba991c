/** Sessions of clients that tell who they are: made known when they begin, found again by their process. */
import { limits } from "../../base/limits.ts";
import type { NewEvent, Statement } from "../../store/index.ts";
import { claimColumns, type ClaimRow } from "../claim-row.ts";
import { passNotices } from "../../notices/index.ts";
import { moveAll } from "../holding.ts";
import type { Ledger } from "../ledger.ts";
import { readClaims, type Room, writeClaims } from "../room.ts";
import { moveRequests } from "../tidings.ts";
import type { Actor, FollowSession } from "../types.ts";
import { parseActor } from "./actor.ts";

/**
 * The actor and its process are known from now on; the event says so. Claims of the sessions that go on as this one
 * pass to it in the same transaction.
 */
export const register = (room: Room, event: NewEvent, follow?: FollowSession): Promise<void> =>
  writeClaims(room, { actor: room.actor.id }, async (ledger) => {
    const { tx, scope, now } = ledger;
    const peers = follow ? await readPeers(ledger, room.actor) : [];
    await ledger.touchActor(room.actor);
    tx.emit({ actor: room.actor.id, ...event });
    const gone = peers.length === 0 ? [] : await follow?.({ tx, scope, now, peers });
    for (const session of gone ?? []) await passClaims(ledger, session, room.actor);
  });

/** Other sessions that were heard of in the actor's process. */
const readPeers = async (
  { tx, scope }: Ledger,
  { session, harness, process: client }: Actor,
): Promise<readonly string[]> => {
  if (harness === undefined || !client) return [];
  const rows = await tx.all<{ id: string }>(sessionsHere, {
    ...{ scope: scope.id, harness, host: client.host, boot: client.bootId },
    ...{ pid: client.pid, start: client.startTime },
  });
  return rows.map(({ id }) => id).filter((id) => id !== session);
};

/** Sub-agents keep their part of the name. */
const passClaims = async (ledger: Ledger, session: string, to: Actor): Promise<void> => {
  const found = await ledger.tx.all<ClaimRow>(claimsOfSession, {
    ...{ scope: ledger.scope.id, session, limit: limits.endingsMax },
  });
  const rows = found.filter((row) => ledger.keepIfLive(row));
  const moved = moveAll(ledger, rows, {
    ...{ from: session, force: false, reason: "the session goes on under another id" },
    to: (row) => ({ actor: `${to.id}${row.actor.slice(session.length)}`, session: to.session }),
  });
  await moveRequests(ledger, moved);
  await passNotices(ledger.tx, ledger.scope, { session, to: to.session });
};

/**
 * The session that this actor's process was last heard of as. A client starts its MCP servers once, with
 * whatever session it had then, or with none; its hooks always know. Undefined when nothing is known.
 */
export const currentSession = (room: Room): Promise<Actor | undefined> => {
  const { harness, process: client } = room.actor;
  if (harness === undefined || !client) return Promise.resolve(undefined);
  return readClaims(room, undefined, async (tx, { scope }) => {
    const row = await tx.get<{ id: string }>(latestSession, {
      scope: scope.id,
      harness,
      host: client.host,
      boot: client.bootId,
      pid: client.pid,
      start: client.startTime,
    });
    return row && { ...parseActor(row.id), process: client };
  });
};

const here = `scope_id = :scope AND harness = :harness AND host = :host AND boot_id = :boot
          AND pid = :pid AND start_time = :start AND session = id`;
const latestSession: Statement = {
  sql: `SELECT id FROM actors WHERE ${here} ORDER BY seen_at DESC, id DESC LIMIT 1`,
};
const sessionsHere: Statement = { sql: `SELECT id FROM actors WHERE ${here} ORDER BY id` };
const claimsOfSession: Statement = {
  sql: `SELECT ${claimColumns} FROM claims
        WHERE scope_id = :scope AND session = :session ORDER BY id LIMIT :limit`,
};
