import type { SpawnOptions } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type LineWorker, startLineWorker } from "./line-worker.ts";

const program = fileURLToPath(new URL("../fault/state-worker.ts", import.meta.url));

/** A warmed-up state worker; `before` are words put before the command (prlimit, eatmydata). */
export const startStateWorker = async (
  options: { readonly before?: readonly string[]; readonly spawn?: SpawnOptions } = {},
): Promise<LineWorker> => {
  const warmUp = mkdtempSync(join(tmpdir(), "headgate-warm-up-"));
  const words = [...(options.before ?? []), process.execPath, program, warmUp];
  try {
    return await startLineWorker(words as [string, ...string[]], options.spawn);
  } finally {
    rmSync(warmUp, { recursive: true, force: true });
  }
};
