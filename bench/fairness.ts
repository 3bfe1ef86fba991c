/**
 * Do several processes get even shares of one SQLite file at full durability?
 * `node bench/fairness.ts [ways] [processes] [seconds]` prints one JSON line per way of waiting.
 * Ways are run one after the other on the same disk, so ratios between the lines are fair.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface FairnessResult {
  readonly way: string;
  readonly commitsPerSecond: number;
  /** Commits of the slowest process divided by those of the fastest. */
  readonly ratio: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly errors: number;
}

interface WorkerReport {
  commits: number;
  errors: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

export const measureFairness = async (options: {
  way: string;
  processes: number;
  seconds: number;
}): Promise<FairnessResult> => {
  const { way, processes, seconds } = options;
  const folder = await mkdtemp(join(tmpdir(), "headgate-fairness-"));
  try {
    // One worker first, so that creating the database is not part of the measurement.
    const workers: Worker[] = [await startWorker(way, folder, seconds)];
    for (let index = 1; index < processes; index += 1) {
      workers.push(await startWorker(way, folder, seconds));
    }
    for (const worker of workers) worker.go();
    const reports = await Promise.all(workers.map((worker) => worker.report));
    const commits = reports.map((report) => report.commits);
    return {
      way,
      commitsPerSecond: Math.round(commits.reduce((sum, count) => sum + count, 0) / seconds),
      ratio: round(Math.min(...commits) / Math.max(...commits)),
      p50Ms: round(Math.max(...reports.map((report) => report.p50Ms))),
      p99Ms: round(Math.max(...reports.map((report) => report.p99Ms))),
      maxMs: round(Math.max(...reports.map((report) => report.maxMs))),
      errors: reports.reduce((sum, report) => sum + report.errors, 0),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

interface Worker {
  go(): void;
  readonly report: Promise<WorkerReport>;
}

const startWorker = async (way: string, folder: string, seconds: number): Promise<Worker> => {
  const program = join(import.meta.dirname, "fairness-worker.ts");
  const child = spawn(process.execPath, [program, way, folder, String(seconds)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  if ((await lines.next()).value !== "ready") throw new Error(`${way}: the worker did not start`);
  return {
    go: () => child.stdin.end("go\n"),
    report: (async () => {
      const line = await lines.next();
      if (line.done) throw new Error(`${way}: a worker ended without a report`);
      return JSON.parse(line.value) as WorkerReport;
    })(),
  };
};

const round = (value: number) => Math.round(value * 100) / 100;

if (import.meta.main) {
  const [
    ways = "busy-timeout,jitter-sync,jitter-async,kernel-lock,wait-for-turn,store",
    processes = "8",
    seconds = "5",
  ] = process.argv.slice(2);
  for (const way of ways.split(",")) {
    const result = await measureFairness({
      way,
      processes: Number(processes),
      seconds: Number(seconds),
    });
    process.stdout.write(`${JSON.stringify(result)}\n`);
  }
}
