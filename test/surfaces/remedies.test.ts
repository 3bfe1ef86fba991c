import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { git, initRepository } from "../helpers/git-repository.ts";
import { run } from "../helpers/program.ts";
import { stateFolder } from "../helpers/state-folder.ts";
import { atSharedEnd, put, temporaryFolder } from "../helpers/temporary-folder.ts";

/** What refusals say to type, typed: where the reader stands, in a shell that has no `headgate` on PATH. */
describe("remedies", () => {
  const file = "the user's/user.py";
  const atEnd = atSharedEnd();
  let main = "";
  let linked = "";
  let env: Record<string, string> = {};

  beforeAll(async () => {
    const folder = temporaryFolder(atEnd);
    [main, linked] = [join(folder, "it's a repository"), join(folder, "a linked tree")];
    env = { HOME: join(folder, "home"), PATH: "/usr/local/bin:/usr/bin:/bin" };
    initRepository(main);
    put(join(main, file), "class User:\n    def name(self):\n        return 1\n");
    await armed("init", "--yes", "--client", "claude");
    git(main, "add", "-A");
    git(main, "commit", "-q", "--no-verify", "-m", "one");
    git(main, "worktree", "add", "-q", "-b", "linked", linked);
  }, 300_000);

  const armed = async (...args: string[]): Promise<void> => {
    const ended = await run(args, { cwd: main, env });
    expect(ended.stderr + ended.stdout).toContain("is not on PATH");
  };

  const type = (line: string, cwd: string) =>
    spawnSync("sh", ["-c", line], { cwd, env, encoding: "utf8", input: "" });

  /** As Claude Code, about to write `text` into a file. */
  const write = (path: string, { cwd, old, text }: Record<"cwd" | "old" | "text", string>) =>
    spawnSync("sh", [join(stateFolder(main), "hook"), "claude", main], {
      ...{ cwd, env, encoding: "utf8" },
      input: JSON.stringify({
        ...{ session_id: "s1", cwd, hook_event_name: "PreToolUse", tool_name: "Edit" },
        tool_input: { file_path: path, old_string: old, new_string: text },
      }),
    });

  const second = "        return 1\n    def name(self):\n        return 2\n";
  const modifyIn = (said: string): string =>
    /Change the existing one: (.*?), or choose/.exec(said)?.[1] ?? said;
  const nameFrom = (root: string): string =>
    /return (\d+)/.exec(readFileSync(join(root, file), "utf8"))?.[1] ?? "";

  it("can be typed in the subfolder where the edit was asked for (E-07)", async () => {
    const cwd = join(main, "the user's");
    const code = "def name(self): return 1";
    const args = ["edit", "add", "user.py", "--into", "User", "--code", code, "--yes"];
    const refused = await run(args, { cwd, env });
    expect(refused.code, refused.stderr).toBe(1);
    const line = `${modifyIn(refused.stdout)} --code 'def name(self): return 3' --yes --as alice`;
    const done = type(line, cwd);
    expect(done.status, line + done.stderr + done.stdout).toBe(0);
    expect(nameFrom(main)).toBe("3");
    expect(type(`${caller()} release --all --as alice`, main).status).toBe(0);
    git(main, "checkout", "-q", "--", ".");
  });

  it("changes the worktree that the refused edit was for, from another one", () => {
    const text = { cwd: main, old: "        return 1\n", text: second };
    const refused = write(join(linked, file), text);
    expect(refused.status, refused.stderr).toBe(2);
    const line = `${modifyIn(refused.stderr)} --code 'def name(self): return 4' --yes --as bob`;
    const done = type(line, main);
    expect(done.status, line + done.stderr + done.stdout).toBe(0);
    expect([nameFrom(main), nameFrom(linked)]).toEqual(["1", "4"]);
    expect(type(`${caller()} release --all --as bob`, main).status).toBe(0);
  });

  it("waits for the claim that was in the way, and asks its holder", async () => {
    const cwd = join(main, "the user's");
    expect((await run(["claim", "user.py", "--as", "carol"], { cwd, env })).code).toBe(0);
    const text = { cwd, old: "return 1", text: "return 5" };
    const refused = write(join(main, file), text);
    expect(refused.status).toBe(2);
    const [, wait = "", ask = ""] =
      /Wait for it \((.*?)\), ask its holder \((.*?)\), or/.exec(refused.stderr) ?? [];
    const asked = type(`${ask.replace(/WHY$/, "why")} --as dave`, cwd);
    expect(asked.status, ask + asked.stderr).toBe(0);
    expect(asked.stdout).toContain("carol");
    const waited = type(`${wait} --timeout 1ms --as dave`, cwd);
    expect(waited.status, wait + waited.stderr).toBe(1);
    expect(waited.stdout).toContain("carol");
    expect(type(`${caller()} release --all --as carol`, main).status).toBe(0);
  });

  it("names npx where Headgate was started by it, and the program on PATH where there is one", async () => {
    const folder = temporaryFolder();
    const [root, programs] = [join(folder, "repository"), join(folder, "programs")];
    initRepository(root);
    put(join(root, "user.py"), "class User:\n    def name(self):\n        return 1\n");
    const args = ["edit", "add", "user.py", "--into", "User", "--code", "def name(self): return 1"];
    const byNpx = {
      npm_lifecycle_event: "npx",
      PATH: `${folder}/node_modules/.bin:${env["PATH"]}`,
    };
    chmodSync(put(join(folder, "node_modules/.bin/headgate"), "#!/bin/sh\n"), 0o755);
    const started = await run([...args, "--yes"], { cwd: root, env: { ...env, ...byNpx } });
    expect(started.stdout).toContain("npx --no headgate edit modify user.py User.name");
    chmodSync(put(join(programs, "headgate"), "#!/bin/sh\n"), 0o755);
    const PATH = `${programs}:${byNpx.PATH}`;
    const global = await run([...args, "--yes"], { cwd: root, env: { ...env, ...byNpx, PATH } });
    expect(global.stdout).toContain("one: headgate edit modify user.py User.name");
  });

  const caller = (): string => {
    const path = join(stateFolder(main), "headgate");
    expect(existsSync(path)).toBe(true);
    return `'${path.replaceAll("'", `'\\''`)}'`;
  };
});
