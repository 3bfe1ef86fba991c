/** A program that we talk to line by line, pause, and kill. */
import type { spawn } from "node:child_process";
import { createRequire } from "node:module";

export interface ChildProgram {
  readonly pid: number;
  /** One line to its standard input. */
  say(line: string): void;
  kill(signal: "SIGTERM" | "SIGKILL" | "SIGSTOP" | "SIGCONT"): void;
  /** Resolves when it and its outputs have ended, with its exit code or the signal. */
  readonly ended: Promise<number | string>;
}

export const startProgram = (
  [file, ...args]: readonly [string, ...string[]],
  options: {
    readonly cwd: string;
    /** The whole environment of the child; nothing is inherited besides it. */
    readonly env: Readonly<Record<string, string>>;
    /** Every line of its standard output. */
    onLine(line: string): void;
  },
): ChildProgram => {
  const { spawn: start } = createRequire(import.meta.url)("node:child_process") as {
    spawn: typeof spawn;
  };
  const child = start(file, args, {
    cwd: options.cwd,
    env: { ...options.env },
    shell: false,
    stdio: ["pipe", "pipe", "ignore"],
    windowsHide: true,
  });
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) options.onLine(line);
  });
  // A program that was killed no longer reads; its end tells.
  child.stdin.on("error", () => {});
  return {
    pid: child.pid ?? 0,
    say: (line) => {
      child.stdin.write(`${line}\n`);
    },
    kill: (signal) => {
      child.kill(signal);
    },
    ended: new Promise((resolve) => {
      child.on("error", ({ message }) => resolve(message));
      child.on("close", (code, signal) => resolve(code ?? signal ?? -1));
    }),
  };
};
