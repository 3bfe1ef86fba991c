/** Runs workers of one kind side by side on one store and tells how evenly they were served. */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { median } from "./harness.ts";

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

/** What each row is, and which hand-written loop its throughput is compared with. */
export type Row = readonly [way: string, baseline: string, what: string];

export interface Shares {
  readonly way: string;
  readonly what: string;
  readonly commitsPerSecond: number;
  readonly throughputRatio: number;
  readonly slowestToFastest: number;
  readonly longestWaitMs: number;
  readonly errors: number;
}

/** All rows in turn, round by round. */
export const compareShares = async (
  rows: readonly Row[],
  options: { readonly processes: number; readonly seconds: number; readonly rounds: number },
): Promise<Shares[]> => {
  const { processes, seconds, rounds } = options;
  const results = new Map<string, FairnessResult[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [way] of rows) {
      const result = await measureFairness({ way, processes, seconds });
      results.set(way, [...(results.get(way) ?? []), result]);
      process.stderr.write(`round ${round + 1} of ${rounds}: ${JSON.stringify(result)}\n`);
    }
  }
  const over = (way: string, pick: (one: FairnessResult) => number) => results.get(way)!.map(pick);
  return rows.map(([way, baseline, what]) => ({
    way,
    what,
    commitsPerSecond: median(over(way, (one) => one.commitsPerSecond)),
    throughputRatio: median(
      over(way, (one) => one.commitsPerSecond).map(
        (count, round) => count / results.get(baseline)![round]!.commitsPerSecond,
      ),
    ),
    // The worst round counts: a share or a wait that is only usually good is no promise.
    slowestToFastest: Math.min(...over(way, (one) => one.ratio)),
    longestWaitMs: Math.max(...over(way, (one) => one.maxMs)),
    errors: over(way, (one) => one.errors).reduce((sum, count) => sum + count, 0),
  }));
};

export const sharesHeader = [
  "transaction, waiting",
  "commits/s",
  "of by hand",
  "slowest/fastest",
  "longest wait",
  "errors",
];

export const sharesRows = (measured: readonly Shares[]): string[][] =>
  measured.map((one) => [
    one.what,
    String(one.commitsPerSecond),
    one.throughputRatio.toFixed(2),
    one.slowestToFastest.toFixed(2),
    `${Math.round(one.longestWaitMs)} ms`,
    String(one.errors),
  ]);
