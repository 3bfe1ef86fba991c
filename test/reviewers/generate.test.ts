import { existsSync, mkdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gameProject, kernel, newerDocuments, newProject, systems } from "./project.ts";

const game = { domains: ["game-simulation"] };

describe("generating reviewers", () => {
  it("A-01 generates what is missing, with manifest and marker, and nothing the second time", async () => {
    const project = newProject();
    const reviewers = await project.open();
    const report = await reviewers.generate(game);
    expect(report.messages).toEqual(["Generated 2 of 2 agents for game-simulation"]);
    expect(project.files()).toEqual([`${systems}.md`, `${kernel}.md`]);
    expect(project.entries()[kernel]).toEqual({
      domain: "game-simulation",
      file: `${kernel}.md`,
      templateHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      contentHash: project.entries()[kernel]!["templateHash"],
      base: expect.any(String),
    });
    expect(project.read(`${kernel}.md`)).toContain(project.entries()[kernel]!["templateHash"]);
    const before = statSync(project.manifest).mtimeMs;
    const again = await reviewers.generate(game);
    expect(again).toMatchObject({ ok: true, done: [], failed: [], diff: "" });
    expect(again.messages).toEqual(["Nothing to do for game-simulation: 2 agents there"]);
    expect(statSync(project.manifest).mtimeMs).toBe(before);
  });

  it("A-01 brings back only the one that is gone, and does not touch the other", async () => {
    const project = await gameProject();
    const { unlinkSync } = await import("node:fs");
    project.write(`${kernel}.md`, `${project.read(`${kernel}.md`)}\nmine\n`);
    utimesSync(join(project.agents, `${kernel}.md`), 1, 1);
    unlinkSync(join(project.agents, `${systems}.md`));
    const report = await (await project.open()).generate(game);
    expect(report.done).toEqual([
      { name: systems, domain: "game-simulation", action: "create", file: `${systems}.md` },
    ]);
    expect(statSync(join(project.agents, `${kernel}.md`)).mtimeMs).toBe(1000);
  });

  it("A-01 a dry run shows the diff and leaves no trace", async () => {
    const project = newProject();
    const report = await (await project.open()).generate({ ...game, dryRun: true });
    expect(report.messages).toEqual(["Would generate 2 of 2 agents for game-simulation"]);
    expect(report.diff).toContain(`--- /dev/null\n+++ b/.claude/agents/${kernel}.md\n@@ -0,0 +1,`);
    expect(existsSync(join(project.root, ".claude"))).toBe(false);
    expect(existsSync(join(project.root, ".headgate"))).toBe(false);
  });

  it("A-01 only the named reviewers of a domain", async () => {
    const project = newProject();
    await (await project.open()).generate({ ...game, names: [systems] });
    expect(project.files()).toEqual([`${systems}.md`]);
  });

  it("A-02 leaves a file of that name alone when somebody else made it", async () => {
    const project = newProject();
    mkdirSync(project.agents, { recursive: true });
    project.write(`${kernel}.md`, "my own\n");
    for (const more of [{}, { update: true }, { overwrite: true }]) {
      const report = await (await project.open()).generate({ ...game, ...more });
      expect(report.kept).toContainEqual(expect.objectContaining({ name: kernel, why: "own" }));
      expect(report.ok).toBe(true);
      expect(project.read(`${kernel}.md`)).toBe("my own\n");
    }
    expect(Object.keys(project.entries())).toEqual([systems]);
  });

  it("A-04 domains without a document are skipped with a hint; when all are, that is said", async () => {
    const project = newProject();
    const reviewers = await project.open();
    const some = await reviewers.generate({ domains: ["game-simulaton", "bot"] });
    expect(some).toMatchObject({ ok: false, noDomain: false });
    expect(some.messages[0]).toBe(
      "Skipped game-simulaton: this Headgate has no document for it; did you mean game-simulation?",
    );
    expect(project.files()).toEqual(["fd-bot-events.md"]);
    const none = await reviewers.generate({
      domains: ["../../etc/passwd", "__proto__", "roster/x"],
    });
    expect(none).toMatchObject({ ok: false, noDomain: true, done: [] });
  });
});

describe("updating reviewers", () => {
  it("A-01 an update replaces what nobody changed; without --update it is only told", async () => {
    const project = await gameProject();
    const reviewers = await project.open(newerDocuments());
    const before = project.read(`${kernel}.md`);
    const told = await reviewers.generate(game);
    expect(told.kept.map(({ why }) => why)).toEqual(["outdated", "outdated"]);
    expect(project.read(`${kernel}.md`)).toBe(before);
    const report = await reviewers.generate({ ...game, update: true });
    expect(report.messages).toEqual(["Updated 2 of 2 agents for game-simulation"]);
    expect(report.diff).toContain("\n+You review changes");
    expect(project.read(`${kernel}.md`)).toContain("You always run the kernel");
    expect(reviewers.list().filter(({ outdated }) => outdated)).toEqual([]);
  });

  it("A-01 an update merges into what people changed, twice in a row, with their line ends", async () => {
    const project = await gameProject();
    const own = "- Our engine: no allocation in `tick()`.";
    const text = project.read(`${kernel}.md`).replace("## Severity", `${own}\n\n## Severity`);
    project.write(`${kernel}.md`, text.replaceAll("\n", "\r\n"));
    const report = await (await project.open(newerDocuments())).generate({ ...game, update: true });
    expect(report.done.map(({ action }) => action).toSorted()).toEqual(["merge", "update"]);
    const merged = project.read(`${kernel}.md`);
    expect(merged).toContain("You always run the kernel");
    expect(merged).toContain(`${own}\r\n`);
    expect(merged.replaceAll("\r\n", "")).not.toContain("\n");
    const back = await (await project.open()).generate({ ...game, update: true });
    expect(back.ok).toBe(true);
    expect(project.read(`${kernel}.md`)).toContain(own);
    expect(project.read(`${kernel}.md`)).not.toContain("always run");
  });

  it("A-01 where both changed the same lines the file stays, is named, and can be overwritten on request", async () => {
    const project = await gameProject();
    const mine = project.read(`${kernel}.md`).replace("You run the kernel", "Run my kernel");
    project.write(`${kernel}.md`, mine);
    const reviewers = await project.open(newerDocuments());
    const report = await reviewers.generate({ ...game, update: true });
    expect(report.ok).toBe(false);
    expect(report.kept).toEqual([expect.objectContaining({ name: kernel, why: "conflict" })]);
    expect(project.read(`${kernel}.md`)).toBe(mine);
    expect((await reviewers.diff()).conflicts).toEqual([kernel]);
    const forced = await reviewers.generate({ ...game, overwrite: true });
    expect(forced.done).toEqual([expect.objectContaining({ name: kernel, action: "overwrite" })]);
    expect(forced.diff).toContain("-You review changes");
    expect(project.read(`${kernel}.md`)).not.toContain("my kernel");
  });

  it("A-02 heals a batch that was cut off between the files and the manifest", async () => {
    const project = await gameProject();
    const old = JSON.stringify({ version: 1, reviewers: project.entries() });
    const reviewers = await project.open(newerDocuments());
    await reviewers.generate({ ...game, update: true });
    const hash = project.entries()[kernel]!["templateHash"];
    writeFileSync(project.manifest, old);
    expect(reviewers.list().find(({ name }) => name === kernel)).toMatchObject({
      state: "pristine",
      outdated: false,
    });
    expect((await reviewers.generate(game)).done.map(({ action }) => action)).toEqual([
      "register",
      "register",
    ]);
    expect(project.entries()[kernel]!["templateHash"]).toBe(hash);
  });
});
