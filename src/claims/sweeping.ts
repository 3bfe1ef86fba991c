/** Ending what nobody ended: claims whose time is over, and those of holders that are proven dead. */
import { isoTime } from "../base/clock.ts";
import { isId } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import { HeadgateError } from "../errors.ts";
import { readLiveness } from "./blockers.ts";
import { type ClaimRow, isLive, readClaimsById, targetOf, toClaim } from "./claim-row.ts";
import { listParameters } from "./in-list.ts";
import type { Ledger } from "./ledger.ts";
import { isGone, Queue } from "./queue.ts";
import { readHeld, readHolders, readOver } from "./reading.ts";
import { keepRescue } from "./rescues.ts";
import { readClaims, type Room, type Saved, writeClaims } from "./room.ts";
import type { Blocker, Claim, Rescue, Sweep } from "./types.ts";
import { readQueue, type WaiterRow } from "./waiter-row.ts";

export const deadAmong = (blockers: readonly Blocker[]): string[] =>
  blockers.filter(({ liveness }) => liveness.state === "dead").map(({ id }) => id);

/**
 * Takes back the claims with these ids whose holders are proven dead; returns how many. What a holder
 * left that git cannot save stays with it: the claim then ends by itself, and `problem` says why not now.
 */
export const reclaimDead = async (
  room: Room,
  ids: readonly string[],
): Promise<{ readonly count: number; readonly problem?: string }> => {
  const claims = ids.filter((id) => isId("claim", id));
  if (claims.length === 0) return { count: 0 };
  const found = await readClaims<ClaimRow[]>(room, [], (tx, { scope }) =>
    tx.all<ClaimRow>(readClaimsById(claims), { scope: scope.id, ...listParameters("id", claims) }),
  );
  try {
    return { count: (await endAll(room, found)).reclaimed.length };
  } catch (error) {
    if (!isGitFailure(error)) throw error;
    return { count: 0, problem: `its files could not be saved: ${error.message}` };
  }
};

const isGitFailure = (error: unknown): error is HeadgateError =>
  HeadgateError.isInstance(error) && error.code.startsWith("GIT_");

/** What dead holders of run-out claims left behind, saved before the next holder writes. */
export const rescueExpired = async (room: Room, rows: readonly ClaimRow[]): Promise<Rescue[]> => {
  if (rows.length === 0) return [];
  const dead = await whoIsDead(room, rows);
  const rescues: Rescue[] = [];
  for (const row of rows.filter(({ actor }) => dead.has(actor))) {
    const { id, target, actor } = row;
    const saved = await saveOrSayWhy(room, { id, target: targetOf(row), actor });
    if (saved) {
      rescues.push({ claim: id, target, actor, ...saved, at: isoTime(room.clock.wallMs()) });
    }
  }
  return rescues;
};

/** The claim is granted already: a failure is told with it, not thrown instead of it. */
const saveOrSayWhy = async (
  room: Room,
  claim: Parameters<Room["rescue"]>[0],
): Promise<Saved | undefined> => {
  try {
    return await room.rescue(claim);
  } catch (error) {
    if (!isGitFailure(error)) throw error;
    return { ref: "", files: 0, skipped: [{ path: claim.target.text, why: error.message }] };
  }
};

export const sweep = async (
  room: Room,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<Sweep> => {
  const over = await findOver(room);
  if (dryRun) {
    const reclaimed = over.dead.map(({ claim, evidence }) => ({ ...claim, evidence }));
    return { expired: over.expired.map(({ claim }) => claim), reclaimed, waiters: over.waiters };
  }
  const rows = [...over.expired, ...over.dead].map(({ row }) => row);
  // Nothing is written, and no store made, for nothing.
  if (rows.length === 0 && over.waiters === 0) return { expired: [], reclaimed: [], waiters: 0 };
  const total: { expired: Claim[]; reclaimed: Reclaimed[]; waiters: number } = {
    expired: [],
    reclaimed: [],
    waiters: 0,
  };
  // One transaction; only a scope with more ended claims than one can hold takes several.
  for (let start = 0; start === 0 || start < rows.length; start += limits.endingsMax) {
    const part = await endAll(room, rows.slice(start, start + limits.endingsMax), true);
    total.expired.push(...part.expired);
    total.reclaimed.push(...part.reclaimed);
    total.waiters += part.waiters;
  }
  return total;
};

type Reclaimed = Claim & { readonly evidence: readonly string[]; readonly rescue?: Rescue };

interface Over {
  readonly row: ClaimRow;
  readonly claim: Claim;
  readonly evidence: readonly string[];
}

const findOver = (room: Room): Promise<{ expired: Over[]; dead: Over[]; waiters: number }> =>
  readClaims(room, { expired: [], dead: [], waiters: 0 }, async (tx, at) => {
    const over = await readOver(tx, at);
    const holders = await readHolders(tx, at, over);
    const gone = holders.filter(({ liveness }) => liveness.state === "dead");
    const held = await Promise.all(gone.map(({ actor }) => readHeld(tx, at.scope, actor)));
    const queue = await tx.all<WaiterRow>(readQueue, { scope: at.scope.id });
    const actors = over.map((row) => row.actor);
    const liveness = await readLiveness(tx, at, [...actors, ...gone.map(({ actor }) => actor)]);
    const told = (row: ClaimRow): Over => ({
      row,
      claim: toClaim(row, at.now),
      evidence: liveness(row.actor).evidence,
    });
    const dead = held.flat().filter((row) => isLive(row, at.now));
    return {
      expired: over.map(told),
      dead: dead.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(told),
      waiters: queue.filter((row) => isGone(row, at.now)).length,
    };
  });

/** Saves first, then ends; what changed in between is judged anew inside the transaction. */
const endAll = async (
  room: Room,
  rows: readonly ClaimRow[],
  isSweep = false,
): Promise<{ expired: Claim[]; reclaimed: Reclaimed[]; waiters: number }> => {
  const dead = await whoIsDead(room, rows);
  const saved = new Map<string, Saved>();
  for (const row of rows.filter(({ actor }) => dead.has(actor))) {
    const { id, actor } = row;
    const one = await room.rescue({ id, target: targetOf(row), actor });
    if (one) saved.set(id, one);
  }
  if (rows.length === 0 && !isSweep) return { expired: [], reclaimed: [], waiters: 0 };
  const answer = await writeClaims(room, {}, async (ledger) => {
    const queue = new Queue(ledger);
    const result = await endOver(ledger, room.actor.id, { rows, saved });
    const waiters = isSweep ? queue.prune() : 0;
    await queue.serve();
    return { ...result, waiters };
  });
  return answer as { expired: Claim[]; reclaimed: Reclaimed[]; waiters: number };
};

const whoIsDead = (room: Room, rows: readonly ClaimRow[]): Promise<Set<string>> =>
  readClaims(room, new Set<string>(), async (tx, at) => {
    const actors = rows.map((row) => row.actor);
    const liveness = await readLiveness(tx, at, actors);
    return new Set(actors.filter((actor) => liveness(actor).state === "dead"));
  });

const endOver = async (
  ledger: Ledger,
  by: string,
  {
    rows,
    saved,
  }: { readonly rows: readonly ClaimRow[]; readonly saved: ReadonlyMap<string, Saved> },
) => {
  const ids = rows.map((row) => row.id);
  const present =
    ids.length === 0
      ? []
      : await ledger.tx.all<ClaimRow>(readClaimsById(ids), {
          scope: ledger.scope.id,
          ...listParameters("id", ids),
        });
  const liveness = await readLiveness(
    ledger.tx,
    ledger,
    present.map((row) => row.actor),
  );
  const expired: Claim[] = [];
  const reclaimed: Reclaimed[] = [];
  for (const row of present) {
    const { state, evidence } = liveness(row.actor);
    const isExpired = !isLive(row, ledger.now);
    if (!isExpired && state !== "dead") continue;
    const one = state === "dead" ? saved.get(row.id) : undefined;
    const rescue = one && keepRescue(ledger, row, one);
    const claim = toClaim(row, ledger.now);
    const data = {
      ...(state === "dead" && { evidence }),
      ...(one && { rescue: one.ref }),
      ...(one?.skipped && { skipped: one.skipped }),
    };
    ledger.end(row, isExpired ? "expired" : "reclaimed", {
      actor: isExpired ? row.actor : by,
      ...data,
    });
    if (isExpired) expired.push(claim);
    else reclaimed.push({ ...claim, evidence, ...(rescue && { rescue }) });
  }
  return { expired, reclaimed };
};
