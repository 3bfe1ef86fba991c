import { spawn } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { bundleProgram } from "./bundled-program.ts";
import type { StoreJob } from "./store-worker.ts";

export interface WorkerLine {
  readonly started?: number;
  readonly opened?: boolean;
  readonly ack?: string;
  readonly code?: string;
  readonly key?: string;
  readonly won?: number;
  readonly failed?: string;
  readonly done?: boolean;
  readonly state?: string;
}

export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly lines: readonly WorkerLine[];
}

/** Starts a worker process; `wrap` puts another program (strace, prlimit) in front of it. */
export const runStoreWorker = async (
  job: StoreJob,
  options: {
    readonly wrap?: readonly string[];
    /** Called for each line; may kill the process. */
    readonly onLine?: (line: WorkerLine, kill: () => void) => void;
  } = {},
): Promise<WorkerEnd> => {
  const program = await bundleProgram(join(import.meta.dirname, "store-worker.ts"));
  const argv = [...(options.wrap ?? []), ...program.argv, JSON.stringify(job)];
  const { env } = program;
  const child = spawn(argv[0]!, argv.slice(1), { stdio: ["ignore", "pipe", "inherit"], env });
  onTestFinished(() => void child.kill("SIGKILL"));
  return new Promise((resolve, reject) => {
    const lines: WorkerLine[] = [];
    let rest = "";
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (text: string) => {
      const parts = (rest + text).split("\n");
      rest = parts.pop() ?? "";
      for (const part of parts) {
        const line = JSON.parse(part) as WorkerLine;
        lines.push(line);
        options.onLine?.(line, () => child.kill("SIGKILL"));
      }
    });
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, lines }));
  });
};
