import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemFiles } from "../../src/base/files.ts";
import { limits } from "../../src/base/limits.ts";
import { type Liveness, ownIdentity, probe } from "../../src/base/process-identity.ts";
import { judgeLiveness } from "../../src/claims/actors/liveness.ts";
import type { StoreTime } from "../../src/store/index.ts";
import { describeWith } from "../helpers/not-run.ts";

const now: StoreTime = { wallMs: 1_800_000_000_000, monoMs: 5_000_000, bootId: "boot-1" };
const seen = (agoMs: number) => ({
  wallMs: now.wallMs - agoMs,
  monoMs: now.monoMs! - agoMs,
  bootId: "boot-1",
});
const minute = 60_000;

const startTimeOf = (pid: number): string =>
  systemFiles.readFile(`/proc/${pid}/stat`).toString().split(") ").at(-1)!.split(" ")[19]!;

const startSleep = async () => {
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  const pid = child.pid!;
  return { child, pid, process: { ...ownIdentity(), pid, startTime: startTimeOf(pid) } };
};

describe("an actor without a process", () => {
  it("C-03 lives while its heartbeat is fresh, is stale when it is old, and is never dead", () => {
    const state = (agoMs: number) => judgeLiveness({ seen: seen(agoMs) }, now).state;
    expect(state(0)).toBe("alive");
    expect(state(limits.heartbeatFreshMs - 1)).toBe("alive");
    expect(state(limits.heartbeatFreshMs)).toBe("unknown");
    expect(state(limits.heartbeatStaleMs)).toBe("unknown");
    expect(state(limits.heartbeatStaleMs + 1)).toBe("stale");
    expect(state(400 * 24 * 60 * minute)).toBe("stale");
  });

  it("C-15 the evidence says how long ago the last heartbeat was", () => {
    const evidence = (agoMs: number) => judgeLiveness({ seen: seen(agoMs) }, now).evidence;
    expect(evidence(14_200)).toEqual(["last heartbeat 14 s ago"]);
    expect(evidence(0)).toEqual(["last heartbeat 0 s ago"]);
    expect(evidence(119_000)).toEqual(["last heartbeat 119 s ago"]);
    expect(evidence(2 * minute)).toEqual(["last heartbeat 2 min ago"]);
    expect(evidence(119 * minute)).toEqual(["last heartbeat 119 min ago"]);
    expect(evidence(120 * minute)).toEqual(["last heartbeat 2 h ago"]);
    expect(evidence(72 * 60 * minute)).toEqual(["last heartbeat 3 days ago"]);
  });

  it("C-03 a jump of the wall clock does not age a heartbeat of this boot", () => {
    for (const jump of [-3_600_000, 3_600_000]) {
      const jumped = { ...now, wallMs: now.wallMs + jump };
      expect(judgeLiveness({ seen: seen(14_000) }, jumped)).toEqual({
        state: "alive",
        evidence: ["last heartbeat 14 s ago"],
      });
    }
  });

  it("C-03 between boots, and where the server's clock decides, wall time counts", () => {
    const later = { ...now, bootId: "boot-2", monoMs: 10 };
    expect(judgeLiveness({ seen: seen(30 * minute) }, later)).toEqual({
      state: "stale",
      evidence: ["last heartbeat 30 min ago"],
    });
    const plain = { wallMs: now.wallMs - 14_000, monoMs: null, bootId: null };
    expect(judgeLiveness({ seen: plain }, { wallMs: now.wallMs }).evidence).toEqual([
      "last heartbeat 14 s ago",
    ]);
    expect(judgeLiveness({ seen: plain }, now).state).toBe("alive");
  });

  it("C-15 a heartbeat from the future is called a jump of the clock", () => {
    const future = { wallMs: now.wallMs + 5 * minute, monoMs: null, bootId: null };
    expect(judgeLiveness({ seen: future }, now)).toEqual({
      state: "unknown",
      evidence: ["last heartbeat in the future: clock jumped"],
    });
    const rounded = { wallMs: now.wallMs + 1, monoMs: null, bootId: null };
    expect(judgeLiveness({ seen: rounded }, now)).toEqual({
      state: "alive",
      evidence: ["last heartbeat 0 s ago"],
    });
  });

  it("C-15 no clocks whatever make a negative age or a proof of death", () => {
    const time = fc.double({ min: -1e13, max: 1e13, noNaN: true });
    const boot = fc.constantFrom("a", "b");
    fc.assert(
      fc.property(
        fc.record({
          wallMs: time,
          monoMs: fc.option(time),
          bootId: fc.option(boot),
        }),
        fc.record({ wallMs: time, monoMs: time, bootId: boot }),
        (last, present) => {
          const { state, evidence } = judgeLiveness({ seen: last }, present);
          expect(state).not.toBe("dead");
          expect(evidence).toHaveLength(1);
          expect(evidence[0]).toMatch(
            /^last heartbeat (\d+ (s|min|h|days) ago|in the future: clock jumped)$/,
          );
        },
      ),
    );
  });
});

describeWith({ platforms: ["linux"] }, "an actor with a process", () => {
  it("C-03 a running process is proof of life, however old the heartbeat", async () => {
    const { pid, process } = await startSleep();
    expect(judgeLiveness({ process, seen: seen(50 * minute) }, now)).toEqual({
      state: "alive",
      evidence: [`process ${pid} is running`, "last heartbeat 50 min ago"],
    });
  });

  it("C-03 a process that is gone is proof of death, however fresh the heartbeat", async () => {
    const { child, pid, process } = await startSleep();
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(judgeLiveness({ process, seen: seen(1000) }, now)).toEqual({
      state: "dead",
      evidence: [`process ${pid} is gone`, "last heartbeat 1 s ago"],
    });
  });

  it("C-03 a zombie is dead", async () => {
    const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void parent.kill("SIGKILL"));
    const pid = Number(String((await once(parent.stdout, "data"))[0]));
    const process = { ...ownIdentity(), pid, startTime: startTimeOf(pid) };
    expect(judgeLiveness({ process, seen: seen(0) }, now).state).toBe("alive");
    globalThis.process.kill(pid, "SIGKILL");
    const isZombie = () => systemFiles.readFile(`/proc/${pid}/stat`).includes(") Z ");
    while (!isZombie()) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(judgeLiveness({ process, seen: seen(0) }, now)).toEqual({
      state: "dead",
      evidence: [`process ${pid} has ended (zombie)`, "last heartbeat 0 s ago"],
    });
  });

  it("C-03 another process under the same number is not the holder", async () => {
    const { pid, process } = await startSleep();
    const before = { ...process, startTime: String(Number(process.startTime) - 1) };
    expect(judgeLiveness({ process: before, seen: seen(14_000) }, now)).toEqual({
      state: "dead",
      evidence: [`process ${pid} is another one now (pid reused)`, "last heartbeat 14 s ago"],
    });
  });

  it("C-03 a child that outlives its parent does not keep the parent alive", async () => {
    const parent = spawn("sh", ["-c", "sleep 60 & echo $!; wait"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const orphan = Number(String((await once(parent.stdout, "data"))[0]));
    onTestFinished(() => void globalThis.process.kill(orphan, "SIGKILL"));
    const identity = (pid: number) => ({ ...ownIdentity(), pid, startTime: startTimeOf(pid) });
    const [holder, child] = [identity(parent.pid!), identity(orphan)];
    parent.kill("SIGKILL");
    await once(parent, "exit");
    expect(judgeLiveness({ process: holder, seen: seen(0) }, now).state).toBe("dead");
    expect(judgeLiveness({ process: child, seen: seen(0) }, now).state).toBe("alive");
  });

  it("C-03 a restart of the machine ends every process", () => {
    const process = { ...ownIdentity(), bootId: "an-earlier-boot" };
    const [name] = ownIdentity().host.split("/");
    expect(judgeLiveness({ process, seen: seen(5 * minute) }, now)).toEqual({
      state: "dead",
      evidence: [`${name} was restarted since`, "last heartbeat 5 min ago"],
    });
    // Nothing proves death beside a sign of life.
    expect(judgeLiveness({ process, seen: seen(0) }, now)).toEqual({
      state: "alive",
      evidence: ["last heartbeat 0 s ago"],
    });
  });

  it("C-03 on another machine only heartbeat and expiry count", () => {
    const process = { ...ownIdentity(), host: "pollux/0123abcd", bootId: "other" };
    const judge = (agoMs: number) => judgeLiveness({ process, seen: seen(agoMs) }, now);
    expect(judge(14_000)).toEqual({
      state: "alive",
      evidence: ["runs on pollux; only heartbeat and expiry count", "last heartbeat 14 s ago"],
    });
    expect(judge(5 * minute).state).toBe("unknown");
    expect(judge(30 * 24 * 60 * minute).state).toBe("stale");
    const marked = (host: string): Liveness => ({
      state: "unknown",
      evidence: [`it runs on ${host}, this is castor/00000000`],
    });
    expect(judgeLiveness({ process, seen: seen(0) }, now, () => marked("castor/11111111"))).toEqual(
      {
        state: "alive",
        evidence: [
          "runs on another machine named castor; only heartbeat and expiry count",
          "last heartbeat 0 s ago",
        ],
      },
    );
  });
});

const canUnshare = spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "true"]).status === 0;

describeWith(
  { platforms: ["linux"], programs: canUnshare ? [] : ["unshare with the right to use it"] },
  "across pid namespaces",
  () => {
    const script = `
      const { judgeLiveness } = await import(${JSON.stringify(import.meta.resolve("../../src/claims/actors/liveness.ts"))});
      const { ownIdentity } = await import(${JSON.stringify(import.meta.resolve("../../src/base/process-identity.ts"))});
      const given = JSON.parse(process.argv[1]);
      const judged = given && judgeLiveness({ process: given.process, seen: given.seen }, given.now);
      console.log(JSON.stringify({ own: ownIdentity(), judged }));`;

    const runInNamespace = (given: unknown) => {
      const result = spawnSync(
        "unshare",
        [
          "--pid",
          "--fork",
          "--mount-proc",
          process.execPath,
          "--input-type=module",
          "-e",
          script,
        ].concat(JSON.stringify(given)),
        { encoding: "utf8" },
      );
      return JSON.parse(result.stdout) as { own: ReturnType<typeof ownIdentity>; judged: unknown };
    };

    it("C-03 a process outside is not called dead from inside, nor the other way round", () => {
      const outside = { process: ownIdentity(), seen: seen(14_000), now };
      const { own, judged } = runInNamespace(outside);
      const evidence = (pid: number) => [
        `process ${pid} belongs to another pid namespace (container)`,
        "last heartbeat 14 s ago",
      ];
      expect(judged).toEqual({ state: "alive", evidence: evidence(process.pid) });
      // It has ended, but from here its small number is somebody else's or nobody's.
      expect(probe(own).state).toBe("unknown");
      expect(judgeLiveness({ process: own, seen: seen(14_000) }, now)).toEqual({
        state: "alive",
        evidence: evidence(own.pid),
      });
      expect(judgeLiveness({ process: own, seen: seen(30 * minute) }, now).state).toBe("stale");
    });
  },
);
