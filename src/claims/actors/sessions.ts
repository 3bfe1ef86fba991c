/** Sessions of clients that tell who they are: made known when they begin, found again by their process. */
import type { NewEvent, Statement } from "../../store/index.ts";
import { readClaims, type Room, writeClaims } from "../room.ts";
import type { Actor } from "../types.ts";
import { parseActor } from "./actor.ts";

/** The actor and its process are known from now on; the event says so. */
export const register = (room: Room, event: NewEvent): Promise<void> =>
  writeClaims(room, { actor: room.actor.id }, async (ledger) => {
    await ledger.touchActor(room.actor);
    ledger.tx.emit({ actor: room.actor.id, ...event });
  });

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

const latestSession: Statement = {
  sql: `SELECT id FROM actors
        WHERE scope_id = :scope AND harness = :harness AND host = :host AND boot_id = :boot
          AND pid = :pid AND start_time = :start AND session = id
        ORDER BY seen_at DESC, id DESC LIMIT 1`,
};
