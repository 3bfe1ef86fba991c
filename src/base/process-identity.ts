/**
 * Who a process is, beyond its reusable number, and whether it still lives (C-03). "dead" is said only
 * on proof, because a dead owner's claim is taken away; whatever cannot be proved is "unknown".
 */
import { hostname } from "node:os";
import { HeadgateError } from "../errors.ts";
import { type Files, errnoOf, systemFiles } from "./files.ts";
import { limits } from "./limits.ts";
import { readProgramSync } from "./processes.ts";
import { sha256 } from "./sha256.ts";

export interface ProcessIdentity {
  /** Name of the machine, with a mark of its machine id where there is one: names alone repeat. */
  readonly host: string;
  /** Empty on Windows, which offers none. */
  readonly bootId: string;
  /** Numbers mean something only inside their namespace (Linux containers). */
  readonly pidNamespace?: string;
  readonly pid: number;
  /** Digits: clock ticks since boot on Linux, seconds since 1970 elsewhere. */
  readonly startTime: string;
}

export interface Liveness {
  readonly state: "alive" | "dead" | "unknown";
  readonly evidence: readonly string[];
  /** Dead, because the machine was started again; weaker than a look at the process itself. */
  readonly byRestart?: true;
}

/** What is asked of the system; tests stand in for the platforms they do not run on. */
export interface ProcessSystem {
  readonly platform: NodeJS.Platform;
  readonly hostName: string;
  readonly pid: number;
  readonly startedWallMs: number;
  readonly files: Files;
  /** Standard output of a short program, or undefined when it ended with an error. */
  readProgram(argv: readonly [string, ...string[]]): string | undefined;
  /** Whether any process has the number. */
  exists(pid: number): boolean;
}

export const createProcessIdentities = (system: ProcessSystem) => {
  let own: ProcessIdentity | undefined;
  /** This process. Read once; it cannot change. */
  const ownIdentity = (): ProcessIdentity => (own ??= Object.freeze(readOwn(system)));
  /** Whether that very process lives, not another with its number. */
  const probe = (identity: ProcessIdentity): Liveness => {
    const self = ownIdentity();
    if (identity.host !== self.host) {
      return unknown(`it runs on ${identity.host}, this is ${self.host}`);
    }
    if (identity.bootId !== self.bootId) {
      // Containers often share a name; only the mark of a machine id says that it is the same machine.
      return self.host.includes("/")
        ? { ...dead(`${self.host} was restarted since`), byRestart: true }
        : unknown(`it runs on another machine or container named ${self.host}`);
    }
    if (identity.pidNamespace !== self.pidNamespace) {
      return unknown(`process ${identity.pid} belongs to another pid namespace (container)`);
    }
    if (!Number.isSafeInteger(identity.pid) || identity.pid <= 0) {
      return unknown(`${identity.pid} is not a process number`);
    }
    if (system.platform === "linux") return probeLinux(identity, system);
    if (system.platform === "win32") return probeWindows(identity, self, system);
    return probeByPs(identity, system);
  };
  return { ownIdentity, probe };
};

const alive = (...evidence: string[]): Liveness => ({ state: "alive", evidence });
const dead = (...evidence: string[]): Liveness => ({ state: "dead", evidence });
const unknown = (...evidence: string[]): Liveness => ({ state: "unknown", evidence });

const readOwn = (system: ProcessSystem): ProcessIdentity => {
  const { platform, hostName, pid } = system;
  if (platform === "linux") return readOwnLinux(system);
  const seconds = String(Math.floor(system.startedWallMs / 1000));
  if (platform === "win32") return { host: hostName, bootId: "", pid, startTime: seconds };
  const bootId = system.readProgram(["/usr/sbin/sysctl", "-n", "kern.bootsessionuuid"])?.trim();
  const startTime = readPs(pid, system)?.startTime ?? seconds;
  // Two Macs may share a name; without the hardware's own id the other one would look restarted.
  const hardware = system.readProgram(["/usr/sbin/ioreg", "-rd1", "-c", "IOPlatformExpertDevice"]);
  const [, machine] = /"IOPlatformUUID" = "([^"]+)"/.exec(hardware ?? "") ?? [];
  return { host: markedHost(hostName, machine), bootId: bootId ?? "", pid, startTime };
};

/** machine-id(5) asks not to show the id itself, so it is hashed. */
const markedHost = (hostName: string, machine: string | undefined): string => {
  if (!machine) return hostName;
  const mark = sha256(`headgate:${machine}`);
  return `${hostName}/${mark.slice(0, 8)}`;
};

const readOwnLinux = ({ hostName, pid, files }: ProcessSystem): ProcessIdentity => {
  const stat = parseStat(readIfThere("/proc/self/stat", files) ?? "");
  const bootId = readIfThere("/proc/sys/kernel/random/boot_id", files)?.trim();
  if (!stat || !bootId) {
    throw new HeadgateError("INTERNAL", "cannot read /proc: who this process is stays unknown");
  }
  let host: string | undefined;
  return {
    // Most commands need only the boot.
    get host() {
      host ??= markedHost(hostName, readIfThere("/etc/machine-id", files)?.trim());
      return host;
    },
    bootId,
    pidNamespace: files.readLink("/proc/self/ns/pid"),
    pid,
    startTime: stat.startTime,
  };
};

const probeLinux = (identity: ProcessIdentity, system: ProcessSystem): Liveness => {
  const { pid, startTime } = identity;
  const { files } = system;
  if (files.readLink("/proc/self") !== String(system.pid)) {
    return unknown("/proc shows another pid namespace than this process lives in");
  }
  const stat = parseStat(readIfThere(`/proc/${pid}/stat`, files) ?? "");
  if (!stat) {
    // With the mount option hidepid, processes of other users are there but not shown.
    return system.exists(pid)
      ? unknown(`process ${pid} exists, but its start time cannot be read`)
      : dead(`no process ${pid}`);
  }
  if (stat.startTime !== startTime) {
    return dead(
      `process ${pid} is another one`,
      `started at tick ${stat.startTime}, not ${startTime}`,
    );
  }
  if ("ZXx".includes(stat.state)) return dead(`process ${pid} has ended (state ${stat.state})`);
  return alive(`process ${pid} runs since tick ${startTime} (state ${stat.state})`);
};

/** The name in parentheses may itself hold spaces and parentheses, so count from the last one. */
const parseStat = (text: string): { state: string; startTime: string } | undefined => {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  // Field 3 is the first behind the name, the start time is field 22.
  const [state, startTime] = [fields[0], fields[19]];
  return state && startTime ? { state, startTime } : undefined;
};

const probeByPs = ({ pid, startTime }: ProcessIdentity, system: ProcessSystem): Liveness => {
  const found = readPs(pid, system);
  if (!found) {
    return system.exists(pid)
      ? unknown(`process ${pid} exists, but ps does not show it`)
      : dead(`no process ${pid}`);
  }
  if (found.startTime !== startTime) {
    return dead(
      `process ${pid} is another one`,
      `started at ${found.startTime}, not ${startTime} (seconds)`,
    );
  }
  if (found.state.startsWith("Z")) return dead(`process ${pid} has ended (state ${found.state})`);
  return alive(`process ${pid} runs since ${startTime} (state ${found.state})`);
};

const readPs = (
  pid: number,
  system: ProcessSystem,
): { state: string; startTime: string } | undefined => {
  const line = system.readProgram(["/bin/ps", "-o", "stat=,lstart=", "-p", String(pid)])?.trim();
  const [, state, started] = /^(\S+)\s+(\S.*)$/.exec(line ?? "") ?? [];
  // ps was told that the time zone is UTC.
  const ms = Date.parse(`${started} UTC`);
  if (state === undefined || Number.isNaN(ms)) return undefined;
  return { state, startTime: String(ms / 1000) };
};

/**
 * Weaker than the others: without a native call Windows tells neither the start time nor the boot, so
 * a number in use proves nothing about its owner. Expiry frees what a dead process left behind.
 */
const probeWindows = (
  { pid, startTime }: ProcessIdentity,
  self: ProcessIdentity,
  system: ProcessSystem,
): Liveness => {
  if (pid === self.pid && startTime === self.startTime) return alive("it is this process");
  if (!system.exists(pid)) return dead(`no process ${pid}`);
  return unknown(`a process ${pid} exists; Windows does not tell whether it is the same`);
};

const readIfThere = (path: string, files: Files): string | undefined => {
  try {
    return files.readFile(path).toString("utf8");
  } catch (error) {
    // ESRCH: the process ended between opening and reading.
    if (gone.has(errnoOf(error) ?? "")) return undefined;
    throw error;
  }
};

const gone = new Set(["ENOENT", "ESRCH", "EACCES", "EPERM"]);

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (errnoOf(error) === "ESRCH") return false;
    // EPERM: it is there and belongs to somebody else.
    if (errnoOf(error) === "EPERM") return true;
    throw error;
  }
};

export const { ownIdentity, probe } = createProcessIdentities({
  platform: process.platform,
  hostName: hostname(),
  pid: process.pid,
  // Asked only where /proc does not tell: the getter loads a module.
  get startedWallMs() {
    return performance.timeOrigin;
  },
  files: systemFiles,
  readProgram: (argv) =>
    readProgramSync(argv, {
      env: { LC_ALL: "C", TZ: "UTC0" },
      timeoutMs: limits.processQueryTimeoutMs,
    }),
  exists,
});
