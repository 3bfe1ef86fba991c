import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import type { Attempt } from "../helpers/claims-worker.ts";
import { startClaimsWorkers, workPlace } from "../helpers/run-claims-worker.ts";
import { backends, openScope } from "../helpers/store-backends.ts";

const rounds = 1000;

describe.each(backends)("races on $name", ({ place: newPlace }) => {
  it.each([2, 8, 32, 64])(
    "C-01 G1 G2 %i processes race for each of 1,000 targets: always exactly one winner",
    { timeout: 10 * 60_000 },
    async (count) => {
      const place = await newPlace();
      await openScope(place);
      const actors = Array.from({ length: count }, (_, index) => `racer-${index}`);
      const workers = await startClaimsWorkers(workPlace(place), actors);
      const fromMs = systemClock.monoMs() + 100;
      const runs = await Promise.all(
        workers.map((worker) =>
          worker.ask<Attempt[]>({ do: "race", rounds, fromMs, everyMs: Math.max(4, count) }),
        ),
      );
      expect(runs.map((attempts) => attempts?.length)).toEqual(actors.map(() => rounds));
      const attemptsOf = (round: number): Attempt[] => runs.map((attempts) => attempts![round]!);
      const all = Array.from({ length: rounds }, (_, round) => attemptsOf(round));
      const winners = all.map((attempts) => attempts.filter(([, , fence]) => fence !== null));
      expect(winners.filter((some) => some.length !== 1)).toEqual([]);
      const fences = winners.map(([winner]) => winner![2]!);
      expect(new Set(fences).size).toBe(rounds);
      // Without real collisions it would prove nothing: somebody else asked while the winner did.
      const isContested = (round: number): boolean => {
        const [from, to] = winners[round]![0]!;
        return all[round]!.filter((one) => one[0] <= to && one[1] >= from).length > 1;
      };
      const contested = all.filter((_, round) => isContested(round)).length;
      expect(contested).toBeGreaterThan(rounds / 10);
    },
  );
});
