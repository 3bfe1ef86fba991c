import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Claims } from "../../src/claims/index.ts";
import type { FaultCommand, FaultJob, Self } from "./claims-fault-worker.ts";
import { bundleProgram } from "./bundled-program.ts";
import { type LineWorker, startLineWorker } from "./line-worker.ts";

type Method = Exclude<keyof Claims, "actor" | "as">;
type Call = Extract<FaultCommand, { do: "call" }>;

export type FaultAnswer<T = unknown> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly name: string;
      readonly message: string;
      readonly code?: string;
      readonly data?: { readonly key?: string };
    };

export interface FaultWorker {
  readonly worker: LineWorker;
  /** The answer; undefined when the process ended instead. */
  ask<M extends Method>(
    method: M,
    args: Parameters<Claims[M]>,
    killAt?: Call["killAt"],
  ): Promise<FaultAnswer<Awaited<ReturnType<Claims[M]>>> | undefined>;
  /** The value of a call that must work. */
  call<M extends Method>(
    method: M,
    ...args: Parameters<Claims[M]>
  ): Promise<Awaited<ReturnType<Claims[M]>>>;
  command<T>(command: FaultCommand): Promise<T>;
  self(): Promise<Self>;
  kill(): Promise<void>;
}

/** `wrap` puts another program (strace, prlimit, unshare) in front of it. */
export const startFaultWorker = async (
  job: FaultJob,
  options: {
    readonly wrap?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<FaultWorker> => {
  const program = await bundleProgram(join(import.meta.dirname, "claims-fault-worker.ts"));
  const { address, localDir, actor, waitMs } = job;
  const text = JSON.stringify({ address, localDir, actor, waitMs });
  const argv = [...(options.wrap ?? []), ...program.argv, text];
  const env = { ...program.env, ...options.env };
  const worker = await startLineWorker(argv as [string, ...string[]], { env });
  onTestFinished(() => worker.end());
  const ask = async (command: FaultCommand) =>
    (await worker.ask(command)) as FaultAnswer<never> | undefined;
  const command = async <T>(one: FaultCommand): Promise<T> => {
    const answer = await ask(one);
    if (answer === undefined) throw new Error(`${actor} ended`);
    if (!answer.ok) throw new Error(`${actor}: ${answer.code ?? answer.name}: ${answer.message}`);
    return answer.value;
  };
  return {
    worker,
    ask: (method, args, killAt) => ask({ do: "call", method, args, ...(killAt && { killAt }) }),
    call: (method, ...args) => command({ do: "call", method, args }),
    command,
    self: () => command({ do: "self" }),
    kill: () => worker.end("SIGKILL"),
  };
};
