/** A run's commit is in the branch, and its executor was killed before git's index knew of it. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../helpers/git-repository.ts";
import { runInside } from "../helpers/inside.ts";
import { layOutPlans, openAt, runOptions, statusOf } from "../runs/scene.ts";
import { work } from "./runs-work.ts";

const killedRun = async (): Promise<string> => {
  const tasks = [{ name: "write", files: "out.txt", run: "echo out > out.txt", verify: "true" }];
  const { root, plans } = layOutPlans([{ id: "01", after: [], tasks }]);
  const headgate = await openAt(root);
  const run = await headgate.runs.create({ source: plans, actor: "ada", options: runOptions });
  const ended = await work({ root, run: run.id, killAt: { step: "branch-moved", time: 1 } });
  expect(ended.signal).toBe("SIGKILL");
  // The branch has it, the index does not: a commit now would take it back.
  expect(git(root, "show", "HEAD:out.txt")).toBe("out");
  expect(statusOf(root)).not.toBe("");
  return root;
};

const isClean = async (root: string): Promise<boolean> => {
  const { stdout } = await runInside(["verify", "--json"], { cwd: root });
  return (JSON.parse(stdout) as { clean: boolean }).clean;
};

describe("an index that does not know a run's commit", () => {
  it("G6 L-02 any command puts it right, before the run is resumed", async () => {
    const root = await killedRun();
    const { stderr } = await runInside(["claims"], { cwd: root });
    expect(stderr).toMatch(/repaired: commit \w+: git's index knows it now/);
    expect(statusOf(root)).toBe("");
    const resumed = await runInside(["run", "resume"], { cwd: root });
    expect([resumed.code, statusOf(root), await isClean(root)]).toEqual([0, "", true]);
  });

  it("G6 L-02 a lock of another git is named, and the index follows when it is gone", async () => {
    const root = await killedRun();
    const lock = join(root, ".git/index.lock");
    writeFileSync(lock, "");
    const { stdout, stderr } = await runInside(["run", "resume"], { cwd: root });
    expect(stdout + stderr).toContain("index.lock");
    expect(await isClean(root)).toBe(false);
    rmSync(lock);
    await runInside(["status"], { cwd: root });
    expect([statusOf(root), await isClean(root)]).toEqual(["", true]);
  });
});
