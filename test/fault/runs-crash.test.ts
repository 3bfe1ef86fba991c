import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { processesMarked } from "../../src/base/process-marks.ts";
import { killProcess } from "../../src/base/processes.ts";
import type { RunStep } from "../../src/runs/index.ts";
import { programPath, cleanEnvironment } from "../helpers/program.ts";
import { countRounds } from "../helpers/rounds.ts";
import { testSeed } from "../helpers/seed.ts";
import { layOutPlans, openAt, type PlanText, runOptions, treeOf } from "../runs/scene.ts";
import { expectWhole, work } from "./runs-work.ts";

/** Every step a process can die at. */
const steps: Record<RunStep, true> = {
  claimed: true,
  recovered: true,
  "set-aside": true,
  "before-task": true,
  "agent-recorded": true,
  "agent-ended": true,
  "agent-told": true,
  verified: true,
  "commit-made": true,
  "commit-recorded": true,
  "branch-moved": true,
  "index-followed": true,
  "task-recorded": true,
  "checkpoint-written": true,
  "plan-recorded": true,
  "run-recorded": true,
};

/**
 * Random plans whose agents append: done twice, or on half-made files, they leave another tree. A plan may
 * write what those before it wrote.
 */
const graphs: fc.Arbitrary<readonly PlanText[]> = fc
  .array(
    fc.record({
      after: fc.array(fc.nat(3), { maxLength: 2 }),
      files: fc.array(fc.nat(3), { minLength: 1, maxLength: 2 }),
    }),
    { minLength: 2, maxLength: 3 },
  )
  .map((plans) =>
    plans.map(({ after, files }, index) => {
      const id = `0${index + 1}`;
      return {
        id,
        after: [...new Set(after.filter((one) => one < index).map((one) => `0${one + 1}`))],
        tasks: files.map((file, at) => ({
          name: `task ${id}.${at + 1}`,
          files: `f${file}.txt`,
          run: `echo begin ${id}.${at + 1} >> f${file}.txt\necho end ${id}.${at + 1} >> f${file}.txt`,
          verify: `grep -q 'end ${id}.${at + 1}' f${file}.txt`,
        })),
      };
    }),
  );

const create = async (plans: readonly PlanText[]) => {
  const place = layOutPlans(plans);
  const headgate = await openAt(place.root);
  const run = await headgate.runs.create({
    source: place.plans,
    actor: "ada",
    options: { ...runOptions, timeoutMs: 60_000 },
  });
  return { ...place, headgate, id: run.id };
};

/** The contents of the files at the end; files that several plans write are made in the order of the plans. */
const expectedTree = async (plans: readonly PlanText[]) => {
  const { root, headgate, id } = await create(plans);
  const { run } = await headgate.runs.execute({ run: id, signal: new AbortController().signal });
  expect(run.state).toBe("done");
  return treeOf(root);
};

/** The same without carrying anything out; the first test shows that it is the same. */
const treeInOrder = (plans: readonly PlanText[]): Record<string, string> => {
  const tree: Record<string, string> = { "a.txt": "one" };
  for (const { tasks } of plans) {
    for (const { files, name } of tasks) {
      const id = name.slice("task ".length);
      tree[files] = `${files in tree ? `${tree[files]}\n` : ""}begin ${id}\nend ${id}`;
    }
  }
  return tree;
};

describe("a run whose executor is killed with -9", () => {
  it("L-01 random plans come to the tree that their order says", { timeout: 300_000 }, async () => {
    for (const plans of fc.sample(graphs, { numRuns: 2, seed: 3 })) {
      expect(await expectedTree(plans)).toEqual(treeInOrder(plans));
    }
  });

  it(
    "L-02 G11 at every failpoint, for random plans: resume comes to the same tree, no commit twice",
    { timeout: 600_000 },
    async () => {
      const names = Object.keys(steps) as RunStep[];
      // Three graphs at a time; each step is met by one of them, and once more while the run is resumed.
      const drawn = fc.sample(graphs, { numRuns: names.length, seed: 20261116 });
      let next = 0;
      const met = new Set<RunStep>();
      const runner = async (): Promise<void> => {
        for (let at = next++; at < names.length; at = next++) {
          const step = names[at]!;
          const plans = drawn[at]!;
          const tree = treeInOrder(plans);
          const scene = await create(plans);
          const job = { root: scene.root, run: scene.id };
          // A changeset is put aside only after a crash: make one first.
          if (step === "set-aside")
            await work({ ...job, killAt: { step: "agent-ended", time: 1 } });
          const time = step === "task-recorded" || step === "branch-moved" ? 2 : 1;
          const first = await work({ ...job, killAt: { step, time } });
          if (first.signal === "SIGKILL") met.add(step);
          await work({ ...job, killAt: { step, time: 1 } });
          const { run } = await scene.headgate.runs.execute({
            run: scene.id,
            signal: new AbortController().signal,
          });
          expect(run.state, step).toBe("done");
          expectWhole(scene.root, { plans, tree, label: step });
        }
      };
      await Promise.all([runner(), runner(), runner()]);
      expect([...met].toSorted()).toEqual(names.toSorted());
    },
  );

  it(
    "L-02 at random moments, executors and agents, with the real program",
    { timeout: 60 * 60_000 },
    async () => {
      const wanted = countRounds("kills of executors and agents at random moments", 200);
      const plans: PlanText[] = [
        { id: "01", tasks: ["x", "y"].map((one) => append("01", one)) },
        { id: "02", tasks: [append("02", "z")] },
        { id: "03", after: ["01"], tasks: [append("03", "x")] },
      ];
      const tree = await expectedTree(plans);
      const random = fc.sample(fc.nat(1_000), { numRuns: 2_000, seed: testSeed });
      let [at, kills, agents] = [0, 0, 0];
      const draw = (): number => random[(at += 1) % random.length]!;
      const chain = async (): Promise<void> => {
        // Agents live for a moment only: until some were met, it goes on.
        while (kills < wanted || agents === 0) {
          const scene = await create(plans);
          const findAgent = () =>
            processesMarked("HEADGATE_AGENT", (value) => value.startsWith(scene.id))[0];
          let stuck = 0;
          for (let round = 0; ; round += 1) {
            const child = spawn(
              process.execPath,
              [programPath, "run", "resume", scene.id, "--json", "--as", "ada"],
              {
                cwd: scene.root,
                stdio: "ignore",
                env: cleanEnvironment(join(scene.root, "..")),
              },
            );
            onTestFinished(() => void child.kill("SIGKILL"));
            const ended = once(child, "close");
            // Longer from round to round, so that a busy machine gets through as well.
            const delay = new Promise((done) => setTimeout(done, draw() * (0.8 + round * 0.2)));
            await Promise.race([ended, delay]);
            let agent: number | undefined;
            if (draw() < 250) {
              // This time one of its agents is wanted, as soon as there is one.
              while (child.exitCode === null && (agent = findAgent()) === undefined) {
                await new Promise((done) => setTimeout(done, 5));
              }
            }
            if (child.exitCode !== null) {
              const { run } = await scene.headgate.runs.status(scene.id);
              if (run.state === "done") break;
              // What ended an agent is told once; then it goes on, or never comes to its end.
              stuck += 1;
              expect(stuck, `${run.state}, HEADGATE_SEED=${testSeed}`).toBeLessThan(4);
              continue;
            }
            // The agent may have ended by itself between the two.
            if (agent !== undefined && killProcess(agent)) agents += 1;
            else child.kill("SIGKILL");
            kills += 1;
            stuck = 0;
            await ended;
          }
          expectWhole(scene.root, { plans, tree, label: `HEADGATE_SEED=${testSeed}` });
          await scene.headgate.close();
        }
      };
      await Promise.all([chain(), chain(), chain()]);
      expect(kills).toBeGreaterThanOrEqual(wanted);
      expect(agents).toBeGreaterThan(0);
    },
  );
});

const append = (id: string, file: string) => ({
  name: `${id} appends to ${file}`,
  files: `${file}.txt`,
  run: `echo begin ${id} >> ${file}.txt\nsleep 0.05\necho end ${id} >> ${file}.txt`,
  verify: `grep -q 'end ${id}' ${file}.txt`,
});
