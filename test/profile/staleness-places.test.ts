import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { cachedService, cacheFiles, check, commit, detect, service } from "./project.ts";

describe("D-06 clones, worktrees, submodules, folders", () => {
  it("a shallow clone without the recorded commit compares contents", async () => {
    const root = await cachedService();
    const clone = join(temporaryFolder(), "clone");
    git(root, "clone", "--quiet", "--depth=1", `file://${root}`, clone);
    await detect(clone);
    commit(root, { "src/file1.js": "export const a = 1;\n" });
    commit(root, { "src/file2.js": "export const a = 1;\n" });
    git(clone, "fetch", "--quiet", "--depth=1", "origin", "main");
    git(clone, "reset", "--quiet", "--hard", "FETCH_HEAD");
    git(clone, "reflog", "expire", "--expire=now", "--all");
    git(clone, "gc", "--quiet", "--prune=now");
    const found = await check(clone);
    expect(found).toMatchObject({ state: "fresh", now: { shallow: true } });
    expect(found.steps).toContainEqual(
      expect.objectContaining({ found: "the recorded tree is not here (shallow clone)" }),
    );
    commit(root, { "package.json": service({ "discord.js": "14" }) });
    git(clone, "fetch", "--quiet", "--depth=1", "origin", "main");
    git(clone, "reset", "--quiet", "--hard", "FETCH_HEAD");
    git(clone, "reflog", "expire", "--expire=now", "--all");
    git(clone, "gc", "--quiet", "--prune=now");
    expect(await check(clone)).toMatchObject({ state: "stale" });
  });

  it("a partial clone is never asked to fetch", async () => {
    const root = await cachedService();
    git(root, "config", "uploadpack.allowFilter", "true");
    const clone = join(temporaryFolder(), "clone");
    git(root, "clone", "--quiet", "--filter=tree:0", `file://${root}`, clone);
    await detect(clone);
    commit(root, { "src/file1.js": "export const a = 1;\n" });
    git(clone, "pull", "--quiet");
    rmSync(join(root, ".git"), { recursive: true });
    expect(await check(clone)).toMatchObject({ state: "fresh" });
    put(join(clone, "package.json"), service({ "discord.js": "14" }));
    expect(await check(clone)).toMatchObject({ state: "stale" });
  });

  it("each worktree has a profile of its own", async () => {
    const root = await cachedService();
    const other = join(temporaryFolder(), "other");
    git(root, "worktree", "add", "--quiet", "-b", "bot", other);
    expect(await check(other)).toMatchObject({ state: "none" });
    commit(other, { "package.json": service({ "discord.js": "14" }) });
    expect(await detect(other)).toMatchObject({ primary: "bot" });
    expect(await check(other)).toMatchObject({ state: "fresh" });
    expect(await check(root)).toMatchObject({ state: "fresh" });
    expect(await detect(root)).toMatchObject({ primary: "web-api" });
    expect(cacheFiles(root)).toEqual([
      expect.stringMatching(/^profile-[0-9a-f]{16}\.json$/),
      "profile.json",
    ]);
  });

  it("a submodule is a project of its own: only its coming with files of ours counts", async () => {
    const library = makeRepository(join(temporaryFolder(), "library"));
    commit(library, { "package.json": service({ "discord.js": "14" }) });
    const root = await cachedService();
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "lib");
    git(root, "commit", "--quiet", "--message", "With a submodule");
    expect(await check(root)).toMatchObject({ state: "fresh" });
    commit(join(root, "lib"), { "package.json": service({ next: "15" }) });
    expect(await check(root)).toMatchObject({ state: "fresh" });
    git(root, "rm", "--quiet", "--force", "--cached", "lib");
    rmSync(join(root, "lib/.git"), { force: true });
    expect(await check(root)).toMatchObject({ state: "stale" });
  });

  it("a folder without git", async () => {
    const root = temporaryFolder();
    put(join(root, "package.json"), service());
    put(join(root, "index.js"), "");
    expect(await detect(root)).toMatchObject({ primary: "web-api" });
    expect(await check(root)).toMatchObject({ state: "fresh", now: { source: "folder" } });
    put(join(root, "package.json"), service({ "discord.js": "14" }));
    expect(await check(root)).toMatchObject({ state: "stale" });
  });

  it("a folder that is too deep to be walked is named, and never taken for unchanged", async () => {
    const root = join(temporaryFolder(), "deep");
    const deep = Array.from({ length: 66 }, () => "d").join("/");
    put(join(root, "package.json"), service());
    put(join(root, deep, "package.json"), service());
    const { notes } = await detect(root);
    expect(notes).toContainEqual({
      path: Array.from({ length: 65 }, () => "d").join("/"),
      message: "not looked at: folders are walked 64 deep",
    });
    expect(await check(root)).toMatchObject({
      state: "unknown",
      why: expect.stringContaining("not all files could be looked at"),
    });
  });

  it("a folder that becomes a repository, and a copy of one", async () => {
    const root = temporaryFolder();
    put(join(root, "package.json"), service());
    await detect(root);
    git(root, "init", "--quiet");
    // Its state was in the tree, which is not believed in a repository.
    expect(await check(root)).toMatchObject({ state: "none" });
    await detect(root);
    expect(await check(root)).toMatchObject({ state: "fresh" });
    const moved = join(temporaryFolder(), "moved");
    renameSync(root, moved);
    mkdirSync(root);
    expect(await check(moved)).toMatchObject({
      state: "stale",
      why: expect.stringContaining(root),
    });
    await detect(moved);
    expect(await check(moved)).toMatchObject({ state: "fresh" });
  });

  it("Python sources without a manifest", async () => {
    const root = makeRepository(join(temporaryFolder(), "model"));
    commit(root, { "train.py": "import torch\n", "deep/down/in/it/x.py": "" });
    expect(await detect(root)).toMatchObject({ primary: "ml-pipeline" });
    put(join(root, "train.py"), "import torch\nprint(1)\n");
    expect(await check(root)).toMatchObject({ state: "fresh" });
    put(join(root, "train.py"), "import flask\n");
    expect(await check(root)).toMatchObject({ state: "stale" });
  });
});
