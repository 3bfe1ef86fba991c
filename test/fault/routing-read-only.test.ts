/**
 * Routing where nothing, or only a part, can be written. Root may write whatever the mode says, so the
 * file system itself is mounted read-only, or the program runs as somebody else.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { mount, runProgram } from "../helpers/mount.ts";
import { describeWith } from "../helpers/not-run.ts";
import {
  cleanEnvironment,
  type Ended,
  programPath,
  run,
  withoutProgress,
} from "../helpers/program.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const overridesPath = ".headgate/routing-overrides.json";

/** game-design is excluded; a proposal for fd-quality is approved and waits. */
const newProject = async (): Promise<{ root: string; waiting: string }> => {
  const root = makeRepository(join(temporaryFolder(), "app"));
  git(root, "config", "user.name", "Ada");
  git(root, "config", "user.email", "ada@example.org");
  const propose = async (name: string): Promise<string> => {
    const asked = ["routing", "propose", name, "--action", "stage", "--json"];
    const { stdout } = await run(asked, { cwd: root });
    const { id } = (JSON.parse(stdout) as { proposal: { id: string } }).proposal;
    const { code } = await run(["routing", "approve", id, "--confirm", name], { cwd: root });
    expect(code).toBe(0);
    return id;
  };
  const first = await propose("game-design");
  expect((await run(["routing", "apply", first], { cwd: root })).code).toBe(0);
  return { root, waiting: await propose("quality") };
};

/** Everything but the store and the lock, which a refusal may touch. */
const snapshot = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes("/.git/headgate/"))
    .map((file) => `${file} ${createHash("sha256").update(readFileSync(file)).digest("hex")}`)
    .toSorted();

/** One sentence, one way out, and nothing that a program threw. */
const refused = ({ code, stdout, stderr }: Ended, exit: number, says: RegExp): void => {
  expect(stderr).toMatch(says);
  expect(stderr.trim().split("\n")).toHaveLength(2);
  expect(stderr).not.toMatch(/INTERNAL|UNFINISHED|\bat .*\.js:/);
  expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
};

/** `except` is a folder in it that stays as it is. */
const readOnly = (folder: string, except?: string): void => {
  mount(folder, "--bind", folder);
  if (except !== undefined) mount(except, "--bind", except);
  runProgram("mount", "-o", "remount,ro,bind", folder);
};

const writable = (folder: string): void => {
  runProgram("mount", "-o", "remount,rw,bind", folder);
};

const needs = { platforms: ["linux"], root: true, programs: ["mount", "setpriv"] } as const;

describeWith(needs, "R-01 a read-only repository", () => {
  it("R-01 all of it: apply, revert, status, rebuild and verify say so in one line, and nothing changes", async () => {
    const { root, waiting } = await newProject();
    const before = snapshot(root);
    readOnly(root);
    const store =
      /^headgate: cannot open the store .*: no right to read it, or to write its folder/;
    const calls = [["apply", waiting], ["revert", "game-design"], ["status"], ["rebuild"]];
    for (const call of [...calls, ["verify"], ["propose", "safety", "--action", "stage"]]) {
      refused(await run(["routing", ...call], { cwd: root }), 69, store);
    }
    writable(root);
    expect(snapshot(root)).toEqual(before);
    expect((await run(["routing", "apply", waiting], { cwd: root })).code).toBe(0);
  });

  it.each([".git", ".git/objects", ".git/refs"])(
    "R-01 only %s, but not Headgate's state: apply and revert are refused and leave nothing; looking goes on; afterwards it works",
    async (part) => {
      const { root, waiting } = await newProject();
      const before = snapshot(root);
      readOnly(join(root, part), part === ".git" ? join(root, ".git/headgate") : undefined);
      const says = /^headgate: the repository cannot be written: .*Read-only file system/;
      refused(await run(["routing", "apply", waiting], { cwd: root }), 1, says);
      refused(await run(["routing", "revert", "game-design"], { cwd: root }), 1, says);
      for (const look of ["status", "rebuild", "verify"]) {
        const { code, stderr } = await run(["routing", look], { cwd: root });
        expect({ look, code, stderr }).toEqual({ look, code: 0, stderr: "" });
      }
      writable(join(root, part));
      // Objects that no branch leads to are git's to clear away.
      const kept = (list: string[]) => list.filter((file) => !file.includes("/.git/objects/"));
      expect(kept(snapshot(root))).toEqual(kept(before));
      expect((await run(["routing", "verify"], { cwd: root })).code).toBe(0);
      expect((await run(["routing", "apply", waiting], { cwd: root })).code).toBe(0);
      expect(git(root, "status", "--porcelain")).toBe("");
    },
  );

  it("R-01 only the worktree: no commit is made whose file could not follow", async () => {
    const { root, waiting } = await newProject();
    const before = snapshot(root);
    const head = git(root, "rev-parse", "HEAD");
    mount(root, "--bind", root);
    mount(join(root, ".git"), "--bind", join(root, ".git"));
    runProgram("mount", "-o", "remount,ro,bind", root);
    const says = /^headgate: \.headgate\/routing-overrides\.json cannot be written: .* read-only/;
    refused(await run(["routing", "apply", waiting], { cwd: root }), 1, says);
    refused(await run(["routing", "revert", "game-design"], { cwd: root }), 1, says);
    expect((await run(["routing", "verify"], { cwd: root })).code).toBe(0);
    expect(git(root, "rev-parse", "HEAD")).toBe(head);
    expect(snapshot(root)).toEqual(before);
  });

  it("R-01 somebody without the right to write: refused the same way", async () => {
    const { root, waiting } = await newProject();
    runProgram("chown", "-R", "65534:65534", dirname(root));
    runProgram("chmod", "-R", "a-w", join(root, ".git"));
    runProgram("chmod", "-R", "u+w", join(root, ".git/headgate"));
    const before = snapshot(root);
    const asNobody = (...args: string[]): Ended => {
      const change = ["--reuid=65534", "--regid=65534", "--clear-groups"];
      const argv = [...change, realpathSync(process.execPath), programPath, "routing", ...args];
      const env = cleanEnvironment(join(root, "..", "no-home"));
      const ended = spawnSync("setpriv", argv, { cwd: root, env, encoding: "utf8" });
      return { ...ended, code: ended.status, stderr: withoutProgress(ended.stderr) };
    };
    const says = /^headgate: the repository cannot be written: .*(permission|Permission denied)/;
    refused(asNobody("apply", waiting), 1, says);
    refused(asNobody("revert", "game-design"), 1, says);
    expect(asNobody("status")).toMatchObject({ code: 0, stderr: "" });
    expect(snapshot(root)).toEqual(before);
    runProgram("chmod", "-R", "u+w", join(root, ".git"));
    runProgram("chmod", "a-w", join(root, ".headgate"), join(root, overridesPath));
    refused(asNobody("apply", waiting), 1, /^headgate: \.headgate\/.* is read-only for you/);
    runProgram("chmod", "u+w", join(root, ".headgate"));
    // A file without the right to write is replaced, as git itself does.
    expect(asNobody("apply", waiting)).toMatchObject({ code: 0 });
  });
});
