import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { stateFolder } from "../../helpers/state-folder.ts";
import { run, startServer } from "../../helpers/program.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";

const status = async (cwd: string, env: Record<string, string> = {}) => {
  const { code, stdout, stderr } = await run(["status", "--json"], { cwd, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Record<string, Record<string, unknown>>;
};

describe("headgate status", () => {
  it("looks at a plain folder without creating anything", async () => {
    const cwd = temporaryFolder();
    expect(await status(cwd)).toEqual({
      repository: { root: cwd, kind: "folder", worktree: cwd, scope: `path:${cwd}` },
      store: { state: "none", kind: "sqlite", location: join(stateFolder(cwd), "store.db") },
      sessions: [],
      clients: [],
      seenClients: [],
      refusals: [],
      routedAround: { writes: 0, commits: 0 },
      missed: [],
      lines: [],
      openEnds: [],
      notices: 0,
      unjudged: { count: 0, writes: [] },
      lateCommits: [],
      personNeeded: [],
      damagedRecords: [],
      changedFiles: [],
      trustAgain: [],
      notWatched: [],
      missingReviewers: [],
      server: { running: false },
      configuration: { files: [] },
    });
    const { stdout } = await run(["status"], { cwd });
    expect(stdout).toContain("folder without git");
    expect(stdout).toContain("nothing stored yet");
    expect(stdout).toContain("headgate up");
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("C-12 shows one scope for all worktrees of a repository", async () => {
    const folder = temporaryFolder();
    const git = (cwd: string, ...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
        cwd,
        stdio: "pipe",
      });
    const main = join(folder, "main");
    git(folder, "init", "-q", "main");
    git(main, "commit", "-q", "--allow-empty", "-m", "start");
    git(main, "worktree", "add", "-q", "../other");
    const [one, other] = [await status(main), await status(join(folder, "other"))];
    expect(other["repository"]).toEqual({ ...one["repository"], worktree: join(folder, "other") });
    expect(one["repository"]).toMatchObject({ kind: "git", root: main });
    expect(existsSync(join(main, ".headgate"))).toBe(false);
  });

  it("shows the running server, the newest event and the files in use", async () => {
    const cwd = temporaryFolder();
    const file = put(join(cwd, ".headgate/config.jsonc"), '{ "state": { "files": [] } }');
    const { port, child } = await startServer({ cwd });
    // A server on a busy machine may answer later than `status` waits for it; that is said as `silent`.
    await expect
      .poll(() => status(cwd))
      .toMatchObject({
        server: { running: true, address: `http://127.0.0.1:${port}`, port, pid: child.pid },
        store: { state: "ready", kind: "sqlite", events: 2 },
        configuration: { files: [file] },
      });
  });

  it("shows the rest when the store cannot be reached, and says so with its exit code", async () => {
    const cwd = temporaryFolder();
    const env = { HEADGATE_STORE: "postgres://ada:secret@127.0.0.1:1/shop" };
    const asJson = await run(["status", "--json"], { cwd, env });
    expect(asJson.code).toBe(69);
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      repository: { root: cwd, scope: expect.stringMatching(/^host:/) },
      store: {
        state: "unavailable",
        kind: "postgres",
        location: "postgres://127.0.0.1:1/shop",
        code: "STORE_UNAVAILABLE",
      },
      server: { running: false },
    });
    const asText = await run(["status"], { cwd, env });
    expect([asText.code, asText.stdout]).toEqual([
      69,
      expect.stringContaining("unavailable: cannot reach"),
    ]);
    expect(asText.stdout + asText.stderr + asJson.stdout).not.toContain("secret");
  });

  it("A02 refuses a state folder and a .headgate that lead elsewhere", async () => {
    const cwd = temporaryFolder();
    const outside = temporaryFolder();
    mkdirSync(dirname(stateFolder(cwd)), { recursive: true });
    for (const link of [stateFolder(cwd), join(cwd, ".headgate")]) {
      symlinkSync(outside, link);
      for (const command of ["status", "up", "events"]) {
        const { code, stderr } = await run([command], { cwd });
        expect(code).toBe(1);
        expect(stderr).toContain("[PATH_OUTSIDE]");
      }
      rmSync(link);
    }
    expect(readdirSync(outside)).toEqual([]);
  });
});
