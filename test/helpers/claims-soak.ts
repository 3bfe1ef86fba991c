/** One actor's random work with claims: so many calls. */
import { readdirSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { systemClock } from "../../src/base/clock.ts";
import type { Claim, Claims } from "../../src/claims/index.ts";
import { randomNumbers } from "./claims-history.ts";

export interface SoakOptions {
  readonly calls: number;
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
  readonly samples: readonly {
    readonly rssBytes: number;
    readonly heapBytes: number;
    readonly handles: number;
  }[];
}

export const soak = async (
  claims: Claims,
  { calls, seed, places }: SoakOptions,
): Promise<SoakReport> => {
  const random = randomNumbers(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const counts = { calls: 0, granted: 0, waited: 0, refused: 0 };
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

  while (counts.calls < calls) {
    // The first third is for warming up.
    if (counts.calls >= (calls * (sampleCount / 2 + samples.length)) / (sampleCount * 1.5))
      samples.push(sample());
    counts.calls += 1;
    await act(random());
    await systemClock.sleep(5 + below(20));
  }
  return { ...counts, samples };
};

/** Few, because each is a collection of everything; half of them are taken before the last third. */
const sampleCount = 6;

/** After a collection: what is left is what is still held. */
const sample = (): SoakReport["samples"][number] => {
  collect();
  const { rss, heapUsed } = process.memoryUsage();
  // The folder's own handle is among those listed.
  const handles = readdirSync("/proc/self/fd").length - 1;
  return { rssBytes: rss, heapBytes: heapUsed, handles };
};

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
