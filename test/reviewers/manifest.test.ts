import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { gameProject, kernel, newerDocuments, newProject, systems } from "./project.ts";

const game = { domains: ["game-simulation"] };

describe("a manifest that cannot be used", () => {
  it("A-02 of a newer version stops everything and is not touched", async () => {
    const project = await gameProject();
    const newer = '{"version":2,"reviewers":[],"more":1}\n';
    writeFileSync(project.manifest, newer);
    const reviewers = await project.open();
    await expect(reviewers.generate({ ...game, update: true })).rejects.toMatchObject({
      code: "STORE_SCHEMA_NEWER",
      message: expect.stringContaining("newer Headgate (version 2)"),
    });
    expect(() => reviewers.list()).toThrow(/newer Headgate/);
    await expect(reviewers.adopt()).rejects.toThrow(/newer Headgate/);
    await expect(reviewers.prune({ domains: [] })).rejects.toThrow(/newer Headgate/);
    expect(readFileSync(project.manifest, "utf8")).toBe(newer);
    expect(project.files()).toHaveLength(2);
  });

  const entry = {
    domain: "bot",
    file: "a.md",
    templateHash: `sha256:${"0".repeat(64)}`,
    contentHash: `sha256:${"0".repeat(64)}`,
  };
  it.each([
    ["is cut off", '{"version":1,"revi'],
    ["is empty", ""],
    ["is a list", "[]"],
    ["has no version", '{"reviewers":{}}'],
    ["names a path as reviewer", JSON.stringify({ version: 1, reviewers: { "fd-../x": entry } })],
    [
      "names a path as file",
      JSON.stringify({ version: 1, reviewers: { "fd-x": { ...entry, file: "../../README.md" } } }),
    ],
    [
      "names a path that goes up",
      JSON.stringify({ version: 1, reviewers: { "fd-x": { ...entry, file: "a/../../x.md" } } }),
    ],
    [
      "names an absolute file",
      JSON.stringify({ version: 1, reviewers: { "fd-x": { ...entry, file: "/etc/x.md" } } }),
    ],
    [
      "names a file that is no agent",
      JSON.stringify({ version: 1, reviewers: { "fd-x": { ...entry, file: "x.sh" } } }),
    ],
    [
      "names a hidden file",
      JSON.stringify({ version: 1, reviewers: { "fd-x": { ...entry, file: ".x.md" } } }),
    ],
    [
      "names a path as domain",
      JSON.stringify({ version: 1, reviewers: { "fd-x": { ...entry, domain: "../x" } } }),
    ],
    [
      "has a hash that is none",
      JSON.stringify({ version: 1, reviewers: { "fd-x": { ...entry, templateHash: "md5:1" } } }),
    ],
    ["has prototype keys", '{"version":1,"reviewers":{"__proto__":{}}}'],
  ])("A-02 that %s is an error, and nothing is written or removed", async (_, text) => {
    const project = await gameProject();
    put(join(project.root, "README.md"), "mine");
    writeFileSync(project.manifest, text);
    const reviewers = await project.open();
    await expect(reviewers.generate({ domains: ["bot"] })).rejects.toMatchObject({
      code: "STATE_CORRUPT",
    });
    await expect(reviewers.prune({ domains: [] })).rejects.toMatchObject({ code: "STATE_CORRUPT" });
    expect(readFileSync(project.manifest, "utf8")).toBe(text);
    expect(project.files()).toHaveLength(2);
  });

  it.each<[string, (body: string) => string | Buffer]>([
    ["unpacks to far more than a reviewer", () => Buffer.alloc(64 * 1024 * 1024)],
    ["is another text", () => "x"],
    // A merge with this base would take every change of theirs for one of ours, and drop it.
    ["is the changed file itself", (body) => body],
  ])("A-01 a base that %s is not merged with, and no change is lost", async (_, text) => {
    const project = await gameProject();
    const file = `${kernel}.md`;
    const changed = project.read(file).replace("## Severity", "- ours\n\n## Severity");
    project.write(file, changed);
    const body = changed.replace(/\n\n<!-- headgate:reviewer .*-->\n$/, "");
    const base = deflateRawSync(text(body)).toString("base64");
    const entries = project.entries();
    const reviewers = { ...entries, [kernel]: { ...entries[kernel], base } };
    writeFileSync(project.manifest, JSON.stringify({ version: 1, reviewers }));
    const report = await (await project.open(newerDocuments())).generate({ ...game, update: true });
    expect(report.kept).toEqual([expect.objectContaining({ name: kernel, why: "conflict" })]);
    expect(project.read(file)).toBe(changed);
  });

  it("A-01 a base that is no compressed text is not merged with", async () => {
    const project = await gameProject();
    project.write(`${kernel}.md`, `${project.read(`${kernel}.md`)}\nours\n`);
    const entries = project.entries();
    const reviewers = { ...entries, [kernel]: { ...entries[kernel], base: "!!!" } };
    writeFileSync(project.manifest, JSON.stringify({ version: 1, reviewers }));
    const report = await (await project.open(newerDocuments())).generate({ ...game, update: true });
    expect(report.kept).toEqual([expect.objectContaining({ name: kernel, why: "conflict" })]);
  });
});

describe("links", () => {
  it("A-02 an agents' folder that leads out of the project is refused, and nothing appears there", async () => {
    for (const link of [".claude", ".claude/agents"]) {
      const outside = temporaryFolder();
      const project = newProject();
      if (link !== ".claude") mkdirSync(join(project.root, ".claude"));
      symlinkSync(outside, join(project.root, link));
      await expect(project.open()).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
      expect(readdirSync(outside)).toEqual([]);
    }
  });

  it("A-02 an agent file that is a link is neither read, followed nor replaced", async () => {
    const outside = put(join(temporaryFolder(), "secret"), "secret");
    const project = newProject();
    mkdirSync(project.agents, { recursive: true });
    symlinkSync(outside, join(project.agents, `${kernel}.md`));
    const reviewers = await project.open();
    const report = await reviewers.generate({ ...game, update: true, overwrite: true });
    expect(report.kept).toEqual([expect.objectContaining({ name: kernel, why: "own" })]);
    expect(report.done.map(({ name }) => name)).toEqual([systems]);
    expect(readFileSync(outside, "utf8")).toBe("secret");
    await reviewers.prune({ domains: [] });
    expect(project.files()).toEqual([`${kernel}.md`]);
  });
});
