/** The thread of loop-guard.ts. */
import { writeSync } from "node:fs";
import { Session } from "node:inspector";
import { workerData } from "node:worker_threads";
import { type GuardData, letGoName } from "./loop-guard.ts";

const { turns, lookMs, stuckMs, endAfterMs } = workerData as GuardData;
let [seen, looks, usedMs, hasLetGo] = [-1, 0, 0, false];

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * Counted in looks and in processor time, not by a clock: a computer that slept, or a busy one that gave the main
 * thread no time, is not a loop that is stuck.
 */
const look = (): void => {
  const now = Atomics.load(turns, 0);
  if (now !== seen) {
    [seen, looks, usedMs, hasLetGo] = [now, 0, cpuMs(), false];
    return;
  }
  looks += 1;
  const stuckForMs = Math.min(looks * lookMs, cpuMs() - usedMs);
  if (stuckForMs >= stuckMs && !hasLetGo) letGo();
  if (endAfterMs !== undefined && stuckForMs >= endAfterMs) end(endAfterMs);
};

/** The debugger's way into the main thread: it interrupts a loop and even a regular expression. */
const letGo = (): void => {
  hasLetGo = true;
  if (endAfterMs !== undefined) say(`one request keeps the event loop for ${stuckMs / 1000} s`);
  const session = new Session();
  session.connectToMainThread();
  session.post("Runtime.evaluate", {
    expression: `globalThis[Symbol.for(${JSON.stringify(letGoName)})]?.()`,
  });
};

const end = (afterMs: number): void => {
  say(`stuck for ${afterMs / 1000} s, so it ends itself; hooks judge in processes of their own`);
  process.kill(process.pid, "SIGKILL");
};

/** Node's own streams of a thread go through the main one. */
const say = (text: string): void => void writeSync(2, `headgate: ${text}\n`);

setInterval(look, lookMs);
