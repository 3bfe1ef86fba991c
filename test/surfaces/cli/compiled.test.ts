import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { cleanEnvironment } from "../../helpers/program.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

const root = resolve(import.meta.dirname, "../../..");

/** The program in a folder of its own, as npm would install it, and a repository for it. */
const install = () => {
  const folder = join(temporaryFolder(), "headgate");
  for (const name of ["bin", "package.json", "dist/cli", "dist/store/migrations"]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const cwd = temporaryFolder();
  const cache = join(folder, "dist/cache");
  const run = (args: readonly string[], env: Record<string, string> = {}, input = "") => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(folder, "bin/headgate.js"), ...args],
      { cwd, input, encoding: "utf8", env: { ...cleanEnvironment(cwd), ...env } },
    );
    return { status, stdout, stderr };
  };
  /** Name, inode and size of everything that is kept. */
  const kept = () =>
    readdirSync(cache).map((name) => {
      const { ino, size } = statSync(join(cache, name));
      return [name, ino, size] as const;
    });
  return { folder, cache, cwd, run, kept };
};

describe("the compiled program", () => {
  it("is kept by the first run of a command and used by the next, which changes nothing", () => {
    const { run, kept } = install();
    const first = run(["events", "--json"]);
    expect(first).toEqual({ status: 0, stdout: "", stderr: expect.any(String) });
    const names = kept().map(([name]) => name);
    expect(names.length).toBeGreaterThanOrEqual(2);
    for (const name of names) expect(name).toMatch(/^events-[0-9a-f]{16}-v[\d.]+-\w+$/);
    const before = kept();
    expect(run(["events", "--json"])).toEqual(first);
    expect(kept()).toEqual(before);
  });

  it("is kept for each command by itself, and not for help or a mistake", () => {
    const { run, kept, cache } = install();
    expect(run(["--help"]).status).toBe(0);
    expect(run(["evnets"]).status).toBe(2);
    expect(existsSync(cache)).toBe(false);
    run(["events"]);
    run(["--quiet", "status"]);
    const commands = kept().map(([name]) => name.split("-")[0]);
    expect(new Set(commands)).toEqual(new Set(["events", "status"]));
  });

  it("is kept for a git hook, whose name has a hyphen", () => {
    const { run, kept } = install();
    run(["git-hook", "--", "post-commit"]);
    const names = kept().map(([name]) => name);
    expect(names.length).toBeGreaterThanOrEqual(2);
    for (const name of names) expect(name).toMatch(/^git-hook-[0-9a-f]{16}-/);
  });

  it("grows when a later run of the command uses more than the first", async () => {
    const { run, kept, cwd } = install();
    spawnSync("git", ["init", "--quiet"], { cwd, env: cleanEnvironment(cwd) });
    mkdirSync(join(cwd, ".git/headgate"));
    const hook = (event: object) =>
      run(["hook", "claude"], {}, JSON.stringify({ session_id: "s", cwd, ...event }));
    const total = () => kept().reduce((sum, [, , size]) => sum + size, 0);
    const names = () => kept().map(([name]) => name);
    // Not the start of a session: that starts a server from this installation, which would outlive the test.
    hook({ hook_event_name: "Notification", message: "waiting" });
    const content = "export const one = 1;\n";
    const edit = () =>
      hook({
        hook_event_name: "PreToolUse",
        tool_name: "Write",
        tool_input: { file_path: join(cwd, "a.ts"), content },
      });
    expect(edit().status).toBe(0);
    const before = { names: names(), total: total() };
    // One run in sixteen looks.
    await expect.poll(() => edit() && total()).toBeGreaterThan(before.total);
    // A slow run may use a file more; the ones that were kept are still there.
    expect(names()).toEqual(expect.arrayContaining(before.names));
  });

  it("keeps a single file that was not needed before", () => {
    const { run, kept, cache } = install();
    run(["events"]);
    const before = kept();
    rmSync(join(cache, before[0]![0]));
    run(["events"]);
    expect(kept().map(([name]) => name)).toEqual(before.map(([name]) => name));
  });

  it("is made anew when what was kept is damaged", () => {
    const { run, kept, cache } = install();
    const first = run(["events"]);
    const [[one, , size] = ["", 0, 0], [other] = [""]] = kept();
    truncateSync(join(cache, one), size >> 1);
    writeFileSync(join(cache, other), "no such thing");
    const damaged = kept();
    expect(run(["events"])).toEqual(first);
    const after = kept();
    expect(after.map(([name]) => name)).toEqual(damaged.map(([name]) => name));
    for (const index of [0, 1]) expect(after[index]).not.toEqual(damaged[index]);
  });

  it("is done without where nothing can be kept, or nothing shall be", () => {
    const { run, cache } = install();
    const asked = run(["events"], { NODE_DISABLE_COMPILE_CACHE: "1" });
    expect(asked.status).toBe(0);
    expect(existsSync(cache)).toBe(false);
    writeFileSync(cache, "a file in its place");
    expect(run(["events"])).toEqual(asked);
  });

  it("is not kept when V8 runs with other flags, whose code it would refuse", () => {
    const { run, cache } = install();
    expect(run(["events"], { NODE_OPTIONS: "--max-old-space-size=500" }).status).toBe(0);
    expect(existsSync(cache)).toBe(false);
  });

  it("knows every file by its content", () => {
    const folder = join(root, "dist/cli");
    const names = readdirSync(folder, { withFileTypes: true })
      .filter((one) => one.isFile())
      .map(({ name }) => name);
    expect(names).toContain("program.cjs");
    for (const name of names) {
      const text = readFileSync(join(folder, name), "utf8");
      const [, mark, code = ""] = /^\/\*([0-9a-f]{16})\*\/([^]*)$/.exec(text) ?? [];
      expect(mark, name).toBe(createHash("sha256").update(code).digest("hex").slice(0, 16));
    }
  });

  it("leaves files of other packages to Node", () => {
    const { folder, run } = install();
    const path = join(folder, "dist/cli/program.cjs");
    mkdirSync(join(folder, "dist/other"));
    writeFileSync(join(folder, "dist/other/plain.cjs"), "exports.main = async () => {};\n");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, 'module.exports = require("../other/plain.cjs");\n');
    expect(run(["events"])).toEqual({ status: 0, stdout: "", stderr: "" });
    writeFileSync(path, text);
  });
});
