import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { git, makeRepository } from "../../helpers/git-repository.ts";
import { run, startServer, type TestServer } from "../../helpers/program.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";
import { stateFolder } from "../../helpers/state-folder.ts";

const python = "class A:\n    def one(self):\n        return 1\n";
const local = (cwd: string, name: string): string => join(stateFolder(cwd), name);

const hook = async (
  { port, token }: Pick<TestServer, "port" | "token">,
  {
    cwd,
    file,
    content,
    session = "s1",
  }: { cwd: string; file: string; content: string; session?: string },
): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}/hooks/claude`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "x-headgate-pid": "1",
    },
    body: JSON.stringify({
      session_id: session,
      cwd,
      hook_event_name: "PreToolUse",
      tool_name: "Write",
      tool_input: { file_path: file, content },
      tool_use_id: `${file} ${content.length}`,
    }),
  });
  return response.text();
};

describe("the doors of a running server", () => {
  it("C-13 answers hooks with its mark, for many sessions at once", async () => {
    const cwd = makeRepository(join(temporaryFolder(), "repo"));
    const server = await startServer({ cwd });
    const mark = readFileSync(local(cwd, "hook-mark"), "utf8");
    const file = join(cwd, "a.py");
    expect(await hook(server, { cwd, file, content: python })).toBe(`0\n${mark}`);
    const other = await hook(server, { cwd, file, content: python, session: "s2" });
    expect(other).toMatch(/^2\nHeadgate refused this Write: LINES_HELD a\.py/);
    expect(other.endsWith(`\n${mark}`)).toBe(true);
    const broken = await hook(server, { cwd, file: join(cwd, "b.py"), content: "def (:\n" });
    expect(broken).toMatch(/^2\nHeadgate refused this Write: SYNTAX_ERROR b\.py/);
    const status = await fetch(`http://127.0.0.1:${server.port}/hooks/nobody`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
      body: "{}",
    });
    expect(status.status).toBe(404);
  });

  it("C-12 guards worktrees that were made after it was started", async () => {
    const cwd = makeRepository(join(temporaryFolder(), "repo"));
    const server = await startServer({ cwd });
    const file = join(cwd, "a.py");
    expect(await hook(server, { cwd, file, content: python })).toMatch(/^0\n/);
    const tree = join(temporaryFolder(), "tree");
    git(cwd, "worktree", "add", "--quiet", "--detach", tree);
    const there = { cwd: tree, file: join(tree, "a.py"), content: python, session: "s2" };
    // Another worktree has files of its own: its edits wait for none of these lines.
    expect(await hook(server, there)).toMatch(/^0\n/);
    const fromMain = { ...there, cwd, content: "def (:\n", session: "s1" };
    expect(await hook(server, fromMain)).toMatch(/^2\nHeadgate refused this Write: SYNTAX_ERROR/);
  });

  it("speaks MCP at /mcp, with the token only", async () => {
    const server = await startServer({ cwd: makeRepository(join(temporaryFolder(), "repo")) });
    const ask = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${server.port}/mcp`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
      });
    expect((await ask({})).status).toBe(401);
    const answer = await ask({ authorization: `Bearer ${server.token}` });
    expect(await answer.text()).toContain('"name":"claim"');
  });
});

describe("headgate up in the background", () => {
  it("returns when the server answers, finds it the second time, and stops it", async () => {
    const cwd = makeRepository(join(temporaryFolder(), "repo"));
    onTestFinished(async () => void (await run(["up", "--stop"], { cwd })));
    const first = JSON.parse((await run(["up", "--detach", "--json"], { cwd })).stdout);
    expect(first).toMatchObject({ ok: true, state: "running", port: expect.any(Number) });
    const second = JSON.parse((await run(["up", "--detach", "--json"], { cwd })).stdout);
    expect(second).toMatchObject({ state: "already-running", pid: first.pid });
    expect((await run(["up", "--stop"], { cwd })).code).toBe(0);
    expect(existsSync(local(cwd, "hook-mark"))).toBe(false);
  });

  it("ends by itself when nobody asks it anything", async () => {
    const cwd = makeRepository(join(temporaryFolder(), "repo"));
    const { code, stdout } = await run(["up", "--idle", "1s"], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining("stopped")]);
  });

  it("ends when its repository is deleted: nobody could find it any more", async () => {
    const cwd = makeRepository(join(temporaryFolder(), "repo"));
    const server = await startServer({ cwd });
    rmSync(cwd, { recursive: true, force: true });
    expect((await server.ended).code).toBe(0);
  });

  it("ends when its repository was deleted and made anew, and leaves the new server's files alone", async () => {
    const cwd = makeRepository(join(temporaryFolder(), "repo"));
    const old = await startServer({ cwd });
    rmSync(cwd, { recursive: true, force: true });
    makeRepository(cwd);
    const other = await startServer({ cwd });
    expect(other.port).not.toBe(old.port);
    expect((await old.ended).code).toBe(0);
    expect(readFileSync(local(cwd, "port"), "utf8")).toBe(`${other.port}\n`);
    await expect
      .poll(async () => JSON.parse((await run(["status", "--json"], { cwd })).stdout).server)
      .toMatchObject({ running: true, port: other.port });
    const { stdout } = await run(["events", "--kind", "server.stopped", "--json"], { cwd });
    expect(stdout).toBe("");
  });

  it("uses the user's own token, and refuses one that could be guessed", async () => {
    const cwd = makeRepository(join(temporaryFolder(), "repo"));
    const own = "0123456789abcdef".repeat(4);
    const server = await startServer({ cwd, env: { HEADGATE_TOKEN: own } });
    expect(server.token).toBe(own);
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a.txt"), "");
    const weak = await run(["up"], { cwd: folder, env: { HEADGATE_TOKEN: "secret" } });
    expect([weak.code, weak.stderr]).toEqual([2, expect.stringContaining("[CONFIG_INVALID]")]);
  });
});
