/** Waiting in line until the claim is handed over, the time is over, or a circle must be broken. */
import { limits } from "../base/limits.ts";
import { HeadgateError } from "../errors.ts";
import { findOutcome, type Reader, type StoreTime } from "../store/index.ts";
import { type Blocking, describeBlockers } from "./blockers.ts";
import { isHeldBy, isLive, modesConflict } from "./claim-row.ts";
import { remainingMs, seenNow } from "./deadline.ts";
import type { Wish } from "./decide.ts";
import { findOverlapping } from "./find-overlapping.ts";
import { Queue, type WaitOutcome } from "./queue.ts";
import type { Asked } from "./request.ts";
import { readClaims, type Room, writeClaims } from "./room.ts";
import { deadAmong, reclaimDead } from "./sweeping.ts";
import type { Blocker, ClaimResult } from "./types.ts";
import { readWaiter, seeWaiter, type WaiterRow } from "./waiter-row.ts";

export const waitInLine = async (
  room: Room,
  id: string,
  { wish, waitMs }: Asked,
  signal: AbortSignal = new AbortController().signal,
): Promise<ClaimResult> => {
  const { store, scope } = await room.open();
  const { clock } = room;
  const startMs = clock.monoMs();
  let row: WaiterRow | undefined;
  const hasEnded = async (tx: Reader): Promise<boolean> => {
    row = await tx.get<WaiterRow>(readWaiter, { scope: scope.id, id });
    return row?.state !== "waiting";
  };
  let seenMs = startMs;
  const leftMs = (): number => startMs + waitMs - clock.monoMs();
  const look = async (): Promise<ClaimResult | undefined> => {
    if (signal.aborted || leftMs() <= 0) await leave(room, id, signal.aborted);
    const pauseMs = signal.aborted ? 0 : Math.min(leftMs(), await untilNextLook(room, wish));
    const stop = new AbortController();
    const timer = clock.sleep(Math.max(0, pauseMs), stop.signal);
    void timer.then(() => stop.abort());
    await store
      .waitForNotice(id, hasEnded, AbortSignal.any([signal, stop.signal]))
      .finally(() => stop.abort());
    // A pause of zero ends the wait before the row was looked at.
    if (row === undefined) await store.read(hasEnded);
    if (row?.state !== "waiting") {
      const outcome = row ? readOutcome(row.outcome) : await keptOutcome(room, id);
      const isLate = leftMs() <= 0 && !signal.aborted;
      const waited = { waitedMs: clock.monoMs() - startMs, isLate };
      return resultOf(outcome, waited, () => lookAtBlockers(room, wish));
    }
    row = undefined;
    if (store.capabilities.shared && clock.monoMs() - seenMs > limits.waiterSeenEveryMs) {
      seenMs = clock.monoMs();
      await showLife(room, id);
    }
    return undefined;
  };
  for (;;) {
    try {
      const result = await look();
      if (result) return result;
    } catch (error) {
      if (!isAway(error)) throw error;
      // The store keeps the place in line, and may have handed the claim over before it went away.
      if (signal.aborted || leftMs() <= -limits.waiterLeaveMs) throw unknownEnd(id, error);
      await clock.sleep(limits.eventFallbackPollMs, signal);
    }
  }
};

/** The same claim with this key takes the grant, or leaves the line. */
const unknownEnd = (id: string, cause: HeadgateError): HeadgateError =>
  new HeadgateError(
    "OUTCOME_UNKNOWN",
    `the store went away while this waited in line, and may have granted it (key ${id}): ${cause.message}`,
    { data: { key: id }, cause },
  );

/** A store that may come back, unlike one that this process has closed; that has no cause. */
const isAway = (error: unknown): error is HeadgateError =>
  HeadgateError.isInstance(error) &&
  error.cause !== undefined &&
  ["STORE_UNAVAILABLE", "STORE_BUSY", "OUTCOME_UNKNOWN"].includes(error.code);

/**
 * Nobody tells when a blocking claim expires or its holder dies: it is looked after here; so is what
 * lies free because whoever freed it had too many to serve. Returns when to look again.
 */
const untilNextLook = async (room: Room, wish: Wish): Promise<number> => {
  const { blockers, nextEndMs } = await lookAtBlockers(room, wish);
  if (nextEndMs <= 0 || nextEndMs === Infinity) {
    await writeClaims(room, { targets: wish.targets }, async (ledger) => {
      const queue = new Queue(ledger);
      for (const target of wish.targets) await ledger.overlapping(target);
      ledger.freed.push(...wish.targets);
      await queue.serve();
      return null;
    });
  }
  await reclaimDead(room, deadAmong(blockers));
  return Math.min(limits.waiterLookMs, Math.max(1, nextEndMs));
};

const lookAtBlockers = (
  room: Room,
  wish: Wish,
): Promise<{ blockers: Blocker[]; nextEndMs: number }> =>
  readClaims(room, { blockers: [], nextEndMs: Infinity }, async (tx, at) => {
    const blocking = await claimsInTheWay(tx, at, wish);
    const ends = blocking.map(({ claim }) => remainingMs(claim, at.now, claim.ttl_ms));
    const live = blocking.filter(({ claim }) => isLive(claim, at.now));
    return {
      blockers: await describeBlockers(tx, at, live),
      nextEndMs: Math.min(Infinity, ...ends),
    };
  });

type ClaimBlocking = Extract<Blocking, { claim: unknown }>;

/** Expired ones included: they end with the next write. */
export const claimsInTheWay = async (
  tx: Reader,
  at: { readonly scope: Parameters<typeof findOverlapping>[1]; readonly now: StoreTime },
  wish: Pick<Wish, "targets" | "actor" | "mode">,
): Promise<ClaimBlocking[]> =>
  (await claimsOfOthers(tx, at, wish)).filter(({ claim }) => modesConflict(claim.mode, wish.mode));

/** All that overlap, whether they are in the way or not. */
export const claimsOfOthers = async (
  tx: Reader,
  at: { readonly scope: Parameters<typeof findOverlapping>[1] },
  { targets, actor }: Pick<Wish, "targets" | "actor">,
): Promise<ClaimBlocking[]> => {
  const found = await Promise.all(targets.map((target) => findOverlapping(tx, at.scope, target)));
  return targets.flatMap((target, index) =>
    (found[index] ?? [])
      .filter((row) => !isHeldBy(row, actor))
      .map((row) => ({ claim: row, blocks: target.text })),
  );
};

const readOutcome = (text: string | null): WaitOutcome =>
  text === null ? { how: "cancelled" } : (JSON.parse(text) as WaitOutcome);

/** How a waiter ended whose row is gone already. */
const keptOutcome = (room: Room, id: string): Promise<WaitOutcome> =>
  readClaims<WaitOutcome>(room, { how: "cancelled" }, async (tx, { scope }) => {
    const kept = await findOutcome(tx, scope.id, id);
    return kept.state === "committed" && kept.result
      ? (kept.result as unknown as WaitOutcome)
      : { how: "cancelled" };
  });

const leave = (room: Room, id: string, isCancelled: boolean): Promise<null> =>
  writeClaims(room, {}, async (ledger) => {
    const queue = new Queue(ledger);
    queue.leave(id, isCancelled ? "cancelled" : "timeout");
    await queue.serve();
    return null;
  });

const showLife = (room: Room, id: string): Promise<null> =>
  writeClaims(room, { actor: room.actor.id }, async (ledger) => {
    await ledger.touchActor(room.actor);
    ledger.send(seeWaiter, { scope: ledger.scope.id, id, ...seenNow(ledger.now) });
    ledger.tx.emit({ kind: "actor.seen", actor: room.actor.id, subject: id });
    return null;
  });

const resultOf = async (
  outcome: WaitOutcome,
  { waitedMs, isLate }: { readonly waitedMs: number; readonly isLate: boolean },
  look: () => Promise<{ blockers: Blocker[] }>,
): Promise<ClaimResult> => {
  if ("claims" in outcome) {
    return { ok: true, claims: outcome.claims, waitedMs: Math.round(waitedMs) };
  }
  const { blockers } = await look();
  if ("circle" in outcome) {
    const { circle, victim } = outcome;
    return { ok: false, code: "CLAIM_DEADLOCK", blockers, circle, victim };
  }
  // Another may have taken it out of the line before it could do so itself.
  const code = outcome.how === "timeout" || isLate ? "CLAIM_WAIT_TIMEOUT" : "CLAIM_WAIT_CANCELLED";
  return { ok: false, code, blockers };
};
