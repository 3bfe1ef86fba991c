/**
 * Ctrl-C and SIGTERM always work (T-05). Node tells of a signal when the event loop turns, so a handler swallows it
 * while one long computation runs. A thread beside the main one sees that the loop does not turn, and has the
 * handlers taken away in the middle of that computation: the system then ends the process as it does by default.
 * A server that is stuck for too long is ended without a signal, so that its hooks judge by themselves.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { limits } from "./limits.ts";

export interface LoopGuardOptions {
  /** Takes the handlers away. Called between two steps of any computation: it only removes listeners. */
  readonly letGo: () => void;
  /** The loop turns again. */
  readonly takeUp: () => void;
  /** Ends the process when its loop has not turned for so much processor time. */
  readonly endAfterMs?: number | undefined;
}

export interface LoopGuard {
  stop(): void;
}

/** For the thread: the last turn is counted in the first cell. */
export interface GuardData {
  readonly turns: Int32Array;
  readonly lookMs: number;
  readonly stuckMs: number;
  readonly endAfterMs: number | undefined;
}

/** The thread calls it in the main one, by its name: functions cannot be sent. */
export const letGoName = "headgate.let-signals-go";

export const startLoopGuard = ({ letGo, takeUp, endAfterMs }: LoopGuardOptions): LoopGuard => {
  const { loopLookMs: lookMs, loopStuckMs: stuckMs } = limits;
  const turns = new Int32Array(new SharedArrayBuffer(4));
  const place = globalThis as { [key: symbol]: unknown };
  let isAway = false;
  place[Symbol.for(letGoName)] = () => {
    isAway = true;
    letGo();
  };
  const timer = setInterval(() => {
    Atomics.add(turns, 0, 1);
    if (!isAway) return;
    isAway = false;
    takeUp();
  }, lookMs).unref();
  const require = createRequire(import.meta.url);
  const { Worker: Thread } = require("node:worker_threads") as { Worker: typeof Worker };
  const isSource = import.meta.filename.endsWith(".ts");
  const file = isSource ? "loop-guard-thread.ts" : "worker/loop-guard.cjs";
  const workerData: GuardData = { turns, lookMs, stuckMs, endAfterMs };
  const thread = new Thread(join(import.meta.dirname, file), { workerData, execArgv: [], env: {} });
  // Without it signals still work while the loop turns.
  thread.on("error", () => {});
  thread.unref();
  return {
    stop: () => {
      clearInterval(timer);
      void thread.terminate();
    },
  };
};
