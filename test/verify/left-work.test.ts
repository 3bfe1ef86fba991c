/** What killed processes left half done, as the next ordinary command meets it. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { runInside } from "../helpers/inside.ts";
import { describeWith } from "../helpers/not-run.ts";
import { cleanEnvironment, programPath, run } from "../helpers/program.ts";
import { atSharedEnd, put, temporaryFolder } from "../helpers/temporary-folder.ts";

const names = ["a", "b", "c"];
const plain = (name: string): string => `class ${name}:\n    def one(self):\n        return 1\n`;

const newFolder = (folder = join(temporaryFolder(), "repo")): string => {
  makeRepository(folder);
  for (const name of names) put(join(folder, `src/${name}.py`), plain(name));
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "three classes");
  return folder;
};

const operations = names.map((name) => ({
  ...{ do: "add", file: `src/${name}.py`, into: name },
  code: "def two(self):\n    return 2\n",
}));

/** `headgate apply`, killed when it gives the second of three files its new content. */
const killInside = (folder: string): void => {
  const list = `${folder}-operations.json`;
  writeFileSync(list, JSON.stringify({ operations }));
  spawnSync(
    "strace",
    [
      ...["-f", "-o", "/dev/null", "-e", "trace=rename"],
      ...["-e", "inject=rename:signal=SIGKILL:when=3"],
      ...[process.execPath, programPath, "apply", list, "--yes", "--as", "ed"],
    ],
    { cwd: folder, env: cleanEnvironment(join(folder, "..", "no-home")) },
  );
};

const commit = (folder: string) =>
  spawnSync("git", ["-c", "user.name=Ada", "-c", "user.email=a@b.c", "commit", "-m", "next"], {
    ...{ cwd: folder, encoding: "utf8", env: cleanEnvironment(join(folder, "..", "no-home")) },
  });

const contents = (folder: string): string[] =>
  names.map((name) => readFileSync(join(folder, `src/${name}.py`), "utf8"));

const scratch = (folder: string): string[] =>
  readdirSync(join(folder, "src")).filter((name) => name.startsWith(".headgate-"));

describeWith(
  { programs: ["strace"] },
  "an edit of three files that was killed between them",
  () => {
    const atEnd = atSharedEnd();
    let killed: string;
    beforeAll(async () => {
      killed = newFolder(join(temporaryFolder(atEnd), "killed"));
      const armed = await run(["init", "--yes", "--client", "claude"], { cwd: killed });
      if (armed.code !== 0) throw new Error(armed.stderr);
      git(killed, "add", "-A");
      git(killed, "commit", "-qm", "armed");
      killInside(killed);
    });

    const copy = (): string => {
      const folder = join(temporaryFolder(), "copy");
      cpSync(killed, folder, { recursive: true });
      return folder;
    };

    it("is half done before anything else runs, and verify says so without changing it", async () => {
      const folder = copy();
      expect(contents(folder).filter((text) => text.includes("two"))).toHaveLength(1);
      expect(scratch(folder).length).toBeGreaterThan(0);
      const { code, stdout } = await runInside(["verify", "--json"], { cwd: folder });
      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toEqual({
        clean: false,
        findings: [
          { code: "EDIT_HALF", what: expect.stringMatching(/^edit ed_\w+ of ed/), repaired: false },
        ],
      });
      expect(contents(folder).filter((text) => text.includes("two"))).toHaveLength(1);
    });

    it("git leaves its scratch files out", () => {
      expect(git(killed, "status", "--porcelain")).not.toContain(".headgate-");
    });

    const hookInput = (folder: string): string =>
      JSON.stringify({
        ...{ session_id: "s1", cwd: folder, hook_event_name: "PreToolUse", tool_name: "Write" },
        tool_input: { file_path: join(folder, "new.txt"), content: "new\n" },
      });

    it.each([
      [["status"]],
      [["claim", "other.txt", "--as", "bob"]],
      [["claims"]],
      [["doctor"]],
      [["state", "check"]],
      [["verify", "--repair"]],
    ])("G6 headgate %j takes it back and says so", async (args) => {
      const folder = copy();
      const { stdout, stderr } = await runInside(args, { cwd: folder });
      expect(contents(folder)).toEqual(names.map(plain));
      expect(scratch(folder)).toEqual([]);
      expect(stdout + stderr).toMatch(/repaired.*edit ed_\w+ of ed in 3 files: taken back/);
      const again = await runInside(["verify", "--json"], { cwd: folder });
      expect([again.code, JSON.parse(again.stdout)]).toEqual([0, { clean: true, findings: [] }]);
    });

    it("G6 a client's hook takes it back, and its author gets a notice", async () => {
      const folder = copy();
      const { code, stderr } = await run(["hook", "claude"], {
        ...{ cwd: folder, input: hookInput(folder) },
      });
      expect([code, stderr]).toEqual([0, ""]);
      expect(contents(folder)).toEqual(names.map(plain));
      const inbox = await runInside(["inbox", "--as", "ed", "--json"], { cwd: folder });
      expect(JSON.parse(inbox.stdout).notices).toMatchObject([
        { text: expect.stringContaining("taken back") },
      ]);
    });

    it("G6 a commit with half of it staged is refused; staged again, it passes without it", () => {
      const folder = copy();
      git(folder, "add", "-A");
      const first = commit(folder);
      expect([first.status, first.stderr]).toEqual([1, expect.stringContaining("EDIT_TAKEN_BACK")]);
      expect(contents(folder)).toEqual(names.map(plain));
      put(join(folder, "more.txt"), "more\n");
      git(folder, "add", "-A");
      expect(commit(folder).status).toBe(0);
      expect(git(folder, "show", "--name-only", "--format=", "HEAD")).toBe("more.txt");
    });

    it("G6 is taken back in its own worktree, whichever worktree looks first", async () => {
      const folder = newFolder();
      const linked = join(temporaryFolder(), "linked");
      git(folder, "worktree", "add", "-q", linked);
      killInside(linked);
      expect(contents(linked).filter((text) => text.includes("two"))).toHaveLength(1);
      await runInside(["status"], { cwd: folder });
      expect(contents(linked)).toEqual(names.map(plain));
      expect(scratch(linked)).toEqual([]);
    });

    it("a record of a worktree that was removed goes with it", async () => {
      const folder = newFolder();
      const linked = join(temporaryFolder(), "linked");
      git(folder, "worktree", "add", "-q", linked);
      killInside(linked);
      git(folder, "worktree", "remove", "--force", linked);
      await runInside(["status"], { cwd: folder });
      expect((await runInside(["verify"], { cwd: folder })).code).toBe(0);
    });
  },
);

describe("headgate verify", () => {
  const verify = async (folder: string, ...args: string[]) => {
    const { code, stdout } = await runInside(["verify", "--json", ...args], { cwd: folder });
    return { code, ...(JSON.parse(stdout) as { clean: boolean; findings: { code: string }[] }) };
  };
  const codes = (found: { readonly findings: readonly { readonly code: string }[] }): string[] =>
    found.findings.map(({ code }) => code);

  it("finds planted damage, and repairs what a dead process left", async () => {
    const folder = newFolder();
    await runInside(["claim", "x.txt", "--as", "ada"], { cwd: folder });
    await runInside(["claim", "y.txt", "--as", "ada"], { cwd: folder });
    expect(await verify(folder)).toEqual({ code: 0, clean: true, findings: [] });
    // A scratch file without a record, one in the index, a lock of ours and one of a stranger.
    put(join(folder, "src/.headgate-ed_aaaaaaaaaaaaaaaaaa-0.old"), "old");
    expect(codes(await verify(folder))).toEqual(["SCRATCH_LEFT"]);
    git(folder, "add", "-f", "src/.headgate-ed_aaaaaaaaaaaaaaaaaa-0.old");
    expect(codes(await verify(folder))).toEqual(["SCRATCH_TRACKED"]);
    git(folder, "rm", "-q", "--cached", "src/.headgate-ed_aaaaaaaaaaaaaaaaaa-0.old");
    const lock = join(folder, ".git/index.lock");
    const { ownIdentity } = await import("../../src/base/process-identity.ts");
    writeFileSync(lock, JSON.stringify({ headgate: { ...ownIdentity(), startTime: "1" } }));
    expect(codes(await verify(folder)).toSorted()).toEqual(["LOCK_LEFT", "SCRATCH_LEFT"]);
    const repaired = await verify(folder, "--repair");
    expect(repaired).toMatchObject({ code: 0, clean: true });
    expect(existsSync(lock)).toBe(false);
    expect(await verify(folder)).toEqual({ code: 0, clean: true, findings: [] });
  });

  it("a copy of the store that was put back is noticed by the fence mark", async () => {
    const folder = newFolder();
    const store = join(folder, ".git/headgate/store.db");
    for (const name of ["x", "y"]) {
      await runInside(["claim", `${name}.txt`, "--as", "ada"], { cwd: folder });
    }
    const kept = join(temporaryFolder(), "store.db");
    cpSync(store, kept);
    for (const name of ["z", "w"]) {
      await runInside(["claim", `${name}.txt`, "--as", "ada"], { cwd: folder });
    }
    for (const end of ["", "-wal", "-shm"]) {
      rmSync(store + end, { force: true });
    }
    cpSync(kept, store);
    expect(codes(await verify(folder))).toContain("STORE_OLDER");
  });

  it("a staged scratch file is refused by pre-commit", async () => {
    const folder = newFolder();
    expect((await run(["init", "--yes", "--client", "claude"], { cwd: folder })).code).toBe(0);
    const path = "src/.headgate-ed_aaaaaaaaaaaaaaaaaa-0.new";
    put(join(folder, path), "new");
    git(folder, "add", "-f", path);
    expect(commit(folder)).toMatchObject({
      ...{ status: 1, stderr: expect.stringContaining("scratch file of an edit") },
    });
  });
});
