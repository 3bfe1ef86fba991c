import { describe, expect, it } from "vitest";
import { serveFolder } from "../helpers/served-folders.ts";
import {
  attack,
  type Combination,
  newScene,
  shapes,
  splitNames,
  tracedNames,
  ways,
} from "./hostile-branches.ts";

describe("B13 T-01 every name that the product opens as state, in every shape, by every way", () => {
  it(
    "T-01 runs nothing, writes nothing outside, believes nothing, and says so, without a server and with one",
    { timeout: 1_800_000 },
    async () => {
      const scene = await newScene();
      const parts = splitNames(tracedNames(scene));
      const all = ways.flatMap((way) => shapes.map((shape) => ({ way, shape })));
      let count = 0;
      const run = async (combinations: readonly Omit<Combination, "names">[]): Promise<void> => {
        for (const { way, shape } of combinations) {
          // Leaves and folders in turn; each shape meets both.
          const names = parts[(ways.indexOf(way) + shapes.indexOf(shape)) % parts.length]!;
          count += await attack(scene, { way, shape, names });
        }
      };
      // Without a server each hook is a process of its own, which takes four times as long.
      await run(all.filter((_, index) => index % 4 === 0));
      await serveFolder(scene.victim);
      await run(all.filter((_, index) => index % 4 !== 0));
      expect(
        count,
        `${count} combinations in ${all.length} scenes, ${parts.flat().length} names`,
      ).toBeGreaterThanOrEqual(500);
    },
  );
});
