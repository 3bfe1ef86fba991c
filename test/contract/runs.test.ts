import { describe, expect, it } from "vitest";
import { newId } from "../../src/base/ids.ts";
import { listRuns } from "../../src/runs/store/list-runs.ts";
import { openRunStore } from "../../src/runs/store/run-store.ts";
import type { Plan } from "../../src/runs/index.ts";
import { verifyEvents } from "../../src/store/index.ts";
import { backends, openScope } from "../helpers/store-backends.ts";
import { git } from "../helpers/git-repository.ts";
import { put } from "../helpers/temporary-folder.ts";
import { layOutPlans, openAt, runOptions, treeOf } from "../runs/scene.ts";

const plan = (id: string, tasks: number): Plan => ({
  id,
  title: `Plan ${id} 'quoted' $(x)`,
  dependsOn: [],
  writes: ["a.txt"],
  text: "",
  tasks: Array.from({ length: tasks }, (_, index) => ({
    name: `t${index + 1}`,
    files: ["a.txt"],
    action: "",
    line: 1,
  })),
  file: `${id}-PLAN.md`,
  line: 1,
});

describe.each(backends)("runs on $name", ({ migratedPlace: newPlace }) => {
  const open = async () => {
    const there = await openScope(await newPlace());
    const place = { open: async () => there, look: async () => there };
    const store = openRunStore(place, newId("run"));
    await store.create("ada", {
      ...{ id: store.id, name: "one", state: "paused", actor: "ada", source: "/p", worktree: "/w" },
      ...{ branch: "refs/heads/main", base: "1".repeat(40), options: runOptions },
      plans: [
        { plan: plan("01", 2), source: "text 01" },
        { plan: plan("02", 1), source: "text 02" },
      ],
    });
    return { scope: there.scope, place, runs: store };
  };

  it("L-01 a run, its plans and tasks come back as they were stored, with an event for every change", async () => {
    const { runs: store, place, scope } = await open();
    const run = await store.load();
    expect(run).toMatchObject({
      name: "one",
      state: "paused",
      options: runOptions,
      plans: [
        {
          plan: "01",
          title: "Plan 01 'quoted' $(x)",
          tasks: [{ number: 1, state: "pending", tries: 0 }, { number: 2 }],
        },
        { plan: "02" },
      ],
    });
    expect(await store.plans()).toEqual([plan("01", 2), plan("02", 1)]);
    expect(await store.sources()).toEqual([
      { plan: "01", source: "text 01" },
      { plan: "02", source: "text 02" },
    ]);
    expect((await listRuns(place)).map(({ id }) => id)).toEqual([run.id]);
    await store.setRun("ada", { state: "running" });
    await store.setPlan("ada", "01", { state: "running" });
    await store.setRun("ada", { state: "failed", reason: "no" });
    expect(await store.load()).toMatchObject({ state: "failed", reason: "no" });
    const there = await place.open();
    const { events } = await there.store.readEvents({ scope, kind: "run.*" });
    expect(events.map(({ kind }) => kind)).toEqual([
      "run.created",
      "run.started",
      "run.plan.running",
      "run.failed",
    ]);
    expect(await verifyEvents(there.store, scope)).toMatchObject({ ok: true });
  });

  it("L-02 a task's way: spawned, committing, done; what was prepared is not told as committed", async () => {
    const { runs: store } = await open();
    const at = { plan: "01", number: 1 };
    await store.spawn("ada", at, newId("agent"), 1);
    expect(await store.facts(at)).toMatchObject({ isTouched: true, tries: 1 });
    await store.setTask("ada", at, {
      state: "committing",
      operation: "op_1",
      commit: "c".repeat(40),
      parent: "p",
    });
    expect((await store.load()).plans[0]!.tasks[0]).not.toHaveProperty("commit");
    expect(await store.facts(at)).toMatchObject({
      isTouched: true,
      operation: "op_1",
      commit: "c".repeat(40),
      parent: "p",
    });
    await store.setTask("ada", at, { state: "done", touched: false, ended: true });
    expect((await store.load()).plans[0]!.tasks[0]).toMatchObject({
      state: "done",
      commit: "c".repeat(40),
    });
    await expect(
      store.setTask("ada", { plan: "09", number: 1 }, { state: "done" }),
    ).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
  });

  it("L-03 the history gives the last 50 agents, oldest first; tokens and cost add up exactly", async () => {
    const { runs: store } = await open();
    for (let index = 0; index < 55; index += 1) {
      const agent = newId("agent");
      await store.spawn("ada", { plan: "01", number: 1 }, agent, index + 1);
      await store.endAgent("ada", agent, {
        status: "completed",
        exit: 0,
        inputTokens: 10,
        outputTokens: 1,
        costUsd: 0.000_1,
        notes: [],
      });
    }
    const agents = await store.agents();
    expect(agents).toHaveLength(50);
    expect(agents.map((agent) => agent.agent_id)).toEqual(
      agents.map((agent) => agent.agent_id).toSorted(),
    );
    expect((await store.load()).spent).toEqual({
      inputTokens: 550,
      outputTokens: 55,
      costUsd: 0.0055,
    });
  });

  it("L-05 questions are numbered, answered once, and only questions can be", async () => {
    const { runs: store } = await open();
    const agent = newId("agent");
    await store.spawn("ada", { plan: "01", number: 1 }, agent, 1);
    const key = { plan: "01", number: 1 };
    const notes = [
      { ...key, kind: "issue" as const, text: "i" },
      { ...key, kind: "question" as const, text: "q'; DROP TABLE runs; --" },
    ];
    await store.endAgent("ada", agent, {
      status: "completed",
      inputTokens: 0,
      outputTokens: 0,
      notes,
    });
    expect(await store.answer("ada", "c2", "maybe", true)).toBe("done");
    expect(await store.answer("bob", "c2", "no", true)).toBe("answered");
    expect(await store.answer("ada", "c2", "yes", false)).toBe("done");
    expect(await store.answer("ada", "c1", "yes", false)).toBe("unknown");
    expect(await store.answer("ada", "c9", "yes", false)).toBe("unknown");
    expect(await store.notes()).toMatchObject([
      { id: "c1", kind: "issue" },
      { id: "c2", answer: "yes", text: "q'; DROP TABLE runs; --" },
    ]);
  });

  it("S-08 G3 whoever carried the run out before cannot change it any more", async () => {
    const { runs: store, place } = await open();
    const at = (fence: number) => openRunStore(place, store.id, fence);
    const [older, newer] = [at(5), at(6)];
    await older.take("run:old");
    await older.setRun("run:old", { state: "running" });
    await newer.take("run:new");
    const busy = { code: "RUN_BUSY" };
    await expect(older.setRun("run:old", { state: "failed" })).rejects.toMatchObject(busy);
    await expect(older.requireHeld()).rejects.toMatchObject(busy);
    await expect(older.take("run:old")).rejects.toMatchObject(busy);
    await newer.setRun("run:new", { state: "paused" });
    expect((await store.load()).state).toBe("paused");
    // People may answer and ask for a pause at any time.
    await store.setPause("ada", "soon");
  });

  it("L-01 removing a run leaves nothing of it but its events", async () => {
    const { runs: store, place } = await open();
    await store.remove("ada");
    await expect(store.load()).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
    expect(await listRuns(place)).toEqual([]);
  });

  it("L-01 L-02 a whole run: carried out, stopped, resumed, committed once", async () => {
    const there = await newPlace();
    const { root, plans } = layOutPlans([
      { id: "01", tasks: [{ name: "a", files: "x.txt", run: "echo x >> x.txt", verify: "true" }] },
      {
        id: "02",
        after: ["01"],
        tasks: [
          {
            name: "b",
            files: "x.txt",
            run: "echo y >> x.txt; test -f ../go",
            verify: "test -f ../go",
          },
        ],
      },
    ]);
    const headgate = await openAt(root, { store: there.address });
    const { id } = await headgate.runs.create({ source: plans, actor: "ada", options: runOptions });
    const execute = () => headgate.runs.execute({ run: id, signal: new AbortController().signal });
    expect((await execute()).run.state).toBe("failed");
    put(`${root}/../go`);
    expect((await execute()).run.state).toBe("done");
    expect(treeOf(root)["x.txt"]).toBe("x\ny");
    expect(git(root, "rev-list", "--count", "HEAD")).toBe("3");
  });
});
