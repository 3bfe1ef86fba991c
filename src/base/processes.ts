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
  /** In a process group of its own: a kill of the caller's whole group does not reach it. */
  readonly ownGroup?: boolean;
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

const spawnPiped = (
  file: string,
  args: readonly string[],
  { cwd, env, ownGroup = false }: Pick<RunOptions, "cwd" | "env" | "ownGroup">,
) =>
  childProcess().spawn(file, args, {
    cwd,
    env: { ...env },
    shell: false,
    detached: ownGroup,
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });

export const systemProcesses: Processes = {
  run: ([file, ...args], options) =>
    new Promise((resolve, reject) => {
      const child = spawnPiped(file, args, options);
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

/**
 * Starts a program that outlives this process and belongs to no terminal; its outputs go to `logFd`.
 * False when it could not be started.
 */
export const startDetached = (
  [file, ...args]: readonly [string, ...string[]],
  options: Pick<RunOptions, "cwd" | "env"> & { readonly logFd: number },
): Promise<boolean> =>
  new Promise((resolve) => {
    const { cwd, env, logFd } = options;
    const child = childProcess().spawn(file, args, {
      cwd,
      env: { ...env },
      shell: false,
      detached: true,
      stdio: ["ignore", logFd, logFd],
      windowsHide: true,
    });
    child.once("error", () => resolve(false));
    child.once("spawn", () => resolve(true));
    child.unref();
  });

/** How a command ended of which only the last words count. */
export interface CommandEnd {
  readonly ended: "exit" | "signal" | "timeout" | "not-found";
  readonly code?: number;
  readonly signal?: string;
  /** The end of both outputs, in the order they came. */
  readonly output: Buffer;
  readonly isCut: boolean;
}

/**
 * Runs a program of the user's choice in a process group of its own, which is ended as a whole when the
 * time is over: a test runner's children must not go on writing.
 */
export const runToItsEnd = (
  [file, ...args]: readonly [string, ...string[]],
  options: Pick<RunOptions, "cwd" | "env" | "timeoutMs"> & { readonly tailBytes: number },
): Promise<CommandEnd> =>
  new Promise((resolve) => {
    const child = childProcess().spawn(file, args, {
      cwd: options.cwd,
      env: { ...options.env },
      shell: false,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    let [output, isCut, isLate] = [Buffer.alloc(0), false, false];
    const end = (ended: Omit<CommandEnd, "output" | "isCut">): void => {
      clearTimeout(timer);
      resolve({ ...ended, output, isCut });
    };
    const timer = setTimeout(() => {
      isLate = true;
      killGroup(child.pid);
    }, options.timeoutMs);
    const keep = (chunk: Buffer): void => {
      const whole = Buffer.concat([output, chunk]);
      isCut ||= whole.length > options.tailBytes;
      output = whole.subarray(Math.max(0, whole.length - options.tailBytes));
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.on("error", () => end({ ended: "not-found" }));
    // What it left running would keep the outputs open, and must not write any more either.
    child.on("exit", () => killGroup(child.pid));
    child.on("close", (code, signal) => {
      if (isLate) end({ ended: "timeout" });
      else if (signal) end({ ended: "signal", signal });
      else end({ ended: "exit", code: code ?? -1 });
    });
  });

const killGroup = (pid: number | undefined): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
};

/** A program that is asked line by line. */
export interface Conversation {
  /** Handed to the program before this returns, unless it does not read. */
  say(text: string): void;
  /** Its next line; undefined when it has ended. */
  hear(): Promise<string | undefined>;
  /** Closes its input and waits for its end. */
  end(): Promise<{ readonly code: number; readonly stderr: string }>;
}

export const startConversation = (
  [file, ...args]: readonly [string, ...string[]],
  options: Pick<RunOptions, "cwd" | "env" | "timeoutMs" | "ownGroup">,
): Conversation => {
  const child = spawnPiped(file, args, options);
  const timer = setTimeout(() => child.kill("SIGKILL"), options.timeoutMs);
  const lines: string[] = [];
  const waiting: ((line: string | undefined) => void)[] = [];
  let [rest, stderr, isOver] = ["", "", false];
  const tell = (line: string) => {
    const next = waiting.shift();
    if (next) next(line);
    else lines.push(line);
  };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) tell(line);
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr = (stderr + chunk).slice(-16 * 1024);
  });
  child.stdin.on("error", () => {});
  const ended = new Promise<{ code: number; stderr: string }>((resolve) => {
    const finish = (code: number): void => {
      clearTimeout(timer);
      isOver = true;
      for (const next of waiting.splice(0)) next(undefined);
      resolve({ code, stderr });
    };
    child.on("error", () => finish(127));
    child.on("close", (code) => finish(code ?? -1));
  });
  return {
    say: (text) => void child.stdin.write(text),
    hear: () => {
      const line = lines.shift();
      if (line !== undefined || isOver) return Promise.resolve(line);
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
};

/** Ends a process for good; false when there is none of this number, or it is somebody else's. */
export const killProcess = (pid: number): boolean => {
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    return false;
  }
};
