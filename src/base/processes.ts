import type { spawn, spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { HeadgateError } from "../errors.ts";

/** Child processes as a port: argv arrays only, never a shell, bounded in output and time. */
export interface RunOptions {
  readonly cwd: string;
  /** The whole environment of the child; nothing is inherited besides it. */
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  readonly timeoutMs: number;
  readonly outputBytesMax: number;
}

export type RunResult =
  | {
      readonly ended: "exit";
      readonly code: number;
      readonly stdout: Buffer;
      readonly stderr: string;
    }
  | { readonly ended: "signal"; readonly signal: string; readonly stderr: string }
  | { readonly ended: "timeout" | "output-limit" | "not-found" };

export interface Processes {
  run(argv: readonly [string, ...string[]], options: RunOptions): Promise<RunResult>;
}

// Loaded by the first program that is run: most commands run none, and it costs a tenth of their time.
const childProcess = (): { spawn: typeof spawn; spawnSync: typeof spawnSync } =>
  createRequire(import.meta.url)("node:child_process");

export const systemProcesses: Processes = {
  run: ([file, ...args], options) =>
    new Promise((resolve, reject) => {
      const child = childProcess().spawn(file, args, {
        cwd: options.cwd,
        env: { ...options.env },
        shell: false,
        stdio: ["pipe", "pipe", "pipe"],
        windowsHide: true,
      });
      const stdout: Buffer[] = [];
      const stderr: Buffer[] = [];
      let size = 0;
      let stopped: "timeout" | "output-limit" | undefined;
      const stop = (why: "timeout" | "output-limit") => {
        stopped ??= why;
        child.kill("SIGKILL");
      };
      const timer = setTimeout(() => stop("timeout"), options.timeoutMs);
      const collect = (into: Buffer[]) => (chunk: Buffer) => {
        size += chunk.length;
        if (size > options.outputBytesMax) stop("output-limit");
        else into.push(chunk);
      };
      child.stdout.on("data", collect(stdout));
      child.stderr.on("data", collect(stderr));
      // A child that ends without reading its input breaks the pipe; its exit code tells why.
      child.stdin.on("error", () => {});
      child.stdin.end(options.input);
      child.on("error", (cause: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        // ENOENT also means a missing working directory, which callers have checked before.
        if (cause.code === "ENOENT") resolve({ ended: "not-found" });
        else
          reject(
            new HeadgateError("INTERNAL", `cannot start ${file}: ${cause.message}`, { cause }),
          );
      });
      child.on("close", (code, signal) => {
        clearTimeout(timer);
        const errorText = Buffer.concat(stderr).toString("utf8");
        if (stopped) resolve({ ended: stopped });
        else if (signal) resolve({ ended: "signal", signal, stderr: errorText });
        else
          resolve({
            ended: "exit",
            code: code ?? -1,
            stdout: Buffer.concat(stdout),
            stderr: errorText,
          });
      });
    }),
};

/**
 * Standard output of a system program that answers at once, or undefined when it failed. Blocks the
 * thread; only for questions about processes, whose askers are synchronous.
 */
export const readProgramSync = (
  [file, ...args]: readonly [string, ...string[]],
  options: Pick<RunOptions, "env" | "timeoutMs">,
): string | undefined => {
  const result = childProcess().spawnSync(file, args, {
    env: { ...options.env },
    timeout: options.timeoutMs,
    shell: false,
    stdio: ["ignore", "pipe", "ignore"],
    windowsHide: true,
  });
  return result.status === 0 ? result.stdout.toString("utf8") : undefined;
};
