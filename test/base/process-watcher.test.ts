import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { isAlive } from "../helpers/process-state.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const isLinux = process.platform === "linux";
const source = (name: string) =>
  pathToFileURL(join(import.meta.dirname, "../../src/base", name)).href;

/** A process of ours that runs a client; the client starts a helper that leaves its group. */
const startOwner = async () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  const client = `echo $$ > ${at("client")}; setsid sh -c 'echo $$ > ${at("helper")}; exec sleep 600' & exec sleep 600`;
  const program = `import { systemProcessGroups } from ${JSON.stringify(source("process-group.ts"))};
    const end = await systemProcessGroups.runGroup(["/bin/sh", "-c", ${JSON.stringify(client)}], {
      cwd: "/", env: { PATH: process.env.PATH }, timeoutMs: 600_000, outputBytesMax: 1000,
      stderrTailBytes: 1000, signal: new AbortController().signal });`;
  const owner = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: "ignore",
  });
  const pidIn = (name: string) => Number(readFileSync(at(name), "utf8"));
  await until(() => ["client", "helper"].every((name) => existsSync(at(name)) && pidIn(name) > 0));
  const pids = [pidIn("client"), pidIn("helper")];
  onTestFinished(() => {
    for (const pid of [...pids, owner.pid ?? 0]) if (pid > 0 && isAlive(pid)) process.kill(pid, 9);
  });
  return { owner, pids };
};

const until = async (holds: () => boolean): Promise<void> => {
  await expect.poll(holds).toBe(true);
};

const markOf = (pid: number): string =>
  /(?:^|\0)HEADGATE_RUN_MARK=([^\0]*)/.exec(readFileSync(`/proc/${pid}/environ`, "utf8"))?.[1] ??
  "";

/** The watcher of a client, by what it was told. */
const watchersOf = (mark: string): number[] => {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const words = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0");
        return words.includes("headgate-watcher") && words.includes(mark);
      } catch {
        return false;
      }
    })
    .map(Number);
};

describe.runIf(isLinux)("V-02 nothing goes on when Headgate is killed", () => {
  it("V-02 SIGKILL of the owner ends the client and what left its group", async () => {
    const { owner, pids } = await startOwner();
    expect(pids.map(isAlive)).toEqual([true, true]);
    owner.kill("SIGKILL");
    await until(() => pids.every((pid) => !isAlive(pid)));
  });

  it("V-02 when the watcher was killed too, the next start ends it; a living owner's stay", async () => {
    const [dead, living] = [await startOwner(), await startOwner()];
    const watchers = watchersOf(markOf(dead.pids[0] ?? 0));
    expect(watchers).toHaveLength(1);
    for (const pid of watchers) process.kill(pid, "SIGKILL");
    dead.owner.kill("SIGKILL");
    await until(() => dead.owner.signalCode !== null);
    expect(dead.pids.map(isAlive)).toEqual([true, true]);
    await startOwner();
    await until(() => dead.pids.every((pid) => !isAlive(pid)));
    expect(living.pids.map(isAlive)).toEqual([true, true]);
  });

  it("V-02 a program that ends by itself leaves no watcher behind", async () => {
    const { systemProcessGroups } = await import("../../src/base/process-group.ts");
    const print = ["/bin/sh", "-c", "echo $HEADGATE_RUN_MARK"] as const;
    const { stdout } = await systemProcessGroups.runGroup(print, {
      ...{ cwd: "/", env: {}, timeoutMs: 300_000, outputBytesMax: 1000, stderrTailBytes: 1000 },
      signal: new AbortController().signal,
    });
    const mark = stdout.toString().trim();
    expect(mark).not.toBe("");
    await until(() => watchersOf(mark).length === 0);
  });
});
