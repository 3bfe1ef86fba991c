import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { openHeadgate } from "../../../src/compose.ts";
import { findServer } from "../../../src/surfaces/http/find-server.ts";
import { rulesText } from "../../../src/surfaces/hooks/rules-text.ts";
import { makeRepository } from "../../helpers/git-repository.ts";
import { run } from "../../helpers/program.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";
import { stateFolder } from "../../helpers/state-folder.ts";

const fixtures = resolve(import.meta.dirname, "../../fixtures/hooks");
const payload = (root: string, name: string): string =>
  readFileSync(join(fixtures, `${name}.json`), "utf8").replaceAll("/repo", root);

/** A repository in which Headgate was set up. */
const armed = (): string => {
  const root = makeRepository(join(temporaryFolder(), "repo"));
  mkdirSync(join(root, ".git/headgate"));
  return root;
};
const silent = { code: 0, stdout: "", stderr: "" };
const hook = (harness: string, input: string, cwd: string, env: Record<string, string> = {}) =>
  run(["hook", harness], { cwd, input, env });

const eventsOf = async (root: string, kind: string) => {
  await using headgate = await openHeadgate({ repo: root, actor: "test" });
  return (await headgate.events.page({ kind, limit: 10 })).events;
};

describe("headgate hook", () => {
  it.each([
    ["claude", "claude/write", "allowed.txt"],
    ["codex", "codex/apply-patch", "ok.txt"],
    ["gemini", "gemini/write-file", "src/a.ts"],
    ["opencode", "opencode/write", "src/a.ts"],
    ["cursor", "cursor/write", "src/a.ts"],
    ["vscode", "vscode/create-file", "src/a.ts"],
  ])(
    "%s: what is allowed passes in silence and is claimed, in the repository of the payload",
    async (harness, name, path) => {
      const root = armed();
      put(join(root, "old.txt"), "x\n");
      if (harness === "codex") put(join(root, "src/a.ts"), "one\n");
      expect(await hook(harness, payload(root, name), temporaryFolder())).toMatchObject(silent);
      await using headgate = await openHeadgate({ repo: root, actor: "test" });
      const { claims } = await headgate.claims.list();
      expect(claims.map(({ target }) => target)).toContain(path);
      expect(claims.every(({ actor }) => actor.startsWith(`${harness}:`))).toBe(true);
    },
  );

  it("what is refused ends with 2 and the reason on stderr", async () => {
    const root = armed();
    const input = payload(root, "claude/write").replace("allowed.txt", "a.json");
    const { code, stdout, stderr } = await hook("claude", input, root);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^Headgate refused this Write: SYNTAX_ERROR a\.json\n/);
    expect(stderr.length).toBeLessThan(500);
  });

  it("two clients of different make contend for one file", async () => {
    const root = armed();
    expect(await hook("gemini", payload(root, "gemini/write-file"), root)).toMatchObject(silent);
    const { code, stderr } = await hook("vscode", payload(root, "vscode/create-file"), root);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Headgate refused this create_file: LINES_HELD src\/a\.ts/);
  });

  it("Cursor through its own hooks and through Claude Code's does not conflict with itself", async () => {
    const root = armed();
    expect(await hook("cursor", payload(root, "cursor/write"), root)).toMatchObject(silent);
    expect(await hook("claude", payload(root, "cursor/through-claude-hooks"), root)).toMatchObject(
      silent,
    );
  });

  it("a folder without Headgate is none of its business", async () => {
    const root = makeRepository(join(temporaryFolder(), "repo"));
    const input = payload(root, "claude/write").replace("allowed.txt", "a.json");
    expect(await hook("claude", input, root)).toMatchObject(silent);
    expect(
      await hook("claude", payload("/nowhere/at/all", "claude/write"), temporaryFolder()),
    ).toMatchObject(silent);
  });

  it("a client that works elsewhere at the moment is still judged for the repository of its hook", async () => {
    const root = armed();
    const elsewhere = temporaryFolder();
    const away = JSON.parse(payload(root, "claude/write").replace("allowed.txt", "a.json"));
    const input = JSON.stringify({ ...away, cwd: elsewhere });
    const ended = await run(["hook", "claude", "--repo", root], { cwd: elsewhere, input });
    expect(ended).toMatchObject({ code: 2 });
  });

  const bash = (root: string, command: string, event = "PreToolUse", session = "s2"): string =>
    JSON.stringify({
      ...{ session_id: session, cwd: root, hook_event_name: event, tool_use_id: "t1" },
      ...{ tool_name: "Bash", tool_input: { command } },
    });

  it("a command that only reads is answered without opening the store", async () => {
    const root = armed();
    expect(await hook("claude", bash(root, "git status && ls -la | head"), root)).toMatchObject(
      silent,
    );
    expect(readdirSync(join(root, ".git/headgate"))).toEqual([]);
  });

  it("a command that writes what another agent holds is refused", async () => {
    const root = armed();
    expect(await hook("gemini", payload(root, "gemini/write-file"), root)).toMatchObject(silent);
    const { code, stderr } = await hook("claude", bash(root, "echo x > src/a.ts"), root);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Headgate refused this Bash: CLAIM_CONFLICT src\/a\.ts/);
  });

  it("what a command wrote around the gate is found, written down and told", async () => {
    const root = armed();
    const command = "node build.mjs";
    expect(await hook("claude", bash(root, command), root)).toMatchObject(silent);
    put(join(root, "a.txt"), "changed by a script\n");
    const { code, stdout } = await hook("claude", bash(root, command, "PostToolUse"), root);
    expect(code).toBe(0);
    const { hookSpecificOutput: told } = JSON.parse(stdout);
    expect(told).toMatchObject({
      hookEventName: "PostToolUse",
      additionalContext: expect.stringContaining("a.txt"),
    });
    expect(await eventsOf(root, "write.ungated")).toMatchObject([
      { actor: "claude:s2", data: { paths: ["a.txt"] } },
    ]);
  });

  it("a session's start tells the rules in the client's own form, its end frees everything in time", async () => {
    const root = armed();
    const started = await hook("claude", payload(root, "claude/session-start"), root);
    expect(started).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(started.stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: "SessionStart",
        additionalContext: expect.stringContaining(rulesText),
      },
    });
    await hook("claude", payload(root, "claude/write"), root);
    expect(await hook("claude", payload(root, "claude/session-end"), root)).toMatchObject(silent);
    await using headgate = await openHeadgate({ repo: root, actor: "test" });
    expect((await headgate.claims.list()).claims).toEqual([]);
  });

  it("a server that was killed is started again by the next tool's hook, but not with every call; a stopped one stays stopped", async () => {
    const root = armed();
    const local = stateFolder(root);
    const serverPid = async (): Promise<number | undefined> => (await findServer(local))?.pid;
    const write = async (name: string): Promise<void> => {
      const input = payload(root, "claude/write").replace("allowed.txt", name);
      expect(await hook("claude", input, root)).toMatchObject(silent);
    };
    const kill = async (pid: number): Promise<void> => {
      process.kill(pid, "SIGKILL");
      await expect.poll(serverPid).toBeUndefined();
      expect(existsSync(join(local, "socket-path"))).toBe(true);
    };
    await hook("claude", payload(root, "claude/session-start"), root);
    await expect.poll(serverPid).toBeTypeOf("number");
    const first = (await serverPid())!;
    await kill(first);
    const logged = statSync(join(local, "server.log")).mtimeMs;
    await write("too-soon.txt");
    expect(statSync(join(local, "server.log")).mtimeMs).toBe(logged);
    utimesSync(join(local, "server.log"), 1_000_000, 1_000_000);
    await write("again.txt");
    await expect.poll(serverPid).toBeTypeOf("number");
    const second = (await findServer(local))!;
    expect(second.pid).not.toBe(first);

    expect(await second.stop()).toBe(true);
    await expect.poll(() => existsSync(`/proc/${second.pid}`)).toBe(false);
    expect(existsSync(join(local, "socket-path"))).toBe(false);
    utimesSync(join(local, "server.log"), 1_000_000, 1_000_000);
    await write("stopped.txt");
    expect(statSync(join(local, "server.log")).mtimeMs).toBe(1_000_000_000);
  });

  it("HEADGATE_BYPASS passes, and is in the log", async () => {
    const root = armed();
    const input = payload(root, "claude/write").replace("allowed.txt", "a.json");
    expect(await hook("claude", input, root, { HEADGATE_BYPASS: "a wrong verdict" })).toMatchObject(
      silent,
    );
    expect(await eventsOf(root, "gate.bypassed")).toMatchObject([
      { data: { reason: "a wrong verdict", tool: "Write" } },
    ]);
    expect(await hook("claude", "nonsense", root, { HEADGATE_BYPASS: "x" })).toMatchObject(silent);
  });

  it("a client nobody knows is refused with 2", async () => {
    const root = armed();
    for (const args of [["hook"], ["hook", "emacs"], ["hook", "claude", "more"]]) {
      expect(await run(args, { cwd: root, input: payload(root, "claude/write") })).toMatchObject({
        code: 2,
        stdout: "",
      });
    }
  });

  it("a tool that only reads is answered without the database and without judging anything", async () => {
    const root = armed();
    const list = join(temporaryFolder(), "list.json");
    const preload = put(
      join(temporaryFolder(), "preload.cjs"),
      `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(list)}, JSON.stringify(Object.keys(require.cache))));`,
    );
    const options = { cwd: root, input: payload(root, "claude/read"), nodeArgs: ["-r", preload] };
    expect(await run(["hook", "claude"], options)).toMatchObject(silent);
    const loaded = (JSON.parse(readFileSync(list, "utf8")) as string[]).map((path) =>
      basename(path),
    );
    expect(loaded).toContain("program.cjs");
    expect(
      loaded.filter((name) => /\.node$|^(judge|edit|compose-editing|answer-call)/.test(name)),
    ).toEqual([]);
  });
});
