import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

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
  // The waiting read, begun anew under the tracer's eyes, is the only sure sign that it sees everything.
  for (let waited = 0; !textOf(log).includes("read(0<"); waited += 1) {
    if (tracer.exitCode !== null || waited > 5000) throw new Error(`strace: ${errors}`);
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

const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");
