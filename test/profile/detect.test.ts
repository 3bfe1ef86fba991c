import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Git } from "../../src/git/reading-git.ts";
import { detectProfile } from "../../src/profile/index.ts";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const lay = (root: string, files: Record<string, string>): string => {
  for (const [path, content] of Object.entries(files)) put(join(root, path), content);
  return root;
};
const of = (files: Record<string, string>) => detectProfile(lay(temporaryFolder(), files));
const confidence = (profile: Awaited<ReturnType<typeof of>>, name: string): number =>
  profile.domains.find((one) => one.name === name)?.confidence ?? 0;

const express = '{"name":"x","private":true,"dependencies":{"express":"4"}}';

describe("D-11 one strong signal is enough", () => {
  it.each([
    ["web-api", { "package.json": express, "index.js": "" }],
    ["web-api", { "requirements.txt": "fastapi\n", "main.py": "" }],
    [
      "game-simulation",
      { "Cargo.toml": '[package]\nname="x"\n[dependencies]\nbevy="1"', "src/main.rs": "" },
    ],
    ["ml-pipeline", { "requirements.txt": "torch\n", "model.py": "" }],
    ["cli-tool", { "go.mod": "module x\nrequire github.com/spf13/cobra v1\n", "main.go": "" }],
  ])("%s", async (domain, files) => {
    const profile = await of(files as unknown as Record<string, string>);
    expect(profile.primary).toBe(domain);
    expect(confidence(profile, domain)).toBeGreaterThanOrEqual(0.4);
  });

  it("a longer list of other frameworks takes nothing away", async () => {
    const alone = await of({ "package.json": express });
    const more = await of({
      "package.json": express.replace('"express":"4"', '"express":"4","left-pad":"1"'),
    });
    expect(confidence(more, "web-api")).toBe(confidence(alone, "web-api"));
  });

  it("nothing known is no domain, not an error", async () => {
    expect(await of({ "a.txt": "" })).toMatchObject({ domains: [], primary: null, notes: [] });
    expect(await of({})).toMatchObject({ domains: [], languages: [] });
  });

  it("primary is null without a margin, and both are named", async () => {
    const profile = await of({
      "a/pyproject.toml": '[project]\nname="a"\ndependencies=["aiogram"]',
      "a/a.py": "",
      "b/pyproject.toml": '[project]\nname="b"\ndependencies=["apache-airflow"]',
      "b/b.py": "",
    });
    expect(profile.primary).toBeNull();
    expect(profile.domains.map(({ name }) => name).toSorted()).toEqual(["bot", "data-pipeline"]);
    expect(profile.packages.map(({ path, primary }) => [path, primary])).toEqual([
      ["a", "bot"],
      ["b", "data-pipeline"],
    ]);
  });

  it("every domain says why, weightiest first", async () => {
    const profile = await of({ "package.json": express });
    const [first] = profile.domains;
    expect(first?.evidence[0]).toEqual({
      signal: "framework:npm:express",
      path: "package.json",
      weight: 0.55,
    });
    const weights = first?.evidence.map(({ weight }) => weight) ?? [];
    expect(weights).toEqual(weights.toSorted((a, b) => b - a));
  });
});

describe("what counts", () => {
  const game = { "project.godot": "", "a.gd": "", "b.gd": "" };
  const inside = (folder: string) =>
    Object.fromEntries(Object.entries(game).map(([path, text]) => [`${folder}/${path}`, text]));
  const library = {
    "package.json": '{"name":"x","main":"x.js","files":["x.js"]}',
    "x.js": "",
    "y.js": "",
    "z.js": "",
    "v.js": "",
    "u.js": "",
  };

  it.each(["vendor", "third_party", "node_modules/x", "packages/a/vendor"])(
    "not what lies in %s",
    async (folder) => {
      const profile = await of({ ...library, ...inside(folder) });
      expect(confidence(profile, "game-simulation")).toBe(0);
      expect(profile.languages).toEqual([{ name: "JavaScript", share: 1 }]);
    },
  );

  it.each(["examples/game", "test/fixtures/game", ".claude/x"])(
    "hardly what lies in %s",
    async (folder) => {
      const profile = await of({ ...library, ...inside(folder) });
      expect(profile.primary).toBe("library-sdk");
      expect(confidence(profile, "game-simulation")).toBeLessThan(0.4);
    },
  );

  it("examples are the project where there is nothing else", async () => {
    const profile = await of({ ...inside("examples/one"), ...inside("examples/two"), LICENSE: "" });
    expect(profile.primary).toBe("game-simulation");
  });

  it("attributes take out, bring back and rename", async () => {
    const files = { ...library, ...inside("art"), "vendor/z.rs": "", "w.inc": "" };
    const root = makeRepository(join(temporaryFolder(), "r"));
    lay(root, {
      ...files,
      ".gitattributes":
        "art/** linguist-vendored\nvendor/*.rs -linguist-vendored\n*.inc linguist-language=PHP\n",
    });
    const profile = await detectProfile(root);
    expect(confidence(profile, "game-simulation")).toBe(0);
    expect(profile.languages.map(({ name }) => name)).toEqual(["JavaScript", "PHP", "Rust"]);
  });

  it("generated files are in no share", async () => {
    const profile = await of({
      "a.go": "",
      "b.pb.go": "",
      "c.min.js": "",
      "package-lock.json": "{}",
    });
    expect(profile.languages).toEqual([{ name: "Go", share: 1 }]);
  });

  it("D-11 texts that every project has about itself are no pages of a site", async () => {
    const own = { "README.md": "# A thing\n", "CHANGELOG.md": "", "docs-of-license.txt": "" };
    expect((await of({ ...own, "CONTRIBUTING.de.md": "", "LICENSE.txt": "" })).domains).toEqual([]);
    const pages = await of({ ...own, "intro.md": "# One\n", "guide/readme-first.md": "# Two\n" });
    expect(confidence(pages, "docs-site")).toBeGreaterThan(0);
  });

  it("what the user says wins, and the rest stays visible", async () => {
    const root = lay(temporaryFolder(), { "package.json": express });
    const override = async (one: object) => detectProfile(root, { override: one });
    expect(await override({ add: ["bot"] })).toMatchObject({ primary: "web-api" });
    expect((await override({ domains: ["bot"] })).domains.map(({ name }) => name)).toEqual(["bot"]);
    expect(await override({ remove: ["web-api"] })).toMatchObject({ domains: [], primary: null });
    expect(await override({ ignore: ["package.json"] })).toMatchObject({ domains: [] });
    await expect(override({ add: ["web-apy"] })).rejects.toThrow(/did you mean web-api/);
  });
});

describe("which files are looked at", () => {
  it("tracked and untracked files, not ignored ones, not those that are gone", async () => {
    const root = makeRepository(join(temporaryFolder(), "r"));
    lay(root, {
      "Cargo.toml": '[package]\nname="x"\n[dependencies]\nbevy="1"',
      ".gitignore": "ignored/\n",
    });
    git(root, "add", ".");
    expect((await detectProfile(root)).primary).toBe("game-simulation");
    lay(root, {
      "ignored/package.json": express,
      "server/package.json": express,
      "server/a.js": "",
    });
    const both = await detectProfile(root);
    expect(both.evidence.map(({ path }) => path)).toContain("server/package.json");
    expect(both.evidence.some(({ path }) => path.startsWith("ignored/"))).toBe(false);
    expect(both.evidence.find(({ key }) => key === "framework:cargo:bevy")?.blob).toMatch(
      /^[0-9a-f]{40}$/,
    );
    rmSync(join(root, "Cargo.toml"));
    expect(confidence(await detectProfile(root), "game-simulation")).toBe(0);
  });

  it("the same profile with git and without, from the top and for a folder", async () => {
    const plain = lay(temporaryFolder(), { "a/package.json": express, "a/b.js": "" });
    const root = makeRepository(join(temporaryFolder(), "r"));
    rmSync(join(root, "a.txt"));
    lay(root, { "a/package.json": express, "a/b.js": "" });
    const withGit = await detectProfile(root);
    expect((await detectProfile(plain)).domains).toEqual(withGit.domains);
    expect((await detectProfile(join(root, "a"))).packages[0]).toMatchObject({
      path: ".",
      primary: "web-api",
    });
  });

  it("links are not followed", async () => {
    const outside = lay(temporaryFolder(), { "package.json": express });
    const root = temporaryFolder();
    symlinkSync(join(outside, "package.json"), join(root, "package.json"));
    symlinkSync(root, join(root, "loop"));
    writeFileSync(join(root, "a.js"), "");
    expect((await detectProfile(root)).domains).toEqual([]);
  });

  it("a folder that is not there is a usage error", async () => {
    await expect(detectProfile("/nowhere/at/all")).rejects.toMatchObject({ code: "USAGE" });
  });

  it("100,000 files and a manifest of 50 MB do no harm", async () => {
    const root = temporaryFolder();
    put(join(root, "package.json"), " ".repeat(50 * 1024 * 1024));
    const entry = (path: string) => `100644 ${"a".repeat(40)} 0\t${path}\0`;
    const listed = Array.from({ length: 100_000 }, (_, at) => entry(`src/m${at % 900}/f${at}.ts`));
    const stdout = Buffer.from([entry("package.json"), ...listed].join(""));
    const fake: Git = {
      run: async ({ args }) => ({
        code: 0,
        stdout: args.includes("-s") ? stdout : Buffer.alloc(0),
      }),
    };
    const profile = await detectProfile(root, { git: fake });
    expect(profile.languages).toEqual([{ name: "TypeScript", share: 1 }]);
    expect(profile.notes).toEqual([
      { path: "package.json", message: expect.stringContaining("50 MB") },
    ]);
  });
});
