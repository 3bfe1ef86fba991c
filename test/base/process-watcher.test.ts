import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const isLinux = process.platform === "linux";
const source = (name: string) =>
  pathToFileURL(join(import.meta.dirname, "../../src/base", name)).href;

/** A process of ours that runs a client; the client starts a helper that leaves its group. */
const startOwner = async () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  const client = `echo $$ > ${at("client")}; setsid sh -c 'echo $$ > ${at("helper")}; exec sleep 300' & exec sleep 300`;
  const program = `import { systemProcessGroups } from ${JSON.stringify(source("process-group.ts"))};
    const end = await systemProcessGroups.runGroup(["/bin/sh", "-c", ${JSON.stringify(client)}], {
      cwd: "/", env: { PATH: process.env.PATH }, timeoutMs: 100_000, outputBytesMax: 1000,
      stderrTailBytes: 1000, signal: new AbortController().signal });`;
  const owner = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: "ignore",
  });
  const pidIn = (name: string) => Number(readFileSync(at(name), "utf8"));
  await until(() => ["client", "helper"].every((name) => existsSync(at(name)) && pidIn(name) > 0));
  const pids = [pidIn("client"), pidIn("helper")];
  onTestFinished(() => {
    for (const pid of [...pids, owner.pid ?? 0]) if (pid > 0 && isThere(pid)) process.kill(pid, 9);
  });
  return { owner, pids };
};

const isThere = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};

const until = async (holds: () => boolean, ms = 10_000): Promise<void> => {
  const end = performance.now() + ms;
  while (!holds()) {
    if (performance.now() > end) throw new Error("it did not come about");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

/** The watcher of a client, by what it was told. */
const watchersOf = async (client: number): Promise<number[]> => {
  const { readdirSync } = await import("node:fs");
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const words = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0");
        return words.includes("headgate-watcher") && words.includes(String(client));
      } catch {
        return false;
      }
    })
    .map(Number);
};

describe.runIf(isLinux)("V-02 nothing goes on when Headgate is killed", () => {
  it("V-02 SIGKILL of the owner ends the client and what left its group", async () => {
    const { owner, pids } = await startOwner();
    expect(pids.map(isThere)).toEqual([true, true]);
    owner.kill("SIGKILL");
    await until(() => pids.every((pid) => !isThere(pid)));
  });

  it("V-02 when the watcher was killed too, the next start ends it; a living owner's stay", async () => {
    const [dead, living] = [await startOwner(), await startOwner()];
    for (const pid of await watchersOf(dead.pids[0] ?? 0)) process.kill(pid, "SIGKILL");
    dead.owner.kill("SIGKILL");
    await until(() => dead.owner.signalCode !== null);
    expect(dead.pids.map(isThere)).toEqual([true, true]);
    await startOwner();
    await until(() => dead.pids.every((pid) => !isThere(pid)));
    expect(living.pids.map(isThere)).toEqual([true, true]);
  });

  it("V-02 a program that ends by itself leaves no watcher behind", async () => {
    const { systemProcessGroups } = await import("../../src/base/process-group.ts");
    const { stdout } = await systemProcessGroups.runGroup(["/bin/sh", "-c", "echo $$"], {
      ...{ cwd: "/", env: {}, timeoutMs: 10_000, outputBytesMax: 1000, stderrTailBytes: 1000 },
      signal: new AbortController().signal,
    });
    const pid = Number(stdout.toString());
    for (let tries = 0; tries < 100 && (await watchersOf(pid)).length > 0; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(await watchersOf(pid)).toEqual([]);
  });
});
