import { chmodSync, existsSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openHeadgate } from "../../src/index.ts";
import type { RunStep } from "../../src/runs/index.ts";
import { git } from "../helpers/git-repository.ts";
import { mount } from "../helpers/mount.ts";
import { describeWith } from "../helpers/not-run.ts";
import { createPowerCutDisk } from "../helpers/power-cut-disk.ts";
import { run } from "../helpers/program.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { layOutPlans, type PlanText, runOptions, scriptedAgent } from "../runs/scene.ts";
import { expectWhole, work } from "./runs-work.ts";

const appending = (id: string, file: string) => ({
  name: `${id} in ${file}`,
  files: `${file}.txt`,
  run: `echo begin ${id} >> ${file}.txt\necho end ${id} >> ${file}.txt`,
  verify: `grep -q 'end ${id}' ${file}.txt`,
});

const treeOfPlans = (plans: readonly PlanText[]): Record<string, string> => {
  const tree: Record<string, string> = { "a.txt": "one" };
  for (const { tasks } of plans) {
    for (const { name, files } of tasks) {
      const [id] = name.split(" ");
      tree[files] = `${files in tree ? `${tree[files]}\n` : ""}begin ${id}\nend ${id}`;
    }
  }
  return tree;
};

describeWith(
  { platforms: ["linux"], root: true, programs: ["mkfs.ext4", "mount"] },
  "a run whose power fails",
  () => {
    it("L-02 S-05 at one step after the other: nothing that was told is lost, nothing happens twice", async () => {
      const parent = temporaryFolder();
      const disk = createPowerCutDisk(parent, "64M");
      const plans = ["01", "02", "03", "04", "05", "06"].map((id, at): PlanText => ({
        id,
        ...(at > 0 && { after: [`0${at}`] }),
        tasks: [appending(`${id}.1`, "x"), appending(`${id}.2`, `f${id}`)],
      }));
      const { root, plans: source } = layOutPlans(plans, disk.folder);
      const create = await openHeadgate({ repo: root, actor: "ada" });
      const { id } = await create.runs.create({ source, actor: "ada", options: runOptions });
      await create.close();
      disk.settle();
      const steps: RunStep[] = [
        "agent-ended",
        "commit-made",
        "commit-recorded",
        "branch-moved",
        "index-followed",
        "task-recorded",
        "plan-recorded",
      ];
      let done = 0;
      for (const step of steps) {
        const { signal, answer } = await work({ root, run: id, killAt: { step, time: 1 } });
        expect(signal, `${step} ${JSON.stringify(answer)}`).toBe("SIGKILL");
        disk.cut();
        // Locks that are found after a restart are older than it.
        for (const name of readdirSync(join(root, ".git")).filter((one) => one.endsWith(".lock")))
          utimesSync(join(root, ".git", name), 1_000_000, 1_000_000);
        expect(git(root, "fsck", "--full", "--strict"), step).not.toMatch(/error|missing|corrupt/);
        const headgate = await openHeadgate({ repo: root, actor: "ada" });
        const { run: record } = await headgate.runs.status(id);
        await headgate.close();
        const told = record.plans.flatMap(({ tasks }) => tasks).filter(({ commit }) => commit);
        // What was recorded as done is in the branch, and what was done before has stayed.
        for (const { commit } of told) git(root, "merge-base", "--is-ancestor", commit!, "HEAD");
        expect(told.length, step).toBeGreaterThanOrEqual(done);
        done = told.length;
      }
      const last = await work({ root, run: id });
      expect(last.answer).toMatchObject({ state: "done" });
      expectWhole(root, { plans, tree: treeOfPlans(plans), label: "power" });
      disk.cut();
      expectWhole(root, { plans, tree: treeOfPlans(plans), label: "after the last cut" });
    });
  },
);

/** Where the disk becomes full, and what makes room for it. */
const fill = "head -c 100000000 /dev/zero > filler 2>/dev/null; true";

describeWith(
  { platforms: ["linux"], root: true, programs: ["mount"] },
  "a run whose disk is full",
  () => {
    it.each(["the agent fills it", "before the commit", "after the commit"])(
      "L-02 %s: an error that says so, and with room again resume goes on, no commit twice",
      async (where) => {
        const folder = temporaryFolder();
        mount(folder, "-t", "tmpfs", "-o", "size=24m", "tmpfs");
        const second = appending("01.2", "y");
        const plans: PlanText[] = [
          {
            id: "01",
            tasks: [
              appending("01.1", "x"),
              where.startsWith("the agent")
                ? {
                    ...second,
                    run: `test -f .git/filled || { touch .git/filled; ${fill}; }\n${second.run}`,
                  }
                : second,
              appending("01.3", "x"),
            ],
          },
        ];
        const { root, plans: source } = layOutPlans(plans, folder);
        put(join(root, ".git/info/exclude"), "filler\n");
        if (!where.startsWith("the agent")) {
          const hook = where.startsWith("before") ? "pre-commit" : "post-commit";
          const once = `test -f y.txt && ! test -f .git/filled && { touch .git/filled; ${fill}; }\n`;
          const path = put(join(root, ".git/hooks", hook), `#!/bin/sh\n${once}exit 0\n`);
          chmodSync(path, 0o755);
        }
        const args = ["run", "start", source, "--json", "--exec", ...scriptedAgent];
        const stopped = await run(args, { cwd: root });
        expect(existsSync(join(root, "filler"))).toBe(true);
        const { ok, code, message, run: shown } = JSON.parse(stopped.stdout);
        // Whoever notices first: the store, git, or the task's own check.
        if (shown === undefined) {
          expect(ok).toBe(false);
          expect(`${code} ${message}`).toMatch(/FULL|[Nn]o space left/);
          expect(stopped.code).not.toBe(0);
        } else expect(shown.state).toBe("failed");
        rmSync(join(root, "filler"));
        const resumed = await run(["run", "resume", "--json"], { cwd: root });
        expect(JSON.parse(resumed.stdout).run?.state, resumed.stdout.slice(0, 500)).toBe("done");
        expectWhole(root, { plans, tree: treeOfPlans(plans), label: where });
      },
    );
  },
);
