/**
 * When something ends, as it is stored. Where the store's time has a boot (SQLite), monotonic time
 * decides within that boot, so that jumps of the wall clock neither end nor extend anything (G4).
 */
import type { StoreTime } from "../store/index.ts";

export interface Deadline {
  readonly expires_at: number;
  readonly expires_mono: number | null;
  readonly expires_boot: string | null;
}

/** Rounded up: what is granted lasts at least that long. */
export const deadlineAfter = (now: StoreTime, ms: number): Deadline => ({
  expires_at: Math.ceil(now.wallMs + ms),
  expires_mono: now.monoMs === undefined ? null : Math.ceil(now.monoMs + ms),
  expires_boot: now.bootId ?? null,
});

/** Negative when it is over. `spanMs` is how long it was meant to last at most. */
export const remainingMs = (deadline: Deadline, now: StoreTime, spanMs: number): number => {
  const { expires_at, expires_mono, expires_boot } = deadline;
  if (expires_mono !== null && now.monoMs !== undefined && expires_boot === now.bootId) {
    return expires_mono - now.monoMs;
  }
  const left = expires_at - now.wallMs;
  // Of an earlier boot: nobody who held it runs any more, and more than the whole span cannot be left
  // unless the clock was put back.
  return expires_boot !== null && left > spanMs ? 0 : left;
};

export const isOver = (deadline: Deadline, now: StoreTime, spanMs: number): boolean =>
  remainingMs(deadline, now, spanMs) <= 0;

/** When it ends, told in today's wall clock: as it was stored, unless the clock jumped since. */
export const endWallMs = (deadline: Deadline, now: StoreTime, spanMs: number): number => {
  const wallMs = Math.floor(now.wallMs + remainingMs(deadline, now, spanMs));
  const isAsStored = Math.abs(wallMs - deadline.expires_at) < jumpMsMin;
  return isAsStored ? deadline.expires_at : wallMs;
};

/** Two clocks read one after the other differ by less. */
const jumpMsMin = 1_000;

/** A sign of life, as it is stored. */
export interface Seen {
  readonly seen_at: number;
  readonly seen_mono: number | null;
  readonly seen_boot: string | null;
}

export const seenNow = (now: StoreTime): Seen => ({
  seen_at: Math.round(now.wallMs),
  seen_mono: now.monoMs === undefined ? null : Math.round(now.monoMs),
  seen_boot: now.bootId ?? null,
});

export const agoMs = (seen: Seen, now: StoreTime): number =>
  seen.seen_mono !== null && now.monoMs !== undefined && seen.seen_boot === now.bootId
    ? now.monoMs - seen.seen_mono
    : now.wallMs - seen.seen_at;
