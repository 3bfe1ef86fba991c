/** A whole scope in one look. Changes nothing. */
import { isoTime } from "../base/clock.ts";
import { limits } from "../base/limits.ts";
import type { Statement } from "../store/index.ts";
import { actorColumns, type ActorRow, livenessOf } from "./actors/actor-row.ts";
import { readLiveness } from "./blockers.ts";
import { toClaim } from "./claim-row.ts";
import { isOver } from "./deadline.ts";
import { toWaiter } from "./looking.ts";
import { readHolders, readLive, readOver } from "./reading.ts";
import { listRequests } from "./requests.ts";
import { readClaims, type Room } from "./room.ts";
import type { ActorState, Claim, ClaimOverview } from "./types.ts";
import { readQueue, type WaiterRow, waiterSpanMs } from "./waiter-row.ts";

export const overview = (room: Room): Promise<ClaimOverview> => {
  const nothing = { live: 0, holders: [], waiters: [], requests: [], actors: [] };
  return readClaims<ClaimOverview>(room, nothing, async (tx, at) => {
    const scope = at.scope.id;
    const holders = await readHolders(tx, at, await readOver(tx, at));
    const queue = await tx.all<WaiterRow>(readQueue, { scope });
    const known = await tx.all<ActorRow>(readActorRows, {
      scope,
      since: Math.round(at.now.wallMs - actorSilentMsMax),
      limit: limits.actorsOverviewMax,
    });
    const liveness = await readLiveness(
      tx,
      at,
      queue.map((row) => row.actor),
    );
    return {
      live: holders.reduce((sum, { claims }) => sum + claims, 0),
      holders,
      waiters: queue.flatMap((row, index) =>
        isOver(row, at.now, waiterSpanMs(row))
          ? []
          : [toWaiter(row, index, { now: at.now, liveness })],
      ),
      requests: await listRequests(tx, at),
      actors: known.map((row): ActorState => ({
        id: row.id,
        session: row.session,
        ...(row.harness !== null && { harness: row.harness }),
        lastSeen: isoTime(row.seen_at),
        liveness: livenessOf(row, at.now),
      })),
    };
  });
};

export const allClaims = (
  room: Room,
): Promise<{ readonly claims: readonly Claim[]; readonly isCut: boolean }> =>
  readClaims(room, { claims: [], isCut: false }, async (tx, at) => {
    const limit = limits.claimsOverviewMax;
    const rows = await readLive(tx, at, { limit: limit + 1 });
    const claims = rows.slice(0, limit).map((row) => toClaim(row, at.now));
    return { claims, isCut: rows.length > limit };
  });

/** Longer without a word, and whoever holds nothing is history. */
export const actorSilentMsMax = 12 * 60 * 60 * 1000;

const readActorRows: Statement = {
  sql: `SELECT ${actorColumns} FROM actors WHERE scope_id = :scope AND (seen_at >= :since
          OR id IN (SELECT actor FROM claim_counts WHERE scope_id = :scope)
          OR id IN (SELECT actor FROM waiters WHERE scope_id = :scope AND state = 'waiting'))
        ORDER BY seen_at DESC, id LIMIT :limit`,
};
