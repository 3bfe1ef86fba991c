import { describe, expect, it } from "vitest";
import { calibration, isTopRight, judgeTree, readTrees } from "../../eval/profile.ts";
import { allSignals } from "../../src/profile/signals/index.ts";

const judged = await Promise.all(readTrees().map(judgeTree));

describe("D-11 the labelled trees", () => {
  it("there are at least 60, with every domain among them", () => {
    const covered = new Set(judged.flatMap(({ tree }) => tree.domains));
    expect(judged.length).toBeGreaterThanOrEqual(60);
    expect(allSignals.filter(({ domain }) => !covered.has(domain))).toEqual([]);
  });

  it.each(judged.map((one) => [one.tree.name, one] as const))("%s", (_, one) => {
    expect(isTopRight(one), `came first: ${one.top}`).toBe(true);
    const { missed, extra, wrongPackages } = one;
    expect({ missed, extra, wrongPackages }).toEqual({ missed: [], extra: [], wrongPackages: [] });
  });

  it("what is called detected is right, what is called likely may not be", () => {
    const { bins } = calibration(judged);
    const overstated = bins.filter(
      ({ from, count, right }) => count > 0 && from >= 0.4 && right < from,
    );
    expect(overstated).toEqual([]);
  });
});
