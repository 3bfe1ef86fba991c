import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import type { StoreStep } from "../../src/store/index.ts";
import type { Call, ClaimsOperation, Outcome } from "./claims-model.ts";
import type { ClaimsCommand } from "./claims-worker.ts";
import { bundleProgram } from "./bundled-program.ts";
import { type LineWorker, startLineWorker } from "./line-worker.ts";
import type { StorePlace } from "./store-backends.ts";

/** Where all workers of a test meet. */
export interface WorkPlace {
  readonly address: string;
  /** One machine's folder for one repository: the fence mark lies there. */
  readonly localDir: string;
  readonly offsetMs: number;
}

export const workPlace = (place: StorePlace): WorkPlace => {
  const localDir = mkdtempSync(join(tmpdir(), "headgate-claims-"));
  onTestFinished(() => rmSync(localDir, { recursive: true, force: true }));
  return { address: place.address, localDir, offsetMs: clockOffsetMs() };
};

export const clockOffsetMs = (): number => systemClock.wallMs() - systemClock.monoMs();

export class ClaimsWorker {
  readonly actor: string;
  readonly process: LineWorker;

  private constructor(actor: string, worker: LineWorker) {
    this.actor = actor;
    this.process = worker;
  }

  static async start(place: WorkPlace, actor: string): Promise<ClaimsWorker> {
    const { argv, env } = await bundleProgram(join(import.meta.dirname, "claims-worker.ts"));
    const job = JSON.stringify({ ...place, actor });
    const worker = await startLineWorker([...argv, job], { env });
    return new ClaimsWorker(actor, worker);
  }

  /** Undefined when the process ended instead of answering. */
  async ask<T>(command: ClaimsCommand): Promise<T | undefined> {
    const answer = await this.process.ask(command);
    if (answer === undefined) return undefined;
    if (!answer.ok) throw new Error(`${this.actor}: ${answer.name}: ${answer.message}`);
    return (answer as unknown as { value: T }).value;
  }

  /** One call as this worker's actor. */
  async call(
    call: CallOf,
    stopAt?: StoreStep,
  ): Promise<ClaimsOperation & { readonly outcome: Outcome }> {
    const whole = { actor: this.actor, ...call } as Call;
    const done = await this.ask<{ outcome: Outcome; from: number; to: number }>({
      do: "call",
      call: whole,
      stopAt,
    });
    if (done === undefined) throw new Error(`${this.actor} ended`);
    return { client: this.actor, call: whole, ...done };
  }

  /** Waits until the process is stopped (state T of proc(5)). */
  async hasStopped(): Promise<void> {
    const state = () => /\) (\S)/.exec(readFileSync(`/proc/${this.process.pid}/stat`, "utf8"))?.[1];
    while (state() !== "T") await systemClock.sleep(5);
  }

  stop(): void {
    this.process.process.kill("SIGSTOP");
  }

  resume(): void {
    this.process.process.kill("SIGCONT");
  }

  end(signal?: NodeJS.Signals): Promise<void> {
    return this.process.end(signal);
  }
}

type CallOf = Call extends infer One ? (One extends unknown ? Omit<One, "actor"> : never) : never;

/** Starts all of them; whatever is left when the test ends is killed. */
export const startClaimsWorkers = async (
  place: WorkPlace,
  actors: readonly string[],
): Promise<ClaimsWorker[]> => {
  const workers: ClaimsWorker[] = [];
  onTestFinished(async () => {
    await Promise.all(workers.map((worker) => worker.end()));
  });
  // A few at a time: all at once would only take turns on the processor.
  for (let start = 0; start < actors.length; start += 8) {
    const names = actors.slice(start, start + 8);
    workers.push(...(await Promise.all(names.map((name) => ClaimsWorker.start(place, name)))));
  }
  return workers;
};
