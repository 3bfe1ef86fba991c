/** `npm run simulate -- --seeds N`: many runs of the simulator (docs/testing.md), or one with `--seed N`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { range, runSeeds } from "../test/simulation/run-seeds.ts";
import { type PlantedBug, plantedBugs } from "../test/simulation/world.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "500" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    bug: { type: "string" },
  },
});
const { seed, bug } = values;
if (bug !== undefined && !Object.hasOwn(plantedBugs, bug)) {
  throw new Error(`--bug is one of: ${Object.keys(plantedBugs).join(", ")}`);
}
const seeds =
  seed === undefined ? range(Number(values.from), Number(values.seeds)) : [Number(seed)];
const folder = mkdtempSync(join(tmpdir(), "headgate-simulate-"));
const faults = new Map<string, number>();
const points = new Set<string>();
let [simulatedMs, failed] = [0, 0];
try {
  for await (const report of runSeeds(folder, seeds, bug as PlantedBug | undefined)) {
    simulatedMs += report.simulatedMs;
    for (const [kind, count] of Object.entries(report.faults)) {
      faults.set(kind, (faults.get(kind) ?? 0) + count);
    }
    for (const point of report.points) points.add(point.replace(/ .* /, " "));
    if (report.failure !== undefined) {
      failed += 1;
      console.log(`seed ${report.seed}: ${report.failure}`);
      console.log(
        `  replay: npm run simulate -- --seed ${report.seed}${bug ? ` --bug ${bug}` : ""}`,
      );
      for (const line of report.history.slice(-12)) console.log(`  ${line}`);
    } else if (seed !== undefined) console.log(report.history.join("\n"));
    if (seed !== undefined) console.log(`digest ${report.digest}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const listed = [...faults].map(([kind, count]) => `${count} × ${kind}`).join(", ");
console.log(
  `${seeds.length} seeds, ${failed} failed; ${(simulatedMs / 3_600_000).toFixed(1)} simulated hours`,
);
console.log(`faults: ${listed}; processes died at ${points.size} different calls`);
process.exitCode = failed > 0 ? 1 : 0;
