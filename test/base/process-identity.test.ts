import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemFiles } from "../../src/base/files.ts";
import {
  createProcessIdentities,
  ownIdentity,
  probe,
  type ProcessIdentity,
  type ProcessSystem,
} from "../../src/base/process-identity.ts";
import { describeWith } from "../helpers/not-run.ts";

/** A child that says its own identity and then waits. */
const startChild = async () => {
  const file = new URL("../../src/base/process-identity.ts", import.meta.url).href;
  const script = `const { ownIdentity } = await import(${JSON.stringify(file)});
    console.log(JSON.stringify(ownIdentity()));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout, "data");
  return { child, identity: JSON.parse(String(line)) as ProcessIdentity };
};

describeWith({ platforms: ["linux", "darwin"] }, "whether a process lives", () => {
  it("C-03 a running process is alive, also while it is stopped", async () => {
    expect(probe(ownIdentity())).toMatchObject({ state: "alive" });
    const { child, identity } = await startChild();
    expect(identity.pid).toBe(child.pid);
    expect(probe(identity)).toMatchObject({ state: "alive" });
    child.kill("SIGSTOP");
    expect(probe(identity)).toMatchObject({ state: "alive" });
  });

  it("C-03 a killed process is dead", async () => {
    const { child, identity } = await startChild();
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(probe(identity)).toEqual({ state: "dead", evidence: [`no process ${identity.pid}`] });
  });

  it("C-03 another process with the same number is not the one", () => {
    const own = ownIdentity();
    const before = { ...own, startTime: String(Number(own.startTime) - 1) };
    expect(probe(before)).toMatchObject({
      state: "dead",
      evidence: [`process ${own.pid} is another one`, expect.any(String)],
    });
  });

  it("C-03 a restart of the machine ends every process", () => {
    const before = { ...ownIdentity(), bootId: "another" };
    expect(probe(before)).toMatchObject({
      state: "dead",
      evidence: [expect.stringContaining("restarted")],
      byRestart: true,
    });
  });

  it("C-03 of another machine or container nothing is known", () => {
    const own = ownIdentity();
    expect(probe({ ...own, host: "pollux", bootId: "x" })).toMatchObject({ state: "unknown" });
    expect(probe({ ...own, pidNamespace: "pid:[1]" })).toMatchObject({ state: "unknown" });
    for (const pid of [0, -1, 1.5, Number.NaN]) {
      expect(probe({ ...own, pid })).toMatchObject({ state: "unknown" });
    }
  });
});

describeWith({ platforms: ["linux"] }, "on Linux", () => {
  it("C-03 a zombie is dead", async () => {
    // The shell starts a child and becomes a program that never asks how the child ended.
    const parent = spawn("sh", ["-c", "sleep 0.05 & echo $!; exec sleep 60"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void parent.kill("SIGKILL"));
    const pid = Number(String((await once(parent.stdout, "data"))[0]));
    const stat = () => systemFiles.readFile(`/proc/${pid}/stat`).toString();
    const startTime = stat().split(") ")[1]!.split(" ")[19]!;
    while (!stat().includes(") Z ")) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(probe({ ...ownIdentity(), pid, startTime })).toMatchObject({
      state: "dead",
      evidence: [`process ${pid} has ended (state Z)`],
    });
  });

  it("C-03 a program name with parentheses and spaces does not hide the start time", () => {
    const own = ownIdentity();
    const fields = ["S", ...Array.from({ length: 18 }, (_, index) => String(index)), own.startTime];
    const identities = createProcessIdentities({
      ...linux,
      files: {
        ...systemFiles,
        readFile: (path) =>
          path === "/proc/4711/stat"
            ? Buffer.from(`4711 (a) Z 1 (b) ${fields.join(" ")} 0\n`)
            : systemFiles.readFile(path),
      },
    });
    const identity = { ...identities.ownIdentity(), pid: 4711, startTime: own.startTime };
    expect(identities.probe(identity)).toMatchObject({ state: "alive" });
  });

  it("C-03 a process that /proc hides from us is not called dead", () => {
    const identities = createProcessIdentities({ ...linux, exists: () => true });
    const hidden = { ...identities.ownIdentity(), pid: 2 ** 30 };
    expect(identities.probe(hidden)).toMatchObject({ state: "unknown" });
    expect(probe({ ...ownIdentity(), pid: hidden.pid })).toMatchObject({ state: "dead" });
  });

  it("C-03 a /proc of another namespace proves nothing", () => {
    const identities = createProcessIdentities({ ...linux, pid: process.pid + 1 });
    expect(identities.probe(identities.ownIdentity())).toMatchObject({ state: "unknown" });
  });

  const linux: ProcessSystem = {
    platform: "linux",
    hostName: "castor",
    pid: process.pid,
    startedWallMs: 0,
    files: systemFiles,
    readProgram: () => undefined,
    exists: () => false,
  };
});

const mac = (ps: string | undefined, hardware?: string): ProcessSystem => ({
  platform: "darwin",
  hostName: "castor",
  pid: 1,
  startedWallMs: 1_500,
  files: systemFiles,
  readProgram: ([program]) => {
    if (program === "/usr/sbin/ioreg") return hardware;
    return program === "/bin/ps" ? ps : "0123-boot\n";
  },
  exists: () => false,
});

describe("on other systems", () => {
  it("C-03 macOS is asked by ps and sysctl", () => {
    const { ownIdentity: own, probe: ask } = createProcessIdentities(
      mac("Ss+  Sun Nov 15 19:53:43 2026\n"),
    );
    expect(own()).toEqual({ host: "castor", bootId: "0123-boot", pid: 1, startTime: "1794772423" });
    expect(ask(own())).toMatchObject({ state: "alive" });
    expect(ask({ ...own(), startTime: "1794772422" })).toMatchObject({ state: "dead" });
    const zombie = createProcessIdentities(mac("Z    Sun Nov 15 19:53:43 2026\n"));
    expect(zombie.probe(zombie.ownIdentity())).toMatchObject({ state: "dead" });
    const gone = createProcessIdentities(mac(undefined));
    expect(gone.probe({ ...gone.ownIdentity(), pid: 2 })).toMatchObject({ state: "dead" });
  });

  it("M-01 another boot under a name without a machine id is no restart", () => {
    const { ownIdentity: own, probe: ask } = createProcessIdentities(mac(undefined));
    expect(own().host).toBe("castor");
    expect(ask({ ...own(), bootId: "another" })).toMatchObject({
      state: "unknown",
      evidence: ["it runs on another machine or container named castor"],
    });
  });

  it("C-03 two Macs of one name are two hosts", () => {
    const hardware = (id: string) => `+-o Root\n    "IOPlatformUUID" = "${id}"\n`;
    const one = createProcessIdentities(mac(undefined, hardware("AAAA-1"))).ownIdentity();
    const other = createProcessIdentities(mac(undefined, hardware("AAAA-2")));
    expect(one.host).toMatch(/^castor\/[0-9a-f]{8}$/);
    expect(other.probe({ ...one, bootId: "another-boot" })).toMatchObject({ state: "unknown" });
  });

  it("C-03 Windows proves only death, and itself", () => {
    const system = { ...mac(undefined), platform: "win32" as const };
    const there = createProcessIdentities({ ...system, exists: () => true });
    expect(there.probe(there.ownIdentity())).toMatchObject({ state: "alive" });
    expect(there.probe({ ...there.ownIdentity(), pid: 2 })).toMatchObject({ state: "unknown" });
    const gone = createProcessIdentities(system);
    expect(gone.probe({ ...gone.ownIdentity(), pid: 2 })).toMatchObject({ state: "dead" });
  });
});
