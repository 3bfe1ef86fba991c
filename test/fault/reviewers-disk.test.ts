import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { mount, runProgram } from "../helpers/mount.ts";
import { describeWith } from "../helpers/not-run.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { gameProject, kernel, newerDocuments, newProject, systems } from "../reviewers/project.ts";
import { stateFolder } from "../helpers/state-folder.ts";

const needs = { platforms: ["linux"], root: true, programs: ["mount"] } as const;
const game = { domains: ["game-simulation"] };

/** An agents' folder with room for so many bytes. */
const smallDisk = (root: string, size: string): void => {
  const agents = join(root, ".claude/agents");
  mkdirSync(agents, { recursive: true });
  mount(agents, "-t", "tmpfs", "-o", `size=${size}`, "none");
};

describeWith(needs, "a disk that is full in the middle of a batch", () => {
  it("A-05 says which agent of which domain failed and why; the others are kept and registered", async () => {
    const project = newProject();
    smallDisk(project.root, "12k");
    const reviewers = await project.open();
    const report = await reviewers.generate(game);
    expect(report.messages).toEqual([
      "Generated 1 of 2 agents for game-simulation (fd-game-systems: disk full)",
    ]);
    expect(report).toMatchObject({
      ok: false,
      failed: [{ name: systems, code: "STATE_DISK_FULL" }],
    });
    expect(project.files()).toEqual([`${kernel}.md`]);
    expect(Object.keys(project.entries())).toEqual([kernel]);
    runProgram("mount", "-o", "remount,size=64k", project.agents);
    const again = await reviewers.generate(game);
    expect(again.messages).toEqual(["Generated 1 of 1 agent for game-simulation"]);
  });

  it("A-05 with strict nothing is left: no file, no temporary, no manifest", async () => {
    const project = newProject();
    smallDisk(project.root, "12k");
    const report = await (await project.open()).generate({ ...game, strict: true });
    expect(report.messages).toEqual([
      "Generated 0 of 2 agents for game-simulation (fd-game-systems: disk full)",
      "Nothing was kept, because of --strict",
    ]);
    expect(report).toMatchObject({ ok: false, done: [] });
    expect(project.files()).toEqual([]);
    expect(readdirSync(join(project.root, ".headgate"))).toEqual([]);
  });

  it("A-05 with strict an update that fails halfway brings the old files back, byte for byte", async () => {
    const root = temporaryFolder();
    smallDisk(root, "24k");
    const project = await gameProject(root);
    const before = project.files().map((file) => [file, project.read(file)]);
    const manifest = readFileSync(project.manifest, "utf8");
    // Two files and one temporary fit, but not the second temporary beside a kept old file.
    const report = await (
      await project.open(newerDocuments())
    ).generate({ ...game, update: true, strict: true });
    expect(report).toMatchObject({
      ok: false,
      done: [],
      failed: [{ name: systems, code: "STATE_DISK_FULL" }],
    });
    expect(project.files().map((file) => [file, project.read(file)])).toEqual(before);
    expect(readFileSync(project.manifest, "utf8")).toBe(manifest);
  });

  it("A-05 a manifest without room: strict takes everything back, otherwise the next run registers", async () => {
    for (const strict of [true, false]) {
      const project = newProject();
      const home = join(project.root, ".headgate");
      mkdirSync(home);
      mount(home, "-t", "tmpfs", "-o", "size=12k", "none");
      const reviewers = await project.open();
      await reviewers.generate({ domains: [] });
      writeFileSync(join(home, "filler"), "x".repeat(4096));
      try {
        writeFileSync(join(home, "filler2"), "x".repeat(8192));
      } catch {
        // As much as there was room for.
      }
      const report = await reviewers.generate({ ...game, strict });
      expect(report.manifestFailure).toMatchObject({ code: "STATE_DISK_FULL" });
      expect(report.ok).toBe(false);
      expect(project.files()).toHaveLength(strict ? 0 : 2);
      if (strict) continue;
      runProgram("mount", "-o", "remount,size=128k", home);
      const healed = await reviewers.generate(game);
      expect(healed.done.map(({ action }) => action)).toEqual(["register", "register"]);
      expect(Object.keys(project.entries())).toHaveLength(2);
    }
  });

  it("A-05 a folder that cannot be written", async () => {
    const project = newProject();
    smallDisk(project.root, "64k");
    runProgram("mount", "-o", "remount,ro", project.agents);
    const report = await (await project.open()).generate(game);
    expect(report.messages).toEqual([
      `Generated 0 of 2 agents for game-simulation (${kernel}: not writable; ${systems}: not writable)`,
    ]);
    expect(readdirSync(join(project.root, ".headgate"))).toEqual([]);
  });

  it("A-05 a lock that cannot be taken, and an agents' folder that is none, are errors with a code", async () => {
    const project = newProject();
    const local = stateFolder(project.root);
    mkdirSync(local, { recursive: true });
    writeFileSync(join(local, ".gitignore"), "*\n");
    mount(local, "--bind", local);
    runProgram("mount", "-o", "remount,bind,ro", local);
    await expect((await project.open()).generate(game)).rejects.toMatchObject({
      code: "STATE_NOT_WRITABLE",
    });
    const other = newProject();
    mkdirSync(join(other.root, ".claude"));
    writeFileSync(other.agents, "not a folder");
    const reviewers = await other.open();
    expect(() => reviewers.list()).toThrow(expect.objectContaining({ code: "STATE_TARGET_KIND" }));
    await expect(reviewers.generate(game)).rejects.toMatchObject({ code: "STATE_TARGET_KIND" });
  });
});
