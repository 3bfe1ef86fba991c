import { readdirSync, readFileSync } from "node:fs";
import { onTestFinished } from "vitest";

/** The parsing processes that a process has started, on Linux. */
export const parsersBelow = (parent: number): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
        const words = readFileSync(`/proc/${pid}/cmdline`, "latin1");
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return Number(fields[1]) === parent && /worker\/main\.[a-z]+/.test(words);
      } catch {
        // It has ended.
        return false;
      }
    });

/** They get no time from now on, as on a machine that is far too busy; answers how it goes on. */
export const stopParsers = (parent = process.pid, stopped = parsersBelow(parent)): (() => void) => {
  if (stopped.length === 0) throw new Error("there is no parser to stop");
  const signalAll = (signal: NodeJS.Signals): void => {
    for (const pid of stopped) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended.
      }
    }
  };
  signalAll("SIGSTOP");
  onTestFinished(() => signalAll("SIGCONT"));
  return () => signalAll("SIGCONT");
};
