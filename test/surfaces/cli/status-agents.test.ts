import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openHeadgate } from "../../../src/index.ts";
import type { NewEvent } from "../../../src/store/index.ts";
import { start } from "../../helpers/program.ts";
import { type SetupTestPlace, setupPlace } from "../../helpers/setup-place.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

const armed = async (...clients: string[]): Promise<SetupTestPlace> => {
  const place = setupPlace();
  const chosen = clients.flatMap((name) => ["--client", name]);
  expect((await place.headgate("init", "--yes", ...chosen)).code).toBe(0);
  onTestFinished(async () => void (await place.headgate("up", "--stop")));
  return place;
};

const append = async (repo: string, ...events: (NewEvent & { actor: string })[]): Promise<void> => {
  await using headgate = await openHeadgate({ repo });
  for (const event of events) await headgate.events.append(event);
};

const hook = (place: SetupTestPlace, payload: object) =>
  spawnSync(join(place.root, ".headgate/hook"), ["claude"], {
    cwd: place.root,
    env: { PATH: "/usr/bin:/bin", HOME: place.home },
    input: JSON.stringify({ session_id: "s1", cwd: place.root, ...payload }),
    encoding: "utf8",
  });

const status = async (place: SetupTestPlace) => {
  const { code, stdout } = await place.headgate("status", "--json");
  expect(code).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>;
};

describe("headgate status and the agents", () => {
  it("shows a session that was there before the hooks, by its work, until it ends", async () => {
    const place = await armed("claude");
    const write = {
      hook_event_name: "PreToolUse",
      tool_name: "Write",
      tool_input: { file_path: join(place.root, "new.txt"), content: "x\n" },
      tool_use_id: "t1",
    };
    expect(hook(place, write).status).toBe(0);
    // A claim may have come through MCP alone, so the client is not called seen for it.
    expect(await status(place)).toMatchObject({
      sessions: [{ actor: "claude:s1", harness: "claude", claims: 1 }],
      clients: [{ name: "claude", state: "installed", sessions: 1 }],
    });
    const own = { file_path: join(place.root, ".headgate/config.jsonc"), content: "{}" };
    expect(hook(place, { ...write, tool_input: own, tool_use_id: "t2" }).status).toBe(2);
    expect((await status(place))["clients"]).toMatchObject([{ name: "claude", state: "seen" }]);
    expect(hook(place, { hook_event_name: "SessionEnd", reason: "exit" }).status).toBe(0);
    expect(await status(place)).toMatchObject({ sessions: [] });
  });

  it("shows who is here, what was refused, and which client was seen", async () => {
    const place = await armed("claude", "cursor");
    expect((await status(place))["clients"]).toMatchObject([
      { name: "claude", state: "installed", sessions: 0 },
      { name: "cursor", state: "installed", sessions: 0 },
    ]);
    expect(hook(place, { hook_event_name: "SessionStart", source: "startup" }).status).toBe(0);
    await place.headgate("claim", "a.txt", "--as", "ada");
    const write = {
      hook_event_name: "PreToolUse",
      tool_name: "Write",
      tool_input: { file_path: join(place.root, "a.txt"), content: "x\n" },
      tool_use_id: "t1",
    };
    expect(hook(place, write).status).toBe(2);
    expect(await status(place)).toMatchObject({
      sessions: [{ actor: "claude:s1", harness: "claude", claims: 0 }],
      clients: [
        { name: "claude", state: "seen", sessions: 1 },
        { name: "cursor", state: "installed", sessions: 0 },
      ],
      refusals: [{ actor: "claude:s1", code: "CLAIM_CONFLICT", path: "a.txt", tool: "Write" }],
    });
    const { stdout } = await place.headgate("status");
    expect(stdout).toMatch(/clients +Claude Code seen · Cursor installed/);
    expect(stdout).toMatch(/refused +CLAIM_CONFLICT a\.txt#lines:1 {2}\(claude:s1, \d+s ago\)/);
    expect(hook(place, { hook_event_name: "SessionEnd", reason: "other" }).status).toBe(0);
    expect((await status(place))["sessions"]).toEqual([]);
  });

  it("B11 names the problem and the command when hooks are gone, and when a client works without any", async () => {
    const place = await armed("claude");
    rmSync(join(place.root, ".claude/settings.json"));
    await append(place.root, {
      kind: "session.started",
      actor: "gemini:g1",
      data: { harness: "gemini" },
    });
    expect((await status(place))["clients"]).toMatchObject([
      {
        name: "claude",
        state: "problem",
        problem: {
          reason: "the hooks in .claude/settings.json are gone",
          command: "headgate init",
        },
      },
      {
        name: "gemini",
        state: "problem",
        problem: { reason: "works here without hooks", command: "headgate init --client gemini" },
      },
    ]);
    const { stdout } = await place.headgate("status");
    expect(stdout).toContain(
      "Claude Code PROBLEM: the hooks in .claude/settings.json are gone  (headgate init)",
    );
  });

  it("W5 D7 no name and no commit makes a client seen; status, doctor and init say the same of Codex", async () => {
    const place = await armed("codex");
    const told = (await place.headgate("init", "--client", "claude", "--yes")).stdout;
    expect(told).toContain("Claude Code: every edit of a new session passes the gate");
    await append(
      place.root,
      // A person's `claim --as`, and what git's hook refused: no hook of the client ran.
      { kind: "claim.granted", actor: "claude:by-hand", data: {} },
      { kind: "claim.granted", actor: "gemini:by-hand", data: {} },
      { kind: "gate.refused", actor: "codex:c1", data: { code: "X", path: "a", tool: "commit" } },
    );
    const problem = {
      reason: "Codex does not trust this folder yet and skips its hooks without a word",
      command: "codex",
    };
    expect((await status(place))["clients"]).toMatchObject([
      { name: "claude", state: "installed" },
      { name: "codex", state: "problem", problem },
    ]);
    const doctor = await place.headgate("doctor", "--json");
    const { checks } = JSON.parse(doctor.stdout) as { checks: unknown[] };
    expect(checks).toContainEqual(
      expect.objectContaining({ group: "Codex", state: "problem", text: problem.reason }),
    );
    // Its hook runs after all: what its files say about trust does not count any more.
    await append(place.root, { kind: "session.started", actor: "codex:c1", data: {} });
    expect((await status(place))["clients"]).toMatchObject([
      { name: "claude", state: "installed" },
      { name: "codex", state: "seen" },
    ]);
    await append(place.root, { kind: "client.proven", actor: "ada", data: { client: "claude" } });
    expect((await status(place))["clients"]).toMatchObject([
      { name: "claude", state: "proven" },
      { name: "codex", state: "seen" },
    ]);
  });

  it("counts what was routed around the gate", async () => {
    const place = await armed("claude");
    await append(
      place.root,
      {
        kind: "write.ungated",
        actor: "claude:s1",
        data: { paths: ["a", "b"], count: 2, tool: "Bash" },
      },
      { kind: "write.ungated", actor: "claude:s1", data: { paths: ["c"], count: 1, tool: "Bash" } },
      { kind: "commit.unjudged", actor: "claude:s1", data: { count: 1 } },
    );
    expect((await status(place))["routedAround"]).toMatchObject({ writes: 3, commits: 1 });
    expect((await place.headgate("status")).stdout).toContain(
      "3 files written past the gate, 1 commit not judged",
    );
    expect((await place.headgate("status")).stdout).toMatch(
      /headgate events --kind write\.ungated, headgate events --kind commit\.unjudged/,
    );
  });

  it("C07 shows no control characters of an agent's name or path", async () => {
    const place = await armed("claude");
    const text = "\u001b[2Jx";
    await append(
      place.root,
      { kind: "session.started", actor: "claude:s1", data: { harness: "claude" } },
      {
        kind: "gate.refused",
        actor: "claude:s1",
        data: { code: `C${text}`, path: text, tool: text },
      },
    );
    const { stdout } = await place.headgate("status");
    expect(stdout).toContain("\\u001b[2Jx");
    expect(stdout).not.toContain("\u001b");
  });

  it("--watch tells every change as one line of JSON, until it is interrupted", async () => {
    const cwd = temporaryFolder();
    const watching = start(["status", "--watch", "--json"], { cwd });
    await watching.until(/"state":"none".*\n/);
    writeFileSync(join(cwd, "a.txt"), "x\n");
    await append(cwd, { kind: "session.started", actor: "codex:c1", data: { harness: "codex" } });
    await watching.until(/"actor":"codex:c1".*\n/);
    watching.child.kill("SIGINT");
    const { code, stdout } = await watching.ended;
    expect(code).toBe(0);
    expect(stdout.trim().split("\n")).toHaveLength(2);
  });
});
