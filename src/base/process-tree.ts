/**
 * The processes above this one. Linux: read from /proc one by one, when asked for. macOS: one `ps` for
 * all. Windows tells parents only through native calls, so nothing is found there.
 */
import { platform } from "node:os";
import { type Files, errnoOf, systemFiles } from "./files.ts";
import { limits } from "./limits.ts";
import { ownIdentity } from "./process-identity.ts";
import { readProgramSync } from "./processes.ts";

export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  /** As in ProcessIdentity. */
  readonly startTime: string;
  readonly userId: number;
  /** Has ended; only its number is still taken. */
  readonly isZombie: boolean;
  /** The kernel's name for it, at most 15 characters on Linux; a program can change it. */
  readonly name: string;
  /** On macOS cut at every space. */
  readonly argv: readonly string[];
}

export interface ProcessTree {
  readonly own: RunningProcess;
  find(pid: number): RunningProcess | undefined;
}

export interface ProcessTreeSystem {
  readonly platform: NodeJS.Platform;
  readonly pid: number;
  readonly files: Files;
  readProgram(argv: readonly [string, ...string[]]): string | undefined;
}

/** Undefined where the system does not tell. */
export const readProcessTree = (
  system: ProcessTreeSystem = ownSystem(),
): ProcessTree | undefined => {
  const find = finders[system.platform]?.(system);
  const own = find?.(system.pid);
  return find && own && { own, find };
};

/** As that process would see it if it had started this one: it asks us to act for it. */
export const processTreeBelow = (parent: number): ProcessTree | undefined => {
  const tree = readProcessTree();
  return tree && { ...tree, own: { ...tree.own, parent } };
};

/** With that process as the lowest one. */
export const processTreeAt = (pid: number): ProcessTree | undefined => {
  const tree = readProcessTree();
  const own = tree?.find(pid);
  return tree && own && { ...tree, own };
};

/** From the parent upwards. */
export const ancestorsOf = (tree: ProcessTree): RunningProcess[] => {
  const found: RunningProcess[] = [];
  let place = tree.find(tree.own.parent);
  while (place && found.length < limits.processAncestorsMax) {
    found.push(place);
    place = place.parent > 0 ? tree.find(place.parent) : undefined;
  }
  return found;
};

type Find = ProcessTree["find"];

const linux = ({ pid: own, files }: ProcessTreeSystem): Find | undefined => {
  // A /proc of another namespace would show strangers under our numbers.
  if (quietly(() => files.readLink("/proc/self")) !== String(own)) return undefined;
  return (pid) =>
    quietly(() => {
      const stat = files.readFile(`/proc/${pid}/stat`).toString("latin1");
      const userId = files.statFollowing(`/proc/${pid}`)?.uid;
      const [start, end] = [stat.indexOf("("), stat.lastIndexOf(")")];
      // The first field behind the name is the third of all.
      const fields = stat.slice(end + 2).split(" ");
      const [state, parent, startTime] = [fields[0], Number(fields[1]), fields[19]];
      if (userId === undefined || !state || !startTime || Number.isNaN(parent)) return undefined;
      const words = files.readFile(`/proc/${pid}/cmdline`).toString("utf8");
      return {
        pid,
        parent,
        startTime,
        userId,
        isZombie: "ZXx".includes(state),
        name: stat.slice(start + 1, end),
        // A program that set its own title may have left the last NUL out, or several behind it.
        argv: words.replace(/\0+$/, "").split("\0"),
      };
    });
};

const darwin = ({ readProgram }: ProcessTreeSystem): Find => {
  const columns = "pid=,ppid=,uid=,stat=,lstart=,command=";
  const byPid = new Map<number, RunningProcess>();
  for (const line of readProgram(["/bin/ps", "-A", "-o", columns])?.split("\n") ?? []) {
    const [, pid, parent, user, state = "", started = "", command = ""] = psLine.exec(line) ?? [];
    // ps was told that the time zone is UTC.
    const startedMs = Date.parse(`${started} UTC`);
    if (pid === undefined || Number.isNaN(startedMs)) continue;
    const argv = command.split(" ");
    byPid.set(Number(pid), {
      pid: Number(pid),
      parent: Number(parent),
      startTime: String(startedMs / 1000),
      userId: Number(user),
      isZombie: state.startsWith("Z"),
      name: argv[0]?.split("/").at(-1) ?? "",
      argv,
    });
  }
  return (pid) => byPid.get(pid);
};

const psLine = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s+(.*)$/;

const finders: Partial<Record<NodeJS.Platform, (system: ProcessTreeSystem) => Find | undefined>> = {
  linux,
  darwin,
};

/** A process may end while it is looked at, or belong to somebody who hides it. */
const quietly = <T>(look: () => T): T | undefined => {
  try {
    return look();
  } catch (error) {
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
};

const ownSystem = (): ProcessTreeSystem => ({
  platform: platform(),
  pid: ownIdentity().pid,
  files: systemFiles,
  readProgram: (argv) =>
    readProgramSync(argv, {
      env: { LC_ALL: "C", TZ: "UTC0" },
      timeoutMs: limits.processQueryTimeoutMs,
    }),
});
