/**
 * More about a process than its place in the tree: the variables it was started with, whether it has a
 * controlling terminal, when it started. Linux: from /proc. macOS: one `ps` (not run by our tests). Elsewhere
 * nothing is found, and nothing is ever concluded from that.
 */
import { platform } from "node:os";
import { systemClock } from "./clock.ts";
import { errnoOf, type Files, systemFiles } from "./files.ts";
import { limits } from "./limits.ts";
import type { RunningProcess } from "./process-tree.ts";
import { readProgramSync } from "./processes.ts";

export type StartVariables = Readonly<Record<string, string>>;

export interface ProcessSurroundings {
  /** Of each process those of the named variables that it was started with, which it cannot change later. */
  startVariables(pids: readonly number[], names: readonly string[]): Map<number, StartVariables>;
  hasTerminal(pid: number): boolean;
  /** Of the system's session: a terminal's processes, or a script's. Linux only. */
  sessionNumber(pid: number): number | undefined;
  /** Wall time in milliseconds; exact to hundredths of a second, on macOS to a second. */
  startedAtMs(running: Pick<RunningProcess, "startTime">): number | undefined;
}

export interface SurroundingsSystem {
  readonly platform: NodeJS.Platform;
  readonly files: Files;
  readProgram(argv: readonly [string, ...string[]]): string | undefined;
}

export const readSurroundings = (system: SurroundingsSystem = ownSystem()): ProcessSurroundings => {
  if (system.platform === "linux") return linux(system);
  return system.platform === "darwin" ? darwin(system) : untold;
};

const linux = ({ files }: SurroundingsSystem): ProcessSurroundings => ({
  startVariables: (pids, names) =>
    new Map(
      pids.map((pid) => {
        const text = read(files, `/proc/${pid}/environ`) ?? "";
        // Most processes have none of them; splitting costs more than looking.
        return [pid, names.some((name) => text.includes(name)) ? pick(text, names) : {}];
      }),
    ),
  hasTerminal: (pid) => {
    const terminal = readStat(files, pid)[4];
    return terminal !== undefined && terminal !== "0";
  },
  sessionNumber: (pid) => {
    const session = Number(readStat(files, pid)[3]);
    return session > 0 ? session : undefined;
  },
  startedAtMs: ({ startTime }) => {
    const [uptime] = read(files, "/proc/uptime")?.split(" ") ?? [];
    if (uptime === undefined) return undefined;
    // 100 ticks a second on every Linux that Node runs on. /proc/stat has the time of the boot in whole seconds only.
    return systemClock.wallMs() - Number(uptime) * 1000 + Number(startTime) * 10;
  },
});

/** From the third field on, which is the first after the name: the sixth is the session, the seventh the terminal. */
const readStat = (files: Files, pid: number): readonly string[] => {
  const stat = read(files, `/proc/${pid}/stat`) ?? "";
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
};

const pick = (environ: string, names: readonly string[]): StartVariables =>
  Object.fromEntries(
    environ.split("\0").flatMap((entry) => {
      const name = entry.slice(0, Math.max(0, entry.indexOf("=")));
      return names.includes(name) ? [[name, entry.slice(name.length + 1)] as const] : [];
    }),
  );

const darwin = ({ readProgram }: SurroundingsSystem): ProcessSurroundings => ({
  startVariables: (pids, names) => {
    const list = pids.join(",");
    const lines = readProgram(["/bin/ps", "-Eww", "-o", "pid=,command=", "-p", list])?.split("\n");
    return new Map(
      (lines ?? []).map((line) => {
        // Arguments and variables in one line: an argument of this form counts as well, which only warns more.
        const pid = Number(/^\s*(\d+)/.exec(line)?.[1]);
        const found = names.flatMap((name) => {
          const value = new RegExp(` ${name}=(\\S*)`).exec(line)?.[1];
          return value === undefined ? [] : [[name, value] as const];
        });
        return [pid, Object.fromEntries(found)];
      }),
    );
  },
  hasTerminal: (pid) => {
    const tty = readProgram(["/bin/ps", "-o", "tty=", "-p", String(pid)])?.trim() ?? "";
    return tty !== "" && !tty.startsWith("?");
  },
  sessionNumber: () => undefined,
  startedAtMs: ({ startTime }) => Number(startTime) * 1000,
});

const untold: ProcessSurroundings = {
  startVariables: () => new Map(),
  hasTerminal: () => false,
  sessionNumber: () => undefined,
  startedAtMs: () => undefined,
};

/** A process may end while it is looked at, or belong to a user who hides it. */
const read = (files: Files, path: string): string | undefined => {
  try {
    return files.readFile(path).toString("utf8");
  } catch (error) {
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
};

const ownSystem = (): SurroundingsSystem => ({
  platform: platform(),
  files: systemFiles,
  readProgram: (argv) =>
    readProgramSync(argv, {
      env: { LC_ALL: "C", TZ: "UTC0" },
      timeoutMs: limits.processQueryTimeoutMs,
    }),
});
