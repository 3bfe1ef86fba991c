import { describe, expect, it } from "vitest";
import type { Attempt } from "../helpers/claims-worker.ts";
import { startClaimsWorkers, workPlace } from "../helpers/run-claims-worker.ts";
import { backends, openScope } from "../helpers/store-backends.ts";

/**
 * Many processes on few cores take long to gather for each round, so crowds race for fewer rounds unless
 * HEADGATE_RACE_ROUNDS asks for more (1000 is the full proof) or less.
 */
const roundsOf = (count: number): number =>
  Number(process.env["HEADGATE_RACE_ROUNDS"] ?? (count > 2 ? 3200 / count : 1000));

describe.each(backends)("races on $name", ({ place: newPlace }) => {
  it.each([2, 8, 32, 64])(
    "C-01 G1 G2 %i processes race for each target: always exactly one winner",
    { timeout: 20 * 60_000 },
    async (count) => {
      const rounds = roundsOf(count);
      const place = await newPlace();
      await openScope(place);
      const actors = Array.from({ length: count }, (_, index) => `racer-${index}`);
      const workers = await startClaimsWorkers(workPlace(place), actors);
      const fences = new Set<number>();
      let contested = 0;
      for (let round = 0; round < rounds; round += 1) {
        // All of them have answered the round before: they start together, and each asks every time.
        const asked = workers.map((worker) => worker.ask<Attempt>({ do: "race", round }));
        const attempts = (await Promise.all(asked)).map((attempt) => attempt!);
        const winners = attempts.filter(([, , fence]) => fence !== null);
        expect(winners, `round ${round}`).toHaveLength(1);
        const [from, to, fence] = winners[0]!;
        fences.add(fence!);
        if (attempts.filter((other) => other[0] <= to && other[1] >= from).length > 1)
          contested += 1;
      }
      expect(fences.size).toBe(rounds);
      // Without real collisions it would prove nothing: somebody else asked while the winner did.
      expect(contested).toBeGreaterThan(rounds / 10);
    },
  );
});
