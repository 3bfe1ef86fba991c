/**
 * Programs of the user's choice that may start programs of their own, for minutes: agents. Each runs in a
 * process group of its own, and when it ends, for whatever reason, nothing that it started goes on; when we are
 * killed, it is ended too (process-watcher.ts).
 */
import type { spawn, spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { limits } from "./limits.ts";
import { type Descendants, descendantsOf } from "./process-descendants.ts";
import { endLeftOver, markName, newMark, startWatcher } from "./process-watcher.ts";

export interface GroupOptions {
  readonly cwd: string;
  /** The whole environment of the program; nothing is inherited besides it. */
  readonly env: Readonly<Record<string, string>>;
  /** Written to its standard input, which is closed then; it is closed at once when there is none. */
  readonly input?: string;
  readonly timeoutMs: number;
  /** Between asking it to end (SIGTERM) and ending it (SIGKILL). */
  readonly graceMs?: number;
  readonly outputBytesMax: number;
  readonly stderrTailBytes: number;
  readonly signal: AbortSignal;
  onOutput?(chunk: Buffer): void;
  /** What it prints on either stream, as it comes. */
  onPrinted?(chunk: Buffer): void;
}

export interface GroupEnd {
  readonly ended: "exit" | "signal" | "timeout" | "cancelled" | "output-limit" | "not-started";
  readonly code?: number;
  readonly signal?: string;
  /** Why it did not start: ENOENT, EACCES, E2BIG. */
  readonly why?: string;
  readonly stdout: Buffer;
  readonly stderrTail: string;
}

export interface ProcessGroups {
  /** Resolves when the program and all that it started are gone. Never rejects for what they do. */
  runGroup(argv: readonly [string, ...string[]], options: GroupOptions): Promise<GroupEnd>;
}

export const systemProcessGroups: ProcessGroups = {
  runGroup: (argv, options) => {
    if (options.signal.aborted) {
      return Promise.resolve({ ended: "cancelled", stdout: Buffer.alloc(0), stderrTail: "" });
    }
    return new Promise((resolve) => runGroup(argv, options, resolve));
  },
};

const runGroup = (
  [file, ...args]: readonly [string, ...string[]],
  options: GroupOptions,
  resolve: (end: GroupEnd) => void,
): void => {
  const { cwd, env, input, signal, graceMs = limits.programGraceMs } = options;
  if (!hasLooked) endLeftOver();
  hasLooked = true;
  const mark = newMark();
  const stdout: Buffer[] = [];
  let [size, stderr] = [0, Buffer.alloc(0)];
  let stopped: "timeout" | "cancelled" | "output-limit" | undefined;
  let isDone = false;
  const timers = new Set<NodeJS.Timeout>();
  const later = (ms: number, call: () => void) => timers.add(setTimeout(call, ms));

  const end = (ended: Pick<GroupEnd, "ended" | "code" | "signal" | "why">): void => {
    if (isDone) return;
    isDone = true;
    watcher.dismiss();
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
    const stderrTail = stderr.toString("utf8");
    resolve({ ...ended, stdout: Buffer.concat(stdout), stderrTail });
  };
  const watcher = startWatcher(mark);
  const started = startOrWhy(file, args, {
    cwd,
    env: { ...env, [markName]: mark },
    shell: false,
    detached: true,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  const cancel = () => stop("cancelled");
  if (typeof started === "string") return end({ ended: "not-started", why: started });
  const child = started;
  watcher.tell(child.pid);
  /** Known before it was told to end: afterwards nobody tells whose children they were. */
  let family: Descendants | undefined;

  const stop = (why: NonNullable<typeof stopped>): void => {
    if (stopped || isDone) return;
    stopped = why;
    family = descendantsOf(child.pid, { name: markName, value: mark });
    endGroup(child.pid, "SIGTERM");
    family?.end("SIGTERM");
    later(graceMs, () => sweep());
  };
  /** Everything goes, also what came later or left the group. */
  const sweep = (): void => {
    endGroup(child.pid, "SIGKILL");
    family?.end("SIGKILL");
    descendantsOf(child.pid, { name: markName, value: mark })?.end("SIGKILL");
  };

  later(options.timeoutMs, () => stop("timeout"));
  signal.addEventListener("abort", cancel);
  child.stdout?.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > options.outputBytesMax) return stop("output-limit");
    stdout.push(chunk);
    options.onOutput?.(chunk);
    options.onPrinted?.(chunk);
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    const whole = Buffer.concat([stderr, chunk]);
    stderr = whole.subarray(Math.max(0, whole.length - options.stderrTailBytes));
    options.onPrinted?.(chunk);
  });
  // A program that ends without reading its input breaks the pipe; its exit code tells why.
  child.stdin?.on("error", () => {});
  child.stdin?.end(input);
  child.on("error", (cause: NodeJS.ErrnoException) =>
    end({ ended: "not-started", why: cause.code ?? cause.message }),
  );
  let exit: Pick<GroupEnd, "ended" | "code" | "signal"> = { ended: "exit", code: -1 };
  child.on("exit", (code, killedBy) => {
    if (killedBy) exit = { ended: "signal", signal: killedBy };
    else exit = { ended: "exit", code: code ?? -1 };
    // What it left running would keep the outputs open, and must not go on either.
    sweep();
    // Somebody whom we may not end can still hold them.
    later(limits.programPipeMs, () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
      end(stopped ? { ended: stopped } : exit);
    });
  });
  child.on("close", () => end(stopped ? { ended: stopped } : exit));
};

/** What an earlier process left is looked for once. */
let hasLooked = false;

const childProcess = (): { spawn: typeof spawn; spawnSync: typeof spawnSync } =>
  createRequire(import.meta.url)("node:child_process");

/** An argument list that is too long is thrown, everything else is an event. */
const startOrWhy = (file: string, args: string[], options: Parameters<typeof spawn>[2]) => {
  try {
    return childProcess().spawn(file, args, options);
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code ?? String(cause);
  }
};

const endGroup = (pid: number | undefined, signal: "SIGTERM" | "SIGKILL"): void => {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    // There are no groups; the program's tree is ended by the system's own tool.
    childProcess().spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"], {
      shell: false,
      stdio: "ignore",
      windowsHide: true,
    });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // All of it has ended already.
  }
};
