import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../helpers/git-repository.ts";
import { put } from "../helpers/temporary-folder.ts";
import { type PlanText, read, startScene, statusOf, treeOf } from "./scene.ts";

const plans: readonly PlanText[] = [
  {
    id: "01",
    tasks: [
      { name: "change a", files: "a.txt", run: "echo two >> a.txt", verify: "true" },
      { name: "make b", files: "b.txt", run: "echo b > b.txt", verify: "true" },
    ],
  },
  {
    id: "02",
    after: ["01"],
    tasks: [
      {
        name: "change b",
        files: "b.txt, c.txt",
        run: "echo more >> b.txt; echo c > c.txt",
        verify: "true",
      },
    ],
  },
];

const commit = (root: string, file: string, text: string): void => {
  put(join(root, file), text);
  git(root, "add", file);
  git(root, "commit", "-qm", `Foreign ${file}`, "--", file);
};

describe("rolling a run back", () => {
  it("L-04 takes back exactly the run's commits, by one commit, and leaves everything else alone", async () => {
    const scene = await startScene(plans);
    await scene.execute();
    commit(scene.root, "foreign.txt", "foreign\n");
    put(join(scene.root, "staged.txt"), "staged\n");
    git(scene.root, "add", "staged.txt");
    put(join(scene.root, "loose.txt"), "loose\n");
    const before = git(scene.root, "rev-list", "HEAD").split("\n");
    const back = await scene.runs.rollback(scene.id);
    expect(back.run.state).toBe("rolled-back");
    expect(back.files.toSorted()).toEqual(["a.txt", "b.txt", "c.txt"]);
    expect(treeOf(scene.root)).toEqual({ "a.txt": "one", "foreign.txt": "foreign" });
    expect(read(scene.root, "a.txt")).toBe("one\n");
    expect(existsSync(join(scene.root, "b.txt"))).toBe(false);
    expect(statusOf(scene.root).split("\n").toSorted()).toEqual(["?? loose.txt", "A  staged.txt"]);
    // History only grows: nothing was reset.
    expect(git(scene.root, "rev-list", "HEAD").split("\n").slice(1)).toEqual(before);
    expect(git(scene.root, "log", "-1", "--format=%b")).toContain(
      `This reverts commit ${before.at(-2)}`,
    );
    await expect(scene.execute()).rejects.toMatchObject({ code: "RUN_STATE" });
  });

  it("L-04 refuses, and changes nothing: what somebody else has claimed, uncommitted changes, a foreign commit on the same file; each by its name", async () => {
    const scene = await startScene(plans);
    await scene.execute();
    const { root, runs, id } = scene;
    const kept = { tree: treeOf(root), head: git(root, "rev-parse", "HEAD") };
    const same = () => ({ tree: treeOf(root), head: git(root, "rev-parse", "HEAD") });

    const bob = scene.headgate.as("bob").claims;
    await bob.claim({ targets: ["c.txt"], reason: "mine" });
    await expect(runs.rollback(id)).rejects.toMatchObject({
      message: expect.stringContaining("c.txt is claimed by bob"),
    });
    expect(same()).toEqual(kept);
    expect(kept.tree["c.txt"]).toBe("c");
    await bob.release({ all: true });

    put(join(root, "a.txt"), "one\ntwo\nunsaved\n");
    await expect(runs.rollback(id)).rejects.toMatchObject({
      message: expect.stringContaining("a.txt has changes that are not committed"),
    });
    expect(read(root, "a.txt")).toBe("one\ntwo\nunsaved\n");
    expect(same()).toEqual(kept);
    put(join(root, "a.txt"), "one\ntwo\n");

    commit(root, "b.txt", "somebody else's\n");
    const tree = treeOf(root);
    const head = git(root, "rev-parse", "HEAD");
    await expect(runs.rollback(id)).rejects.toMatchObject({
      code: "ROLLBACK_REFUSED",
      message: expect.stringContaining(`${head.slice(0, 12)} also changed b.txt`),
    });
    expect(same()).toEqual({ tree, head });
  });

  it("L-04 a foreign commit between the run's own commits stops it as well", async () => {
    const scene = await startScene([
      plans[0]!,
      {
        id: "02",
        after: ["01"],
        tasks: [
          { name: "stop", files: "none", run: "test -f ../go", verify: "test -f ../go" },
          { name: "change a again", files: "a.txt", run: "echo three >> a.txt", verify: "true" },
        ],
      },
    ]);
    expect((await scene.execute()).state).toBe("failed");
    commit(scene.root, "a.txt", "one\ntwo\nforeign\n");
    writeFileSync(join(scene.root, "../go"), "");
    expect((await scene.execute()).state).toBe("done");
    await expect(scene.runs.rollback(scene.id)).rejects.toMatchObject({ code: "ROLLBACK_REFUSED" });
    expect(treeOf(scene.root)["a.txt"]).toBe("one\ntwo\nforeign\nthree");
  });

  it("L-04 holds every file, however many there are: a claim on the last one stops it", async () => {
    const names = Array.from({ length: 150 }, (_, number) => `many/${number}.txt`);
    const run = "mkdir many; for n in $(seq 0 149); do echo $n > many/$n.txt; done";
    const tasks = [{ name: "make many", files: "many/**", run, verify: "true" }];
    const scene = await startScene([{ id: "01", tasks }]);
    await scene.execute();
    const bob = scene.headgate.as("bob").claims;
    const last = names.toSorted().at(-1) ?? "";
    await bob.claim({ targets: [last], reason: "mine" });
    await expect(scene.runs.rollback(scene.id)).rejects.toMatchObject({
      message: expect.stringContaining(`${last} is claimed by bob`),
    });
    await bob.release({ all: true });
    expect((await scene.runs.rollback(scene.id)).files.toSorted()).toEqual(names.toSorted());
    expect(existsSync(join(scene.root, "many"))).toBe(false);
  });

  it("L-04 one plan is taken back and carried out again; a plan under another's changes is not", async () => {
    const scene = await startScene(plans);
    await scene.execute();
    await expect(scene.runs.rollback(scene.id, { plan: "01" })).rejects.toMatchObject({
      code: "ROLLBACK_REFUSED",
    });
    await scene.runs.rollback(scene.id, { plan: "02" });
    expect(treeOf(scene.root)).toEqual({ "a.txt": "one\ntwo", "b.txt": "b" });
    const run = await scene.execute();
    expect(run.state).toBe("done");
    expect(treeOf(scene.root)).toEqual({ "a.txt": "one\ntwo", "b.txt": "b\nmore", "c.txt": "c" });
  });

  it("L-04 a run in a worktree of its own leaves the main one alone, and can be cleaned away", async () => {
    const scene = await startScene(plans, { own: "worktree" });
    const run = await scene.execute();
    expect(run.state).toBe("done");
    expect(run.branch).toBe(`refs/heads/headgate/${scene.id}`);
    expect(git(scene.root, "rev-list", "--count", "HEAD")).toBe("1");
    expect(statusOf(scene.root)).toBe("");
    expect(treeOf(scene.root, run.branch)["c.txt"]).toBe("c");
    await scene.runs.clean(scene.id, "ada");
    expect(existsSync(run.worktree)).toBe(false);
    expect(treeOf(scene.root, run.branch)["c.txt"]).toBe("c");
    expect(await scene.runs.list()).toEqual([]);
  });

  it("L-04 a run on a branch of its own leaves the branch it started from alone", async () => {
    const scene = await startScene(plans, { own: "branch" });
    expect((await scene.execute()).state).toBe("done");
    expect(git(scene.root, "symbolic-ref", "HEAD")).toBe(`refs/heads/headgate/${scene.id}`);
    expect(git(scene.root, "rev-list", "--count", "main")).toBe("1");
  });
});
