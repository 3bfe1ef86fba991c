/** What the parts of the commit protocol do where `git commit` has no counterpart, or users do the unusual. */
import { execFileSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemEnvironment } from "../../src/base/environment.ts";
import { systemFiles } from "../../src/base/files.ts";
import {
  type CommitRequest,
  createWritingGit,
  followIndex,
  moveBranch,
  prepareCommit,
  type PreparedCommit,
  readHead,
  type WritingGit,
} from "../../src/git/index.ts";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const writingGit = (root: string, more: Record<string, string> = {}): WritingGit => {
  const variables = {
    ...{ PATH: process.env["PATH"], HOME: root, GIT_CONFIG_GLOBAL: "/dev/null", ...more },
  };
  const environment = { ...systemEnvironment(), variables, cwd: root };
  return createWritingGit({ cwd: root, environment, actor: "user:ada" });
};

const newRepository = (): string => {
  const root = makeRepository(join(temporaryFolder(), "repo"));
  git(root, "config", "user.name", "Grace");
  git(root, "config", "user.email", "grace@example.org");
  return root;
};

const hook = (root: string, name: string, text: string): void =>
  chmodSync(put(join(root, ".git/hooks", name), `#!/bin/sh\n${text}\n`), 0o755);

const tryPrepare = async (root: string, more: Partial<CommitRequest>) => {
  const writing = more.git ?? writingGit(root);
  return prepareCommit({
    ...{ git: writing, files: systemFiles, scratch: join(root, ".git/scratch"), operation: "one" },
    ...{ head: await readHead(writing), message: "New\n", ...more },
  });
};

const prepare = async (root: string, more: Partial<CommitRequest>): Promise<PreparedCommit> => {
  const made = await tryPrepare(root, more);
  if (!made.ok) throw new Error(made.reason);
  return made.prepared;
};

const noPause = async (): Promise<void> => {};

describe("what is committed", () => {
  it("L-01 files of the worktree, gone ones too, entries and new contents, all in one", async () => {
    const root = newRepository();
    rmSync(join(root, "a.txt"));
    put(join(root, "b.txt"), "b\n");
    const blob = git(root, "rev-parse", "HEAD:a.txt");
    const { commit, changes } = await prepare(root, {
      paths: ["a.txt", "b.txt"],
      entries: [{ path: "copy.txt", mode: "100755", blob }],
      contents: [{ path: "dir/c.txt", mode: "100644", content: "c\n" }],
    });
    expect(changes.map(({ path, mode }) => `${mode} ${path}`)).toEqual([
      "000000 a.txt",
      "100644 b.txt",
      "100755 copy.txt",
      "100644 dir/c.txt",
    ]);
    expect(git(root, "show", `${commit}:dir/c.txt`)).toBe("c");
    expect(git(root, "rev-parse", "HEAD")).not.toBe(commit);
  });

  it("L-01 nothing, where nothing differs, is said before a message hook is asked", async () => {
    const root = newRepository();
    hook(root, "commit-msg", "exit 1");
    expect(await tryPrepare(root, { paths: ["a.txt"] })).toMatchObject({
      ok: false,
      why: "nothing",
    });
  });

  it("L-01 a file that a hook adds is refused where it does not belong, and committed where it does", async () => {
    const root = newRepository();
    put(join(root, "b.txt"), "b\n");
    hook(root, "pre-commit", "echo made >made.txt; git add made.txt");
    const paths = ["b.txt"];
    const isAllowed = (path: string): boolean => path === "b.txt";
    expect(await tryPrepare(root, { paths, isAllowed })).toMatchObject({
      ok: false,
      why: "outside",
      reason: expect.stringContaining("made.txt"),
    });
    const { changes } = await prepare(root, { paths });
    expect(changes.map(({ path }) => path)).toEqual(["b.txt", "made.txt"]);
  });

  it("R-13 with reviseEntry, other files that a hook stages stay out, and its version counts only when accepted", async () => {
    const root = newRepository();
    hook(
      root,
      "pre-commit",
      "echo made >made.txt; echo formatted >b.txt; git add made.txt b.txt; rm b.txt made.txt",
    );
    const contents = [{ path: "b.txt", mode: "100644", content: "b\n" }];
    const accepted = await prepare(root, {
      contents,
      reviseEntry: async (_, staged) => ({ ok: true, entry: staged! }),
    });
    expect(accepted.changes.map(({ path }) => path)).toEqual(["b.txt"]);
    expect(git(root, "show", `${accepted.commit}:b.txt`)).toBe("formatted");
    const own = await prepare(root, {
      contents,
      reviseEntry: async (entry) => ({ ok: true, entry }),
    });
    expect(git(root, "show", `${own.commit}:b.txt`)).toBe("b");
    const reviseEntry = async () => ({ ok: false as const, reason: "not this" });
    expect(await tryPrepare(root, { contents, reviseEntry })).toMatchObject({
      ok: false,
      why: "hook",
      hook: "pre-commit",
      reason: "not this",
    });
  });
});

describe("the branch's move", () => {
  it("L-01 a first commit on a branch that has none", async () => {
    const root = join(temporaryFolder(), "repo");
    put(join(root, "a.txt"), "a\n");
    git(root, "init", "--quiet", "--initial-branch=main");
    const writing = writingGit(root, {
      GIT_AUTHOR_NAME: "Grace",
      GIT_AUTHOR_EMAIL: "grace@example.org",
      GIT_COMMITTER_NAME: "Grace",
      GIT_COMMITTER_EMAIL: "grace@example.org",
    });
    const made = await prepare(root, { git: writing, paths: ["a.txt"] });
    expect(made.head).toEqual({ branch: "refs/heads/main" });
    expect(await moveBranch(writing, made, { note: "test" })).toEqual({ ok: true });
    expect(await followIndex(writing, made.changes, noPause)).toEqual([]);
    expect(git(root, "status", "--porcelain")).toBe("");
    expect(git(root, "rev-parse", "HEAD")).toBe(made.commit);
    // Another first commit came before: theirs stays.
    expect(await moveBranch(writing, made, { note: "test" })).toEqual({ ok: true });
    const late = { commit: git(root, "commit-tree", "-m", "x", "HEAD^{tree}"), head: made.head };
    expect(await moveBranch(writing, late, { note: "test" })).toMatchObject({ why: "moved" });
    expect(git(root, "rev-parse", "HEAD")).toBe(made.commit);
  });

  it("L-01 HEAD itself where no branch is checked out; branches stay", async () => {
    const root = newRepository();
    const before = git(root, "rev-parse", "HEAD");
    git(root, "checkout", "--quiet", "--detach");
    put(join(root, "b.txt"), "b\n");
    const made = await prepare(root, { paths: ["b.txt"] });
    expect(await moveBranch(writingGit(root), made, { note: "test" })).toEqual({ ok: true });
    expect(git(root, "rev-parse", "HEAD")).toBe(made.commit);
    expect(git(root, "rev-parse", "main")).toBe(before);
  });

  it("G3 happens inside whileHeld, or not at all", async () => {
    const root = newRepository();
    put(join(root, "b.txt"), "b\n");
    const made = await prepare(root, { paths: ["b.txt"] });
    const before = git(root, "rev-parse", "HEAD");
    const refusing = async () => ({ ok: false as const, reason: "claim lost" });
    expect(
      await moveBranch(writingGit(root), made, { note: "test", whileHeld: refusing }),
    ).toMatchObject({ ok: false, why: "fence", reason: "claim lost" });
    expect(git(root, "rev-parse", "HEAD")).toBe(before);
    const seen: string[] = [];
    const whileHeld = async (act: () => void) => {
      seen.push(git(root, "rev-parse", "HEAD"));
      act();
      return { ok: true as const };
    };
    expect(await moveBranch(writingGit(root), made, { note: "test", whileHeld })).toEqual({
      ok: true,
    });
    expect(seen).toEqual([before]);
    expect(git(root, "log", "-1", "--walk-reflogs", "--format=%gs", "main")).toBe("test");
  });

  it("R-01 says whether the branch is locked or has moved", async () => {
    const root = newRepository();
    const writing = writingGit(root);
    put(join(root, "b.txt"), "b\n");
    const made = await prepare(root, { paths: ["b.txt"] });
    const lock = put(join(root, ".git/refs/heads/main.lock"), "");
    expect(await moveBranch(writing, made, { note: "test" })).toMatchObject({ why: "locked" });
    rmSync(lock);
    git(root, "commit", "--quiet", "--allow-empty", "--message=Other");
    expect(await moveBranch(writing, made, { note: "test" })).toMatchObject({ why: "moved" });
  });
});

describe("the user's index after the commit", () => {
  const committed = async (
    before: (root: string) => void,
    stage: (root: string) => void,
  ): Promise<{ readonly root: string; readonly left: unknown }> => {
    const root = newRepository();
    before(root);
    const made = await prepare(root, { paths: ["a.txt", "new.txt"] });
    const writing = writingGit(root);
    stage(root);
    await moveBranch(writing, made, { note: "test" });
    return { root, left: await followIndex(writing, made.changes, noPause) };
  };
  const change = (root: string): void => {
    put(join(root, "a.txt"), "two\n");
    put(join(root, "new.txt"), "new\n");
  };

  it("R-02 a mode that is staged is the user's, and stays", async () => {
    const { root, left } = await committed(change, (place) => {
      git(place, "update-index", "--chmod=+x", "a.txt");
    });
    expect(left).toEqual([{ path: "a.txt", why: "staged" }]);
    expect(git(root, "ls-files", "--stage", "a.txt")).toMatch(/^100755 /);
  });

  it("R-02 a conflict stays a conflict", async () => {
    const { root, left } = await committed(change, (place) => {
      const blob = git(place, "rev-parse", "HEAD:a.txt");
      const lines = [1, 2, 3].map((stage) => `100644 ${blob} ${stage}\ta.txt\n`);
      const none = `0 ${"0".repeat(40)}\ta.txt\n`;
      const input = [none, ...lines].join("");
      execFileSync("git", ["update-index", "--index-info"], { cwd: place, input });
    });
    expect(left).toEqual([{ path: "a.txt", why: "staged" }]);
    expect(git(root, "ls-files", "--unmerged")).not.toBe("");
  });

  it("R-02 a file announced by `git add -N` counts as committed; the next commit does not delete it", async () => {
    const { root, left } = await committed(change, (place) => {
      git(place, "add", "--intent-to-add", "new.txt");
    });
    expect(left).toEqual([]);
    git(root, "commit", "--quiet", "--allow-empty", "--message=Next");
    expect(git(root, "show", "HEAD:new.txt")).toBe("new");
    expect(git(root, "status", "--porcelain")).toBe("");
  });

  it("R-02 says which files it left because another git has the index", async () => {
    const { root, left } = await committed(change, (place) => {
      put(join(place, ".git/index.lock"), "");
    });
    expect(left).toEqual([
      { path: "a.txt", why: "locked" },
      { path: "new.txt", why: "locked" },
    ]);
    rmSync(join(root, ".git/index.lock"));
    expect(git(root, "log", "-1", "--format=%s")).toBe("New");
  });

  it("R-02 waits for another git that is done soon", async () => {
    const root = newRepository();
    change(root);
    const made = await prepare(root, { paths: ["a.txt", "new.txt"] });
    await moveBranch(writingGit(root), made, { note: "test" });
    const lock = put(join(root, ".git/index.lock"), "");
    let pauses = 0;
    const left = await followIndex(writingGit(root), made.changes, async () => {
      pauses += 1;
      if (pauses === 3) rmSync(lock);
    });
    expect({ left, pauses }).toEqual({ left: [], pauses: 3 });
    expect(git(root, "status", "--porcelain")).toBe("");
  });

  it("L-01 hundreds of files at once", async () => {
    const root = newRepository();
    const paths = Array.from({ length: 250 }, (_, at) => `many/file ${at}\n.txt`);
    for (const path of paths) put(join(root, path), path);
    git(root, "add", "--all");
    git(root, "commit", "--quiet", "--message=Many");
    for (const path of paths) put(join(root, path), `${path} changed`);
    const made = await prepare(root, { paths });
    await moveBranch(writingGit(root), made, { note: "test" });
    expect(await followIndex(writingGit(root), made.changes, noPause)).toEqual([]);
    expect(git(root, "status", "--porcelain")).toBe("");
    expect(made.changes).toHaveLength(250);
  });
});
