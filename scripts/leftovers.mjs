// Looks for what a test run left: processes, mounts and temporary folders. Everything a test starts
// inherits the run's temporary folder, so that folder's path marks it.
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
} from "node:fs";
import { realpathSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A process that was asked to end may need this long on a busy machine. */
const graceMsDefault = 60_000;
/** Then it is said what the run waits for: each second of it is a second of every run. */
const patienceMsDefault = 2_000;

/**
 * In memory where there is room: git and SQLite wait for the disk after every step, and a tenth of a suite's
 * time is that wait. What is about disks makes its own (test/helpers/power-cut-disk.ts, test/helpers/mount.ts).
 */
const memory = "/dev/shm";
const memoryBytesMin = 4 * 1024 ** 3;

const chooseParent = () => {
  if (process.env.TMPDIR || process.platform !== "linux" || !canRunFrom(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= memoryBytesMin ? memory : tmpdir();
};

/** Containers often forbid to run programs from it, which tests do. */
const canRunFrom = (folder) => {
  const mount = read("/proc/self/mounts")
    .split("\n")
    .map((line) => line.split(" "))
    .findLast(([, place]) => place === folder);
  const options = mount?.[3]?.split(",") ?? [];
  return mount?.[2] === "tmpfs" && options.includes("rw") && !options.includes("noexec");
};

/** Short, because sockets in it have at most 107 characters; open, because PostgreSQL runs as another user. */
export const makeRunFolder = ({ isOnDisk = false } = {}) => {
  const folder = mkdtempSync(join(realpathSync(isOnDisk ? tmpdir() : chooseParent()), "hg-"));
  chmodSync(folder, 0o755);
  return folder;
};

/** What is left of a run, once what was about to end has ended; a line each. Removes it all. */
export const removeLeftovers = async (
  folder,
  { graceMs = graceMsDefault, patienceMs = patienceMsDefault, sayWaiting = () => {} } = {},
) => {
  const began = Date.now();
  let isSaid = false;
  let processes = findProcesses(folder);
  while (processes.length > 0 && Date.now() < began + graceMs) {
    if (!isSaid && Date.now() > began + patienceMs) {
      sayWaiting(processes.map(describeProcess));
      isSaid = true;
    }
    await sleep(200);
    processes = findProcesses(folder);
  }
  for (const { pid } of processes) end(pid);
  const mounts = findMounts(folder);
  const left = [
    ...processes.map(describeProcess),
    ...mounts.map((place) => `mount ${place}`),
    ...readdirSync(folder)
      .filter((name) => !expected.includes(name))
      .map((name) => `temporary ${name}${showContent(join(folder, name))}`),
  ];
  // A mounted file system is not ours to empty.
  if (mounts.length === 0) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  return left;
};

/** Node.js keeps compiled code by itself; a server that a test killed leaves its socket; folders without git their state. */
const expected = ["node-compile-cache", "state", `headgate-${process.getuid?.() ?? 0}`];

/** The names of its first files tell which test made it. */
const showContent = (path) => {
  if (!lstatSync(path).isDirectory()) return "";
  const names = readdirSync(path, { recursive: true });
  return names.length === 0 ? "" : ` (${names.slice(0, 3).join(", ")})`;
};

const describeProcess = ({ pid, command }) => `process ${pid}: ${command}`;

const findProcesses = (folder) => {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const command = read(`/proc/${name}/cmdline`).replaceAll("\0", " ").trim();
      // Without one it is a zombie that waits for its parent.
      if (command === "") return [];
      const texts = [command, read(`/proc/${name}/environ`), readLink(`/proc/${name}/cwd`)];
      return texts.some((text) => text.includes(folder)) ? [{ pid: Number(name), command }] : [];
    });
};

const findMounts = (folder) =>
  read("/proc/self/mounts")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "")
    .filter((place) => place.startsWith(folder));

const end = (pid) => {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
};

/** A process may end while it is looked at; that of another user cannot be read. */
const read = (path) => orEmpty(() => readFileSync(path, "utf8"));
const readLink = (path) => orEmpty(() => readlinkSync(path));

const orEmpty = (look) => {
  try {
    return look();
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(error.code)) return "";
    throw error;
  }
};
