/** Runs worlds one after the other over one store, each in a scope and a folder of its own. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../src/store/index.ts";
import { type PlantedBug, type RunReport, SimulatedClock, World } from "./world.ts";

export const stepsPerSeed = 40;

export const runSeeds = async function* (
  folder: string,
  seeds: Iterable<number>,
  bug?: PlantedBug,
): AsyncGenerator<RunReport> {
  const clock = new SimulatedClock();
  await using store = await openStore({
    ...{ address: join(folder, "store.db"), localDir: folder, clock },
  });
  for (const seed of seeds) {
    const place = join(folder, `seed-${seed}`);
    mkdirSync(place, { recursive: true });
    // The same run for the same seed, whatever ran before it.
    clock.reset();
    yield await new World(place, seed, { store, clock }, bug).run(seed, stepsPerSeed);
    rmSync(place, { recursive: true });
  }
};

export const range = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index);
