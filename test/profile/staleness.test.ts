import { mkdirSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGit, type Git } from "../../src/git/reading-git.ts";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import {
  cacheFile,
  cachedService,
  check,
  commit,
  detect,
  open,
  readCache,
  service,
} from "./project.ts";

const lastStep = (steps: readonly { step: string }[]): string | undefined => steps.at(-1)?.step;

describe("D-02 commits and contents decide, dates do not", () => {
  it("nothing changed: fresh, without reading a file", async () => {
    const root = await cachedService();
    const found = await check(root);
    expect(found).toMatchObject({ state: "fresh", added: [], removed: [] });
    expect(lastStep(found.steps)).toBe("tree");
    expect(found.cache.writtenAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it("touched files and other time zones do not matter", async () => {
    const root = await cachedService();
    utimesSync(join(root, "package.json"), new Date(0), new Date("2099-01-01"));
    expect(await check(root)).toMatchObject({ state: "fresh" });
  });

  it("a commit of sources is fresh, a dependency in any manifest is stale with the evidence", async () => {
    const root = await cachedService({ "tools/x/package.json": service({}) });
    commit(root, { "src/file1.js": "export const a = 1;\n" });
    expect(await check(root)).toMatchObject({ state: "fresh" });
    commit(root, { "tools/x/package.json": service({ discord: "1", "discord.js": "14" }) });
    const found = await check(root);
    expect(found).toMatchObject({ state: "stale", removed: [] });
    expect(found.added).toEqual([expect.stringMatching(/^framework:npm:discord\.js in tools\/x/)]);
    expect(found.changed).toEqual(["tools/x/package.json"]);
  });

  it("a version bump and another script say nothing new", async () => {
    const root = await cachedService();
    commit(root, { "package.json": service({ express: "6.0.1", "left-pad": "1" }) });
    const found = await check(root);
    expect(found).toMatchObject({ state: "fresh", changed: ["package.json"] });
    expect(lastStep(found.steps)).toBe("files");
  });

  it("a branch from before detection that is merged afterwards", async () => {
    const root = makeRepository(join(temporaryFolder(), "shop"));
    git(root, "checkout", "--quiet", "-b", "old");
    commit(root, { "go.mod": "module x\nrequire github.com/spf13/cobra v1\n" });
    git(root, "checkout", "--quiet", "main");
    commit(root, { "package.json": service() });
    await detect(root);
    git(root, "merge", "--quiet", "--no-edit", "old");
    const found = await check(root);
    expect(found.state).toBe("stale");
    expect(found.added).toContainEqual(
      expect.stringContaining("framework:go:github.com/spf13/cobra"),
    );
  });

  it("HEAD moved back, and forward again", async () => {
    const root = makeRepository(join(temporaryFolder(), "shop"));
    commit(root, { "package.json": service() });
    await detect(root);
    git(root, "checkout", "--quiet", "HEAD~1");
    expect(await check(root)).toMatchObject({ state: "stale", added: [] });
    git(root, "checkout", "--quiet", "main");
    expect(await check(root)).toMatchObject({ state: "fresh" });
  });

  it("a change and its revert", async () => {
    const root = await cachedService();
    commit(root, { "package.json": service({ "discord.js": "14" }) });
    git(root, "revert", "--no-edit", "HEAD");
    expect(await check(root)).toMatchObject({ state: "fresh" });
  });

  it("the newest commit carries an old date", async () => {
    const root = await cachedService();
    put(join(root, "package.json"), service({ "discord.js": "14" }));
    git(root, "commit", "--quiet", "--all", "--date=2001-01-01T00:00:00Z", "--message", "Old");
    expect(await check(root)).toMatchObject({ state: "stale" });
  });

  it("the same tree under another commit", async () => {
    const root = await cachedService();
    git(root, "commit", "--quiet", "--amend", "--message", "Other words");
    expect(await check(root)).toMatchObject({ state: "fresh" });
  });
});

describe("D-06 what is not committed counts", () => {
  it("a changed, an untracked, a staged and a deleted manifest", async () => {
    const root = await cachedService();
    put(join(root, "package.json"), service({ "discord.js": "14" }));
    expect((await check(root)).state).toBe("stale");
    put(join(root, "package.json"), service());
    expect((await check(root)).state).toBe("fresh");
    put(join(root, "api/requirements.txt"), "fastapi\n");
    expect((await check(root)).added).toContainEqual(
      expect.stringContaining("framework:pypi:fastapi"),
    );
    git(root, "add", ".");
    expect((await check(root)).state).toBe("stale");
    git(root, "rm", "--quiet", "--force", "api/requirements.txt");
    expect((await check(root)).state).toBe("fresh");
    unlinkSync(join(root, "package.json"));
    expect(await check(root)).toMatchObject({ state: "stale", added: [] });
  });

  it("a profile that was made of uncommitted files holds when they are committed", async () => {
    const root = makeRepository(join(temporaryFolder(), "shop"));
    put(join(root, "package.json"), service());
    expect(await detect(root)).toMatchObject({ primary: "web-api" });
    expect(await check(root)).toMatchObject({ state: "fresh" });
    commit(root, {});
    expect(await check(root)).toMatchObject({ state: "fresh" });
    git(root, "stash", "--quiet", "--include-untracked", "--keep-index");
    git(root, "reset", "--quiet", "--hard", "HEAD~1");
    expect(await check(root)).toMatchObject({ state: "stale" });
  });

  it("before the first commit", async () => {
    const root = join(temporaryFolder(), "new");
    mkdirSync(root);
    git(root, "init", "--quiet");
    put(join(root, "package.json"), service());
    await detect(root);
    expect(await check(root)).toMatchObject({ state: "fresh", now: { head: null } });
    git(root, "add", ".");
    expect(await check(root)).toMatchObject({ state: "fresh" });
    git(root, "commit", "--quiet", "--message", "One");
    expect(await check(root)).toMatchObject({ state: "fresh" });
    put(join(root, "package.json"), service({ "discord.js": "14" }));
    expect(await check(root)).toMatchObject({ state: "stale" });
  });

  it("ignored files do not count", async () => {
    const root = await cachedService({ ".gitignore": "out/\n" });
    put(join(root, "out/x/package.json"), service({ "discord.js": "14" }));
    expect(await check(root)).toMatchObject({ state: "fresh" });
  });

  it("a repository's .gitattributes", async () => {
    const root = await cachedService({ "lib/a/package.json": service({ "discord.js": "14" }) });
    put(join(root, ".gitattributes"), "lib/** linguist-vendored\n");
    expect((await check(root)).removed).toContainEqual(expect.stringContaining("discord.js"));
  });

  it("the languages: some files more are no matter, a twentieth of them is looked at", async () => {
    const root = await cachedService();
    put(join(root, "tools/one.py"), "");
    await detect(root);
    put(join(root, "src/more.js"), "");
    expect(await check(root)).toMatchObject({ state: "fresh" });
    for (let at = 0; at < 12; at += 1) put(join(root, `native/file${at}.rs`), "");
    expect(await check(root)).toMatchObject({
      state: "stale",
      why: expect.stringMatching(/share/),
    });
  });
});

describe("D-06 renames", () => {
  it("out of the structural set and into it are stale", async () => {
    const root = await cachedService();
    git(root, "mv", "package.json", "package.json.old");
    git(root, "commit", "--quiet", "--message", "Away");
    expect(await check(root)).toMatchObject({ state: "stale", added: [] });
    await detect(root);
    git(root, "mv", "package.json.old", "package.json");
    git(root, "commit", "--quiet", "--message", "Back");
    expect(await check(root)).toMatchObject({ state: "stale", removed: [] });
  });

  it("inside it, to where it says something else, is stale", async () => {
    const root = await cachedService();
    mkdirSync(join(root, "legacy"));
    git(root, "mv", "package.json", "legacy/package.json");
    expect(await check(root)).toMatchObject({ state: "stale" });
  });

  it("cosmetic ones are not, whatever diff.renames says", async () => {
    const root = await cachedService({
      "README.md": "# Shop\n\nA web server for shops.\n",
      "deploy/main.tf": "",
    });
    git(root, "config", "diff.renames", "false");
    git(root, "mv", "README.md", "readme.md");
    git(root, "mv", "deploy/main.tf", "deploy/infra.tf");
    git(root, "mv", "src/file1.js", "src/renamed.js");
    git(root, "commit", "--quiet", "--message", "Names");
    const before = await check(root);
    expect(before).toMatchObject({ state: "fresh" });
    expect(lastStep(before.steps)).toBe("again");
    // The cache has moved on: the next look is short.
    expect(lastStep((await check(root)).steps)).toBe("tree");
  });
});

describe("what cannot be proven is unknown", () => {
  it("git fails", async () => {
    const root = await cachedService();
    put(join(root, ".git/index"), "broken");
    expect(await check(root)).toMatchObject({
      state: "unknown",
      why: expect.stringMatching(/git/),
    });
    writeFileSync(join(root, ".git/HEAD"), `${"0".repeat(39)}1\n`);
    expect(await check(root)).toMatchObject({ state: "unknown" });
  });

  it("the tree changes with every look", async () => {
    const root = await cachedService();
    const real = createGit({ cwd: root });
    let count = 0;
    const restless: Git = {
      run: async (call) => {
        if (call.args[0] === "ls-files" && call.args[1] === "-s") {
          put(join(root, `new${(count += 1)}/package.json`), "{}");
        }
        return real.run(call);
      },
    };
    put(join(root, "x/index.html"), "");
    put(join(root, "readme"), "");
    git(root, "mv", "src/file1.js", "src/main.rs");
    const profile = await detect(root, { git: restless });
    expect(profile.notes.at(-1)?.message).toMatch(/not cached: the files keep changing/);
    expect(count).toBeGreaterThanOrEqual(3);
  });
});

describe("D-01 one generation is judged", () => {
  it("a file that changes between being read and being digested is not cached as if it had been read", async () => {
    const root = makeRepository(join(temporaryFolder(), "shop"));
    commit(root, { "package.json": service({}) });
    put(join(root, "package.json"), service());
    const real = createGit({ cwd: root });
    let looks = 0;
    const late: Git = {
      run: async (call) => {
        if (call.args[0] === "diff-index" && (looks += 1) === 2) {
          put(join(root, "package.json"), service({ "discord.js": "14" }));
        }
        return real.run(call);
      },
    };
    expect(await detect(root, { git: late })).toMatchObject({ primary: "bot" });
    expect(await check(root)).toMatchObject({ state: "fresh" });
    expect(await detect(root)).toMatchObject({ primary: "bot" });
  });

  it("a cache that is rewritten meanwhile is judged again", async () => {
    const root = await cachedService();
    const real = createGit({ cwd: root });
    let rewrites = 2;
    const racing: Git = {
      run: async (call) => {
        if (call.args[0] === "diff-index" && rewrites > 0) {
          rewrites -= 1;
          put(join(root, "package.json"), service({ [rewrites ? "discord.js" : "next"]: "1" }));
          await detect(root);
        }
        return real.run(call);
      },
    };
    const found = await check(root, { git: racing });
    expect(found).toMatchObject({ state: "fresh", cache: { generation: 3 } });
    expect(readCache(root)).toMatchObject({ generation: 3 });
  });

  it("with every look: unknown", async () => {
    const root = await cachedService();
    const real = createGit({ cwd: root });
    let version = 0;
    const racing: Git = {
      run: async (call) => {
        if (call.args[0] === "diff-index") {
          const name = (version += 1) % 2 ? "discord.js" : "express";
          put(join(root, "package.json"), service({ [name]: "1" }));
          await detect(root);
        }
        return real.run(call);
      },
    };
    expect(await check(root, { git: racing })).toMatchObject({ state: "unknown" });
  });
});

describe("D-07 everything that was looked at is told", () => {
  it("cached and present names of content, and each step with its time", async () => {
    const root = await cachedService();
    put(join(root, "package.json"), service({ "discord.js": "14" }));
    const found = await (await open(root)).check();
    const head = git(root, "rev-parse", "HEAD");
    const tree = git(root, "rev-parse", "HEAD^{tree}");
    const digest = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);
    const rules = { looked: digest, weighed: digest };
    const both = { worktree: root, head, tree, dirtyDigest: digest, rules, override: digest };
    expect(found.cache).toMatchObject({
      ...both,
      path: cacheFile(root),
      format: 1,
      generation: 1,
      evidenceDigest: digest,
    });
    expect(found.now).toMatchObject({ ...both, dirtyFiles: 1, evidenceDigest: digest });
    expect(found.steps.map(({ step }) => step)).toEqual(["rules", "tree", "changes", "evidence"]);
    expect(found).toMatchObject({ changed: ["package.json"] });
    expect([found.added, found.removed]).toEqual([
      ["framework:npm:discord.js in ."],
      ["framework:npm:express in ."],
    ]);
  });
});

describe("D-06 what git was not told", () => {
  it("a source that was removed and not staged no longer counts, here and in the check", async () => {
    const root = makeRepository(join(temporaryFolder(), "game"));
    commit(root, { "project.godot": "[application]\n", "hero.gd": "extends Node\n" });
    expect((await detect(root)).domains[0]?.name).toBe("game-simulation");
    unlinkSync(join(root, "hero.gd"));
    unlinkSync(join(root, "project.godot"));
    expect(await check(root)).toMatchObject({ state: "stale" });
    const now = await detect(root);
    expect(now.domains).toEqual([]);
    expect(now.languages).toEqual([]);
  });

  it.each(["--assume-unchanged", "--skip-worktree"])(
    "D-02 a manifest under %s is compared by what it holds",
    async (flag) => {
      const root = await cachedService();
      git(root, "update-index", flag, "package.json");
      expect(await check(root)).toMatchObject({ state: "fresh" });
      writeFileSync(join(root, "package.json"), service({ phaser: "3" }));
      expect(await check(root)).toMatchObject({ state: "stale" });
      expect((await detect(root)).domains.map(({ name }) => name)).toContain("game-simulation");
      expect(await check(root)).toMatchObject({ state: "fresh" });
    },
  );
});
