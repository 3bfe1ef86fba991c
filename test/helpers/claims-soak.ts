/** One actor's random work with claims, for as long as it is told. */
import { readdirSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { systemClock } from "../../src/base/clock.ts";
import type { Claim, Claims } from "../../src/claims/index.ts";
import { HeadgateError } from "../../src/errors.ts";
import { randomNumbers } from "./claims-history.ts";

export interface SoakOptions {
  readonly forMs: number;
  /** Goes on until so many calls are made, where the machine is slow; ten times as long at most. */
  readonly callsMin: number;
  readonly seed: number;
  /** Names that all actors claim from. */
  readonly places: number;
}

export interface SoakReport {
  readonly calls: number;
  readonly granted: number;
  /** Granted after waiting in line. */
  readonly waited: number;
  readonly refused: number;
  /** Told that the store was busy; on a machine that does other things as well that may be. */
  readonly busy: number;
  readonly samples: readonly {
    readonly atMs: number;
    readonly rssBytes: number;
    readonly heapBytes: number;
    readonly handles: number;
  }[];
}

export const soak = async (
  claims: Claims,
  { forMs, callsMin, seed, places }: SoakOptions,
): Promise<SoakReport> => {
  const random = randomNumbers(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const startMs = systemClock.monoMs();
  const counts = { calls: 0, granted: 0, waited: 0, refused: 0, busy: 0 };
  const samples: SoakReport["samples"][number][] = [];
  let held: Claim[] = [];

  const claimSome = async (): Promise<void> => {
    const first = below(places);
    const targets = Array.from(
      { length: 1 + below(3) },
      (_, next) => `d${(first + next) % places}`,
    );
    const result = await claims.claim({
      targets,
      mode: random() < 0.3 ? "shared" : "exclusive",
      ttlMs: 1_000 + below(3_000),
      reason: `round ${counts.calls}`,
      ...(random() < 0.4 && { waitMs: 100 + below(400), priority: below(5) - 2 }),
    });
    if (!result.ok) {
      counts.refused += 1;
      return;
    }
    counts.granted += 1;
    if (result.waitedMs !== undefined) counts.waited += 1;
    held = [...held, ...result.claims].slice(-8);
  };
  const letGo = async (): Promise<void> => {
    const isAll = random() < 0.4;
    const gone = held.splice(isAll ? 0 : below(held.length), isAll ? held.length : 1);
    await claims.release(isAll ? { all: true } : { claims: gone.map(({ id }) => id) });
  };
  const look = async (): Promise<void> => {
    const [one] = held;
    if (one) await claims.verify(one.fence, [one.target]);
    if (random() < 0.1) await claims.list({ limit: 100 });
    if (random() < 0.02) await claims.sweep();
  };

  const act = async (dice: number): Promise<void> => {
    if (dice < 0.5) await claimSome();
    else if (dice < 0.6) await claims.renew({ all: true });
    else if (dice < 0.9 && held.length > 0) await letGo();
    else await look();
  };

  for (;;) {
    const atMs = systemClock.monoMs() - startMs;
    const due = samples.length === 0 || atMs - samples.at(-1)!.atMs > forMs / sampleCount;
    const isOver = atMs > forMs && (counts.calls >= callsMin || atMs > 10 * forMs);
    if (due || isOver) samples.push(sample(atMs));
    if (isOver) return { ...counts, samples };
    counts.calls += 1;
    try {
      await act(random());
    } catch (error) {
      if (!HeadgateError.isInstance(error) || error.code !== "STORE_BUSY") throw error;
      counts.busy += 1;
    }
    await systemClock.sleep(5 + below(20));
  }
};

const sampleCount = 24;

/** After a collection: what is left is what is still held. */
const sample = (atMs: number): SoakReport["samples"][number] => {
  collect();
  const { rss, heapUsed } = process.memoryUsage();
  // The folder's own handle is among those listed.
  const handles = readdirSync("/proc/self/fd").length - 1;
  return { atMs, rssBytes: rss, heapBytes: heapUsed, handles };
};

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
