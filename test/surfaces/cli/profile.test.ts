import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRepository } from "../../helpers/git-repository.ts";
import { run } from "../../helpers/program.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";

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
});
