import { describe, expect, it } from "vitest";
import { countRounds } from "../helpers/rounds.ts";
import { drawing } from "../helpers/seed.ts";
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
      await drawing(async (seed) => {
        const scene = await newScene();
        const parts = splitNames(tracedNames(scene));
        // A turn is every way with one shape each, and every shape: all turns are every way with every shape.
        const turns = countRounds("turns of hostile branches", shapes.length, 4);
        const scenes = Array.from({ length: turns }, (_, turn) =>
          ways.map((way, at) => ({ way, shape: shapes[(at + turn + seed) % shapes.length]! })),
        ).flat();
        let count = 0;
        const run = async (chosen: readonly Omit<Combination, "names">[]): Promise<void> => {
          for (const { way, shape } of chosen) {
            // Leaves and folders in turn; each shape meets both.
            const names = parts[(ways.indexOf(way) + shapes.indexOf(shape)) % parts.length]!;
            count += await attack(scene, { way, shape, names });
          }
        };
        // Without a server each hook is a process of its own, which takes four times as long.
        await run(scenes.filter((_, index) => index % 4 === 0));
        await serveFolder(scene.victim);
        await run(scenes.filter((_, index) => index % 4 !== 0));
        const what = `${count} combinations in ${scenes.length} scenes, ${parts.flat().length} names`;
        expect(count, what).toBeGreaterThanOrEqual(500);
      });
    },
  );
});
