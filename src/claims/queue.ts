/**
 * Those who wait, inside one write transaction. What becomes free is handed to the next in line by the
 * very transaction that frees it: nothing lies free while somebody waits for it, nobody is woken in
 * vain, and the order is kept (G8).
 */
import type { Json } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { ownIdentity, probe } from "../base/process-identity.ts";
import { saveOutcome, type Statement, type StoreTime } from "../store/index.ts";
import type { Blocking } from "./blockers.ts";
import { type Circle, findCircle } from "./circle.ts";
import { isHeldBy, modesConflict, toClaim } from "./claim-row.ts";
import { agoMs, deadlineAfter, isOver, seenNow } from "./deadline.ts";
import { type Ahead, apply, plan, type Step, type Wish } from "./decide.ts";
import { holderHash, type Ledger } from "./ledger.ts";
import { overlap } from "./targets/overlap.ts";
import type { Target } from "./targets/target.ts";
import type { Actor, Claim } from "./types.ts";
import {
  deleteOldWaiters,
  endWaiter,
  insertWaiter,
  storeTargets,
  waiterProcess,
  type WaiterRow,
  waiterSpanMs,
  waiterTargets,
} from "./waiter-row.ts";

/** How waiting ended without a grant. */
export type WaitEnd = "timeout" | "cancelled" | "gone";

/** What a waiter's end is kept as. */
export type WaitOutcome =
  | { readonly claims: Claim[] }
  | { readonly circle: string[]; readonly victim: string }
  | { readonly how: WaitEnd };

interface Entry {
  readonly row: WaiterRow;
  readonly id: string;
  readonly actor: string;
  readonly targets: readonly Target[];
}

export class Queue {
  readonly #ledger: Ledger;
  /** Looked up once per transaction. */
  readonly #gone = new Map<string, boolean>();
  #waiting: Entry[];
  /** Events made here: a transaction holds only so many. */
  #events = 0;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
    this.#waiting = ledger.waiting.map(entryOf);
  }

  get length(): number {
    return this.#waiting.length;
  }

  find(id: string): WaiterRow | undefined {
    return this.#waiting.find((entry) => entry.id === id)?.row;
  }

  /** Waiters that somebody who just comes along must not pass: those that have waited long. */
  aheadOfNewcomer(wish: Pick<Wish, "actor" | "mode">): Ahead {
    return this.#ahead(wish, (row) => hasAged(row, this.#ledger.now));
  }

  /** Waiters before this place in the line. */
  aheadOfRank(wish: Pick<Wish, "actor" | "mode">, rank: number, id: string): Ahead {
    return this.#ahead(wish, (row) => row.rank < rank || (row.rank === rank && row.id < id));
  }

  rankOf(priority: number): number {
    const { monoMs, wallMs } = this.#ledger.now;
    return Math.round((monoMs ?? wallMs) - priority * limits.claimPriorityStepMs);
  }

  /** Joins the line. Those who would be in a circle with it are in the answer; nobody is told yet. */
  add(
    wish: Wish,
    options: { readonly priority: number; readonly waitMs: number; readonly id: string },
  ): WaiterRow {
    const { now, scope } = this.#ledger;
    const row: WaiterRow = {
      id: options.id,
      actor: wish.actor.id,
      session: wish.actor.session,
      for_session: wish.forSession ? 1 : 0,
      targets: storeTargets(wish.targets),
      mode: wish.mode,
      ttl_ms: wish.ttlMs,
      reason: wish.reason ?? "",
      priority: options.priority,
      rank: this.rankOf(options.priority),
      queued_at: Math.round(now.wallMs),
      ...deadlineAfter(now, options.waitMs),
      process: JSON.stringify(ownIdentity()),
      ...seenNow(now),
      state: "waiting",
      outcome: null,
      holder: holderHash(wish.actor),
    };
    this.#ledger.send(insertWaiter, { scope: scope.id, ...row });
    this.#ledger.tx.emit({
      kind: "claim.waiting",
      actor: row.actor,
      subject: row.id,
      data: {
        targets: wish.targets.map(({ text }) => text),
        mode: row.mode,
        waitMs: options.waitMs,
      },
    });
    this.#waiting.push(entryOf(row));
    this.#waiting.sort((a, b) => a.row.rank - b.row.rank || (a.id < b.id ? -1 : 1));
    return row;
  }

  /** Leaves the line without a grant; those behind may move up. */
  leave(id: string, how: WaitEnd): boolean {
    const entry = this.#waiting.find((one) => one.id === id);
    if (!entry) return false;
    this.#end(entry, "ended", { how });
    this.#events += 1;
    this.#ledger.tx.emit({
      kind: "claim.wait-ended",
      actor: entry.actor,
      subject: id,
      data: { how },
    });
    return true;
  }

  /** The circle this waiter closes; the one that came last, or matters least, gives way. */
  async circleWith(
    row: WaiterRow,
  ): Promise<{ circle: Circle<Entry>; victim: WaiterRow } | undefined> {
    const start = this.#waiting.find((entry) => entry.id === row.id);
    if (!start) return undefined;
    const circle = await findCircle(start, this.#waiting, async (entry) => {
      const blocking = await this.#blocking(entry);
      return blocking.map((one) => ("claim" in one ? one.claim.actor : one.waiter.actor));
    });
    if (!circle) return undefined;
    const [last] = circle.waiters.toSorted(
      (a, b) => b.row.rank - a.row.rank || (b.id < a.id ? -1 : 1),
    );
    return { circle, victim: (last ?? start).row };
  }

  /** After rights changed hands: nobody may be left waiting in a circle. */
  async breakCircles(): Promise<void> {
    for (const { row } of [...this.#waiting]) {
      const found = await this.circleWith(row);
      if (found) this.giveWay(found.victim, found.circle.actors);
    }
  }

  /** Tells a waiter that it was chosen to break a circle. */
  giveWay(victim: WaiterRow, actors: readonly string[]): void {
    const entry = this.#waiting.find((one) => one.id === victim.id);
    if (!entry) return;
    this.#end(entry, "victim", { circle: [...actors], victim: victim.actor });
    this.#ledger.tx.emit({
      kind: "claim.deadlock",
      actor: victim.actor,
      subject: victim.id,
      data: { circle: [...actors], victim: victim.actor },
    });
  }

  /**
   * Hands what became free in this transaction to those who wait for it, in order. With very many of
   * them the rest is left to their own looks.
   */
  async serve(): Promise<void> {
    const { freed } = this.#ledger;
    while (this.#waiting.length > 0 && freed.length > 0) {
      const now = freed.splice(0);
      for (const entry of [...this.#waiting]) {
        const isConcerned = entry.targets.some((target) =>
          [...now, ...freed].some((one) => overlap(one, target)),
        );
        if (!isConcerned) continue;
        if (this.#events >= limits.servedAtOnceMax) {
          freed.length = 0;
          return;
        }
        if (this.#isLate(entry.row)) this.leave(entry.id, "timeout");
        else if (this.#isGone(entry.row)) this.leave(entry.id, "gone");
        else await this.#serveOne(entry);
      }
    }
  }

  /** Removes those whose time is over or whose process is gone; returns how many. */
  prune(): number {
    let count = 0;
    for (const { id, row } of [...this.#waiting]) {
      if (this.#events >= limits.servedAtOnceMax) break;
      if (this.#isLate(row)) count += Number(this.leave(id, "timeout"));
      else if (this.#isGone(row)) count += Number(this.leave(id, "gone"));
    }
    return count;
  }

  async #serveOne(entry: Entry): Promise<void> {
    const { row } = entry;
    const wish = wishOf(entry);
    const steps = await plan(this.#ledger, wish, this.aheadOfRank(wish, row.rank, row.id));
    if (steps.some((step) => step.kind === "blocked")) return;
    const claims = apply(this.#ledger, wish, steps, { waiter: row.id });
    this.#events += claims.length;
    this.#end(entry, "granted", {
      claims: claims.map((one) => toClaim(one.row, this.#ledger.now)),
    });
  }

  async #blocking(entry: Entry): Promise<Blocking[]> {
    const wish = wishOf(entry);
    const steps: Step[] = await plan(
      this.#ledger,
      wish,
      this.aheadOfRank(wish, entry.row.rank, entry.id),
    );
    return steps.flatMap((step) => (step.kind === "blocked" ? step.by : []));
  }

  #ahead(
    { actor, mode }: Pick<Wish, "actor" | "mode">,
    isAhead: (row: WaiterRow) => boolean,
  ): Ahead {
    return (target) =>
      this.#waiting.flatMap(({ row, targets }): Blocking[] => {
        if (isHeldBy(row, actor) || !modesConflict(row.mode, mode) || !isAhead(row)) return [];
        if (!targets.some((other) => overlap(other, target)) || this.#isGone(row)) return [];
        return [{ waiter: row, blocks: target.text }];
      });
  }

  #isLate(row: WaiterRow): boolean {
    return isOver(row, this.#ledger.now, waiterSpanMs(row));
  }

  #isGone(row: WaiterRow): boolean {
    let gone = this.#gone.get(row.id);
    if (gone === undefined) {
      gone = isGone(row, this.#ledger.now);
      this.#gone.set(row.id, gone);
    }
    return gone;
  }

  #end(entry: Entry, state: "granted" | "victim" | "ended", outcome: WaitOutcome): void {
    const { scope, now } = this.#ledger;
    this.#waiting = this.#waiting.filter((one) => one !== entry);
    if (state !== "granted") this.#ledger.freed.push(...entry.targets);
    const at = { scope: scope.id, id: entry.id };
    const seen_at = Math.round(now.wallMs);
    const text = JSON.stringify(outcome);
    this.#ledger.send(endWaiter, { ...at, state, outcome: text, seen_at });
    // The row goes soon; who repeats a request with its key later finds the end here (G7). What is too
    // long for this was too long for a key, too.
    if (text.length <= limits.eventDataBytesMax / 4) {
      const kept = {
        key: entry.id,
        operation: entry.id,
        result: outcome as unknown as Json,
        atWallMs: seen_at,
      };
      saveOutcome(this.#ledger.tx, { scopeId: scope.id, ...kept }).catch(() => {});
    }
    this.#ledger.send(deleteOldWaiters, {
      scope: scope.id,
      before: seen_at - limits.waiterOutcomeKeepMs,
    });
    this.#ledger.send(notify, { topic: entry.id });
  }
}

const entryOf = (row: WaiterRow): Entry => ({
  row,
  id: row.id,
  actor: row.actor,
  targets: waiterTargets(row),
});

const wishOf = ({ row, targets }: Entry): Wish => ({
  targets,
  mode: row.mode,
  actor: { id: row.actor, session: row.session, ...boundTo(row.holder) },
  ttlMs: row.ttl_ms,
  reason: row.reason,
  forSession: row.for_session === 1,
});

const boundTo = (holder: string | null): Pick<Actor, "proof"> =>
  holder === null ? {} : { proof: { isShown: false, hashes: () => [holder] } };

/** It has waited so long that those who just come along must not pass it. */
export const hasAged = (row: WaiterRow, now: StoreTime): boolean =>
  agoMs(queuedSeen(row), now) >= limits.waiterAgedMs;

/** Too late, proven dead here, or on another machine and silent for too long. */
export const isGone = (row: WaiterRow, now: StoreTime): boolean => {
  if (isOver(row, now, waiterSpanMs(row))) return true;
  const identity = waiterProcess(row);
  const { host, bootId } = ownIdentity();
  const isDead = probe(identity).state === "dead";
  if (identity.host === host && identity.bootId === bootId) return isDead;
  return isDead || agoMs(row, now) > limits.waiterSeenWithinMs;
};

/** When it joined, in the clock that decides here: its rank without the priority. */
const queuedSeen = (row: WaiterRow) => ({
  seen_at: row.queued_at,
  seen_mono:
    row.expires_mono === null ? null : row.rank + row.priority * limits.claimPriorityStepMs,
  seen_boot: row.expires_boot,
});

/** Wakes exactly the process that waits; where the back end cannot push, it looks by itself. */
const notify: Statement = {
  sqlite: "SELECT :topic",
  postgres: "SELECT pg_notify('headgate_events', :topic)",
};
