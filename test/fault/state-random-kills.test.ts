import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { recoverState } from "../../src/state/index.ts";
import { bundleProgram } from "../helpers/bundled-program.ts";
import { describeWith } from "../helpers/not-run.ts";
import { startLineWorker } from "../helpers/line-worker.ts";
import { countRounds } from "../helpers/rounds.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { temporariesIn } from "./state-operations.ts";

const source = join(import.meta.dirname, "state-counter.ts");
const lanes = 2;
const killsPerLane = Math.ceil(countRounds("kills of a writer of state", 500) / lanes);

describeWith({ platforms: ["linux", "darwin"] }, "state: kills at random instants", () => {
  it(
    `S-01 S-02 a counter survives ${lanes * killsPerLane} kills without losing an update`,
    { timeout: 300_000 },
    async () => {
      const program = await bundleProgram(source);
      const scratch = temporaryFolder();
      const runLane = async (lane: number): Promise<{ left: number; torn: number }> => {
        const folder = temporaryFolder();
        const file = put(join(folder, "state.json"), '{"count":0}');
        const seen = { left: 0, torn: 0 };
        let known = 0;
        const start = () =>
          startLineWorker([...program.argv, file, join(scratch, `${lane}.json`)], {
            env: program.env,
          });
        // Some kills must have hit the middle of a write, or the test shows nothing: until then it goes on.
        for (let kill = 0; kill < killsPerLane || seen.left === 0; kill += 1) {
          const worker = await start();
          const acknowledged: number[] = [];
          worker.process.stdout!.on("data", (chunk: Buffer) => {
            acknowledged.push(...chunk.toString().trim().split("\n").map(Number));
          });
          worker.process.stdin!.write("go\n");
          // One to ten milliseconds, in steps of a fraction of one update.
          await sleep(1 + ((kill * 37 + lane * 11) % 90) / 10);
          await worker.end();
          known = acknowledged.at(-1) ?? known;
          // The file itself must be whole even before anything is recovered.
          const { count } = JSON.parse(readFileSync(file, "utf8")) as { count: number };
          expect([known, known + 1]).toContain(count);
          seen.left += temporariesIn(folder).length;
          const report = await recoverState([folder]);
          expect(report.failures).toEqual([]);
          seen.torn += report.temporaries.filter((one) => !one.isComplete).length;
          expect(temporariesIn(folder)).toEqual([]);
          const after = JSON.parse(readFileSync(file, "utf8")) as { count: number };
          // A promoted temporary is the update that was under way.
          expect([known, known + 1]).toContain(after.count);
          known = after.count;
        }
        return seen;
      };
      const seen = await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane)));
      expect(Math.min(...seen.map(({ left }) => left))).toBeGreaterThan(0);
    },
  );
});
