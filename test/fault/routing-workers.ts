import { join } from "node:path";
import { onTestFinished } from "vitest";
import { bundleProgram } from "../helpers/bundled-program.ts";
import { startLineWorker } from "../helpers/line-worker.ts";
import type { RoutingCommand, RoutingJob } from "./routing-worker.ts";

export interface RoutingWorker {
  readonly pid: number;
  /** The value; undefined when the process ended instead. Throws when it answered with an error. */
  ask<T = unknown>(command: RoutingCommand): Promise<T | undefined>;
  kill(): Promise<void>;
}

export const startRoutingWorker = async ({
  address,
  localDir,
  key,
}: RoutingJob): Promise<RoutingWorker> => {
  const { argv, env } = await bundleProgram(join(import.meta.dirname, "routing-worker.ts"));
  const worker = await startLineWorker([...argv, JSON.stringify({ address, localDir, key })], {
    env,
  });
  onTestFinished(() => worker.end());
  return {
    pid: worker.pid,
    ask: async <T>(command: RoutingCommand) => {
      const answer = (await worker.ask(command)) as
        | { ok: boolean; value?: T; code?: string; message?: string }
        | undefined;
      if (answer === undefined) return undefined;
      if (!answer.ok) throw new Error(`${answer.code ?? ""}: ${answer.message ?? ""}`);
      return answer.value;
    },
    kill: () => worker.end("SIGKILL"),
  };
};
