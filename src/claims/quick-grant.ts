/**
 * The usual grant on a server in one round trip: a function there finds that nothing is near the
 * targets and grants them. Everything else is decided by the ordinary way, with the rows at hand.
 */
import { limits } from "../base/limits.ts";
import { actorRowOf } from "./actors/actor-row.ts";
import { whereToLook } from "./targets/candidates.ts";
import { toClaim } from "./claim-row.ts";
import type { Wish } from "./decide.ts";
import { BlockUsedUp, type FenceMark } from "./fence-mark.ts";
import { release } from "./holding.ts";
import { grantData, holderHash, newRow } from "./ledger.ts";
import type { Room } from "./room.ts";
import type { ClaimResult } from "./types.ts";

/** Undefined when it is not that simple; nothing was changed then. */
export const quickGrant = async (room: Room, wish: Wish): Promise<ClaimResult | undefined> => {
  const { store, scope, fences } = await room.open();
  const [target, ...others] = wish.targets;
  if (!store.callFunction || !target || others.length > 0) return undefined;
  const { mode, ttlMs, actor, forSession, reason = "" } = wish;
  const claim = { target, mode, ttlMs, actor, forSession, reason };
  const id = room.ids("claim");
  const operation = room.ids("operation");
  const near = whereToLook(target);
  const who = actorRowOf(actor, { wallMs: 0 });
  // The function there writes the event itself.
  const via = store.via(actor.id);
  const seen = via === undefined ? {} : { via };
  const floor = fences.floor(room.clock.wallMs());
  const [answer] = await store.callFunction<{ fence: number; granted_at: number }>({
    scope,
    operation,
    name: "grant_claim",
    parameters: [
      ...[scope.id, operation, floor],
      ...[near.places, near.below?.from ?? null, near.below?.to ?? null],
      ...[near.tails ?? null, near.tailRange?.from ?? null, near.tailRange?.to ?? null],
      ...[id, target.text, target.extent, target.folds ? 1 : 0, target.place, target.tail],
      ...[mode, ttlMs, reason, forSession ? 1 : 0],
      ...[room.ids("event"), JSON.stringify({ fence: 0, ...grantData(claim), ...seen })],
      ...[who.id, who.session, who.harness, who.host, who.boot_id, who.pid_namespace, who.pid],
      ...[who.start_time, limits.heartbeatWriteMs, holderHash(actor)],
    ],
  });
  if (!answer) return undefined;
  const { fence, granted_at } = answer;
  try {
    await remember(fences, fence, granted_at + ttlMs);
  } catch (error) {
    // An error must mean that nothing is held; should this fail as well, time ends it.
    await release(room, { claims: [id] }).catch(() => {});
    throw error;
  }
  const now = { wallMs: granted_at };
  return { ok: true, claims: [toClaim(newRow(claim, { id, fence, now }), now)] };
};

const remember = async (fences: FenceMark, fence: number, untilWallMs: number): Promise<void> => {
  try {
    fences.raise(fence, untilWallMs);
  } catch (error) {
    if (!(error instanceof BlockUsedUp)) throw error;
    await fences.reserve(error.fence);
    fences.raise(fence, untilWallMs);
  }
};
