/**
 * Nobody can clean up after its own SIGKILL. So each process group that we start has a watcher beside it: a shell
 * that waits at a pipe of which only we hold the other end. When we are gone, however that came, the pipe closes and
 * the watcher ends the group. Should the watcher be killed too, the next that starts a group ends what is left over.
 */
import type { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { ownIdentity, probe } from "./process-identity.ts";
import { processesMarked } from "./process-marks.ts";
import { killProcess } from "./processes.ts";

/** Every program of a run has it in its environment: those that left the group are found by it. */
export const markName = "HEADGATE_RUN_MARK";

/** Says who started it, so that others can tell whether that one still lives. */
export const newMark = (): string => {
  const { pid, startTime, pidNamespace = "" } = ownIdentity();
  marks += 1;
  const place = pidNamespace.replaceAll(/\D/g, "");
  return [pid, startTime, place, process.hrtime.bigint(), marks].join(".");
};

let marks = 0;

export interface Watcher {
  /** The group has started. */
  tell(pid: number | undefined): void;
  /** What it watched has ended, or never began. */
  dismiss(): void;
}

/** Before the group is started: there is no moment at which nobody watches. */
export const startWatcher = (mark: string): Watcher => {
  if (process.platform === "win32") return { tell: () => {}, dismiss: () => {} };
  const { spawn: start } = createRequire(import.meta.url)("node:child_process") as {
    spawn: typeof spawn;
  };
  const watcher = start("/bin/sh", ["-c", script, "headgate-watcher", mark], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    shell: false,
    // Ctrl-C at the terminal must not reach it.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without a shell there is no watcher; the next start still ends what is left over.
  watcher.on("error", () => {});
  watcher.stdin.on("error", () => {});
  watcher.unref();
  return {
    tell: (pid) => void watcher.stdin.write(`${pid ?? ""}\n`),
    dismiss: () => void watcher.stdin.end("done\n"),
  };
};

/**
 * Lines: the group's number, and that all is well. The end of the pipe: whoever held it is gone. Those that left the
 * group, and a group whose number was not told any more, have the mark, which cannot be read in the moment in which
 * a process becomes another program: hence several rounds.
 */
const script = `group=
while read -r line; do
  [ "$line" = done ] && exit 0
  group=$line
done
[ -n "$group" ] && kill -s KILL -- "-$group" 2>/dev/null
for round in 1 2 3; do
  for file in /proc/[0-9]*/environ; do
    grep -qaF "${markName}=$1" "$file" 2>/dev/null || continue
    pid=\${file#/proc/}
    kill -s KILL "\${pid%/environ}" 2>/dev/null
  done
  sleep 1
done`;

/** Ends programs whose starter is proved to be dead: by number and start time, in our own pid namespace. Linux only. */
export const endLeftOver = (): number => {
  const own = ownIdentity();
  const ownPlace = (own.pidNamespace ?? "").replaceAll(/\D/g, "");
  const left = processesMarked(markName, (mark) => {
    const [pid, startTime = "", place] = mark.split(".");
    if (place !== ownPlace || !/^\d+$/.test(startTime)) return false;
    return probe({ ...own, pid: Number(pid), startTime }).state === "dead";
  });
  for (const pid of left) killProcess(pid);
  return left.length;
};
