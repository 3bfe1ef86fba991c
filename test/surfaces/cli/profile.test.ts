import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openHeadgate } from "../../../src/index.ts";
import { makeRepository } from "../../helpers/git-repository.ts";
import { run } from "../../helpers/program.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";
import { stateFolder } from "../../helpers/state-folder.ts";

const service = JSON.stringify({
  name: "shop",
  private: true,
  scripts: { start: "node server.js" },
  dependencies: { express: "5.0.0" },
});

const project = (): string => {
  const cwd = makeRepository(join(temporaryFolder(), "shop"));
  put(join(cwd, "package.json"), service);
  return cwd;
};

describe("headgate profile", () => {
  it("D-11 names the domains with their confidence and evidence", async () => {
    const cwd = project();
    const { code, stdout } = await run(["profile"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^web-api \* +0\.\d\d +detected +.*framework:npm:express/);
    const long = await run(["profile", "--explain"], { cwd });
    expect(long.stdout).toMatch(/ {2}\+0\.\d\d +framework:npm:express +package\.json/);
    const json = JSON.parse((await run(["profile", "--json"], { cwd })).stdout);
    expect(json).toMatchObject({
      primary: "web-api",
      domains: [{ name: "web-api", confidence: expect.any(Number), evidence: expect.any(Array) }],
      packages: expect.any(Array),
    });
  });

  it("D-11 init changes nothing of what the project is", async () => {
    const cwd = project();
    const domains = async () =>
      (JSON.parse((await run(["profile", "--json"], { cwd })).stdout) as { domains: unknown })
        .domains;
    const before = await domains();
    const clients = ["claude", "codex", "opencode", "gemini"].flatMap((name) => ["--client", name]);
    expect((await run(["init", "--yes", ...clients], { cwd })).code).toBe(0);
    expect(await domains()).toEqual(before);
  });

  it("D-08 says so when there is nothing to go by", async () => {
    const cwd = makeRepository(join(temporaryFolder(), "empty"));
    const { code, stdout } = await run(["profile"], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining("no domain was found")]);
  });

  it("a broken manifest is a note, not a failure", async () => {
    const cwd = project();
    put(join(cwd, "tool/Cargo.toml"), "[package\n");
    const { code, stderr } = await run(["profile"], { cwd });
    expect([code, stderr]).toEqual([0, expect.stringContaining("tool/Cargo.toml")]);
  });

  it("A-01 reviewers are generated for the domains that were detected", async () => {
    const cwd = project();
    const { code, stdout } = await run(["reviewers", "generate", "--dry-run"], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining("agents for web-api")]);
  });

  it("D-07 check: 4 without a cache, 0 fresh, 3 stale with the evidence, 5 when git fails", async () => {
    const cwd = project();
    const none = await run(["profile", "check"], { cwd });
    expect([none.code, none.stdout]).toEqual([4, "none  nothing is cached yet\n"]);
    await run(["profile"], { cwd });
    const fresh = await run(["profile", "check"], { cwd });
    expect([fresh.code, fresh.stdout]).toEqual([0, expect.stringMatching(/^fresh {2}/)]);
    put(join(cwd, "package.json"), service.replace("express", "discord.js"));
    const stale = await run(["profile", "check"], { cwd });
    expect([stale.code, stale.stdout.split("\n").slice(1, 3)]).toEqual([
      3,
      ["  + framework:npm:discord.js in .", "  - framework:npm:express in ."],
    ]);
    const long = await run(["profile", "check", "--explain"], { cwd });
    for (const word of ["commit", "tree", "generation", "signals", "weights", "evidence", " ms "]) {
      expect(long.stdout).toContain(word);
    }
    const json = JSON.parse((await run(["profile", "check", "--json"], { cwd })).stdout);
    expect(json).toMatchObject({
      state: "stale",
      cache: { generation: 1, format: 1 },
      now: { tree: json.cache.tree },
      steps: expect.any(Array),
    });
    put(join(cwd, ".git/index"), "broken");
    const unknown = await run(["profile", "check"], { cwd });
    expect([unknown.code, unknown.stdout]).toEqual([5, expect.stringMatching(/^unknown {2}git/)]);
  });

  it("--no-cache neither reads nor writes it", async () => {
    const cwd = project();
    await run(["profile", "--no-cache"], { cwd });
    expect((await run(["profile", "check"], { cwd })).code).toBe(4);
  });

  it("D-04 and D-09 a newer and a damaged cache are told, and the profile is shown", async () => {
    const cwd = project();
    const cache = join(stateFolder(cwd), "cache/profile.json");
    put(cache, '{"format":2}');
    const newer = await run(["profile"], { cwd });
    expect(newer).toMatchObject({ code: 0, stdout: expect.stringMatching(/^web-api/) });
    expect(newer.stderr).toContain("has format 2; this program knows formats up to 1");
    expect((await run(["profile", "check"], { cwd })).code).toBe(5);
    put(cache, "{");
    const damaged = await run(["profile"], { cwd });
    expect(damaged).toMatchObject({ code: 0, stdout: expect.stringMatching(/^web-api/) });
    expect(damaged.stderr).toMatch(/damaged .* set aside as .*\.corrupt-/);
    expect((await run(["profile", "check"], { cwd })).code).toBe(0);
  });

  it("D-05 watchlist names what follows from the signals, folders with a slash", async () => {
    const cwd = project();
    const { stdout } = await run(["profile", "watchlist"], { cwd });
    const lines = stdout.trim().split("\n");
    expect(lines).toEqual(expect.arrayContaining(["package.json", "project.godot", "*.tf"]));
    expect(lines.some((line) => line.endsWith("/"))).toBe(true);
    const json = JSON.parse((await run(["profile", "watchlist", "--json"], { cwd })).stdout);
    expect(json).toEqual({ patterns: lines });
  });

  it("the settings under `profile` say what the user knows better", async () => {
    const cwd = project();
    await run(["profile"], { cwd });
    const config = join(cwd, ".headgate/config.jsonc");
    put(config, '{ "profile": { "add": ["cli-tool"], "primary": "cli-tool" } }');
    expect((await run(["profile", "check"], { cwd })).code).toBe(3);
    const { stdout } = await run(["profile", "--json"], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ primary: "cli-tool" });
    expect((await run(["profile", "check"], { cwd })).code).toBe(0);
    put(config, '{ "profile": { "domains": ["web-ap"] } }');
    const wrong = await run(["profile"], { cwd });
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining("did you mean web-api?"),
    ]);
  });

  it("A-01 reviewers of the cached domains are listed, as missing where they are", async () => {
    const cwd = project();
    const before = await run(["reviewers", "list"], { cwd });
    expect(before.stdout).not.toContain("missing");
    await run(["profile"], { cwd });
    const after = await run(["reviewers", "list"], { cwd });
    expect(after.stdout).toMatch(/missing +web-api/);
  });

  it("the library has the same", async () => {
    const cwd = project();
    await using headgate = await openHeadgate({ repo: cwd });
    expect(await headgate.profile.cached()).toBeUndefined();
    expect(await headgate.profile.check()).toMatchObject({ state: "none" });
    expect(await headgate.profile.detect()).toMatchObject({ primary: "web-api" });
    expect(await headgate.profile.check()).toMatchObject({ state: "fresh" });
    expect(await headgate.profile.cached()).toMatchObject({ primary: "web-api" });
  });
});
