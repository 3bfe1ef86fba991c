import { existsSync, readdirSync, readFileSync, rmSync, watch } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../helpers/git-repository.ts";
import { put } from "../helpers/temporary-folder.ts";
import { openAt, type PlanText, read, type Scene, startScene } from "./scene.ts";
import { stateFolder } from "../helpers/state-folder.ts";

const plans: readonly PlanText[] = [
  {
    id: "01",
    tasks: [
      {
        name: "one",
        files: "x.txt",
        run: "echo x > x.txt; echo 'HEADGATE: issue slow'",
        verify: "true",
      },
    ],
  },
  {
    id: "02",
    tasks: [
      {
        name: "asks",
        files: "y.txt",
        run: "echo 'HEADGATE: needs-decision which?'",
        verify: "true",
      },
    ],
  },
  { id: "03", tasks: [{ name: "fails", files: "z.txt", run: "exit 1", verify: "true" }] },
  {
    id: "04",
    front: ["timeout: 1s"],
    tasks: [{ name: "late", files: "l.txt", run: "sleep 600", verify: "true" }],
  },
  {
    id: "05",
    after: ["01"],
    tasks: [{ name: "never", files: "n.txt", run: "exit 1", verify: "true" }],
  },
  {
    id: "06",
    after: ["03"],
    tasks: [{ name: "not begun", files: "o.txt", run: "true", verify: "true" }],
  },
];

/** An agent that keeps a file of its own run as soon as it says so much. */
const whenItSays = (file: string, pattern: string): string => {
  const path = `.git/headgate/runs/*/${file}`;
  return `until grep -q '${pattern}' ${path}; do sleep 0.05; done; cat ${path} > seen.txt`;
};

const dirOf = (scene: Scene): string => join(scene.headgate.repository.localDir, "runs", scene.id);

const filesOf = (dir: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(dir, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(md|json|txt)$/.test(name))
      .map((name) => [name, readFileSync(join(dir, name), "utf8")]),
  );

describe("files using atomic writes (the table of the source document)", () => {
  it("S-07 L-01 every file is made through state, from the store, and run rebuild restores each of them", async () => {
    const scene = await startScene(plans);
    await scene.execute();
    await scene.runs.skip(scene.id, { actor: "ada", plan: "05" });
    const dir = dirOf(scene);
    await scene.runs.rebuild(scene.id);
    const before = filesOf(dir);
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining([
        "STATE.md",
        "agent-history.json",
        "01-CHECKPOINT.json",
        "ISSUES.md",
        "REPORT.md",
        "clarifications.md",
        "summaries/01-SUMMARY.md",
      ]),
    );
    rmSync(dir, { recursive: true });
    await scene.runs.rebuild(scene.id);
    expect(filesOf(dir)).toEqual(before);
  });

  it("L-01 row STATE.md: after each plan", async () => {
    const scene = await startScene([
      plans[0]!,
      {
        id: "02",
        after: ["01"],
        tasks: [
          {
            name: "looks",
            files: "seen.txt",
            run: whenItSays("STATE.md", "| 01 .* done |"),
            verify: "true",
          },
        ],
      },
    ]);
    await scene.execute();
    expect(read(scene.root, "seen.txt")).toContain("| 01 | Plan 01 | done | 1 of 1 |");
    expect(read(dirOf(scene), "STATE.md")).toMatch(/^---\nrun: rn_\w+\nstatus: done\n/);
  });

  it("L-01 row agent-history.json: on spawn and on completion, with one spelling of every key", async () => {
    const scene = await startScene([
      {
        id: "01",
        tasks: [
          {
            name: "t",
            files: "seen.txt",
            run: whenItSays("agent-history.json", "spawned"),
            verify: "true",
          },
        ],
      },
    ]);
    await scene.execute();
    const during = JSON.parse(read(scene.root, "seen.txt")) as { entries: object[] };
    const after = JSON.parse(read(dirOf(scene), "agent-history.json")) as {
      version: string;
      max_entries: number;
      entries: object[];
    };
    expect(during.entries).toMatchObject([{ plan: "01", task: 1, status: "spawned" }]);
    expect(after).toMatchObject({
      version: "1.0",
      max_entries: 50,
      entries: [{ plan: "01", status: "completed", exit: 0 }],
    });
    expect(Object.keys(after.entries[0]!).every((key) => /^[a-z_]+$/.test(key))).toBe(true);
  });

  it("L-01 row current-agent-id.txt: there while an agent works, gone afterwards", async () => {
    const scene = await startScene([
      {
        id: "01",
        tasks: [
          {
            name: "t",
            files: "seen.txt",
            run: `${whenItSays("current-agent-id.txt", ".")}; echo $HEADGATE_AGENT >> seen.txt`,
            verify: "true",
          },
        ],
      },
    ]);
    await scene.execute();
    const [file, own] = read(scene.root, "seen.txt").trim().split("\n");
    expect(own).toBe(`${scene.id}/${file}`);
    expect(existsSync(join(dirOf(scene), "current-agent-id.txt"))).toBe(false);
  });

  it("L-01 row checkpoint.json: after each task", async () => {
    const scene = await startScene([
      {
        id: "01",
        tasks: [
          { name: "a", files: "a1.txt", run: "echo a > a1.txt", verify: "true" },
          {
            name: "b",
            files: "seen.txt",
            run: whenItSays("01-CHECKPOINT.json", "next_task.*2"),
            verify: "true",
          },
        ],
      },
    ]);
    await scene.execute();
    expect(JSON.parse(read(scene.root, "seen.txt"))).toMatchObject({
      plan: "01",
      next_task: 2,
      tasks: [
        { task: 1, status: "done", commit: git(scene.root, "rev-parse", "HEAD^") },
        { task: 2 },
      ],
    });
    expect(JSON.parse(read(dirOf(scene), "01-CHECKPOINT.json"))).toMatchObject({ status: "done" });
  });

  it("L-01 rows ISSUES.md (when an agent logs one) and clarifications.md (when a person answers)", async () => {
    const scene = await startScene([plans[0]!, plans[1]!]);
    await scene.execute();
    expect(read(dirOf(scene), "ISSUES.md")).toContain("slow");
    expect(read(dirOf(scene), "clarifications.md")).toContain("## c");
    const { notes } = await scene.runs.status(scene.id);
    const question = notes.find(({ kind }) => kind === "question")!;
    await scene.runs.decide(scene.id, { actor: "ada", note: question.id, answer: "a & b/c" });
    expect(read(dirOf(scene), "clarifications.md")).toContain("Answer: a & b/c");
  });

  it("S-01 no reader ever sees a torn file, and no temporary stays behind", async () => {
    const scene = await startScene([
      {
        id: "01",
        tasks: Array.from({ length: 6 }, (_, index) => ({
          name: `t${index}`,
          files: "none",
          run: "true",
        })),
      },
    ]);
    const dir = dirOf(scene);
    let looks = 0;
    const watcher = watch(dir, () => {
      if (!existsSync(join(dir, "agent-history.json"))) return;
      JSON.parse(read(dir, "agent-history.json"));
      looks += 1;
    });
    await scene.execute();
    watcher.close();
    expect(looks).toBeGreaterThan(3);
    expect(readdirSync(dir).filter((name) => /tmp|index-|message-/.test(name))).toEqual([]);
  });
});

describe("concurrency model (the list of the source document)", () => {
  it("S-08 single executor: by a claim with evidence, not by assumption", async () => {
    const scene = await startScene([
      {
        id: "01",
        tasks: [
          {
            name: "t",
            files: "none",
            run: "touch ../in; while [ ! -f ../go ]; do sleep 0.05; done",
          },
        ],
      },
    ]);
    const going = scene.execute();
    await expect.poll(() => existsSync(join(scene.root, "../in"))).toBe(true);
    const { run } = await scene.runs.status(scene.id);
    expect(run.executor?.evidence.join()).toMatch(/process|heartbeat/);
    for (const call of [
      () => scene.runs.rollback(scene.id),
      () => scene.runs.skip(scene.id, { actor: "bob", plan: "01" }),
      () => scene.runs.retry(scene.id, { actor: "bob" }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: "RUN_BUSY" });
    }
    put(join(scene.root, "../go"), "");
    await going;
    expect((await scene.runs.status(scene.id)).run.executor).toBeUndefined();
  });
});

describe("reinitialize from summaries", () => {
  it("S-07 each plan gets its summary's own status; ids and times are kept; what is not known is listed", async () => {
    const scene = await startScene(plans);
    await scene.execute();
    await scene.runs.skip(scene.id, { actor: "ada", plan: "05" });
    const was = await scene.runs.status(scene.id);
    await scene.headgate.close();
    for (const end of ["", "-wal", "-shm"])
      rmSync(join(stateFolder(scene.root), `store.db${end}`), { force: true });
    const again = await openAt(scene.root);
    const restored = await again.runs.rebuildFromSummaries(scene.id, "ada");
    expect(restored.plans).toEqual([
      { plan: "01", status: "completed" },
      { plan: "02", status: "partial" },
      { plan: "03", status: "failed" },
      { plan: "04", status: "timeout" },
      { plan: "05", status: "skipped" },
      { plan: "06", status: "pending" },
    ]);
    expect(restored.unknown.join("\n")).toContain("plan 06 has no summary");
    expect(restored.unknown.join("\n")).toContain("how its agents are started");
    const now = await again.runs.status(scene.id);
    expect(now.agents.map((agent) => [agent.agent_id, agent.started_at])).toEqual(
      was.agents.map((agent) => [agent.agent_id, agent.started_at]),
    );
    expect(now.run.plans[0]!.tasks[0]!.commit).toBe(was.run.plans[0]!.tasks[0]!.commit);
    expect(now.run.plans[0]!.state).toBe("done");
    await expect(again.runs.rebuildFromSummaries(scene.id, "ada")).rejects.toMatchObject({
      code: "RUN_STATE",
    });
  });

  it("S-07 handles an empty and a missing folder, and a summary that says nothing", async () => {
    const scene = await startScene([plans[0]!]);
    const local = scene.headgate.repository.localDir;
    const restore = (id: string) => scene.runs.rebuildFromSummaries(id, "ada");
    put(join(local, "runs/rn_000000000000000001/STATE.md"), "x");
    const none = await restore("rn_000000000000000001");
    expect(none).toMatchObject({ plans: [], agents: 0 });
    expect(none.unknown.join("\n")).toContain("there is no folder summaries");
    put(join(local, "runs/rn_000000000000000002/summaries/.keep"));
    expect((await restore("rn_000000000000000002")).unknown.join("\n")).toContain(
      "the folder summaries is empty",
    );
    put(join(local, "runs/rn_000000000000000003/summaries/01-SUMMARY.md"), "# Did things\n");
    const silent = await restore("rn_000000000000000003");
    expect(silent.plans).toEqual([]);
    expect(silent.unknown.join("\n")).toContain(
      "it does not say its status; the plan is taken as not begun",
    );
    await expect(restore("rn_000000000000000004")).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
  });

  it("S-07 L-03 run import reads the .long-run layout, keys in both spellings", async () => {
    const scene = await startScene([plans[0]!]);
    const dir = join(scene.root, "../.long-run");
    const text =
      "---\nplan: 2\n---\n# Second\n## Task: t\n- files: q.txt\n- verify: `true`\n\nRUN: echo q > q.txt\n";
    put(join(dir, "02-PLAN.md"), text);
    put(
      join(dir, "summaries/01-SUMMARY.md"),
      "---\nstatus: completed\nagentId: abc123\nstartedAt: 2026-01-02T03:04:05Z\n---\n# Plan 01: First\n",
    );
    put(join(dir, "summaries/03-SUMMARY.md"), "# Third\n\n**Status:** Failed\n");
    const entries = [
      { agent_id: "old-1", plan: "01", status: "completed", started_at: "2026-01-01T00:00:00Z" },
      { agentId: "old-2", plan: "3", status: "spawned", startedAt: "2026-01-01T01:00:00Z" },
      { plan: "04", status: "completed" },
    ];
    put(
      join(dir, "agent-history.json"),
      JSON.stringify({ version: "1.0", max_entries: 50, entries }),
    );
    put(join(dir, "ISSUES.md"), "- the cache is slow\n");
    const imported = await scene.runs.importFolder(dir, "ada");
    expect(imported.plans).toEqual([
      { plan: "01", status: "completed" },
      { plan: "02", status: "pending" },
      { plan: "03", status: "failed" },
    ]);
    const { agents, notes } = await scene.runs.status(imported.run);
    expect(agents.map((agent) => [agent.agent_id, agent.plan, agent.status])).toEqual(
      [
        ["abc123", "01", "completed"],
        ["old-1", "01", "completed"],
        ["old-2", "03", "lost"],
      ].toSorted(),
    );
    expect(notes).toMatchObject([{ kind: "issue", text: "the cache is slow" }]);
    expect(imported.unknown.join("\n")).toContain("entry 3: its agent");
    const exec = ["sh", "-c", "script=$(sed -n 's/^RUN: //p'); eval \"$script\""];
    const { run } = await scene.runs.execute({
      run: imported.run,
      signal: new AbortController().signal,
      change: { exec },
    });
    expect(run.plans.map(({ state }) => state)).toContain("done");
    expect(read(scene.root, "q.txt")).toBe("q\n");
  });
});
