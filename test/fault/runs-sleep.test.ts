import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { git } from "../helpers/git-repository.ts";
import { type PlanText, startScene } from "../runs/scene.ts";
import { steppingRuns } from "../runs/stepping.ts";
import { expectWhole, startWork } from "./runs-work.ts";
import { stateFolder } from "../helpers/state-folder.ts";

const claimTtlMs = 10_000;

/** The second task leaves a half-made file and waits until it is told to go on. */
const plans: readonly PlanText[] = [
  {
    id: "01",
    tasks: [
      { name: "first", files: "x.txt", run: "echo one >> x.txt", verify: "grep -q one x.txt" },
      {
        name: "second",
        files: "x.txt, y.txt",
        run: [
          "echo begin >> y.txt",
          "n=$(ls .. | grep -c '^in-'); touch ../in-$n",
          "until test -f ../go-$n; do sleep 0.05; done",
          "echo two >> x.txt; echo end >> y.txt",
        ].join("\n"),
        verify: "grep -q end y.txt",
      },
    ],
  },
];
const tree = { "a.txt": "one", "x.txt": "one\ntwo", "y.txt": "begin\nend" };

/**
 * A machine that sleeps stops everybody. Here one process is stopped alone: in the middle of a write it
 * would keep the whole store locked, which is another story (STORE_BUSY).
 */
const stopOutsideTransactions = async (child: ChildProcess, path: string): Promise<void> => {
  const isStopped = async (): Promise<boolean> => {
    child.kill("SIGSTOP");
    // The signal is sent, not yet received: what looks free now might be taken at once.
    await expect.poll(() => stateOf(child.pid!), { interval: 5 }).toBe("T");
    if (isFree(path)) return true;
    child.kill("SIGCONT");
    return false;
  };
  await expect.poll(isStopped, { interval: 20 }).toBe(true);
};

const stateOf = (pid: number): string | undefined =>
  /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];

const isFree = (path: string): boolean => {
  const database = new Database(path, { timeout: 0 });
  try {
    database.exec("BEGIN IMMEDIATE; ROLLBACK");
    return true;
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code === "SQLITE_BUSY") return false;
    throw error;
  } finally {
    database.close();
  }
};

const asleep = async () => {
  const scene = await startScene(plans);
  const beside = (name: string): string => join(scene.root, "..", name);
  const until = async (name: string): Promise<void> => {
    await expect.poll(() => existsSync(beside(name)), { interval: 20 }).toBe(true);
  };
  const sleeper = await startWork({ root: scene.root, run: scene.id, claimTtlMs });
  await until("in-0");
  await stopOutsideTransactions(sleeper.child, join(stateFolder(scene.root), "store.db"));
  const isOver = async (): Promise<boolean> => {
    const { claims } = await scene.headgate.claims.list({ target: `name:run/${scene.id}` });
    return claims.length === 0;
  };
  await expect.poll(isOver, { interval: 100 }).toBe(true);
  return { ...scene, sleeper, until, tell: (name: string) => writeFileSync(beside(name), "") };
};

describe("a run whose machine slept longer than its claims live", () => {
  it("L-02 F05 wakes up alone: it notices, keeps what was half made, and goes on by itself", async () => {
    const { root, id, runs, sleeper, until, tell } = await asleep();
    sleeper.child.kill("SIGCONT");
    await until("in-1");
    tell("go-1");
    const { answer } = await sleeper.ended;
    expect(answer).toMatchObject({ state: "done", steps: { claimed: 2 } });
    expect(answer?.told.join("\n")).toContain("the claim on the run was lost");
    expectWhole(root, { plans, tree, label: "alone" });
    const { run, agents } = await runs.status(id);
    expect(run.plans[0]?.tasks.map(({ tries }) => tries)).toEqual([1, 2]);
    expect(agents.filter(({ status }) => status === "completed")).toHaveLength(2);
    const [rescue] = run.plans[0]?.tasks[1]?.rescues ?? [];
    expect(git(root, "show", `${rescue}:y.txt`)).toBe("begin");
  });

  it("S-08 F05 wakes up beside another executor: it is refused with evidence and changes nothing", async () => {
    const { root, id, headgate, sleeper, until, tell } = await asleep();
    const other = steppingRuns(headgate).execute({
      run: id,
      signal: new AbortController().signal,
    });
    await until("in-1");
    sleeper.child.kill("SIGCONT");
    // Its own agent would go on, if the other executor had not ended it.
    tell("go-0");
    const { answer } = await sleeper.ended;
    expect(answer).toMatchObject({ code: "RUN_BUSY" });
    expect(answer?.message).toMatch(new RegExp(`run:${id}/op_\\w+ \\(.*${process.pid}`));
    const before = (await headgate.runs.status(id)).run;
    expect(before).toMatchObject({ state: "running", isInterrupted: false });
    expect(before.plans[0]).toMatchObject({ state: "running", tasks: [{}, { state: "running" }] });
    expect(before.claimed.length).toBeGreaterThan(0);
    tell("go-1");
    expect((await other).run.state).toBe("done");
    expectWhole(root, { plans, tree, label: "beside another" });
  });
});
