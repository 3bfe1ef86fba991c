/** What every operation of this room works with. */
import type { Clock } from "../base/clock.ts";
import type { IdSource } from "../base/ids.ts";
import type { Json } from "../base/json.ts";
import { HeadgateError } from "../errors.ts";
import type { Reader, Scope, Store, StoreTime } from "../store/index.ts";
import { BlockUsedUp, type FenceMark } from "./fence-mark.ts";
import { Ledger, type Wanted } from "./ledger.ts";
import type { Target } from "./targets/target.ts";
import { sendTidings } from "./tidings.ts";
import type { Actor, Rescue, TargetInput } from "./types.ts";
import { serveWishes } from "./wishes.ts";

export interface Room {
  readonly actor: Actor;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Opens the store for writing, creating it first. */
  open(): Promise<{ readonly store: Store; readonly scope: Scope; readonly fences: FenceMark }>;
  /** For looking: undefined while nothing was ever stored. */
  look(): Promise<{ readonly store: Store; readonly scope: Scope } | undefined>;
  /** What a caller's target means in this repository. */
  resolve(target: TargetInput): Target;
  /** Saves the dirty files of a dead holder; undefined where there is nothing to save. */
  rescue(claim: {
    readonly id: string;
    readonly target: Target;
    readonly actor: string;
  }): Promise<Saved | undefined>;
}

export type Saved = Pick<Rescue, "ref" | "files" | "skipped">;

/** One write transaction on the scope's claims. */
export const writeClaims = async <T>(
  room: Room,
  options: Wanted & { readonly key?: string | undefined },
  work: (ledger: Ledger) => Promise<T>,
): Promise<T> => {
  const { store, scope, fences } = await room.open();
  const ports = { scope, ids: room.ids, fences };
  const { key, ...wanted } = options;
  // What a transaction took before it came to the end of a block is lost, so the next one must be larger.
  for (let blocks = 1; ; blocks *= 2) {
    try {
      const result = await store.write({ scope, ...(key !== undefined && { key }) }, async (tx) => {
        const ledger = await Ledger.open(tx, ports, wanted);
        const answer = await work(ledger);
        await serveWishes(ledger);
        await sendTidings(ledger, room.ids);
        // Kept under the key as JSON; all results of this room are plain data.
        return answer as Json;
      });
      return result as T;
    } catch (error) {
      const cause = HeadgateError.isInstance(error) ? error.cause : error;
      if (!(cause instanceof BlockUsedUp)) throw error;
      // Nothing was committed. The block is made durable without holding up other writers.
      await fences.reserve(cause.fence, blocks);
    }
  }
};

/** A consistent look; `nothing` while nothing was ever stored. */
export const readClaims = async <T>(
  room: Room,
  nothing: T,
  work: (tx: Reader, at: { readonly scope: Scope; readonly now: StoreTime }) => Promise<T>,
): Promise<T> => {
  const place = await room.look();
  if (place === undefined) return nothing;
  const { store, scope } = place;
  return store.read(async (tx) => work(tx, { scope, now: await tx.now() }));
};
