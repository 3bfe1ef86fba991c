/** Builds the room's API for one actor. */
import { systemClock, type Clock } from "../base/clock.ts";
import { type IdSource, newId } from "../base/ids.ts";
import type { Scope, Store } from "../store/index.ts";
import { parseActor } from "./actors/actor.ts";
import { currentSession, register } from "./actors/sessions.ts";
import { answer, ask, askFor, requests } from "./asking.ts";
import { claim, want } from "./claiming.ts";
import type { FenceMark } from "./fence-mark.ts";
import { narrow, release, renew, shorten, transfer } from "./holding.ts";
import { check, list, verifyIn, waitUntilClear } from "./looking.ts";
import { allClaims, overview } from "./overview.ts";
import { resolveTargets, usage } from "./request.ts";
import { readClaims, type Room, writeClaims } from "./room.ts";
import { sweep } from "./sweeping.ts";
import { parseTarget } from "./targets/target.ts";
import { tell } from "./telling.ts";
import type { Actor, ClaimResult, Claims, FenceCheck } from "./types.ts";

export interface OpenClaimsOptions extends Pick<Room, "open" | "look"> {
  readonly actor: Actor;
  readonly clock?: Clock;
  readonly ids?: IdSource;
  readonly resolve?: Room["resolve"];
  readonly rescue?: Room["rescue"];
}

export const openClaims = (options: OpenClaimsOptions): Claims =>
  bind({
    clock: systemClock,
    ids: newId,
    resolve: (input) =>
      typeof input === "string"
        ? parseTarget(input)
        : parseTarget(input.path, { extent: input.extent }),
    rescue: async () => undefined,
    ...options,
  });

const bind = (room: Room): Claims => ({
  actor: room.actor,
  as: (actor) => bind({ ...room, actor: typeof actor === "string" ? parseActor(actor) : actor }),
  register: (event, follow) => register(room, event, follow),
  currentSession: () => currentSession(room),
  claim: async (request) => withSecrets(await claim(room, request), room.actor),
  release: (selection, more) => release(room, selection, more),
  renew: (selection, more) => renew(room, selection, more),
  shorten: (selection, ttlMs) => shorten(room, selection, ttlMs),
  narrow: (id, keep) => narrow(room, id, keep),
  transfer: (selection, to) => transfer(room, selection, to),
  want: (targets, more) => want(room, targets, more),
  check: (targets, more) => check(room, targets, more),
  list: (filter) => list(room, filter),
  overview: () => overview(room),
  all: () => allClaims(room),
  waitUntilClear: (targets, more) => waitUntilClear(room, targets, more),
  verify: (fence, targets) => {
    const asked = { fences: fencesOf(fence), targets: resolveTargets(room, targets) };
    const problems = asked.targets.map(({ text }) => ({
      target: text,
      problem: "nothing was ever claimed here",
    }));
    const nothing: FenceCheck = { ok: false, code: "FENCE_STALE", problems };
    return readClaims(room, nothing, (tx, at) => verifyIn(tx, at, room, asked));
  },
  whileHeld: async (fence, targets, act) => {
    // The work is done: it must not be lost because one claim on a folder covers many files of it.
    const all = resolveTargets(room, targets, Number.POSITIVE_INFINITY);
    const asked = { fences: fencesOf(fence), targets: all };
    return writeClaims(room, {}, async ({ tx, scope, now }) => {
      const held = await verifyIn(tx, { scope, now }, room, asked);
      if (!held.ok) return { ...held, ok: false as const };
      const value = act();
      // A server ends the turn of a process that sleeps too long; that must not pass as protected.
      await tx.get({ sql: "SELECT 1 AS alive" });
      return { ok: true as const, value };
    });
  },
  ask: (id, request) => ask(room, id, request),
  askFor: (target, request) => askFor(room, target, request),
  tell: (to, text, more) => tell(room, to, text, more),
  answer: (id, given, options) => answer(room, id, given, options),
  requests: () => requests(room),
  sweep: (more) => sweep(room, more),
});

/** For the holder alone: what is kept for a repeated call, in the log and in lists has none. */
const withSecrets = (result: ClaimResult, { id, proof }: Actor): ClaimResult => {
  const secret = result.ok ? proof?.secret?.() : undefined;
  if (!result.ok || secret === undefined) return result;
  const claims = result.claims.map((one) => (one.actor === id ? { ...one, secret } : one));
  return { ...result, claims };
};

const fencesOf = (fence: number | readonly number[]): readonly number[] => {
  const fences = typeof fence === "number" ? [fence] : fence;
  if (fences.length > 0 && fences.every((one) => Number.isSafeInteger(one) && one > 0))
    return fences;
  throw usage("a fence is a whole number above 0, as the grant gave it");
};

/** A store that is open already. */
export const openClaimsIn = (
  place: { readonly store: Store; readonly scope: Scope; readonly fences: FenceMark },
  options: Omit<OpenClaimsOptions, "open" | "look">,
): Claims => openClaims({ ...options, open: async () => place, look: async () => place });
