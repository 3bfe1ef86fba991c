import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makeRepository } from "../../helpers/git-repository.ts";
import { run } from "../../helpers/program.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";

/** What the rule about text in SQL statements finds. */
const code =
  "function find(db, name) {\n  return db.query(`SELECT * FROM users WHERE name = '${name}'`);\n}\n";

describe("headgate review beside the ledger", () => {
  it("V-04 what is dismissed stops nothing, is shown as such, and is suppressed in SARIF", async () => {
    const cwd = makeRepository(join(temporaryFolder(), "app"));
    put(join(cwd, "src/a.js"), code);
    git(cwd, "add", "--all");
    git(cwd, "commit", "--quiet", "--message", "x");
    const review = (...args: string[]) =>
      run(["review", "src/a.js", "--runner", "none", "--fail-on", "P1", ...args], { cwd });
    const first = await review();
    expect(first.code, first.stdout + first.stderr).toBe(1);
    const listed = await run(["findings", "list", "--json"], { cwd });
    const { findings } = JSON.parse(listed.stdout) as { findings: { id: string }[] };
    const ids = findings.map(({ id }) => id);
    await run(["findings", "dismiss", ...ids, "--reason", "wrong"], { cwd });
    const again = await review();
    expect(again.stdout).toContain("Verdict: not reviewed — no objection by ");
    expect(again.stdout).toContain("Dismissed before");
    expect(again.stdout).not.toContain("Blockers");
    expect(again.code).toBe(0);
    expect((await review("--format", "md")).stdout).toContain("## Dismissed before");
    const sarif = await review("--format", "sarif");
    expect(sarif.code).toBe(0);
    const { runs } = JSON.parse(sarif.stdout) as {
      runs: { results: { suppressions?: object[] }[] }[];
    };
    const suppressed = runs[0]?.results.map(({ suppressions = [] }) => suppressions.length);
    expect(suppressed).toEqual(ids.map(() => 1));
  });

  it("V-05 without a runner the static rules answer alone, also for files they know nothing of", async () => {
    const cwd = makeRepository(join(temporaryFolder(), "notes"));
    put(join(cwd, "data.json"), "{}\n");
    git(cwd, "add", "--all");
    git(cwd, "commit", "--quiet", "--message", "x");
    const { code, stdout } = await run(
      ["review", "HEAD", "--runner", "none", "--fail-on", "P1", "--json"],
      { cwd },
    );
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: "not-reviewed",
      reports: [{ reviewer: "static", state: "strict", findings: 0 }],
    });
    expect(code).toBe(0);
  });
});
