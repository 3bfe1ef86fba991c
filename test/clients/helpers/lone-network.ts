import { type ChildProcess, spawn } from "node:child_process";
import { onTestFinished } from "vitest";

/**
 * A network of its own with nothing but a loopback address: whatever a client tries, nothing leaves the
 * machine. It lives as long as its holder process, which ends with us.
 */
export interface LoneNetwork {
  /** The command line that runs another one inside. */
  inside(argv: readonly string[]): readonly [file: string, args: readonly string[]];
  close(): void;
}

export const makeLoneNetwork = async (): Promise<LoneNetwork> => {
  const script = "ip link set lo up && echo ready && exec cat";
  const holder = spawn("unshare", ["--net", "sh", "-c", script], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
  });
  await new Promise<void>((ready, fail) => {
    let output = "";
    const listen = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("ready")) ready();
    };
    holder.stdout.on("data", listen);
    holder.stderr.on("data", listen);
    holder.on("error", fail);
    holder.on("close", () => fail(new Error(`no network of its own: ${output}`)));
  });
  return {
    inside: (argv) => ["nsenter", [`--net=/proc/${holder.pid}/ns/net`, "--", ...argv]],
    close: () => holder.stdin.end(),
  };
};

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ran>;
  /** Resolves with the match in stdout or stderr; rejects when the program ends before. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Starts a program; it and everything it started in its group is gone when the test is. */
export const startProgram = (
  [file, args]: readonly [string, readonly string[]],
  options: {
    readonly cwd: string;
    readonly env: Record<string, string>;
    readonly timeoutMs: number;
  },
): Running => {
  const startedAt = performance.now();
  const child = spawn(file, [...args], {
    cwd: options.cwd,
    env: options.env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const killGroup = () => {
    try {
      process.kill(-child.pid!, "SIGKILL");
    } catch {
      // Gone already.
    }
  };
  const timer = setTimeout(killGroup, options.timeoutMs);
  const text = { stdout: "", stderr: "" };
  const watchers = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      text[name] += chunk;
      for (const watcher of watchers) watcher();
    });
  }
  const ended = new Promise<Ran>((done, fail) => {
    child.on("error", fail);
    // Not "close": a left-over grandchild that holds the pipe must not keep the test waiting.
    child.on("exit", (code, signal) => {
      clearTimeout(timer);
      setTimeout(() => {
        done({ code, signal, ...text, seconds: (performance.now() - startedAt) / 1000 });
      }, 20);
    });
  });
  onTestFinished(async () => {
    killGroup();
    await ended.catch(() => {});
  });
  return {
    child,
    ended,
    until: (pattern) =>
      new Promise((found, fail) => {
        const look = () => {
          const match = pattern.exec(text.stdout) ?? pattern.exec(text.stderr);
          if (match) found(match);
        };
        watchers.add(look);
        look();
        ended.then(
          () => fail(new Error(`ended without ${pattern}: ${text.stdout}${text.stderr}`)),
          fail,
        );
      }),
  };
};
