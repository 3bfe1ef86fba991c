/**
 * What a program has started, also where it left the program's process group: by the chain of parents, and
 * on Linux by a mark in the environment, which stays when a parent ends and the chain breaks.
 */
import { platform } from "node:os";
import { systemFiles } from "./files.ts";
import { limits } from "./limits.ts";
import { readProgramSync } from "./processes.ts";

export interface Descendants {
  /** Only those that are still the same processes. */
  end(signal: "SIGTERM" | "SIGKILL"): void;
  readonly pids: readonly number[];
}

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly startTime: string;
}

/** Undefined where the system does not tell. */
export const descendantsOf = (
  pid: number | undefined,
  mark: { readonly name: string; readonly value: string },
): Descendants | undefined => {
  if (pid === undefined) return undefined;
  const rows =
    platform() === "linux" ? linuxRows() : platform() === "darwin" ? psRows() : undefined;
  if (!rows) return undefined;
  const found = new Map<number, Row>();
  const parents = new Set([pid]);
  // Children have no smaller numbers for certain (numbers wrap), so until nothing is added.
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const row of rows) {
      if (row.pid === pid || !parents.has(row.parent)) continue;
      parents.add(row.pid);
      found.set(row.pid, row);
    }
  }
  if (platform() === "linux") {
    const needle = Buffer.from(`${mark.name}=${mark.value}\0`);
    for (const row of rows) {
      if (row.pid !== pid && !found.has(row.pid) && hasMark(row.pid, needle)) {
        found.set(row.pid, row);
      }
    }
  }
  const list = [...found.values()];
  return {
    pids: list.map((row) => row.pid),
    end: (signal) => {
      for (const row of list) {
        // Its number may belong to somebody else by now.
        if (platform() === "linux" && linuxRow(row.pid)?.startTime !== row.startTime) continue;
        try {
          process.kill(row.pid, signal);
        } catch {
          // Gone already, or not ours to end.
        }
      }
    },
  };
};

const hasMark = (pid: number, needle: Buffer): boolean => {
  try {
    return systemFiles.readFile(`/proc/${pid}/environ`).includes(needle);
  } catch {
    // Gone, or another user's.
    return false;
  }
};

const linuxRow = (pid: number): Row | undefined => {
  try {
    const stat = systemFiles.readFile(`/proc/${pid}/stat`).toString("latin1");
    // The name may hold anything, so count from its end; the first field behind it is the third of all.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if ("ZXx".includes(fields[0] ?? "Z")) return undefined;
    return { pid, parent: Number(fields[1]), startTime: fields[19] ?? "" };
  } catch {
    return undefined;
  }
};

const linuxRows = (): Row[] | undefined => {
  try {
    return systemFiles
      .list("/proc")
      .filter(({ name }) => /^\d+$/.test(name))
      .map(({ name }) => linuxRow(Number(name)))
      .filter((row) => row !== undefined);
  } catch {
    return undefined;
  }
};

const psRows = (): Row[] | undefined =>
  readProgramSync(["/bin/ps", "-A", "-o", "pid=,ppid="], {
    env: { LC_ALL: "C" },
    timeoutMs: limits.processQueryTimeoutMs,
  })
    ?.split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid = 0, parent = 0]) => ({ pid, parent, startTime: "" }));
