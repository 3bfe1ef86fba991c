import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleProgram } from "./bundled-program.ts";
import { type LineWorker, startLineWorker } from "./line-worker.ts";

const source = fileURLToPath(new URL("../fault/state-worker.ts", import.meta.url));

/** Starts warmed-up state workers; built once per test file. */
export interface StateWorkers {
  /** `before` are words put before the command: prlimit, eatmydata. */
  start(before?: readonly string[]): Promise<LineWorker>;
  remove(): void;
}

export const buildStateWorkers = async (): Promise<StateWorkers> => {
  const program = await bundleProgram(source);
  return {
    start: async (before = []) => {
      const warmUp = mkdtempSync(join(tmpdir(), "headgate-warm-up-"));
      const words = [...before, process.execPath, program.path, warmUp];
      try {
        return await startLineWorker(words as [string, ...string[]], { env: program.env });
      } finally {
        rmSync(warmUp, { recursive: true, force: true });
      }
    },
    remove: program.remove,
  };
};
