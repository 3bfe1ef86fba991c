import { join } from "node:path";
import { onTestFinished } from "vitest";
import { bundleProgram } from "../helpers/bundled-program.ts";
import { startLineWorker } from "../helpers/line-worker.ts";
import type { EditCommand, EditJob } from "./edit-worker.ts";

export interface EditWorker {
  readonly pid: number;
  /** The value; undefined when the process ended instead. Throws when it answered with an error. */
  ask<T = unknown>(command: EditCommand): Promise<T | undefined>;
  kill(): Promise<void>;
}

export const startEditWorker = async ({ address, localDir }: EditJob): Promise<EditWorker> => {
  const { argv, env } = await bundleProgram(join(import.meta.dirname, "edit-worker.ts"));
  const worker = await startLineWorker([...argv, JSON.stringify({ address, localDir })], { env });
  onTestFinished(() => worker.end());
  return {
    pid: worker.pid,
    ask: async <T>(command: EditCommand) => {
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
