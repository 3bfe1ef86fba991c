import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleProgram } from "./bundled-program.ts";
import { type LineWorker, startLineWorker } from "./line-worker.ts";

const source = join(import.meta.dirname, "../fault/state-worker.ts");

/** Starts a warmed-up state worker; `before` are words put before the command: prlimit, eatmydata. */
export const startStateWorker = async (before: readonly string[] = []): Promise<LineWorker> => {
  const { argv, env } = await bundleProgram(source);
  const warmUp = mkdtempSync(join(tmpdir(), "headgate-warm-up-"));
  const words = [...before, ...argv, warmUp];
  try {
    return await startLineWorker(words as [string, ...string[]], { env });
  } finally {
    rmSync(warmUp, { recursive: true, force: true });
  }
};
