import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { systemFiles } from "../../src/base/files.ts";
import { ownIdentity } from "../../src/base/process-identity.ts";
import {
  type Actor,
  type Claim,
  type ClaimResult,
  type Claims,
  FenceMark,
  openClaimsIn,
  type OpenClaimsOptions,
  parseActor,
} from "../../src/claims/index.ts";
import type { Event, OpenStoreOptions, Scope, Store } from "../../src/store/index.ts";
import { openScope, type StorePlace } from "./store-backends.ts";

export interface ClaimsPlace {
  readonly store: Store;
  readonly scope: Scope;
  readonly fences: FenceMark;
  /** Where the fence mark lies. */
  readonly dir: string;
  /** This process, acting under that name. */
  as(actor: string | Actor, options?: Partial<OpenClaimsOptions>): Claims;
  events(kind?: string): Promise<readonly Event[]>;
}

/** Claims on a fresh connection to a place; several of them are like several processes. */
export const openClaimsAt = async (
  place: StorePlace,
  options: Partial<OpenStoreOptions> & { readonly dir?: string } = {},
): Promise<ClaimsPlace> => {
  const { dir = freshDir(), ...storeOptions } = options;
  const { store, scope } = await openScope(place, storeOptions);
  const fences = new FenceMark({
    files: systemFiles,
    dir,
    store: store.location,
    isShared: store.capabilities.shared,
    bootId: ownIdentity().bootId,
  });
  onTestFinished(() => fences.close());
  const clock = options.clock ?? systemClock;
  return {
    store,
    scope,
    fences,
    dir,
    as: (actor, more = {}) =>
      openClaimsIn(
        { store, scope, fences },
        {
          clock,
          ...more,
          actor:
            typeof actor === "string" ? { ...parseActor(actor), process: ownIdentity() } : actor,
        },
      ),
    events: async (kind = "*") => (await store.readEvents({ scope, kind, limit: 1000 })).events,
  };
};

export const freshDir = (): string => {
  const dir = mkdtempSync(join(tmpdir(), "headgate-claims-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
};

/** The only claim of a result that must be a grant. */
export const granted = (result: ClaimResult): Claim => {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result)}`);
  return result.claims[0]!;
};

export const refused = (result: ClaimResult): Extract<ClaimResult, { ok: false }> => {
  if (result.ok) throw new Error(`granted: ${JSON.stringify(result)}`);
  return result;
};

/** A clock that stands still until it is moved; wall and monotonic time move apart on request. */
export const movableClock = (): Clock & {
  forward(ms: number): void;
  jumpWall(ms: number): void;
} => {
  let mono = 1_000_000;
  let wall = Date.UTC(2026, 0, 1);
  return {
    ...systemClock,
    monoMs: () => mono,
    wallMs: () => wall,
    forward: (ms) => {
      mono += ms;
      wall += ms;
    },
    jumpWall: (ms) => {
      wall += ms;
    },
  };
};

/** Lets time pass for what is stored: by the clock where it is a port, by hand where it is the server's. */
export const timeFor = (
  place: StorePlace,
): { readonly clock: ReturnType<typeof movableClock>; pass(ms: number): Promise<void> } => {
  const clock = movableClock();
  return {
    clock,
    pass: async (ms) => {
      clock.forward(ms);
      if (place.backend !== "postgres") return;
      await place.sql(
        `UPDATE claims SET expires_at = expires_at - ${ms}, granted_at = granted_at - ${ms};
         UPDATE waiters SET expires_at = expires_at - ${ms}, queued_at = queued_at - ${ms},
           seen_at = seen_at - ${ms}, rank = rank - ${ms};
         UPDATE actors SET seen_at = seen_at - ${ms};`,
      );
    },
  };
};
