/** Everything of a scope in one look, for a page that shows all of it. Changes nothing. */
import { isoTime } from "../base/clock.ts";
import { limits } from "../base/limits.ts";
import type { Statement } from "../store/index.ts";
import { actorColumns, type ActorRow, livenessOf } from "./actors/actor-row.ts";
import { readLiveness } from "./blockers.ts";
import { claimColumns, type ClaimRow, isLive, toClaim } from "./claim-row.ts";
import { isOver } from "./deadline.ts";
import { toWaiter } from "./looking.ts";
import { listRequests } from "./requests.ts";
import { readClaims, type Room } from "./room.ts";
import type { ActorState, ClaimOverview } from "./types.ts";
import { readQueue, type WaiterRow, waiterSpanMs } from "./waiter-row.ts";

export const overview = (room: Room): Promise<ClaimOverview> => {
  const nothing = { claims: [], waiters: [], requests: [], actors: [], isCut: false };
  return readClaims<ClaimOverview>(room, nothing, async (tx, at) => {
    const scope = at.scope.id;
    const rows = await tx.all<ClaimRow>(readClaimRows, {
      scope,
      limit: limits.claimsOverviewMax + 1,
    });
    const live = rows.slice(0, limits.claimsOverviewMax).filter((row) => isLive(row, at.now));
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
      claims: live.map((row) => toClaim(row, at.now)),
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
      isCut: rows.length > limits.claimsOverviewMax,
    };
  });
};

/** Longer without a word, and whoever holds nothing is history. */
export const actorSilentMsMax = 12 * 60 * 60 * 1000;

const readClaimRows: Statement = {
  sql: `SELECT ${claimColumns} FROM claims WHERE scope_id = :scope ORDER BY id LIMIT :limit`,
};
const readActorRows: Statement = {
  sql: `SELECT ${actorColumns} FROM actors WHERE scope_id = :scope AND (seen_at >= :since
          OR id IN (SELECT actor FROM claims WHERE scope_id = :scope)
          OR id IN (SELECT actor FROM waiters WHERE scope_id = :scope AND state = 'waiting'))
        ORDER BY seen_at DESC, id LIMIT :limit`,
};
