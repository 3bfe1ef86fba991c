import { describe, expect, it } from "vitest";
import { countRounds } from "../helpers/rounds.ts";
import { drawing } from "../helpers/seed.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { range, runSeeds } from "./run-seeds.ts";
import { type PlantedBug, plantedBugs, type RunReport } from "./world.ts";

const runAll = async (seeds: readonly number[], bug?: PlantedBug): Promise<RunReport[]> => {
  const reports: RunReport[] = [];
  for await (const report of runSeeds(temporaryFolder(), seeds, bug)) reports.push(report);
  return reports;
};

const explain = ({ seed, failure, history }: RunReport): string =>
  [
    `seed ${seed}: ${failure}`,
    `replay: npm run simulate -- --seed ${seed}`,
    ...history.slice(-12),
  ].join("\n");

describe("the simulator", () => {
  it("P-05 G15 G16 after every fault ordinary commands find all or nothing, and everything ends", () =>
    drawing(async (seed) => {
      const reports = await runAll(
        range(seed % 1_000_000_000, countRounds("seeds of the simulator", 10_000, 60)),
      );
      expect(reports.flatMap((one) => (one.failure === undefined ? [] : explain(one)))).toEqual([]);
      const kinds = new Set(reports.flatMap(({ faults }) => Object.keys(faults)));
      expect([...kinds].toSorted()).toEqual(
        ["EIO", "ENOSPC", "clock jump", "kill", "moved", "power cut"].toSorted(),
      );
    }));

  it("the same seed is the same run, whatever ran before it", async () => {
    const [alone] = await runAll([7]);
    const [, later] = await runAll([3, 7]);
    expect(later?.history).toEqual(alone?.history);
    expect(later?.digest).toBe(alone?.digest);
  });

  it.each(Object.keys(plantedBugs) as PlantedBug[])("finds the planted bug %s", async (bug) => {
    let found: string | undefined;
    for await (const { failure } of runSeeds(temporaryFolder(), range(1, 60), bug)) {
      found = failure;
      if (found !== undefined) break;
    }
    expect(found, plantedBugs[bug]).toBeDefined();
  });
});
