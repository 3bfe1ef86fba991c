/** A lock that a killed git left does not stop an agent's plain git; one of a living git stays. */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { systemFiles } from "../../../src/base/files.ts";
import { clearLeftIndexLock } from "../../../src/git/index.ts";
import { git } from "../../helpers/git-repository.ts";
import { describeWith } from "../../helpers/not-run.ts";
import { isAlive } from "../../helpers/process-state.ts";
import { runInside } from "../../helpers/inside.ts";
import { arm, runShim } from "../../helpers/shim.ts";
import { put } from "../../helpers/temporary-folder.ts";
import { type Done, environmentOf, eventsOf, read } from "./hooked-repository.ts";
import { session, type SharedCheckout, sharedCheckout } from "./shared-checkout.ts";

const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";
const mine = ten.replace("2\n", "two\n");

interface Scene extends SharedCheckout {
  readonly lock: string;
  /** A client's hook around a command of the session. */
  hook(event: string, command: string): Promise<{ code: number | null; said: string }>;
  /** A client runs the command, with its hooks. */
  run(command: string): Promise<Done & { readonly said: string }>;
  /** Starts git, which stops where `gate` is. */
  hold(who: string, ...args: string[]): Promise<Held>;
}

interface Held {
  readonly pid: number;
  readonly ended: Promise<number | null>;
  kill(): Promise<void>;
  goOn(): void;
}

/** Waits until a test lets it go on. */
const gate = `#!/bin/sh
[ -f "$GATE" ] || exit 0
: >"$GATE.reached"
while [ -f "$GATE" ]; do sleep 0.02; done
`;

const scene = async (): Promise<Scene> => {
  const place = await sharedCheckout({ "f.txt": ten });
  const { folder } = place;
  arm(join(folder, ".git/headgate"), {
    runtime: readFileSync(join(folder, ".git/headgate/runtime"), "utf8").trim().split("\n"),
  });
  const script = put(join(folder, "../gate"), gate);
  chmodSync(script, 0o755);
  const closed = join(folder, "../closed");
  const env = { ...environmentOf(folder), GIT_EDITOR: script, GATE: closed };
  const hook = async (event: string, command: string) => {
    const input = JSON.stringify({
      ...{ session_id: "s1", cwd: folder, hook_event_name: event, tool_name: "Bash" },
      ...{ tool_use_id: command, tool_input: { command }, tool_response: {} },
    });
    const { HEADGATE_ACTOR: _, ...surroundings } = environmentOf(folder);
    const { code, ...out } = await runShim(folder, {
      ...{ harness: ["claude"], input, env: surroundings },
    });
    return { code, said: `${out.stdout}${out.stderr}` };
  };
  const start = (who: string, program: string, args: readonly string[]) => {
    const child = spawn(program, args, {
      ...{ cwd: folder, env: { ...env, HEADGATE_ACTOR: who } },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const text = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (part: string) => (text[name] += part));
    }
    const ended = new Promise<number | null>((done) => child.on("exit", done));
    const closedPipes = new Promise<void>((done) => child.on("close", () => done()));
    return { child, text, ended, closedPipes };
  };
  await place.swap("s1", "f.txt", "2\n", "two\n");
  await place.swap("s2", "f.txt", "8\n", "eight\n");
  return {
    ...place,
    lock: join(folder, ".git/index.lock"),
    hook,
    run: async (command) => {
      const before = await hook("PreToolUse", command);
      expect(before.code, before.said).toBe(0);
      const { text, ended, closedPipes } = start(session("s1"), "sh", ["-c", command]);
      const code = await ended;
      await closedPipes;
      await hook("PostToolUse", command);
      return { code, ...text, said: before.said };
    },
    hold: async (who, ...args) => {
      writeFileSync(closed, "");
      rmSync(`${closed}.reached`, { force: true });
      const goOn = () => rmSync(closed, { force: true });
      const { child, text, ended } = start(who, "git", args);
      const pid = child.pid ?? 0;
      onTestFinished(() => {
        goOn();
        if (isAlive(pid)) child.kill("SIGKILL");
      });
      let isOver = false;
      void ended.then(() => (isOver = true));
      const state = () => (isOver ? `ended: ${text.stderr}` : existsSync(`${closed}.reached`));
      await expect.poll(state, { timeout: 20_000 }).toBe(true);
      return {
        ...{ pid, ended, goOn },
        kill: async () => {
          child.kill("SIGKILL");
          await ended;
          // The program that it waited for.
          goOn();
        },
      };
    },
  };
};

const commitAll = "git add -A && git commit -q -m 'By s1'";

const expectLands = async (place: Scene): Promise<void> => {
  expect(existsSync(place.lock)).toBe(true);
  const done = await place.run(commitAll);
  expect([done.code, done.stderr]).toEqual([0, expect.not.stringContaining("index.lock")]);
  expect(place.head("f.txt")).toBe(mine);
  expect(read(place.folder, "f.txt")).toBe(mine.replace("8\n", "eight\n"));
  expect(existsSync(place.lock)).toBe(false);
};

describeWith({ platforms: ["linux"] }, "G6 the index lock of a killed git", () => {
  it.each([
    ["a person's commit in its editor", "user:ada"],
    ["another session's commit in its editor", session("s2")],
  ])("G6 N-02 %s: the agent's plain git add and git commit land", async (_what, who) => {
    const place = await scene();
    const held = await place.hold(who, "commit", "-a");
    await held.kill();
    await expectLands(place);
    expect(eventsOf(place.folder, "work.repaired")).toMatchObject([
      {
        data: { code: "LOCK_LEFT", what: expect.stringContaining(`process ${held.pid}, is dead`) },
      },
    ]);
  });

  it("G6 a commit of named files in a hook of the user's", async () => {
    const place = await scene();
    const path = put(join(place.folder, ".git/hooks/headgate-before/pre-commit"), gate);
    chmodSync(path, 0o755);
    const held = await place.hold("user:ada", "commit", "-m", "By Ada", "--", "f.txt");
    await held.kill();
    rmSync(path);
    expect(place.head("f.txt")).toBe(ten);
    await expectLands(place);
  });

  it("G6 any command of Headgate removes it and says so", async () => {
    const place = await scene();
    const held = await place.hold("user:ada", "commit", "-a");
    await held.kill();
    const { code, stderr } = await runInside(["status"], { cwd: place.folder });
    expect(code).toBe(0);
    expect(stderr).toMatch(/repaired: \S+index\.lock, \d+ seconds? old: .* is dead \[LOCK_LEFT\]/);
    expect(existsSync(place.lock)).toBe(false);
  });

  it("G6 git add that is killed in a filter: by what the hooks saw of the command, where all processes are seen", async () => {
    const place = await scene();
    git(place.folder, "config", "filter.gate.clean", `${join(place.folder, "../gate")}; cat`);
    put(join(place.folder, ".gitattributes"), "*.slow filter=gate\n");
    put(join(place.folder, "x.slow"), "x\n");
    expect((await place.hook("PreToolUse", "git add -A")).code).toBe(0);
    const held = await place.hold(session("s1"), "add", "-A");
    await held.kill();
    expect(existsSync(place.lock)).toBe(true);
    // The client has not said that the command ended.
    const early = await runInside(["verify", "--repair"], { cwd: place.folder });
    expect([early.code, existsSync(place.lock)]).toEqual([expect.any(Number), true]);
    await place.hook("PostToolUseFailure", "git add -A");
    rmSync(join(place.folder, "x.slow"));
    rmSync(join(place.folder, ".gitattributes"));
    const isAllSeen = readlinkSync("/proc/self/ns/pid") === "pid:[4026531836]";
    if (isAllSeen) return expectLands(place);
    const { said } = await place.hook("PreToolUse", commitAll);
    expect(said).toContain("nothing proves that its git has ended");
    expect(existsSync(place.lock)).toBe(true);
  });

  it("G6 the lock of a living git stays, the agent is told who has it, and that git ends well", async () => {
    const place = await scene();
    const held = await place.hold("user:ada", "commit", "-a");
    const { code, said } = await place.hook("PreToolUse", commitAll);
    expect(code).toBe(0);
    expect(said).toMatch(
      new RegExp(
        `index\\.lock, \\d+ seconds? old: process ${held.pid} \\(git commit -a\\) works here`,
      ),
    );
    expect((await runInside(["verify", "--repair"], { cwd: place.folder })).code).toBe(0);
    expect(existsSync(place.lock)).toBe(true);
    held.goOn();
    // Its message is empty.
    expect(await held.ended).toBe(1);
    expect(existsSync(place.lock)).toBe(false);
  });

  it("G6 a lock that nobody knows stays, also where a note is about an earlier one, and one line says what to do", async () => {
    const place = await scene();
    const held = await place.hold("user:ada", "commit", "-a");
    await held.kill();
    rmSync(place.lock);
    writeFileSync(place.lock, "");
    const { code, said } = await place.hook("PreToolUse", commitAll);
    expect(code).toBe(0);
    expect(said).toMatch(
      /index\.lock, \d+ seconds? old: nothing proves that its git has ended; if no git runs in this repository, remove the lock/,
    );
    expect(existsSync(place.lock)).toBe(true);
  });

  it("G6 on a file system of the network nothing is proven", async () => {
    const place = await scene();
    const held = await place.hold("user:ada", "commit", "-a");
    await held.kill();
    const files = {
      ...systemFiles,
      readFile: (path: string) =>
        path === "/proc/self/mountinfo"
          ? Buffer.from("1 0 0:1 / / rw - nfs4 server:/ rw\n")
          : systemFiles.readFile(path),
    };
    const there = { clock: systemClock, files };
    expect(clearLeftIndexLock(place.folder, there)).toMatchObject({
      ...{ isLeft: false, isRemoved: false },
      what: expect.stringContaining("(nfs4 file system)"),
    });
    expect(existsSync(place.lock)).toBe(true);
    expect(clearLeftIndexLock(place.folder, { clock: systemClock })).toMatchObject({
      isRemoved: true,
    });
  });
});
