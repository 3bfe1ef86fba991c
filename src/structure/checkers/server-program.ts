/** Which program checks a language, where it is, and how it is started and ended. */
import type { ChildProcess, fork, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { dirname, join } from "node:path";

export interface ServerProgram {
  readonly name: string;
  readonly version: string;
  /** A native program, or a script for Node. */
  readonly file: string;
  readonly isScript: boolean;
  readonly args: readonly string[];
}

export type Found =
  | { readonly ok: true; readonly program: ServerProgram }
  | { readonly ok: false; readonly why: string };

/** The project's own server first, then ours. `ownOnly` starts nothing that the repository brings along. */
export const findServer = (family: "python" | "script", root: string, ownOnly = false): Found => {
  const places = [...(ownOnly ? [] : [join(root, "package.json")]), import.meta.filename];
  for (const place of places) {
    const program = family === "script" ? typescript(place) : pyright(place);
    if (program) return { ok: true, program };
  }
  const wanted = family === "script" ? "typescript 7 or newer" : "pyright";
  return { ok: false, why: `${wanted} is not installed` };
};

/** Started directly: the script of the package would only start this same program. */
const typescript = (from: string): ServerProgram | undefined =>
  quietly(() => {
    const require = createRequire(from);
    const manifest = require.resolve("typescript/package.json");
    const { version } = require(manifest) as { version: string };
    if (Number.parseInt(version, 10) < 7) return undefined;
    const native = `@typescript/typescript-${platform()}-${arch()}/package.json`;
    const folder = dirname(createRequire(manifest).resolve(native));
    const file = join(folder, "lib", platform() === "win32" ? "tsc.exe" : "tsc");
    return { name: "typescript", version, file, isScript: false, args: ["--lsp", "--stdio"] };
  });

const pyright = (from: string): ServerProgram | undefined =>
  quietly(() => {
    const require = createRequire(from);
    const manifest = require.resolve("pyright/package.json");
    const { version } = require(manifest) as { version: string };
    const file = join(dirname(manifest), "langserver.index.js");
    return { name: "pyright", version, file, isScript: true, args: ["--stdio"] };
  });

const quietly = <T>(look: () => T): T | undefined => {
  try {
    return look();
  } catch {
    return undefined;
  }
};

export interface RunningServer {
  readonly pid: number;
  write(bytes: Buffer): void;
  onData(take: (chunk: Buffer) => void): void;
  onEnd(ended: (why: string) => void): void;
  /** Whether the program around must wait for this one. */
  hold(isNeeded: boolean): void;
  /** Ends it and everything it started. */
  kill(): void;
}

/** Loaded when the first server is started: most commands start none. */
const childProcess = (): { fork: typeof fork; spawn: typeof spawn } =>
  createRequire(import.meta.url)("node:child_process");
const ownProcess = (): { kill(pid: number, signal: string): boolean } =>
  createRequire(import.meta.url)("node:process");

/** Pipes are sockets, which streams in general are not. */
interface Holdable {
  ref(): void;
  unref(): void;
}

export const startServer = (
  { file, args, isScript }: ServerProgram,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): RunningServer => {
  const options = { cwd, env: { ...env }, detached: true };
  const child: ChildProcess = isScript
    ? childProcess().fork(file, [...args], {
        ...options,
        stdio: ["pipe", "pipe", "ignore", "ipc"],
        execArgv: ["--no-warnings"],
      })
    : childProcess().spawn(file, [...args], {
        ...options,
        shell: false,
        windowsHide: true,
        stdio: ["pipe", "pipe", "ignore"],
      });
  // A server that has ended breaks the pipe; its end is told by the event.
  child.stdin?.on("error", () => {});
  const sockets = [child.stdin, child.stdout] as (Partial<Holdable> | null)[];
  return {
    pid: child.pid ?? 0,
    write: (bytes) => void child.stdin?.write(bytes),
    onData: (take) => void child.stdout?.on("data", take),
    onEnd: (ended) => {
      child.on("error", (error) => ended(`it could not be started: ${error.message}`));
      child.on("exit", (code, signal) => ended(`it ended by itself (${signal ?? code})`));
    },
    hold: (isNeeded) => {
      const change = isNeeded ? "ref" : "unref";
      child[change]();
      child.channel?.[change]();
      for (const socket of sockets) socket?.[change]?.();
    },
    kill: () => {
      // Being its group's leader, the number names the group as well.
      quietly(
        () => platform() !== "win32" && child.pid && ownProcess().kill(-child.pid, "SIGKILL"),
      );
      child.kill("SIGKILL");
    },
  };
};
