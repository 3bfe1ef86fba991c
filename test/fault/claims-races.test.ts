import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import type { Attempt } from "../helpers/claims-worker.ts";
import { openWriteLock } from "../helpers/hold-writes.ts";
import { countRounds } from "../helpers/rounds.ts";
import { startClaimsWorkers, workPlace } from "../helpers/run-claims-worker.ts";
import { backends, openScope } from "../helpers/store-backends.ts";

const crowds = [2, 8, 32, 64];

/** Every round is a collision of all, so large crowds need fewer for as many attempts. */
const fullRounds = (count: number): number => Math.min(1_000, 16_000 / count);
const quickRounds = (count: number): number => Math.min(50, 512 / count);

describe.each(backends)("races on $name", ({ name, place: newPlace }) => {
  it(
    `C-01 G1 G2 ${crowds.join(", ")} processes race for each target: always exactly one winner`,
    { timeout: 2 * 60 * 60_000 },
    async () => {
      const place = await newPlace();
      const { scope } = await openScope(place);
      const writes = await openWriteLock(place, scope);
      const actors = Array.from({ length: Math.max(...crowds) }, (_, index) => `racer-${index}`);
      const everyone = await startClaimsWorkers(workPlace(place), actors);
      const fences = new Set<number>();
      let round = 0;
      for (const count of crowds) {
        const racers = everyone.slice(0, count);
        const what = `races of ${count} processes on ${name}`;
        const end = round + countRounds(what, fullRounds(count), quickRounds(count));
        for (; round < end; round += 1) {
          // None can be served before all of them have asked: every round is a collision of all.
          await writes.take();
          await Promise.all(racers.map((racer) => racer.ask({ do: "race", round })));
          const released = systemClock.monoMs();
          await writes.release();
          const asked = racers.map((racer) => racer.ask<Attempt>({ do: "finish" }));
          const attempts = (await Promise.all(asked)).map((attempt) => attempt!);
          const winners = attempts.filter(([, , fence]) => fence !== null);
          expect(winners, `round ${round}`).toHaveLength(1);
          fences.add(winners[0]![2]!);
          const collided = attempts.filter(([from, to]) => from <= released && to >= released);
          expect(collided, `round ${round}`).toHaveLength(count);
        }
      }
      expect(fences.size).toBe(round);
    },
  );
});
