import { copyFileSync, mkdirSync, renameSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  gameProject,
  kernel,
  newerDocuments,
  newProject,
  type Project,
  systems,
} from "./project.ts";

const file = `${kernel}.md`;
const game = { domains: ["game-simulation"] };

const stateOf = async (project: Project, name = kernel) =>
  (await project.open()).list().find((one) => one.name === name);

const move = (project: Project, to: string): void =>
  renameSync(join(project.agents, file), join(project.agents, to));

const withoutMarker = (text: string): string =>
  text.replace(/\n<!-- headgate:reviewer .*-->\n$/, "");
const withoutHeader = (text: string): string => text.replace(/^---\n[^]*?\n---\n\n<!--.*-->\n/, "");

describe("whose file it is", () => {
  const changes: [string, (project: Project) => void, object][] = [
    ["untouched", () => {}, { state: "pristine", file }],
    [
      "checked out with carriage returns",
      (project) => project.write(file, project.read(file).replaceAll("\n", "\r\n")),
      { state: "pristine", file },
    ],
    [
      "header and front matter removed",
      (project) => project.write(file, withoutHeader(project.read(file))),
      { state: "customised", file },
    ],
    [
      "marker removed",
      (project) => project.write(file, withoutMarker(project.read(file))),
      { state: "pristine", file },
    ],
    [
      "rewritten from the first to the last line",
      (project) => project.write(file, "Look at my loops.\n"),
      { state: "customised", file },
    ],
    [
      "moved into a folder, where the client finds it, too",
      (project) => {
        mkdirSync(join(project.agents, "game/core"), { recursive: true });
        move(project, "game/core/loops.md");
      },
      { state: "pristine", file: "game/core/loops.md", renamedFrom: file },
    ],
    ["renamed", (project) => move(project, "loops.md"), { file: "loops.md", renamedFrom: file }],
    [
      "renamed and rewritten above its marker, notes below it",
      (project) => {
        const [marker] = /<!-- headgate:reviewer .*-->/.exec(project.read(file))!;
        project.write(file, `Look at my loops.\n${marker}\nnotes\n`);
        move(project, "loops.md");
      },
      { state: "customised", file: "loops.md", renamedFrom: file },
    ],
    [
      "renamed, marker removed",
      (project) => {
        project.write(file, withoutMarker(project.read(file)));
        move(project, "loops.md");
      },
      { state: "pristine", file: "loops.md", renamedFrom: file },
    ],
    [
      "renamed, marker and header removed, edited",
      (project) => {
        const text = withoutHeader(withoutMarker(project.read(file)));
        project.write(file, text.replace(/- Network: .*\n/, "- Nets: ours\n"));
        move(project, "loops.md");
      },
      { state: "customised", file: "loops.md", renamedFrom: file },
    ],
  ];

  it.each(changes)(
    "A-02 knows its file when it is %s, and generates no second one",
    async (_, change, expected) => {
      const project = await gameProject();
      change(project);
      expect(await stateOf(project)).toMatchObject({ kind: "generated", ...expected });
      const files = project.tree();
      const report = await (await project.open()).generate(game);
      expect(report.ok).toBe(true);
      expect(report.done.every(({ action }) => action === "register")).toBe(true);
      expect(project.tree()).toEqual(files);
    },
  );

  it("A-02 a renamed file is updated where it is, and its new name is kept", async () => {
    const project = await gameProject();
    mkdirSync(join(project.agents, "game"));
    move(project, "game/loops.md");
    const reviewers = await project.open(newerDocuments());
    expect((await reviewers.generate({ ...game, update: true })).ok).toBe(true);
    expect(project.files()).toEqual([`${systems}.md`, "game"]);
    expect(project.read("game/loops.md")).toContain("always run");
    expect(project.entries()[kernel]!["file"]).toBe("game/loops.md");
  });

  it("A-02 a sibling is not taken for the one that is gone, although both share the contract", async () => {
    const project = await gameProject();
    unlinkSync(join(project.agents, file));
    project.write("mine.md", withoutMarker(project.read(`${systems}.md`)));
    expect(await stateOf(project)).toMatchObject({ state: "missing" });
    expect(await stateOf(project, "mine")).toMatchObject({ kind: "own" });
  });

  it("A-02 a copy is its author's: it is never updated, pruned or adopted", async () => {
    const project = await gameProject();
    copyFileSync(join(project.agents, file), join(project.agents, "my-copy.md"));
    const copy = project.read("my-copy.md");
    expect(await stateOf(project, "my-copy")).toMatchObject({ kind: "own", state: "own" });
    const reviewers = await project.open(newerDocuments());
    await reviewers.generate({ ...game, update: true, overwrite: true });
    await reviewers.adopt();
    await reviewers.prune({ domains: [] });
    expect(project.files()).toEqual(["my-copy.md"]);
    expect(project.read("my-copy.md")).toBe(copy);
  });

  it("A-02 agents of others are never touched, whatever is in them", async () => {
    const project = await gameProject();
    const [marker] = /<!-- headgate:reviewer .*-->/.exec(project.read(file))!;
    const quoted = marker.replaceAll(kernel, "fd-quoted").replace("game-simulation", "no-such");
    const own = {
      "a.md": "mine\n",
      "fd-b.md": "mine\n",
      "c.md": `It ends with\n${quoted}\nas said.\n`,
    };
    for (const [name, text] of Object.entries(own)) project.write(name, text);
    const reviewers = await project.open(newerDocuments());
    await reviewers.generate({ ...game, update: true, overwrite: true });
    const pruned = await reviewers.prune({ domains: [] });
    expect(pruned.removed.map(({ name }) => name).toSorted()).toEqual([systems, kernel]);
    const named = await reviewers.prune({ names: ["fd-b", "a", "fd-quoted"] });
    expect(named.refused.map(({ name }) => name)).toEqual(["fd-b", "a", "fd-quoted"]);
    for (const [name, text] of Object.entries(own)) expect(project.read(name)).toBe(text);
  });
});

describe("adopting", () => {
  it("A-02 a lost manifest: untouched files are registered by generating, changed ones by adopting", async () => {
    const project = await gameProject();
    const entries = project.entries();
    project.write(file, project.read(file).replace("## Severity", "- ours\n\n## Severity"));
    unlinkSync(project.manifest);
    expect(await stateOf(project)).toMatchObject({ state: "unregistered" });
    const reviewers = await project.open();
    const report = await reviewers.generate(game);
    expect(report.done).toEqual([expect.objectContaining({ name: systems, action: "register" })]);
    expect(report.kept).toEqual([expect.objectContaining({ name: kernel, why: "unregistered" })]);
    const text = project.read(file);
    expect(await reviewers.adopt()).toEqual({ adopted: [{ name: kernel, file }], refused: [] });
    expect(project.read(file)).toBe(text);
    expect(project.entries()[kernel]!["templateHash"]).toBe(entries[kernel]!["templateHash"]);
    expect(await stateOf(project)).toMatchObject({ state: "customised" });
    await (await project.open(newerDocuments())).generate({ ...game, update: true });
    expect(project.read(file)).toContain("always run");
    expect(project.read(file)).toContain("- ours");
  });

  it("A-02 a file without marker only when it is named and a domain has such a reviewer", async () => {
    const project = await gameProject();
    project.write("fd-bot-events.md", "mine\n");
    project.write("other.md", "mine\n");
    const reviewers = await project.open();
    expect(await reviewers.adopt()).toEqual({ adopted: [], refused: [] });
    const report = await reviewers.adopt({
      names: ["fd-bot-events", "other", kernel, "fd-docs-truth"],
    });
    expect(report.adopted.map(({ name }) => name)).toEqual(["fd-bot-events"]);
    expect(report.refused.map(({ why }) => why)).toEqual([
      "no domain has a reviewer of that name",
      "it is in the manifest already",
      "there is no such file",
    ]);
    expect(project.read("fd-bot-events.md")).toBe("mine\n");
  });

  it("A-02 a file from another project with an older text cannot be merged, and says so", async () => {
    const old = newProject();
    await (await old.open(newerDocuments())).generate(game);
    const project = await gameProject();
    unlinkSync(project.manifest);
    project.write(file, old.read(file).replace("## Severity", "- theirs\n\n## Severity"));
    const reviewers = await project.open();
    await reviewers.adopt();
    const report = await reviewers.generate({ ...game, update: true });
    expect(report.kept).toContainEqual(
      expect.objectContaining({
        name: kernel,
        why: "conflict",
        detail: "what it was made from is not known",
      }),
    );
    expect(project.read(file)).toContain("- theirs");
  });
});
