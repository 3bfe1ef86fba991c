import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { bundleProgram } from "../helpers/bundled-program.ts";
import { git } from "../helpers/git-repository.ts";
import { type PlanText, statusOf, treeOf } from "../runs/scene.ts";
import type { RunsAnswer, RunsJob } from "./runs-worker.ts";

export interface Worked {
  readonly code: number | null;
  readonly signal: string | null;
  /** Absent when it was killed. */
  readonly answer?: RunsAnswer;
}

/** A process that goes on with a run. */
export const startWork = async (
  job: RunsJob,
): Promise<{ readonly child: ChildProcess; readonly ended: Promise<Worked> }> => {
  const { argv, env } = await bundleProgram(join(import.meta.dirname, "runs-worker.ts"));
  const [file, program] = argv;
  const child = spawn(file, [program, JSON.stringify(job)], {
    stdio: ["ignore", "pipe", "inherit"],
    env,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  const ended = once(child, "close").then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
    ...(out !== "" && { answer: JSON.parse(out) as RunsAnswer }),
  }));
  return { child, ended };
};

export const work = async (job: RunsJob): Promise<Worked> => (await startWork(job)).ended;

/** Every task is in the branch once, the files say so, and nothing is left lying about. */
export const expectWhole = (
  root: string,
  about: {
    readonly plans: readonly PlanText[];
    readonly tree: Record<string, string>;
    readonly label: string;
  },
): void => {
  const { plans, tree, label } = about;
  expect(treeOf(root), label).toEqual(tree);
  expect(statusOf(root), label).toBe("");
  const trailers = git(root, "log", "--format=%(trailers:key=Headgate-Task,valueonly)")
    .split("\n")
    .filter((line) => line !== "");
  const tasks = plans.reduce((count, plan) => count + plan.tasks.length, 0);
  expect(trailers.length, label).toBe(tasks);
  expect(new Set(trailers).size, label).toBe(tasks);
};
