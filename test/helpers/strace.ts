import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { LineWorker } from "./line-worker.ts";

export interface Tracing {
  readonly calls: readonly string[];
  /** `fsync:error=EIO:when=2`. */
  readonly inject?: string;
  readonly log: string;
}

/**
 * Attaches strace to a process that waits in a read of its standard input. Counting (`when=`) begins at
 * the attach, so start-up does not matter, and only the main thread is seen.
 */
export const attachStrace = async (
  pid: number,
  { calls, inject, log }: Tracing,
): Promise<{ detach(): Promise<void> }> => {
  rmSync(log, { force: true });
  const trace = ["-e", `trace=read,${calls.join(",")}`];
  const fault = inject === undefined ? [] : ["-e", `inject=${inject}`];
  const args = ["-qq", "-y", "-s", "0", "-o", log, ...trace, ...fault, "-p", String(pid)];
  const tracer = spawn("strace", args, { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  tracer.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(tracer, "exit");
  // The waiting read, begun once more under the tracer's eyes, is the only sure sign that it sees everything.
  while (!readText(log).includes("read(0<")) {
    if (tracer.exitCode !== null) throw new Error(`strace: ${errors}`);
    await sleep(1);
  }
  return {
    detach: async () => {
      tracer.kill("SIGINT");
      await ended;
    },
  };
};

export interface TracedCall {
  readonly name: string;
  readonly text: string;
}

/** The calls between the worker's two markers, which an operation's own calls are. */
export const callsBetweenMarkers = (log: string): TracedCall[] => {
  const lines = readFileSync(log, "utf8").split("\n");
  const begin = lines.findIndex((line) => line.includes("headgate-marker-begin"));
  const end = lines.findIndex((line) => line.includes("headgate-marker-end"));
  if (begin === -1 || end === -1) throw new Error(`no markers in the trace:\n${lines.join("\n")}`);
  return lines
    .slice(begin + 1, end)
    .map((text) => ({ name: /^(\w+)\(/.exec(text)?.[1] ?? "", text }));
};

const readText = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");

/**
 * Stops a process after each of its calls, for a look at the disk as it is then. Nothing but the next call
 * changes it, so that is what a kill or a power cut there would leave.
 */
export const stopAfterEachCall = async <T>(
  worker: LineWorker,
  tracing: Omit<Tracing, "inject">,
  work: { readonly command: unknown; readonly onStop: () => void },
): Promise<T> => {
  const inject = `${tracing.calls.join(",")}:signal=SIGSTOP`;
  const tracer = await attachStrace(worker.pid, { ...tracing, inject });
  const over = new AbortController();
  const answer = worker.ask(work.command).finally(() => over.abort());
  let stops = 0;
  while (!over.signal.aborted) {
    const seen = readText(tracing.log).split("--- stopped by SIGSTOP ---").length - 1;
    if (seen > stops) {
      stops += 1;
      work.onStop();
      process.kill(worker.pid, "SIGCONT");
    } else await sleep(1);
  }
  await tracer.detach();
  return (await answer) as T;
};
