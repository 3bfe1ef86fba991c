import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take minutes; begun last, they would keep one core busy when all others are done. */
const longest = [
  "claims-model",
  "routing-kill",
  "claims-races",
  "routing-races",
  "runs-crash",
  "runners",
  "claims-histories",
  "refusals",
  "contention",
  "state-power-cut",
  "state-kills",
  "claims-soak",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((name) => moduleId.includes(`/${name}.`));
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/helpers/global-setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores: more workers only make timings noisy.
    maxWorkers: 2,
    pool: "forks",
    reporters: ["default"],
    sequence: { sequencer: LongestFirst },
  },
});
