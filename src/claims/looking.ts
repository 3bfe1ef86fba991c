/** Looking at claims without changing anything. */
import { isoTime } from "../base/clock.ts";
import { limits } from "../base/limits.ts";
import { showText } from "../base/text.ts";
import type { Reader, Scope, StoreTime } from "../store/index.ts";
import { type Blocking, describeBlockers, readLiveness } from "./blockers.ts";
import { type ClaimRow, isHeldBy, isLive, modesConflict, targetOf, toClaim } from "./claim-row.ts";
import { endWallMs, isOver } from "./deadline.ts";
import type { Wish } from "./decide.ts";
import { findOverlapping } from "./find-overlapping.ts";
import { covers, overlap } from "./targets/overlap.ts";
import { hasAged, isGone } from "./queue.ts";
import { readById, readLive } from "./reading.ts";
import { checkMode, checkSpan, resolveTargets } from "./request.ts";
import { listRequests } from "./requests.ts";
import { readClaims, type Room } from "./room.ts";
import type { Target } from "./targets/target.ts";
import type {
  Check,
  ClaimFilter,
  ClaimList,
  ClaimLiveness,
  FenceCheck,
  Mode,
  TargetInput,
  Waiter,
} from "./types.ts";
import { readQueue, type WaiterRow, waiterSpanMs, waiterTargets } from "./waiter-row.ts";
import { claimsOfOthers } from "./waiting.ts";

export const check = async (
  room: Room,
  inputs: readonly TargetInput[],
  { mode = "exclusive" }: { readonly mode?: Mode } = {},
): Promise<Check> => {
  checkMode(mode);
  const targets = resolveTargets(room, inputs);
  return readClaims(room, { clear: true, blockers: [] }, async (tx, at) => {
    const [found, queue] = await Promise.all([
      claimsOfOthers(tx, at, { targets, actor: room.actor }),
      tx.all<WaiterRow>(readQueue, { scope: at.scope.id }),
    ]);
    const live = found.filter(({ claim }) => isLive(claim, at.now));
    const blocking: Blocking[] = [
      ...live.filter(({ claim }) => modesConflict(claim.mode, mode)),
      ...waitersInTheWay(queue, at.now, { targets, actor: room.actor, mode }),
    ];
    const blockers = await describeBlockers(tx, at, blocking);
    const isBeside = ({ claim }: { readonly claim: ClaimRow }): boolean =>
      mode === "edit" && claim.mode === "edit" && claim.session !== room.actor.session;
    const beside = live.filter(isBeside);
    return {
      clear: blocking.length === 0,
      blockers,
      ...(beside.length > 0 && { beside: await describeBlockers(tx, at, beside) }),
    };
  });
};

/** The same that a claim without waiting would meet. */
const waitersInTheWay = (
  queue: readonly WaiterRow[],
  now: StoreTime,
  { targets, actor, mode }: Pick<Wish, "targets" | "actor" | "mode">,
): Blocking[] =>
  queue
    .filter((row) => !isHeldBy(row, actor) && modesConflict(row.mode, mode))
    .filter((row) => hasAged(row, now) && !isGone(row, now))
    .flatMap((waiter) =>
      targets
        .filter((target) => waiterTargets(waiter).some((other) => overlap(other, target)))
        .map((target) => ({ waiter, blocks: target.text })),
    );

export const waitUntilClear = async (
  room: Room,
  inputs: readonly TargetInput[],
  options: { readonly mode?: Mode; readonly waitMs: number; readonly signal?: AbortSignal },
): Promise<Check> => {
  const { waitMs, signal = new AbortController().signal } = options;
  checkSpan("time to wait", waitMs, 0, limits.claimWaitMsMax);
  const startMs = room.clock.monoMs();
  for (;;) {
    const state = await check(room, inputs, options);
    const leftMs = startMs + waitMs - room.clock.monoMs();
    if (state.clear || leftMs <= 0 || signal.aborted) return state;
    await pauseUntilNews(room, Math.min(leftMs, limits.waiterLookMs), signal);
  }
};

/** Until anything was committed, at most `ms`; expiry tells nobody, so the wait is short. */
const pauseUntilNews = async (room: Room, ms: number, signal: AbortSignal): Promise<void> => {
  const place = await room.look();
  const stop = new AbortController();
  const pause = room.clock.sleep(ms, AbortSignal.any([signal, stop.signal]));
  if (place === undefined) return pause;
  void pause.then(() => stop.abort());
  const { store, scope } = place;
  const { head } = await store.readEvents({ scope, last: 1 });
  await store.waitForEvents(scope, head, AbortSignal.any([signal, stop.signal]));
  stop.abort();
};

export const list = async (room: Room, filter: ClaimFilter = {}): Promise<ClaimList> => {
  const { limit = limits.claimsListedMax } = filter;
  checkSpan("number of claims to list", limit, 1, limits.claimsListedMax);
  const target = filter.target === undefined ? undefined : room.resolve(filter.target);
  const nothing = { claims: [], waiters: [], requests: [], isCut: false };
  return readClaims<ClaimList>(room, nothing, async (tx, at) => {
    const rows = await readRows(tx, at, {
      ...filter,
      target,
      limit: limit + 1,
    });
    const shown = rows.slice(0, limit);
    const queue = await tx.all<WaiterRow>(readQueue, { scope: at.scope.id });
    const liveness = await readLiveness(
      tx,
      at,
      [...shown, ...queue].map((row) => row.actor),
    );
    const waiters = queue.flatMap((row, index): Waiter[] => {
      const isShown =
        !isOver(row, at.now, waiterSpanMs(row)) &&
        (filter.actor === undefined || row.actor === filter.actor) &&
        (target === undefined || waiterTargets(row).some((other) => overlap(other, target)));
      return isShown ? [toWaiter(row, index, { now: at.now, liveness })] : [];
    });
    return {
      claims: shown.map((row) => ({ ...toClaim(row, at.now), liveness: liveness(row.actor) })),
      waiters,
      requests: await listRequests(tx, at),
      isCut: rows.length > limit,
    };
  });
};

const readRows = async (
  tx: Reader,
  at: { readonly scope: Scope; readonly now: StoreTime },
  wanted: Pick<ClaimFilter, "actor" | "mode" | "ids"> & {
    readonly target: Target | undefined;
    readonly limit: number;
  },
): Promise<ClaimRow[]> => {
  const { actor, mode, ids, target, limit } = wanted;
  let found: ClaimRow[];
  if (ids !== undefined) found = await readById(tx, at.scope, ids);
  else if (target !== undefined) found = await findOverlapping(tx, at.scope, target);
  else return readLive(tx, at, { actor, mode, limit });
  return found.filter(
    (row) =>
      isLive(row, at.now) &&
      (actor === undefined || row.actor === actor) &&
      (mode === undefined || row.mode === mode) &&
      (target === undefined || overlap(targetOf(row), target)),
  );
};

export const toWaiter = (
  row: WaiterRow,
  index: number,
  { now, liveness }: { readonly now: StoreTime; liveness(actor: string): ClaimLiveness },
): Waiter => ({
  id: row.id,
  actor: row.actor,
  targets: waiterTargets(row).map(({ text }) => text),
  mode: row.mode,
  reason: row.reason,
  priority: row.priority,
  queuedAt: isoTime(row.queued_at),
  until: isoTime(endWallMs(row, now, waiterSpanMs(row))),
  position: index + 1,
  liveness: liveness(row.actor),
});

/** Is each target still covered by a live exclusive claim of this actor with one of these fences? */
export const verifyIn = async (
  tx: Reader,
  at: { readonly scope: Scope; readonly now: StoreTime },
  { actor }: Room,
  asked: { readonly fences: readonly number[]; readonly targets: readonly Target[] },
): Promise<FenceCheck> => {
  const { fences, targets } = asked;
  const found = await Promise.all(targets.map((target) => findOverlapping(tx, at.scope, target)));
  const problems: FenceCheck["problems"][number][] = [];
  for (const [index, target] of targets.entries()) {
    const rows = (found[index] ?? []).filter((row) => isLive(row, at.now));
    const own = rows.filter((row) => isHeldBy(row, actor) && covers(targetOf(row), target));
    const current = own.filter((row) => fences.includes(row.fence));
    if (current.some((row) => row.mode !== "shared")) continue;
    const other = rows.find((row) => !isHeldBy(row, actor));
    const blocking: Blocking[] = other ? [{ claim: other, blocks: target.text }] : [];
    const [blocker] = await describeBlockers(tx, at, blocking);
    const problem = explain(fences, { current, own, other });
    problems.push({ target: target.text, problem, ...(blocker && { blocker }) });
  }
  return problems.length === 0
    ? { ok: true, problems }
    : { ok: false, code: "FENCE_STALE", problems };
};

const explain = (
  fences: readonly number[],
  rows: {
    readonly current: readonly ClaimRow[];
    readonly own: readonly ClaimRow[];
    readonly other: ClaimRow | undefined;
  },
): string => {
  const [current] = rows.current;
  const [own] = rows.own;
  const shown = fences.join(", ");
  if (current)
    return `claim ${current.id} is shared: it protects from writes, it does not allow them`;
  if (own)
    return `fence ${shown} is of the past; the present claim ${own.id} has fence ${own.fence}`;
  if (rows.other) {
    const { actor, id, fence } = rows.other;
    return `fence ${shown} has ended; ${showText(actor)} holds it now (${id}, fence ${fence})`;
  }
  return `no live claim with fence ${shown} covers it`;
};
