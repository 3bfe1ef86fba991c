import { chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Environment, systemEnvironment } from "../../src/base/environment.ts";
import { resolveInRepository } from "../../src/base/paths.ts";
import { findRepository } from "../../src/git/repository.ts";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { describeWith } from "../helpers/not-run.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const environment = (changes: Partial<Environment> = {}): Environment => ({
  ...systemEnvironment(),
  host: "castor",
  ...changes,
});
const find = (start: string, changes: Partial<Environment> = {}) =>
  findRepository(start, { environment: environment(changes) });

describe("a git repository", () => {
  it("C-12 is found from its root, a sub-folder and through a link, as one", async () => {
    const parent = temporaryFolder();
    const root = makeRepository(join(parent, "repo"));
    mkdirSync(join(root, "src/deep"), { recursive: true });
    symlinkSync(root, join(parent, "link"));
    const expected = {
      kind: "git",
      root,
      worktree: root,
      worktrees: [root],
      commonDir: join(root, ".git"),
      localDir: join(root, ".git/headgate"),
      configFile: join(root, ".headgate/config.jsonc"),
      identity: {
        local: { key: `path:${root}/.git`, name: "repo" },
        shared: { key: `host:castor:${root}/.git`, name: "repo" },
      },
    };
    for (const start of [
      "repo",
      "repo/src/deep",
      "link",
      "link/src",
      "repo/.git",
      "repo/.git/refs",
    ]) {
      expect(await find(join(parent, start)), start).toMatchObject(expected);
    }
  });

  it("C-12 all its worktrees, also one inside it, share identity and local folder", async () => {
    const parent = temporaryFolder();
    const root = makeRepository(join(parent, "repo"));
    const [beside, inside] = [join(parent, "beside"), join(root, ".worktrees/inside")];
    git(root, "worktree", "add", "--quiet", beside);
    git(root, "worktree", "add", "--quiet", inside);
    const main = await find(root);
    expect(main.worktrees).toEqual([root, beside, inside]);
    for (const worktree of [beside, inside]) {
      const found = await find(worktree);
      expect(found).toEqual({ ...main, worktree, worktrees: expect.any(Array) });
      expect(new Set(found.worktrees)).toEqual(new Set(main.worktrees));
      const path = resolveInRepository(found.worktrees, "a.txt", { cwd: worktree });
      expect(path).toMatchObject({ ok: true, path: "a.txt", root: worktree });
    }
  });

  it("C-12 a worktree that was removed by hand no longer counts", async () => {
    const parent = temporaryFolder();
    const root = makeRepository(join(parent, "repo"));
    git(root, "worktree", "add", "--quiet", join(parent, "gone"));
    rmSync(join(parent, "gone"), { recursive: true });
    expect((await find(root)).worktrees).toEqual([root]);
  });

  it("C-12 a submodule is a repository of its own", async () => {
    const parent = temporaryFolder();
    const library = makeRepository(join(parent, "library"));
    const root = makeRepository(join(parent, "repo"));
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "lib");
    const found = await find(join(root, "lib"));
    expect(found).toMatchObject({
      root: join(root, "lib"),
      worktree: join(root, "lib"),
      commonDir: join(root, ".git/modules/lib"),
      localDir: join(root, ".git/modules/lib/headgate"),
      identity: { local: { key: `path:${root}/.git/modules/lib`, name: "lib" } },
    });
    expect((await find(root)).identity.local.key).toBe(`path:${root}/.git`);
  });

  it("C-12 worktrees of a bare repository share a folder beside its objects", async () => {
    const parent = temporaryFolder();
    const source = makeRepository(join(parent, "source"));
    const bare = join(parent, "store.git");
    git(parent, "clone", "--quiet", "--bare", source, bare);
    git(bare, "worktree", "add", "--quiet", join(parent, "one"));
    git(bare, "worktree", "add", "--quiet", join(parent, "two"));
    for (const name of ["one", "two"]) {
      const worktree = join(parent, name);
      expect(await find(worktree)).toMatchObject({
        root: worktree,
        worktree,
        localDir: join(bare, "headgate"),
        configFile: join(worktree, ".headgate/config.jsonc"),
        identity: { local: { key: `path:${bare}`, name: "store" } },
      });
    }
    const inBare = await find(bare);
    expect(inBare.worktrees).toEqual([join(parent, "one"), join(parent, "two")]);
    expect(inBare.localDir).toBe(join(bare, "headgate"));
  });

  it("C-12 a bare repository called .git keeps its folder beside the worktrees", async () => {
    const parent = temporaryFolder();
    const source = makeRepository(join(parent, "source"));
    const project = join(parent, "project");
    git(parent, "clone", "--quiet", "--bare", source, join(project, ".git"));
    git(project, "worktree", "add", "--quiet", join(project, "main"));
    const found = await find(join(project, "main"));
    expect(found.localDir).toBe(join(project, ".git/headgate"));
    expect(found.worktrees).toEqual([join(project, "main")]);
    expect((await find(project)).identity).toEqual(found.identity);
  });

  it("C-12 a separate git directory holds the local folder for all worktrees", async () => {
    const parent = temporaryFolder();
    const [work, data] = [join(parent, "work"), join(parent, "data")];
    git(parent, "init", "--quiet", `--separate-git-dir=${data}`, work);
    writeFileSync(join(work, "a.txt"), "");
    git(work, "add", ".");
    git(work, "commit", "--quiet", "--message", "One");
    git(work, "worktree", "add", "--quiet", join(parent, "linked"));
    const found = await find(work);
    expect(found).toMatchObject({ root: work, localDir: join(data, "headgate") });
    const linked = await find(join(parent, "linked"));
    expect(linked.localDir).toBe(found.localDir);
    expect(linked.identity).toEqual(found.identity);
  });

  it("A16 a .git file that leads elsewhere gives the identity git follows", async () => {
    const parent = temporaryFolder();
    const root = makeRepository(join(parent, "repo"));
    const other = join(parent, "other");
    put(join(other, ".git"), `gitdir: ${root}/.git\n`);
    const found = await find(other);
    expect(found.worktree).toBe(other);
    expect(found.identity).toEqual((await find(root)).identity);
  });

  it("A16 a .git file that leads nowhere is an error, not a scope of its own", async () => {
    const parent = temporaryFolder();
    for (const content of ["gitdir: /nonexistent\n", "junk", "", "gitdir: \0\n"]) {
      put(join(parent, ".git"), content);
      await expect(find(parent), content).rejects.toMatchObject({ code: "GIT_FAILED" });
    }
  });

  it("A16 a bare repository planted inside a worktree does not change the identity", async () => {
    const root = makeRepository(join(temporaryFolder(), "repo"));
    git(root, "init", "--quiet", "--bare", join(root, "fixtures/planted"));
    const found = await find(join(root, "fixtures/planted"));
    expect(found.identity.local.key).toBe(`path:${root}/.git`);
  });

  it("A16 a repository's own files cannot make a foreign folder one of its worktrees", async () => {
    const parent = temporaryFolder();
    const root = makeRepository(join(parent, "repo"));
    put(join(parent, "victim/secret"));
    put(join(root, ".git/worktrees/x/gitdir"), `${parent}/victim/.git\n`);
    git(root, "config", "core.worktree", "/");
    const found = await find(root);
    expect(found.worktrees).toEqual([root]);
    const path = resolveInRepository(found.worktrees, join(parent, "victim/secret"), { cwd: root });
    expect(path).toMatchObject({ ok: false, code: "PATH_OUTSIDE" });
  });

  it("is an error without git, and names it", async () => {
    const root = makeRepository(temporaryFolder());
    const variables = { PATH: join(root, "empty") };
    await expect(find(root, { variables })).rejects.toMatchObject({ code: "GIT_MISSING" });
  });

  it("C-12 a remote makes clones one scope in a shared store", async () => {
    const parent = temporaryFolder();
    const root = makeRepository(join(parent, "repo"));
    git(root, "remote", "add", "backup", "ssh://git@example.org:2222/Team/App.git");
    expect((await find(root)).identity.shared).toEqual({
      key: "git:example.org/team/app",
      name: "team/app",
    });
    git(root, "remote", "add", "origin", "https://ada:secret@Example.net/team/other/");
    expect((await find(root)).identity.shared.key).toBe("git:example.net/team/other");
    git(root, "remote", "set-url", "origin", "../elsewhere");
    expect((await find(root)).identity.shared.key).toBe("git:example.org/team/app");
    git(root, "remote", "remove", "backup");
    expect((await find(root)).identity.shared.key).toBe(`host:castor:${root}/.git`);
  });
});

describe("a folder without git", () => {
  it("C-12 is a scope by its real path, with or without a git program", async () => {
    const parent = temporaryFolder();
    mkdirSync(join(parent, "plain"));
    symlinkSync("plain", join(parent, "link"));
    const variables = { XDG_STATE_HOME: join(parent, "state") };
    const found = await find(join(parent, "link"), { variables });
    const root = join(parent, "plain");
    expect(found).toMatchObject({
      kind: "folder",
      root,
      worktrees: [root],
      localDir: join(parent, "state/headgate/folders", root, "headgate"),
      identity: {
        local: { key: `path:${root}`, name: "plain" },
        shared: { key: `host:castor:${root}` },
      },
    });
    expect(found).not.toHaveProperty("commonDir");
  });

  it("an empty .git folder does not make it a repository", async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, ".git"));
    expect(await find(root)).toMatchObject({ kind: "folder", root });
  });

  it("must exist and be a folder", async () => {
    const root = temporaryFolder();
    put(join(root, "file"));
    for (const start of ["missing", "file", "file/below", "nul\0byte"]) {
      await expect(find(join(root, start))).rejects.toMatchObject({ code: "REPOSITORY_NOT_FOUND" });
    }
  });
});

describeWith({ root: true, platforms: ["linux"] }, "a repository of another user", () => {
  it("is refused with git's own words", async () => {
    const root = makeRepository(temporaryFolder());
    chownSync(root, 12_345, 12_345);
    chownSync(join(root, ".git"), 12_345, 12_345);
    const variables = { PATH: process.env["PATH"] };
    await expect(find(root, { variables })).rejects.toMatchObject({
      code: "GIT_FAILED",
      message: expect.stringContaining("dubious ownership"),
      data: { stderr: expect.arrayContaining([expect.stringContaining("safe.directory")]) },
    });
  });
});
