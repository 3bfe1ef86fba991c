/** What stands in the way, told with everything a person needs to decide (C-15). */
import { isoTime } from "../base/clock.ts";
import { limits } from "../base/limits.ts";
import type { Reader, Scope, StoreTime } from "../store/index.ts";
import { type ActorRow, livenessOf, readActors } from "./actors/actor-row.ts";
import { type ClaimRow, toClaim } from "./claim-row.ts";
import { endWallMs } from "./deadline.ts";
import { listParameters } from "./in-list.ts";
import type { Blocker, ClaimLiveness } from "./types.ts";
import { waiterTargets, type WaiterRow, waiterSpanMs } from "./waiter-row.ts";

/** A claim or a waiter that blocks the target with this text. */
export type Blocking = { readonly blocks: string } & (
  | { readonly claim: ClaimRow }
  | { readonly waiter: WaiterRow }
);

/** One entry per blocking claim or waiter, with all the targets it blocks; the oldest first. */
export const describeBlockers = async (
  tx: Reader,
  at: { readonly scope: Scope; readonly now: StoreTime },
  blocking: readonly Blocking[],
): Promise<Blocker[]> => {
  const blocks = new Map<string, string[]>();
  const first = new Map<string, Blocking>();
  for (const one of blocking) {
    const { id } = rowOf(one);
    if (!first.has(id)) first.set(id, one);
    const list = blocks.get(id) ?? [];
    if (!list.includes(one.blocks)) list.push(one.blocks);
    blocks.set(id, list);
  }
  const shown = [...first.values()]
    .toSorted((a, b) => (rowOf(a).id < rowOf(b).id ? -1 : 1))
    .slice(0, limits.blockersMax);
  const liveness = await readLiveness(
    tx,
    at,
    shown.map((one) => rowOf(one).actor),
  );
  return shown.map((one) => {
    const { id, actor } = rowOf(one);
    const shape = "claim" in one ? ofClaim(one.claim, at.now) : ofWaiter(one.waiter, at.now);
    return { ...shape, liveness: liveness(actor), blocks: blocks.get(id) ?? [] };
  });
};

/** Looks all of them up at once; the answer is by actor id. */
export const readLiveness = async (
  tx: Reader,
  { scope, now }: { readonly scope: Scope; readonly now: StoreTime },
  actors: readonly string[],
): Promise<(actor: string) => ClaimLiveness> => {
  const ids = [...new Set(actors)];
  const known = new Map<string, ClaimLiveness>();
  // In parts, because a statement takes only so many parameters.
  for (let start = 0; start < ids.length; start += actorsAtOnce) {
    const part = ids.slice(start, start + actorsAtOnce);
    const parameters = { scope: scope.id, ...listParameters("id", part) };
    const rows = await tx.all<ActorRow>(readActors(part), parameters);
    for (const row of rows) known.set(row.id, livenessOf(row, now));
  }
  return (actor) => known.get(actor) ?? livenessOf(undefined, now);
};

const actorsAtOnce = 256;

const rowOf = (one: Blocking): { readonly id: string; readonly actor: string } =>
  "claim" in one ? one.claim : one.waiter;

type Shape = Omit<Blocker, "liveness" | "blocks">;

const ofClaim = (row: ClaimRow, now: StoreTime): Shape => {
  const { id, target, mode, actor, reason, grantedAt, expiresAt } = toClaim(row, now);
  return { id, target, mode, actor, reason, grantedAt, expiresAt };
};

const ofWaiter = (row: WaiterRow, now: StoreTime): Shape => ({
  id: row.id,
  target: waiterTargets(row)
    .map((target) => target.text)
    .join(" "),
  mode: row.mode,
  actor: row.actor,
  reason: row.reason,
  grantedAt: isoTime(row.queued_at),
  expiresAt: isoTime(endWallMs(row, now, waiterSpanMs(row))),
});
