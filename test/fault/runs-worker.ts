/** A process that goes on with a run and kills itself on the way: `node runs-worker.ts JOB`. */
import { flushCompileCache } from "node:module";
import { openHeadgate } from "../../src/index.ts";
import type { RunStep } from "../../src/runs/index.ts";
import { steppingRuns } from "../runs/stepping.ts";

export interface RunsJob {
  readonly root: string;
  readonly run: string;
  /** Dies when it comes to this step for the n-th time. */
  readonly killAt?: { readonly step: RunStep; readonly time: number };
}

const job = JSON.parse(process.argv[2] ?? "{}") as RunsJob;
const headgate = await openHeadgate({ repo: job.root, actor: "ada" });
const counts = new Map<RunStep, number>();
const runs = steppingRuns(headgate, (step) => {
  counts.set(step, (counts.get(step) ?? 0) + 1);
  if (job.killAt?.step !== step || counts.get(step) !== job.killAt.time) return;
  flushCompileCache();
  process.kill(process.pid, "SIGKILL");
});
const { run } = await runs.execute({ run: job.run, signal: new AbortController().signal });
process.stdout.write(
  `${JSON.stringify({ state: run.state, steps: Object.fromEntries(counts) })}\n`,
);
await headgate.close();
