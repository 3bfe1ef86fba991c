import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gameProject, kernel, otherDocuments, systems } from "./project.ts";

describe("orphans", () => {
  it("A-03 are reported with the reason and stay until they are pruned", async () => {
    const project = await gameProject();
    const reviewers = await project.open();
    const found = reviewers.orphans({ domains: ["bot"] });
    expect(found.map(({ name, orphan }) => [name, orphan])).toEqual([
      [systems, "the project is no game-simulation"],
      [kernel, "the project is no game-simulation"],
    ]);
    await reviewers.generate({ domains: ["bot"], update: true });
    expect(project.files()).toHaveLength(3);
    expect(reviewers.orphans({ domains: ["bot", "game-simulation"] })).toEqual([]);
  });

  it("A-03 a reviewer or domain that Headgate dropped; a malformed document makes no orphans", async () => {
    const project = await gameProject();
    const fewer = otherDocuments(
      (text) => text.replace(/## fd-game-systems[^]*/, ""),
      "game-simulation",
    );
    const orphans = (await project.open(fewer)).orphans({ domains: ["game-simulation"] });
    expect(orphans.map(({ orphan }) => orphan)).toEqual([
      "the domain game-simulation no longer has it",
    ]);
    unlinkSync(join(fewer, "domains/game-simulation.md"));
    const gone = (await project.open(fewer)).orphans({});
    expect(gone.map(({ orphan }) => orphan)).toEqual([
      "this Headgate knows no domain game-simulation",
      "this Headgate knows no domain game-simulation",
    ]);
    const broken = otherDocuments(() => "nothing", "game-simulation");
    expect((await project.open(broken)).orphans({ domains: ["bot"] })).toEqual([]);
  });

  it("A-03 pruning removes untouched orphans, changed ones only by name, others never", async () => {
    const project = await gameProject();
    project.write(`${kernel}.md`, "my own words\n");
    project.write("mine.md", "mine\n");
    const reviewers = await project.open();
    const dry = await reviewers.prune({ domains: ["bot"], dryRun: true });
    expect(dry.removed).toEqual([{ name: systems, file: `${systems}.md` }]);
    expect(project.files()).toHaveLength(3);
    const report = await reviewers.prune({ domains: ["bot"] });
    expect(report.removed).toEqual(dry.removed);
    expect(report.left).toEqual([
      { name: kernel, why: "the project is no game-simulation, but it was changed" },
    ]);
    expect(project.files()).toEqual([`${kernel}.md`, "mine.md"]);
    expect(Object.keys(project.entries())).toEqual([kernel]);
    expect((await reviewers.prune({ names: [kernel] })).removed).toHaveLength(1);
    expect(project.files()).toEqual(["mine.md"]);
    expect(project.entries()).toEqual({});
  });

  it("A-03 an entry whose file is gone is pruned with the orphans", async () => {
    const project = await gameProject();
    unlinkSync(join(project.agents, `${kernel}.md`));
    const { removed } = await (await project.open()).prune({ domains: ["bot"] });
    expect(removed).toContainEqual({ name: kernel, file: null });
    expect(project.entries()).toEqual({});
  });
});

describe("listing", () => {
  it("A-03 shows who is built in, generated, missing and own, and how often each was used", async () => {
    const project = await gameProject();
    unlinkSync(join(project.agents, `${systems}.md`));
    project.write("mine.md", "mine\n");
    const uses = new Map([[kernel, { uses: 7, lastUsedAt: "2026-01-01T00:00:00Z" }]]);
    const listed = (await project.open()).list({ domains: ["game-simulation", "bot"], uses });
    const by = (kind: string) => listed.filter((one) => one.kind === kind);
    expect(by("built-in")).toHaveLength(13);
    expect(by("generated").map(({ name, state }) => [name, state])).toEqual([
      ["fd-bot-events", "missing"],
      [systems, "missing"],
      [kernel, "pristine"],
    ]);
    expect(by("generated")[2]).toMatchObject({ uses: 7, lastUsedAt: "2026-01-01T00:00:00Z" });
    expect(by("own").map(({ file }) => file)).toEqual(["mine.md"]);
  });

  it("A-01 the diff shows what people changed, too", async () => {
    const project = await gameProject();
    const changed = project.read(`${kernel}.md`).replace("## Severity", "- ours\n\n## Severity");
    project.write(`${kernel}.md`, changed);
    const reviewers = await project.open();
    const { diff } = await reviewers.diff({ own: true });
    expect(diff.split("\n").filter((line) => /^[+-](?![+-]{2})/.test(line))).toEqual([
      "+- ours",
      "+",
    ]);
    expect(await reviewers.diff()).toEqual({ outdated: [], conflicts: [], diff: "" });
  });
});
