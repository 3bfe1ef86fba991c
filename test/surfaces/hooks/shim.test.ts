import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { hookScripts } from "../../../src/base/hook-line.ts";
import { git, makeRepository } from "../../helpers/git-repository.ts";
import { listening } from "../../helpers/listening.ts";
import { answering, arm, pathWith, runShim, shimFolder, standIn } from "../../helpers/shim.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";
import { stateFolder } from "../../helpers/state-folder.ts";

const shells = ["dash", "bash"].filter(
  (name) => existsSync(`/usr/bin/${name}`) || existsSync(`/bin/${name}`),
);
const local = (folder: string): string => stateFolder(folder);
const silent = { code: 0, stdout: "", stderr: "" };
const fell = expect.stringMatching(/^stand-in /);
const said = (text: string): { args: string[]; text: number; bypass?: string } =>
  JSON.parse(text.replace("stand-in ", ""));

/** As a killed server leaves it: the file is there, and nobody listens on it. */
const deadSocket = (): string => {
  const path = join(temporaryFolder(), "dead");
  const script = `require("net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"))`;
  spawnSync(process.execPath, ["-e", script]);
  expect(statSync(path).isSocket()).toBe(true);
  return path;
};

describe.each(shells)("the shim in %s", (shell) => {
  it("T-02 asks the server on its socket with the client's process and no token, and passes in silence", async () => {
    const { socket, asked } = await answering((response) => response.end("0\n.\n"));
    const folder = shimFolder();
    arm(local(folder), { socket, runtime: standIn(2) });
    const input = JSON.stringify({ text: "lines\nand 'quotes' \"$HOME\" `id` \\ %s é \u2028" });
    expect(await runShim(folder, { shell, input })).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(asked).toEqual([
      {
        url: "/hooks/codex",
        body: `${input}\n`,
        headers: expect.objectContaining({
          "content-type": "application/json",
          "x-headgate-pid": String(process.pid),
        }),
      },
    ]);
    expect(asked[0]?.headers).not.toHaveProperty("authorization");
  });

  it("prints a message on stdout and a refusal on stderr, each as it came", async () => {
    const folder = shimFolder();
    const told = await answering((response) => response.end('0\n{"a":"b \\\\n %s"}\n.\n'));
    arm(local(folder), { socket: told.socket });
    expect(await runShim(folder, { shell })).toEqual({
      code: 0,
      stdout: '{"a":"b \\\\n %s"}\n',
      stderr: "",
    });
    const text = "Headgate refused this Edit: X a\nWhy.\n.\nheadgate: {}";
    const refused = await answering((response) => response.end(`2\n${text}\n.\n`));
    arm(local(folder), { socket: refused.socket });
    expect(await runShim(folder, { shell })).toEqual({ code: 2, stdout: "", stderr: `${text}\n` });
  });

  it("N-04 says by a file that it has handed notices on, and offers that only where it can", async () => {
    const folder = shimFolder();
    const receipts = join(local(folder), "receipts");
    const answers = ["0 rc_one\nhear me\n.\n", "2 rc_two\nno\n.\n", "0 rc_../three\nhear me\n.\n"];
    const { socket, asked } = await answering((response) => response.end(answers.shift()));
    arm(local(folder), { socket, runtime: standIn(0) });
    mkdirSync(receipts);
    const heard = { code: 0, stdout: "hear me\n", stderr: "" };
    expect(await runShim(folder, { shell })).toEqual(heard);
    expect(readdirSync(receipts)).toEqual(["rc_one"]);
    expect(await runShim(folder, { shell })).toEqual({ code: 2, stdout: "", stderr: "no\n" });
    expect(readdirSync(receipts)).toEqual(["rc_one", "rc_two"]);
    expect(await runShim(folder, { shell })).toEqual(heard);
    expect(readdirSync(receipts)).toHaveLength(2);
    expect(existsSync(join(local(folder), "three"))).toBe(false);
    rmSync(receipts, { recursive: true });
    expect(await runShim(folder, { shell })).toMatchObject({ stdout: fell });
    const offers = asked.map(({ headers }) => headers["x-headgate-receipt"]);
    expect(offers).toEqual(["1", "1", "1", undefined]);
  });

  it.each([
    ["0\n", "cut behind the code"],
    ["2\nHeadgate refu", "cut in the middle"],
    ['0\n{"a":1}\n', "cut before its end"],
    ["", "empty"],
    ["1\nx\n.\n", "another code"],
    ["0 0\n.\n", "an odd first line"],
    ["<html>0\n.\n", "somebody else's"],
  ])("%j (%s) is no answer: the command line is asked", async (text) => {
    const { socket } = await answering((response) => response.end(text));
    const folder = shimFolder();
    arm(local(folder), { socket, runtime: standIn(2) });
    expect(await runShim(folder, { shell })).toEqual({ code: 2, stdout: "", stderr: fell });
  });

  it("E03 another program on the socket lets nothing pass: it does not have the mark", async () => {
    const { socket } = await answering((response) => response.end("0\n.\n"));
    const folder = shimFolder();
    arm(local(folder), { socket, runtime: standIn(2) });
    put(join(local(folder), "hook-mark"), "0f3c\n");
    expect(await runShim(folder, { shell })).toMatchObject({ code: 2, stderr: fell });
    put(join(local(folder), "hook-mark"), "");
    expect(await runShim(folder, { shell })).toMatchObject({ code: 2, stderr: fell });
  });

  it("B01 T-01 a program that came with the tree is not run, neither as hook nor as MCP server", async () => {
    const folder = shimFolder(makeRepository(join(temporaryFolder(), "repo")));
    const inside = join(folder, "packages/one");
    for (const place of [folder, shimFolder(inside)]) {
      arm(join(place, ".headgate/local"), { runtime: standIn(2) });
      // Not set up in git's own folder: silent.
      expect(await runShim(place, { shell })).toEqual({ code: 0, stdout: "", stderr: "" });
      arm(local(folder), { runtime: standIn(0) });
      for (const harness of ["codex", "mcp"]) {
        expect((await runShim(place, { shell, harness: [harness] })).code).toBe(0);
      }
      rmSync(local(folder), { recursive: true });
    }
  });

  it("called with mcp it becomes the MCP server of the same Headgate", async () => {
    const folder = shimFolder();
    arm(local(folder), { runtime: standIn(0) });
    const { code, stdout } = await runShim(folder, { shell, harness: ["mcp"] });
    expect(code).toBe(0);
    expect(said(stdout).args).toEqual(["mcp", "--repo", "."]);
  });

  it("an error of the server and a connection that breaks are no answers", async () => {
    const folder = shimFolder();
    const failing = await answering((response) => response.writeHead(500).end('{"ok":false}'));
    arm(local(folder), { socket: failing.socket, runtime: standIn(0) });
    expect(await runShim(folder, { shell })).toMatchObject({ code: 0, stdout: fell });
    const broken = await answering((response) => {
      response.writeHead(200, { "content-length": 100 }).write("0\n.\n");
      setTimeout(() => response.destroy(), 20);
    });
    arm(local(folder), { socket: broken.socket, runtime: standIn(2) });
    expect(await runShim(folder, { shell })).toMatchObject({ code: 2, stderr: fell });
  });

  it("without a server the command line gets the payload, the client's name and the repository", async () => {
    const folder = shimFolder();
    arm(local(folder), { socket: deadSocket(), runtime: standIn(0) });
    const { code, stdout } = await runShim(folder, { shell, input: "x".repeat(300_000) });
    expect(code).toBe(0);
    expect(said(stdout)).toMatchObject({
      args: ["hook", "codex", "--repo", "."],
      text: 300_000,
    });
  });

  it("without curl the command line is asked", async () => {
    const { socket, asked } = await answering((response) => response.end("0\n.\n"));
    const folder = shimFolder();
    arm(local(folder), { socket, runtime: standIn(2) });
    const env = { PATH: pathWith("cat") };
    expect(await runShim(folder, { shell: `/usr/bin/${shell}`, env })).toMatchObject({
      code: 2,
      stderr: fell,
    });
    expect(asked).toEqual([]);
  });

  it("with neither server nor node it refuses, and says what repairs it", async () => {
    const folder = shimFolder();
    const env = { PATH: pathWith("cat", "curl") };
    for (const runtime of [
      undefined,
      ["/nowhere/node", "/nowhere/headgate.js"],
      [""],
      [process.execPath],
    ]) {
      arm(local(folder), { socket: deadSocket(), ...(runtime && { runtime }) });
      const { code, stdout, stderr } = await runShim(folder, { shell: `/usr/bin/${shell}`, env });
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(
        /^Headgate refused this tool: HOOK_FAILED\n[^]*headgate doctor[^]*\nheadgate: \{"code":"HOOK_FAILED"\}\n$/,
      );
    }
  });

  it("headgate on the PATH is used where nothing better is known", async () => {
    const folder = shimFolder();
    arm(local(folder));
    const path = pathWith("cat");
    const [node, program] = standIn(2);
    put(join(path, "headgate"), `#!/bin/sh\nexec '${node}' '${program}' "$@"\n`);
    chmodSync(join(path, "headgate"), 0o755);
    const ended = await runShim(folder, { shell: `/usr/bin/${shell}`, env: { PATH: path } });
    expect(ended).toMatchObject({ code: 2, stderr: fell });
  });

  it.each([1, 3, 70, 130, 255])("exit code %i of the command line becomes 2", async (exit) => {
    const folder = shimFolder();
    arm(local(folder), { runtime: standIn(exit) });
    const { code, stderr } = await runShim(folder, { shell });
    expect(code).toBe(2);
    expect(stderr).toContain("HOOK_FAILED");
  });

  it("a command line that is killed becomes 2", async () => {
    const folder = shimFolder();
    arm(local(folder), { runtime: standIn(0, "process.kill(process.pid, 'SIGKILL');") });
    expect(await runShim(folder, { shell })).toMatchObject({ code: 2, stdout: "" });
  });

  it("T-04 with HEADGATE_BYPASS the command line alone answers, which sees who said so", async () => {
    const folder = shimFolder();
    const { socket, asked } = await answering((response) => response.end("2\nno\n.\n"));
    const mark = join(folder, "mark");
    const note = `require("fs").writeFileSync(${JSON.stringify(mark)}, process.env.HEADGATE_BYPASS ?? "");`;
    arm(local(folder), { socket, runtime: standIn(0, note) });
    const env = { HEADGATE_BYPASS: "because" };
    expect(await runShim(folder, { shell, env })).toMatchObject({ code: 0 });
    expect(existsSync(mark)).toBe(true);
    arm(local(folder), { socket, runtime: standIn(2, note) });
    expect(await runShim(folder, { shell, env })).toMatchObject({ code: 2 });
    expect(asked).toEqual([]);
    arm(local(folder), { runtime: ["/nowhere/node", "/nowhere/x"] });
    expect(
      await runShim(folder, {
        shell: `/usr/bin/${shell}`,
        env: { ...env, PATH: pathWith("cat") },
      }),
    ).toMatchObject({ code: 2 });
  });

  it("a clone that was never armed is left alone", async () => {
    const folder = shimFolder();
    expect(await runShim(folder, { shell })).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("T-01 the file in the tree, for settings of earlier releases, leads to the same hook from anywhere", async () => {
    const { socket, asked } = await answering((response) => response.end("0\n.\n"));
    const repository = shimFolder(makeRepository(join(temporaryFolder(), "my repo")));
    for (const folder of [shimFolder(), repository]) {
      asked.length = 0;
      const hook = join(folder, ".headgate/hook");
      expect(await runShim(temporaryFolder(), { shell, hook })).toEqual(silent);
      arm(local(folder), { socket });
      expect(await runShim(temporaryFolder(), { shell, hook })).toEqual(silent);
      expect(await runShim(folder, { shell, hook: ".headgate/hook" })).toEqual(silent);
      expect(await runShim(join(folder, ".headgate"), { shell, hook: "hook" })).toEqual(silent);
      expect(asked).toHaveLength(3);
    }
  });

  it("T-01 the line of the settings finds it from below, in submodules and in worktrees of odd names", async () => {
    const { socket, asked } = await answering((response) => response.end("0\n.\n"));
    const folder = temporaryFolder();
    const main = makeRepository(join(folder, "main"));
    put(join(main, "deep/er/a.txt"));
    git(main, "add", ".");
    git(main, "commit", "--quiet", "--message", "Deep");
    const allowed = ["-c", "protocol.file.allow=always"];
    const add = ["submodule", "--quiet", "add", "--name", "worktrees/one", main, "sub"];
    git(main, ...allowed, ...add);
    git(main, "worktree", "add", "--quiet", "--detach", join(folder, "linked"));
    git(join(main, "sub"), "worktree", "add", "--quiet", "--detach", join(folder, "of sub"));
    arm(local(main), { socket });
    for (const place of ["main", "main/deep/er", "linked", "linked/deep"]) {
      expect(await runShim(join(folder, place), { shell }), place).toEqual(silent);
    }
    expect(asked).toHaveLength(4);
    // A repository of its own, and not armed.
    for (const place of ["main/sub", "main/sub/deep", "of sub"]) {
      expect(await runShim(join(folder, place), { shell }), place).toEqual(silent);
    }
    expect(asked).toHaveLength(4);
    arm(join(main, ".git/modules/worktrees/one/headgate"), { socket });
    for (const place of ["main/sub", "main/sub/deep", "of sub"]) {
      expect(await runShim(join(folder, place), { shell }), place).toEqual(silent);
    }
    expect(asked).toHaveLength(7);
  });

  it("T-01 what another user put above, a link, and what looks like a bare repository start nothing", async () => {
    const folder = temporaryFolder();
    const inside = join(folder, "work/inside");
    mkdirSync(inside, { recursive: true });
    const state = join(folder, ".git/headgate");
    arm(state, { runtime: standIn(2) });
    expect(await runShim(inside, { shell })).toMatchObject({ code: 2, stderr: fell });
    if (process.getuid?.() === 0) {
      chownSync(state, 65_534, 65_534);
      expect(await runShim(inside, { shell })).toEqual(silent);
      chownSync(state, 0, 0);
    }
    renameSync(state, join(folder, "moved"));
    symlinkSync(join(folder, "moved"), state);
    expect(await runShim(inside, { shell })).toEqual(silent);
    rmSync(state);
    mkdirSync(state);
    symlinkSync(join(folder, "moved/hook"), join(state, "hook"));
    expect(await runShim(inside, { shell })).toEqual(silent);
    for (const name of ["HEAD", "objects/x", "refs/x", "config"]) put(join(inside, name));
    arm(join(inside, "headgate"), { runtime: standIn(2) });
    expect(await runShim(inside, { shell })).toEqual(silent);
  });

  it("a folder that was deleted under it ends in silence", async () => {
    const folder = join(temporaryFolder(), "gone/deep");
    mkdirSync(folder, { recursive: true });
    const { git: line } = hookScripts;
    const script = `rm -r '${dirname(folder)}'; exec ${shell} -c '${line}' headgate codex`;
    const ended = spawnSync(shell, ["-c", script], { cwd: folder, encoding: "utf8" });
    expect(ended.status).toBe(0);
  });

  it("a linked worktree uses what the main one keeps", async () => {
    const { socket, asked } = await answering((response) => response.end("0\n.\n"));
    const main = makeRepository(join(temporaryFolder(), "main"));
    const linked = join(main, "../linked");
    git(main, "worktree", "add", "--quiet", linked);
    shimFolder(linked);
    expect(await runShim(linked, { shell })).toMatchObject({ code: 0 });
    expect(asked).toHaveLength(0);
    arm(local(main), { socket });
    expect(await runShim(linked, { shell })).toMatchObject({ code: 0 });
    expect(asked).toHaveLength(1);
    // As git writes it with worktree.useRelativePaths.
    put(join(linked, ".git"), "gitdir: ../main/.git/worktrees/linked\n");
    await runShim(linked, { shell });
    expect(asked).toHaveLength(2);
  });

  it("a worktree of a bare repository uses what lies in that", async () => {
    const { socket, asked } = await answering((response) => response.end("0\n.\n"));
    const folder = temporaryFolder();
    const main = makeRepository(join(folder, "main"));
    git(folder, "clone", "--quiet", "--bare", main, "bare.git");
    git(join(folder, "bare.git"), "worktree", "add", "--quiet", join(folder, "linked"));
    shimFolder(join(folder, "linked"));
    arm(join(folder, "bare.git/headgate"), { socket });
    expect(await runShim(join(folder, "linked"), { shell })).toMatchObject({ code: 0 });
    expect(asked).toHaveLength(1);
  });

  it("T-02 a socket elsewhere counts only in a folder of this user, which is no link", async () => {
    const { socket, asked } = await answering((response) => response.end("0\n.\n"));
    const folder = shimFolder();
    const link = join(temporaryFolder(), "link");
    symlinkSync(dirname(socket), link);
    arm(local(folder), { socket: join(link, "s"), runtime: standIn(2) });
    expect(await runShim(folder, { shell })).toMatchObject({ code: 2, stderr: fell });
    if (process.getuid?.() === 0) {
      chownSync(dirname(socket), 65_534, 65_534);
      arm(local(folder), { socket, runtime: standIn(2) });
      expect(await runShim(folder, { shell })).toMatchObject({ code: 2, stderr: fell });
    }
    expect(asked).toEqual([]);
    // In the state folder itself, whoever made that: it names the programs that are run, too.
    renameSync(socket, join(local(folder), "socket"));
    arm(local(folder), { socket: join(local(folder), "socket") });
    expect(await runShim(folder, { shell })).toMatchObject({ code: 0, stderr: "" });
    expect(asked).toHaveLength(1);
  });

  it("T-02 a curl that knows no sockets is no reason to send the payload elsewhere", async () => {
    const { socket, asked } = await answering((response) => response.end("0\n.\n"));
    const folder = shimFolder();
    arm(local(folder), { socket, runtime: standIn(2) });
    const path = pathWith("cat");
    put(
      join(path, "curl"),
      "#!/bin/sh\necho 'curl: option --unix-socket: is unknown' >&2\nexit 2\n",
    );
    chmodSync(join(path, "curl"), 0o755);
    const ended = await runShim(folder, { shell: `/usr/bin/${shell}`, env: { PATH: path } });
    expect(ended).toMatchObject({ code: 2, stderr: fell });
    expect(asked).toEqual([]);
  });

  it.each([[[]], [[""]], [["../x"]], [["Codex"]]])("called with %j it refuses", async (harness) => {
    const folder = shimFolder();
    arm(local(folder));
    expect(await runShim(folder, { shell, harness })).toMatchObject({ code: 2, stdout: "" });
  });

  it("files that hold nonsense are no reason to pass", async () => {
    const folder = shimFolder();
    arm(local(folder), { runtime: standIn(2) });
    put(join(local(folder), "hook-mark"), ".\n");
    for (const path of ["", "x", "/", "/nowhere", "80;id", "-1", "$(id)", "--help", folder]) {
      put(join(local(folder), "socket-path"), path);
      expect(await runShim(folder, { shell })).toMatchObject({ code: 2, stderr: fell });
    }
  });

  it("settings of curl and proxies do not get the payload", async () => {
    const { socket, asked } = await answering((response) => response.end("0\n.\n"));
    const proxy = await listening();
    const folder = shimFolder();
    arm(local(folder), { socket });
    const home = temporaryFolder();
    put(join(home, ".curlrc"), `proxy = "http://127.0.0.1:${proxy.port}"\n`);
    const env = {
      HOME: home,
      http_proxy: `http://127.0.0.1:${proxy.port}`,
      ALL_PROXY: `http://127.0.0.1:${proxy.port}`,
    };
    expect(await runShim(folder, { shell, env })).toMatchObject({ code: 0 });
    expect([asked.length, proxy.received.length]).toEqual([1, 0]);
  });
});
