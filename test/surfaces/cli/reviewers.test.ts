import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makeRepository } from "../../helpers/git-repository.ts";
import { run } from "../../helpers/program.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";

const reviewers = (cwd: string, ...args: string[]) => run(["reviewers", ...args], { cwd });
const reviewersJson = async (cwd: string, ...args: string[]) => {
  const { code, stdout, stderr } = await reviewers(cwd, ...args, "--json");
  expect(stderr).not.toContain("INTERNAL");
  return { exit: code, ...(JSON.parse(stdout) as Record<string, unknown>) };
};
const game = ["--domain", "game-simulation"];
const agents = (cwd: string): string => join(cwd, ".claude/agents");
const kernel = (cwd: string): string => join(agents(cwd), "fd-simulation-kernel.md");

describe("headgate reviewers", () => {
  it("A-01 generate writes what is missing from the packaged documents, and says so", async () => {
    const cwd = temporaryFolder();
    const dry = await reviewers(cwd, "generate", ...game, "--dry-run");
    expect(dry).toMatchObject({ code: 0, stderr: "" });
    expect(dry.stdout).toContain("+name: fd-simulation-kernel");
    expect(readdirSync(cwd)).toEqual([]);
    const first = await reviewers(cwd, "generate", ...game);
    expect(first).toEqual({
      code: 0,
      signal: null,
      stdout: "Generated 2 of 2 agents for game-simulation\n",
      stderr: "",
    });
    expect(readdirSync(agents(cwd)).toSorted()).toEqual([
      "fd-game-systems.md",
      "fd-simulation-kernel.md",
    ]);
    expect((await reviewers(cwd, "generate", ...game)).stdout).toBe(
      "Nothing to do for game-simulation: 2 agents there\n",
    );
  });

  it("A-01 works from a folder below, and in a repository leaves nothing but agents and manifest", async () => {
    const cwd = makeRepository(join(temporaryFolder(), "game"));
    mkdirSync(join(cwd, "src"));
    expect((await reviewers(join(cwd, "src"), "generate", ...game)).code).toBe(0);
    expect(
      git(cwd, "status", "--porcelain", "-uall")
        .split("\n")
        .map((line) => line.slice(-30)),
    ).toEqual([
      expect.stringContaining("fd-game-systems.md"),
      expect.stringContaining("fd-simulation-kernel.md"),
      expect.stringContaining(".headgate/reviewers.json"),
    ]);
  });

  it("A-04 unknown domains: 1 when some are known, 4 with the command that repairs it when none is", async () => {
    const cwd = temporaryFolder();
    const some = await reviewers(cwd, "generate", "--domain", "web-apy", "--domain", "bot");
    expect(some.code).toBe(1);
    expect(some.stdout).toContain("did you mean web-api?");
    const none = await reviewers(cwd, "generate", "--domain", "../../x");
    expect(none.code).toBe(4);
    expect(none.stderr).toContain("headgate profile");
    expect((await reviewers(cwd, "generate")).code).toBe(2);
    const unknown = await reviewers(cwd, "generate", ...game, "fd-nobody");
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("fd-game-systems") });
  });

  it("A-01 overwriting needs a yes, which takes a terminal or --yes", async () => {
    const cwd = temporaryFolder();
    await reviewers(cwd, "generate", ...game);
    writeFileSync(kernel(cwd), "mine\n");
    const asked = await reviewers(cwd, "generate", ...game, "--overwrite");
    expect(asked).toMatchObject({ code: 2, stdout: expect.stringContaining("-mine") });
    expect(asked.stderr).toContain("there is no terminal to ask at: add --yes to write");
    expect(readFileSync(kernel(cwd), "utf8")).toBe("mine\n");
    const done = await reviewersJson(cwd, "generate", ...game, "--overwrite", "--yes");
    expect(done).toMatchObject({ exit: 0, ok: true, done: [{ action: "overwrite" }] });
    expect(readFileSync(kernel(cwd), "utf8")).toContain("name: fd-simulation-kernel");
  });

  it("A-02 A-03 list, orphans, adopt, diff and prune tell the same story, for people and programs", async () => {
    const cwd = temporaryFolder();
    await reviewers(cwd, "generate", ...game, "--domain", "bot");
    put(join(agents(cwd), "mine.md"), "mine\n");
    renameSync(kernel(cwd), join(agents(cwd), "loops.md"));
    const { stdout } = await reviewers(cwd, "list", "--domain", "bot");
    expect(stdout).toMatch(/^architecture +built-in$/m);
    expect(stdout).toMatch(/^fd-bot-events +pristine +bot$/m);
    expect(stdout).toMatch(/^fd-simulation-kernel +orphan +game-simulation .*now in loops\.md/m);
    expect(stdout).toMatch(/^mine +own$/m);
    expect(await reviewersJson(cwd, "orphans", "--domain", "bot")).toMatchObject({
      exit: 0,
      orphans: [{ name: "fd-game-systems" }, { name: "fd-simulation-kernel", file: "loops.md" }],
    });
    expect(await reviewersJson(cwd, "adopt")).toEqual({
      exit: 0,
      adopted: [{ name: "fd-simulation-kernel", file: "loops.md" }],
      refused: [],
    });
    writeFileSync(join(agents(cwd), "loops.md"), "rewritten\n");
    expect(await reviewersJson(cwd, "diff")).toMatchObject({ exit: 0, outdated: [] });
    expect((await reviewers(cwd, "diff", "--own")).stdout).toContain("+rewritten");
    expect((await reviewers(cwd, "prune", "--domain", "bot")).code).toBe(2);
    const pruned = await reviewers(cwd, "prune", "--domain", "bot", "--yes");
    expect(pruned.code).toBe(0);
    expect(pruned.stdout).toContain("removed  fd-game-systems");
    expect(pruned.stdout).toContain("kept  fd-simulation-kernel");
    expect((await reviewers(cwd, "prune", "mine", "--yes")).code).toBe(1);
    expect((await reviewers(cwd, "prune", "fd-simulation-kernel", "--yes")).code).toBe(0);
    expect(readdirSync(agents(cwd)).toSorted()).toEqual(["fd-bot-events.md", "mine.md"]);
  });

  it("A-03 where no domain is left every generated reviewer is an orphan, and prune removes them", async () => {
    const cwd = temporaryFolder();
    await reviewers(cwd, "generate", ...game);
    // Nothing of the game is here any more, and nothing else either.
    expect(await reviewersJson(cwd, "orphans")).toMatchObject({
      exit: 0,
      orphans: [{ name: "fd-game-systems" }, { name: "fd-simulation-kernel" }],
    });
    expect(await reviewersJson(cwd, "prune", "--yes")).toMatchObject({ exit: 0 });
    expect(readdirSync(agents(cwd))).toEqual([]);
  });

  it("A-02 names from files and command lines are shown without their escapes", async () => {
    const cwd = temporaryFolder();
    put(join(agents(cwd), "\u001b]0;x\u0007.md"), "mine\n");
    const listed = await reviewers(cwd, "list", "--domain", "\u001b[31mx");
    expect(listed.code).toBe(0);
    const made = await reviewers(cwd, "generate", "--domain", "\u001b[31mx");
    expect(listed.stdout + made.stdout + made.stderr).not.toContain("\u001b");
  });

  it("A-05 a broken or newer manifest is one line and a code", async () => {
    const cwd = temporaryFolder();
    put(join(cwd, ".headgate/reviewers.json"), '{"version":9}');
    const newer = await reviewers(cwd, "generate", ...game);
    expect(newer).toMatchObject({ code: 69, stderr: expect.stringContaining("newer Headgate") });
    put(join(cwd, ".headgate/reviewers.json"), "{");
    expect(await reviewersJson(cwd, "list")).toMatchObject({ exit: 1, code: "STATE_CORRUPT" });
  });
});
