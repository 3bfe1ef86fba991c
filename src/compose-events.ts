/** The log of one repository, as the commands see it: reading creates nothing. */
import type { Clock } from "./base/clock.ts";
import { systemFiles } from "./base/files.ts";
import { limits } from "./base/limits.ts";
import type { StoreHandles } from "./compose-store.ts";
import {
  type Event,
  type EventCheckpoint,
  type EventPage,
  type EventQuery,
  followEvents,
  type FollowOptions,
  loadCheckpoints,
  type NewEvent,
  pruneEvents,
  type Pruned,
  type Verification,
  verifyEvents,
} from "./store/index.ts";

/** The events of this repository. */
export interface EventLog {
  /** Empty while nothing was ever stored. */
  page(query?: Omit<EventQuery, "scope">): Promise<EventPage>;
  /** Everything after `since`, then each new event as it comes, until aborted. */
  follow(options: FollowOptions): AsyncIterable<Event>;
  verify(options?: { readonly head?: string }): Promise<Verification>;
  /** Goes on where an earlier call came to; `whole` says why it could not. Keeps how far it came. */
  verifyOnward(options?: {
    readonly head?: string;
  }): Promise<Verification & { readonly whole?: "first" | "unproven" | "unfit" }>;
  prune(options: { readonly keepDays: number } | { readonly beforeSeq: number }): Promise<Pruned>;
  append(event: NewEvent): Promise<void>;
}

export const eventLog = (
  handles: StoreHandles,
  {
    actor,
    clock,
    stateFolder,
  }: { readonly actor: string | undefined; readonly clock: Clock; readonly stateFolder: string },
): EventLog => ({
  page: async (query = {}) => {
    const place = await handles.look();
    if (place === undefined) return { events: [], cursor: 0, head: 0 };
    return place.store.readEvents({ ...query, scope: place.scope });
  },
  async *follow(options) {
    let place = await handles.look();
    while (place === undefined && !options.signal.aborted) {
      await clock.sleep(limits.eventPollMs, options.signal);
      place = await handles.look();
    }
    if (place !== undefined) yield* followEvents(place.store, place.scope, options);
  },
  verify: async (options = {}) => {
    const place = await handles.look();
    if (place === undefined) return nothingToVerify(options);
    return verifyEvents(place.store, place.scope, { ...options, clock });
  },
  verifyOnward: async (options = {}) => {
    const place = await handles.look();
    if (place === undefined) return nothingToVerify(options);
    const file = { dir: stateFolder, files: systemFiles };
    const { keepCheckpoint, readCheckpoint } = await loadCheckpoints();
    const known = readCheckpoint(file);
    const from = known === "unproven" ? undefined : known;
    const keep = (checkpoint: EventCheckpoint): void => keepCheckpoint(file, checkpoint);
    const { store, scope } = place;
    const result = await verifyEvents(store, scope, { ...options, clock, from, keep });
    if (result.ok && result.onwardFrom !== undefined) return result;
    return { ...result, whole: known === "unproven" ? known : from ? "unfit" : "first" };
  },
  prune: async (options) => {
    if ((await handles.look()) === undefined) return { count: 0, oldest: 0 };
    return pruneEvents(await handles.writer(), await handles.scope(), options);
  },
  append: async (event) => {
    const store = await handles.writer();
    const complete = actor === undefined ? event : { actor, ...event };
    await store.write({ scope: await handles.scope() }, async (tx) => {
      tx.emit(complete);
      return null;
    });
  },
});

const nothingToVerify = ({ head }: { readonly head?: string }): Verification =>
  head === undefined
    ? { ok: true, head: "", events: 0, prunedTo: 0 }
    : { ok: false, code: "EVENTS_TAMPERED", seq: 1, reason: "the whole log is missing" };
