import { spawn } from "node:child_process";
import { once } from "node:events";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemFiles } from "../../src/base/files.ts";
import { ownIdentity, probe } from "../../src/base/process-identity.ts";
import { readProcessTree, type ProcessTree } from "../../src/base/process-tree.ts";
import { findHarness, harnessSigns } from "../../src/claims/actors/actor-harness.ts";
import type { Actor } from "../../src/claims/types.ts";
import { systemEnvironment } from "../../src/base/environment.ts";
import { describeWith } from "../helpers/not-run.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const source = (path: string) => new URL(`../../src/${path}`, import.meta.url).href;

/** Says who it is and waits, as a command inside a client's shell. */
const commandText = `
  const { actorFromEnvironment } = await import(${JSON.stringify(source("claims/actors/actor.ts"))});
  const { systemEnvironment } = await import(${JSON.stringify(source("base/environment.ts"))});
  const { renameSync, writeFileSync } = await import("node:fs");
  while (String(process.ppid) === process.env.NOT_BELOW) await new Promise((done) => setTimeout(done, 5));
  const environment = systemEnvironment();
  const { variables } = environment;
  const numbers = JSON.parse(variables.NUMBERS ?? "[]");
  const answer = {
    actor: actorFromEnvironment(environment),
    byNumber: numbers.map((CLAUDE_PID) =>
      actorFromEnvironment({ ...environment, variables: { ...variables, CLAUDE_PID } })),
  };
  writeFileSync(process.argv[2] + ".new", JSON.stringify(answer));
  renameSync(process.argv[2] + ".new", process.argv[2]);`;

/** A program of the given name that runs one shell command, and then stays until it is ended. */
const clientText = `
  const { spawn } = await import("node:child_process");
  const env = { ...process.env };
  if (env.SET_PID) env[env.SET_PID] = String(process.pid);
  spawn("sh", ["-c", process.argv[2]], { stdio: "inherit", env });
  setInterval(() => {}, 1000);`;

interface Session {
  readonly actor: Actor;
  /** The same with each of the variable NUMBERS as the number that the client gives. */
  readonly byNumber: readonly Actor[];
  /** From the outside in. */
  readonly clients: readonly number[];
  end(): Promise<void>;
}

/** Real processes: each client runs the next one in a shell, the innermost runs the command. */
const runInside = async (
  clients: readonly string[],
  variables: Record<string, string>,
  options: { readonly command?: (line: string) => string } = {},
): Promise<Session> => {
  const folder = temporaryFolder();
  const answer = join(folder, "answer.json");
  const commandFile = put(join(folder, "command.mjs"), commandText);
  const clientFile = put(join(folder, "run.mjs"), clientText);
  let line = `"${process.execPath}" "${commandFile}" "${answer}"`;
  line = options.command?.(line) ?? `${line}; true`;
  for (const name of clients.toReversed()) {
    const program = join(folder, name);
    symlinkSync(process.execPath, program);
    line = `"${program}" "${clientFile}" '${line.replaceAll("'", `'\\''`)}'; true`;
  }
  const child = spawn("sh", ["-c", line], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { PATH: process.env["PATH"], HOME: folder, ...variables },
    detached: true,
  });
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    process.kill(-child.pid!, "SIGKILL");
    await ended;
  };
  onTestFinished(end);
  await expect.poll(() => systemFiles.stat(answer), { interval: 10 }).toBeTruthy();
  const said = JSON.parse(systemFiles.readFile(answer).toString()) as Session;
  return { ...said, clients: clients.map((name) => pidOf(join(folder, name))), end };
};

const pidOf = (program: string): number => {
  const found = systemFiles
    .list("/proc")
    .filter(({ name }) => /^\d+$/.test(name))
    .find(({ name }) => {
      try {
        const [first] = systemFiles.readFile(`/proc/${name}/cmdline`).toString().split("\0");
        return first === program;
      } catch {
        return false;
      }
    });
  return Number(found?.name);
};

const session = { CLAUDE_CODE_SESSION_ID: "s-1", CLAUDECODE: "1" };

describeWith({ platforms: ["linux"] }, "the process behind a session", () => {
  it("C-03 is the client, not the command nor the shell around it", async () => {
    const { actor, clients, end } = await runInside(["claude"], session);
    expect(actor.id).toBe("claude:s-1");
    expect(actor.process).toMatchObject({ pid: clients[0], host: ownIdentity().host });
    expect(probe(actor.process!)).toMatchObject({ state: "alive" });
    await end();
    // The shell has ended; the client, killed with it, may take a moment longer.
    await expect.poll(() => probe(actor.process!).state).toBe("dead");
  });

  it("C-03 is the number the client gives, also of a client with another name", async () => {
    const { actor, clients } = await runInside(["agent-7"], { ...session, SET_PID: "CLAUDE_PID" });
    expect(actor.process?.pid).toBe(clients[0]);
    const unknown = await runInside(["agent-8"], session);
    expect(unknown.actor).toEqual({ id: "claude:s-1", session: "claude:s-1", harness: "claude" });
  });

  it("C-03 is not what a wrong number points to", async () => {
    const stranger = spawn("sleep", ["60"]);
    onTestFinished(() => void stranger.kill("SIGKILL"));
    const wrong = ["1", "0", "-5", "abc", "4194305", "9999999999", String(stranger.pid)];
    const variables = { ...session, CLAUDE_PID: "abc", NUMBERS: JSON.stringify(wrong) };
    const inside = await runInside(["claude"], variables);
    expect(inside.actor.process?.pid).toBe(inside.clients[0]);
    const found = inside.byNumber.map((actor) => actor.process?.pid);
    expect(found).toEqual(wrong.map(() => inside.clients[0]));
    const without = await runInside(["agent-7"], variables);
    expect(without.actor.process).toBeUndefined();
    expect(without.byNumber.map((actor) => actor.process)).toEqual(wrong.map(() => undefined));
  });

  it("C-03 is not the shell, even if the number says so", async () => {
    const { actor } = await runInside(["agent-7"], session, {
      command: (line) => `export CLAUDE_PID=$$; ${line}; true`,
    });
    expect(actor.process).toBeUndefined();
  });

  it("C-03 is found by its number when the command runs in the background", async () => {
    const { actor, clients } = await runInside(
      ["claude"],
      { ...session, SET_PID: "CLAUDE_PID" },
      { command: (line) => `sh -c 'export NOT_BELOW=$$; ${line} & :'` },
    );
    expect(actor.process?.pid).toBe(clients[0]);
  });

  it("C-03 of two clients inside each other is the inner one", async () => {
    const variables = { ...session, CODEX_THREAD_ID: "t-1" };
    const codexInside = await runInside(["claude", "codex"], variables);
    expect(codexInside.actor.id).toBe("codex:t-1");
    expect(codexInside.actor.process?.pid).toBe(codexInside.clients[1]);
    const claudeInside = await runInside(["codex", "claude"], variables);
    expect(claudeInside.actor.id).toBe("claude:s-1");
    expect(claudeInside.actor.process?.pid).toBe(claudeInside.clients[1]);
  });

  it("C-03 names the session where the client does not", async () => {
    const { actor, clients } = await runInside(["cursor-agent"], { CURSOR_AGENT: "1" });
    expect(actor.id).toBe(`cursor:p${clients[0]}-${actor.process!.startTime}`);
    expect(actor.process?.pid).toBe(clients[0]);
  });

  it("C-03 belongs to a given name only if that is the session or its sub-agent", async () => {
    const given = async (name: string) =>
      (await runInside(["claude"], { ...session, HEADGATE_ACTOR: name })).actor;
    expect((await given("claude:s-1/reviewer")).process).toBeDefined();
    for (const other of ["claude:s-2/reviewer", "alice"]) {
      expect(await given(other)).toMatchObject({ id: "claude:s-1", process: {} });
    }
  });
});

describeWith({ platforms: ["linux"], root: true }, "the process of another user", () => {
  it("C-03 is never taken as proof of life", async () => {
    const other = spawn("sleep", ["60"], { argv0: "claude", uid: 65534 });
    const same = spawn("sleep", ["60"], { argv0: "claude" });
    onTestFinished(() => void [other, same].map((child) => child.kill("SIGKILL")));
    const sign = (pid: number) => [{ harness: "claude", session: "s", pid }] as const;
    expect(findHarness(sign(same.pid!))?.process?.pid).toBe(same.pid);
    expect(findHarness(sign(other.pid!))).toEqual({ harness: "claude", session: "s" });
  });
});

/** Processes as a list from this one upwards. */
const treeOf = (...lines: readonly (readonly string[])[]): ProcessTree => {
  const processes = [["headgate"], ...lines].map((argv, index) => ({
    pid: 100 + index,
    parent: index === lines.length ? 1 : 101 + index,
    startTime: "5",
    userId: 1000,
    isZombie: false,
    name: argv[0]!.split("/").at(-1)!.slice(0, 15),
    argv,
  }));
  return { own: processes[0]!, find: (pid) => processes[pid - 100] };
};

describe("what a client looks like", () => {
  const pidIn = (harness: "claude" | "codex" | "gemini", ...lines: readonly string[][]) =>
    findHarness([{ harness, session: "s" }], () => treeOf(...lines))?.process?.pid;

  it("C-03 a program of that name, or its package run by node or bun", () => {
    for (const argv of [
      ["claude"],
      ["/opt/bin/claude", "-p", "go"],
      ["C:\\Program Files\\claude.exe"],
      ["node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"],
      ["/usr/bin/node", "--max-old-space-size=8192", "/usr/local/bin/claude"],
      ["bun", "/x/node_modules/y/node_modules/claude-code/start.mjs", "codex"],
    ]) {
      expect(pidIn("claude", ["sh", "-c", "headgate claim a"], argv), argv[0]).toBe(102);
    }
    expect(pidIn("gemini", ["node", "--no-warnings", "/x/bin/gemini"])).toBe(101);
  });

  it("C-03 nothing that only mentions it", () => {
    for (const argv of [
      ["sh", "-c", "claude"],
      ["bash", "/home/ada/claude/run.sh"],
      ["node", "/home/ada/claude/tools/build.js"],
      ["node", "/x/node_modules/claude-code/node_modules/left-pad/index.js"],
      ["node", "build.js", "claude"],
      ["vim", "claude"],
      ["/home/claude/bin/make"],
      ["claude-watch"],
      [""],
    ]) {
      expect(pidIn("claude", argv), argv.join(" ")).toBeUndefined();
    }
    expect(pidIn("codex", ["claude"])).toBeUndefined();
  });

  it("C-03 one that has ended is passed over", () => {
    const tree = treeOf(["sh"], ["claude"], ["claude"]);
    const find: ProcessTree["find"] = (pid) => {
      const found = tree.find(pid);
      return found && { ...found, isZombie: pid === 102 };
    };
    const sign = { harness: "claude", session: "s", pid: 102 } as const;
    expect(findHarness([sign], () => ({ ...tree, find }))?.process?.pid).toBe(103);
  });

  it("C-03 variables are read as hints", () => {
    const signs = (variables: Record<string, string>) =>
      harnessSigns({ ...systemEnvironment(), variables });
    expect(signs({})).toEqual([]);
    expect(signs({ CLAUDE_PID: "12" })).toEqual([]);
    expect(signs({ OPENCODE: "1" })).toEqual([{ harness: "opencode" }]);
    expect(signs({ CLAUDECODE: "1", CLAUDE_PID: "12" })).toEqual([{ harness: "claude", pid: 12 }]);
    for (const pid of ["1e3", "0x10", " 12", "12 ", "1.5", "99999999999", "٣"]) {
      expect(signs({ CLAUDECODE: "1", CLAUDE_PID: pid }), pid).toEqual([{ harness: "claude" }]);
    }
  });

  it("C-03 a loop of parents ends the search", () => {
    const loop: ProcessTree = {
      own: treeOf(["sh"]).own,
      find: (pid) => ({ ...treeOf(["sh"]).own, pid, parent: pid }),
    };
    expect(findHarness([{ harness: "claude", session: "s" }], () => loop)?.process).toBeUndefined();
  });
});

describe("processes on other systems", () => {
  const system = {
    pid: 300,
    files: systemFiles,
    readProgram: () =>
      [
        "    1     0     0 Ss   Sun Nov 15 08:00:00 2026     /sbin/launchd",
        "  200     1   501 S+   Sun Nov 15 19:53:43 2026     /opt/homebrew/bin/claude --resume x",
        "  250   200   501 Z    Mon Nov  2 09:03:04 2026     (sh)",
        "  300   200   501 R+   Sun Nov 15 19:54:00 2026     node headgate claim a",
        "garbage",
        "",
      ].join("\n"),
  };

  it("C-03 macOS tells all of them in one answer of ps", () => {
    const tree = readProcessTree({ ...system, platform: "darwin" });
    expect(tree?.own.parent).toBe(200);
    expect(tree?.find(200)).toEqual({
      pid: 200,
      parent: 1,
      startTime: String(Date.UTC(2026, 10, 15, 19, 53, 43) / 1000),
      userId: 501,
      isZombie: false,
      name: "claude",
      argv: ["/opt/homebrew/bin/claude", "--resume", "x"],
    });
    expect(tree?.find(250)?.isZombie).toBe(true);
    expect(findHarness([{ harness: "claude", session: "s" }], () => tree)?.process?.pid).toBe(200);
  });

  it("C-03 where ps fails, and on Windows, no process is known", () => {
    const silent = { ...system, readProgram: () => undefined };
    expect(readProcessTree({ ...silent, platform: "darwin" })).toBeUndefined();
    expect(readProcessTree({ ...system, platform: "win32" })).toBeUndefined();
  });
});

describeWith({ platforms: ["linux"] }, "a /proc of another namespace", () => {
  it("C-03 shows nobody", () => {
    const here = { pid: process.pid, platform: "linux", readProgram: () => undefined } as const;
    const files = { ...systemFiles, readLink: () => "4711" };
    expect(readProcessTree({ ...here, files })).toBeUndefined();
    const same = { ...systemFiles, readLink: () => String(process.pid) };
    expect(readProcessTree({ ...here, files: same })?.own.pid).toBe(process.pid);
  });
});
