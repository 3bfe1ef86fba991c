/** A process that goes on with a run and kills itself on the way: `node runs-worker.ts JOB`. */
import { flushCompileCache } from "node:module";
import { openHeadgate } from "../../src/index.ts";
import type { RunStep } from "../../src/runs/index.ts";
import { steppingRuns } from "../runs/stepping.ts";

export interface RunsJob {
  readonly root: string;
  readonly run: string;
  /** Its claims live no longer than this without being renewed. */
  readonly claimTtlMs?: number;
  /** Dies when it comes to this step for the n-th time. */
  readonly killAt?: { readonly step: RunStep; readonly time: number };
}

export interface RunsAnswer {
  readonly state?: string;
  readonly code?: string | undefined;
  readonly message?: string;
  readonly told: readonly string[];
  readonly steps: Readonly<Record<string, number>>;
}

const job = JSON.parse(process.argv[2] ?? "{}") as RunsJob;
const headgate = await openHeadgate({ repo: job.root, actor: "ada" });
const counts = new Map<RunStep, number>();
const onStep = (step: RunStep): void => {
  counts.set(step, (counts.get(step) ?? 0) + 1);
  if (job.killAt?.step !== step || counts.get(step) !== job.killAt.time) return;
  flushCompileCache();
  process.kill(process.pid, "SIGKILL");
};
const runs = steppingRuns(headgate, onStep, job.claimTtlMs);
const told: string[] = [];
const end = await runs
  .execute({
    run: job.run,
    signal: new AbortController().signal,
    onProgress: ({ what }) => told.push(what),
  })
  .then(
    ({ run }) => ({ state: run.state }),
    (error: { code?: string; message: string }) => ({ code: error.code, message: error.message }),
  );
process.stdout.write(
  `${JSON.stringify({ ...end, told, steps: Object.fromEntries(counts) } satisfies RunsAnswer)}\n`,
);
await headgate.close();
