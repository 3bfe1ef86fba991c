import { chmodSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { findFaults, readWindow } from "../../prove/history.ts";
import { Analyser } from "../../src/structure/index.ts";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const openAnalyser = (): Analyser => {
  const analyser = new Analyser();
  onTestFinished(() => analyser.close());
  return analyser;
};

const makeRepo = () => {
  const root = makeRepository(join(temporaryFolder(), "history"));
  return {
    root,
    file: (name: string, text: string) => put(join(root, name), text),
    save: (message: string): string => {
      git(root, "add", "--all");
      git(root, "commit", "--quiet", "--message", message);
      return git(root, "rev-parse", "HEAD");
    },
  };
};

const filler = Array.from({ length: 20 }, (_, index) => `use(${index});`);

describe("a history as tasks", () => {
  test("commits are tasks, oldest first, from the parent of the oldest; other kinds are left out", async () => {
    const repo = makeRepo();
    repo.file("a.ts", "export const a = 1;\n");
    const start = repo.save("start");
    repo.file("a.ts", "export const a = 2;\n");
    repo.file("new.ts", "export const fresh = 1;\n");
    const first = repo.save("an edit and a new file");
    renameSync(join(repo.root, "new.ts"), join(repo.root, "moved.ts"));
    repo.save("a rename");
    chmodSync(join(repo.root, "moved.ts"), 0o755);
    repo.save("a mode");
    repo.file("picture.bin", "a\0b");
    repo.save("a binary file");
    repo.file("package-lock.json", "{}\n");
    repo.save("a generated file");
    rmSync(join(repo.root, "a.txt"));
    const last = repo.save("a deletion");
    const request = { repo: repo.root, commits: 2, isHot: false, end: "HEAD" };
    const window = await readWindow(request, openAnalyser());
    expect(window.start).toBe(start);
    expect(window.tasks.map(({ id, commit }) => [id, commit])).toEqual([
      [1, first],
      [2, last],
    ]);
    expect(window.tasks.map(({ steps }) => steps.map((step) => `${step.do} ${step.file}`))).toEqual(
      [["edit a.ts", "write new.ts"], ["remove a.txt"]],
    );
  });

  test("hunks that parse only together are one edit", async () => {
    const repo = makeRepo();
    const text = (...lines: string[]): string => `${lines.join("\n")}\n`;
    repo.file("a.ts", text("const begin = 1;", ...filler, "const end = 1;", ...filler.slice(0, 9)));
    repo.save("start");
    repo.file("a.ts", text("if (1) {", ...filler, "}", ...filler.slice(0, 8), "const last = 1;"));
    repo.save("a block around the file");
    const request = { repo: repo.root, commits: 1, isHot: false, end: "HEAD" };
    const { tasks } = await readWindow(request, openAnalyser());
    expect(
      tasks[0]?.steps.map((step) => step.do === "edit" && [step.hunk.old[0], step.hunk.old.at(-1)]),
    ).toEqual([
      ["const begin = 1;", "const end = 1;"],
      ["use(8);", "use(8);"],
    ]);
  });

  test("hot windows have only commits on the most changed source files", async () => {
    const repo = makeRepo();
    for (const name of ["a.ts", "b.ts", "c.ts", "cold.ts"]) repo.file(name, "export {};\n");
    repo.save("start");
    repo.file("cold.ts", "export const cold = 1;\n");
    const cold = repo.save("cold");
    for (const turn of [1, 2]) {
      for (const name of ["a", "b", "c"]) {
        repo.file(`${name}.ts`, `export const ${name} = ${turn};\n`);
        repo.file("CHANGES.md", `${name} ${turn}\n`);
        repo.save(`${name} ${turn}`);
      }
    }
    const request = { repo: repo.root, commits: 7, isHot: true, end: "HEAD" };
    const { tasks } = await readWindow(request, openAnalyser());
    expect(tasks).toHaveLength(7);
    expect(tasks.map(({ commit }) => commit)).not.toContain(cold);
    // Changed more often than the others, but not a source.
    expect(tasks.at(-1)?.steps.map(({ file }) => file)).toEqual(["CHANGES.md", "c.ts"]);
  });

  test("a change is at fault for broken syntax and for second definitions, not for old ones", async () => {
    const analyser = openAnalyser();
    const fault = (before: string | null, after: string | null) =>
      findFaults({ path: "a.py", before, after }, analyser);
    expect(await fault("a = 1\n", "def f(:\n")).toEqual(["a.py does not parse"]);
    expect(await fault("def f(:\n", "def g(:\n")).toEqual([]);
    const twice = "def f():\n    pass\n\n\ndef f():\n    pass\n";
    expect(await fault("a = 1\n", twice)).toEqual(["a.py defines f twice"]);
    expect(await fault(twice, `${twice}a = 1\n`)).toEqual([]);
    expect(await fault(twice, null)).toEqual([]);
  });
});
