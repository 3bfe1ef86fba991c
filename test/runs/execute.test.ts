import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { systemEnvironment } from "../../src/base/environment.ts";
import { systemFiles } from "../../src/base/files.ts";
import { newNamesShelf } from "../../src/gate/index.ts";
import type { Runner } from "../../src/runners/index.ts";
import { openRuns, type RunPorts } from "../../src/runs/index.ts";
import { openRunStore } from "../../src/runs/store/run-store.ts";
import { Analyser } from "../../src/structure/index.ts";
import { git } from "../helpers/git-repository.ts";
import { put } from "../helpers/temporary-folder.ts";
import {
  layOutPlans,
  openAt,
  type PlanText,
  read,
  runOptions,
  startScene,
  states,
  statusOf,
  treeOf,
} from "./scene.ts";

const write = (id: string, file: string, after: readonly string[] = []): PlanText => ({
  id,
  after,
  tasks: [
    { name: `write ${file}`, files: file, run: `echo ${id} >> ${file}`, verify: `test -f ${file}` },
  ],
});

describe("a run", () => {
  it("L-01 carries plans out in order, each task by a fresh agent, and commits each by itself", async () => {
    const scene = await startScene([
      write("01", "alpha.txt"),
      {
        id: "02",
        after: ["01"],
        tasks: [
          {
            name: "first",
            files: "beta.txt",
            run: "cat alpha.txt > beta.txt; echo $$ >> beta.txt",
            verify: "test -s beta.txt",
          },
          {
            name: "second",
            files: "beta.txt",
            run: "echo $$ >> beta.txt",
            verify: "test -s beta.txt",
          },
        ],
      },
    ]);
    const run = await scene.execute();
    expect(run.state).toBe("done");
    expect(git(scene.root, "log", "--format=%s", "--reverse").split("\n")).toEqual([
      "One",
      "write alpha.txt",
      "first",
      "second",
    ]);
    const [from, one, two] = treeOf(scene.root)["beta.txt"]!.split("\n");
    expect(from).toBe("01");
    expect(one).not.toBe(two);
    expect(statusOf(scene.root)).toBe("");
    expect(
      git(scene.root, "log", "-1", "--format=%an %(trailers:key=Headgate-Task,valueonly)"),
    ).toBe(`Ada ${scene.id} 02/2`);
    expect(run.plans[1]!.tasks[1]!.commit).toBe(git(scene.root, "rev-parse", "HEAD"));
  });

  it("L-01 plans that write different things go at the same time, the rest one after the other", async () => {
    const mark = (name: string, wait = "true") =>
      `echo in-${name} >> ../order; ${wait}; echo out-${name} >> ../order; echo x >> ${name}.txt`;
    const until = (line: string) => `until grep -q ${line} ../order; do sleep 0.05; done`;
    const scene = await startScene([
      {
        id: "01",
        tasks: [{ name: "a", files: "a1.txt", run: mark("a1", until("in-b1")), verify: "true" }],
      },
      {
        id: "02",
        tasks: [{ name: "b", files: "b1.txt", run: mark("b1", until("in-a1")), verify: "true" }],
      },
      {
        id: "03",
        writes: ["a1.txt", "c1.txt"],
        tasks: [{ name: "c", files: "c1.txt", run: mark("c1"), verify: "true" }],
      },
    ]);
    await scene.execute();
    const order = read(scene.root, "..", "order").trim().split("\n");
    expect(order.slice(0, 2).toSorted()).toEqual(["in-a1", "in-b1"]);
    expect(order.indexOf("in-c1")).toBeGreaterThan(order.indexOf("out-a1"));
    expect(Object.keys(treeOf(scene.root)).toSorted()).toEqual([
      "a.txt",
      "a1.txt",
      "b1.txt",
      "c1.txt",
    ]);
  });

  it("L-01 --parallel 1 is one plan after the other", async () => {
    const mark = (name: string) =>
      `echo in-${name} >> ../order; sleep 0.1; echo out-${name} >> ../order; echo x > ${name}.txt`;
    const scene = await startScene(
      [
        { id: "01", tasks: [{ name: "a", files: "a1.txt", run: mark("a1"), verify: "true" }] },
        { id: "02", tasks: [{ name: "b", files: "b1.txt", run: mark("b1"), verify: "true" }] },
      ],
      { parallel: 1 },
    );
    await scene.execute();
    expect(read(scene.root, "..", "order").trim().split("\n")).toEqual([
      "in-a1",
      "out-a1",
      "in-b1",
      "out-b1",
    ]);
  });

  it("L-01 commits only the listed files; the user's staged and unstaged work stays as it is; a file that nobody listed is left alone and written into ISSUES.md", async () => {
    const run = "echo x > alpha.txt; echo y > stray.txt";
    const tasks = [{ name: "t", files: "alpha.txt", run, verify: "true" }];
    const scene = await startScene([{ id: "01", tasks }], {
      prepare: (root) => {
        put(join(root, "staged.txt"), "staged\n");
        git(root, "add", "staged.txt");
        put(join(root, "a.txt"), "mine\n");
        put(join(root, "new.txt"), "mine\n");
      },
    });
    expect((await scene.execute()).state).toBe("done");
    expect(git(scene.root, "show", "--name-only", "--format=", "HEAD")).toBe("alpha.txt");
    expect(
      statusOf(scene.root)
        .split("\n")
        .map((line) => line.trim())
        .toSorted(),
    ).toEqual(["?? new.txt", "?? stray.txt", "A  staged.txt", "M a.txt"]);
    const issues = read(scene.headgate.repository.localDir, "runs", scene.id, "ISSUES.md");
    expect(issues).toContain("stray.txt");
    expect(issues).not.toContain("new.txt");
  });

  it("L-01 the user's hooks run, may refuse, and see only the task's files", async () => {
    const hook = (root: string, name: string, text: string) => {
      put(join(root, ".git/hooks", name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(root, ".git/hooks", name), 0o755);
    };
    const scene = await startScene([write("01", "alpha.txt"), write("02", "beta.txt", ["01"])], {
      prepare: (root) => {
        hook(
          root,
          "pre-commit",
          "git diff --cached --name-only >> ../hooked; ! git diff --cached --name-only | grep -q beta",
        );
        hook(root, "commit-msg", 'echo "Reviewed-by: hook" >> "$1"');
        hook(root, "post-commit", "echo post >> ../hooked");
        put(join(root, "staged.txt"), "staged\n");
        git(root, "add", "staged.txt");
      },
    });
    const run = await scene.execute();
    expect(states(run)).toEqual({ "01": "done", "02": "failed" });
    expect(run.plans[1]!.reason).toContain("pre-commit hook refused");
    expect(read(scene.root, "..", "hooked").trim().split("\n")).toEqual([
      "alpha.txt",
      "post",
      "beta.txt",
    ]);
    expect(git(scene.root, "log", "-1", "--format=%b")).toContain("Reviewed-by: hook");
    expect(git(scene.root, "log", "-1", "--format=%b")).toContain("Headgate-Op: op_");
  });

  it("L-01 what the gate refuses is not committed, and the reason reaches the next attempt", async () => {
    const scene = await startScene(
      [
        {
          id: "01",
          tasks: [
            {
              name: "code",
              files: "code.js",
              run: "n=$(cat ../n 2>/dev/null); echo x$n > ../n; if [ -z \"$n\" ]; then echo 'let = (' > code.js; else echo 'let a = 1;' > code.js; fi",
              verify: "test -s code.js",
            },
          ],
        },
      ],
      { retries: 1 },
    );
    const run = await scene.execute();
    expect(run.state).toBe("done");
    expect(run.plans[0]!.tasks[0]).toMatchObject({ tries: 2, state: "done" });
    expect(run.plans[0]!.tasks[0]!.rescues).toHaveLength(1);
    expect(scene.told.join("\n")).toContain("the gate refused");
    expect(treeOf(scene.root)["code.js"]).toBe("let a = 1;");
  });

  it("G13 a task whose judgement ran out of time fails with that reason and is not committed; retried, it is judged", async () => {
    const run = "echo 'let a = 1;' > code.js";
    const tasks = [{ name: "code", files: "code.js", run, verify: "test -s code.js" }];
    const { root, plans } = layOutPlans([{ id: "01", tasks }]);
    // Every question to it stays without an answer.
    const analyser = new Analyser();
    await analyser.close();
    const late = await openAt(root, { shared: async () => ({ analyser, shelf: newNamesShelf() }) });
    const { id } = await late.runs.create({ source: plans, actor: "ada", options: runOptions });
    const { signal } = new AbortController();
    const first = (await late.runs.execute({ run: id, signal })).run;
    expect(first.state).toBe("failed");
    expect(first.reason).toContain("code.js was not judged");
    expect(Object.keys(treeOf(root))).toEqual(["a.txt"]);
    const { runs } = await openAt(root);
    expect(await runs.retry(id, { actor: "ada" })).toBe(1);
    expect((await runs.execute({ run: id, signal })).run.state).toBe("done");
    expect(treeOf(root)["code.js"]).toBe("let a = 1;");
  });

  it("C-17 S-08 a second executor is refused with the first one's evidence", async () => {
    const scene = await startScene([
      {
        id: "01",
        tasks: [
          {
            name: "t",
            files: "t.txt",
            run: "while [ ! -f ../go ]; do sleep 0.05; done; echo x > t.txt",
            verify: "true",
          },
        ],
      },
    ]);
    const first = scene.execute();
    await expect.poll(() => scene.told.length).toBeGreaterThan(1);
    const other = await openAt(scene.root, { actor: "bob" });
    const refused = other.runs.execute({ run: scene.id, signal: new AbortController().signal });
    await expect(refused).rejects.toMatchObject({
      code: "RUN_BUSY",
      message: expect.stringMatching(/process \d+|heartbeat/),
    });
    writeFileSync(join(scene.root, "../go"), "");
    expect((await first).state).toBe("done");
    expect(
      (await other.runs.execute({ run: scene.id, signal: new AbortController().signal })).run.state,
    ).toBe("done");
    expect(git(scene.root, "rev-list", "--count", "HEAD")).toBe("2");
  });

  it("L-01 foreign claims: a task waits for them, and says who holds what when the wait is over", async () => {
    const scene = await startScene([write("01", "alpha.txt"), write("02", "beta.txt")]);
    const bob = scene.headgate.as("bob").claims;
    const held = await bob.claim({ targets: ["alpha.txt"], reason: "mine" });
    const run = await scene.execute({ claimWaitMs: 300 });
    expect(states(run)).toEqual({ "01": "needs-action", "02": "done" });
    expect(run.state).toBe("needs-action");
    expect(run.reason).toContain("alpha.txt is claimed by bob");
    expect(existsSync(join(scene.root, "alpha.txt"))).toBe(false);
    const again = scene.execute({ claimWaitMs: 300_000 });
    await expect
      .poll(() => scene.told.some((line) => line.includes("waits for alpha.txt")))
      .toBe(true);
    if (held.ok) await bob.release({ claims: held.claims.map(({ id }) => id) });
    expect((await again).state).toBe("done");
  });

  it("C-17 a claim that was lost while the agent worked stops the commit", async () => {
    const scene = await startScene([
      {
        id: "01",
        tasks: [
          {
            name: "t",
            files: "t.txt",
            run: "touch ../in; while [ ! -f ../go ]; do sleep 0.05; done; echo x > t.txt",
            verify: "true",
          },
        ],
      },
    ]);
    const going = scene.execute();
    await expect.poll(() => existsSync(join(scene.root, "../in"))).toBe(true);
    const boss = scene.headgate.as("boss").claims;
    await boss.transfer({ claims: ["t.txt"] }, { to: "bob", force: true, reason: "urgent" });
    writeFileSync(join(scene.root, "../go"), "");
    const run = await going;
    expect(run.plans[0]).toMatchObject({
      state: "failed",
      reason: expect.stringContaining("the claim was lost"),
    });
    expect(git(scene.root, "rev-list", "--count", "HEAD")).toBe("1");
  });

  it("L-02 a foreign commit in between is kept; one that touches the task's file stops the commit", async () => {
    const wait = "touch ../in; while [ ! -f ../go ]; do sleep 0.05; done; echo x >> a.txt";
    const scene = await startScene([
      { id: "01", tasks: [{ name: "t", files: "a.txt", run: wait, verify: "true" }] },
    ]);
    const going = scene.execute();
    await expect.poll(() => existsSync(join(scene.root, "../in"))).toBe(true);
    put(join(scene.root, "other.txt"), "foreign\n");
    git(scene.root, "add", "other.txt");
    git(scene.root, "commit", "-qm", "Foreign", "--", "other.txt");
    writeFileSync(join(scene.root, "../go"), "");
    expect((await going).state).toBe("done");
    expect(treeOf(scene.root)).toEqual({ "a.txt": "one\nx", "other.txt": "foreign" });
  });
});

describe("states and the way forward from each (L-05)", () => {
  it("L-05 needs-decision: an answer that comes while other plans go on is taken up at once", async () => {
    const wait = (name: string) => `while [ ! -f ../${name} ]; do sleep 0.05; done`;
    const scene = await startScene([
      {
        id: "01",
        tasks: [
          {
            name: "asks",
            files: "q.txt",
            run: "test -f ../answered && echo q > q.txt || echo 'HEADGATE: needs-decision which?'",
            verify: "test -f q.txt",
          },
        ],
      },
      { id: "02", tasks: [{ name: "slow", files: "s.txt", run: `${wait("go")}; echo s > s.txt` }] },
    ]);
    const going = scene.execute();
    const stateOf = async (): Promise<string> =>
      states((await scene.runs.status(scene.id)).run)["01"] ?? "";
    await expect.poll(stateOf).toBe("needs-decision");
    writeFileSync(join(scene.root, "../answered"), "");
    await scene.runs.decide(scene.id, { actor: "bob", note: "c1", answer: "this one" });
    await expect.poll(stateOf).toBe("done");
    writeFileSync(join(scene.root, "../go"), "");
    expect((await going).state).toBe("done");
  });

  it("L-05 failed: verify decides; retry goes on from there and keeps the failed attempt's files", async () => {
    const scene = await startScene([
      {
        id: "01",
        tasks: [
          {
            name: "t",
            files: "t.txt",
            run: "echo bad$(cat ../try 2>/dev/null) > t.txt",
            verify: "grep -q badgood t.txt",
          },
        ],
      },
      write("02", "beta.txt", ["01"]),
    ]);
    const run = await scene.execute();
    expect(run.state).toBe("failed");
    expect(states(run)).toEqual({ "01": "failed", "02": "pending" });
    expect(run.reason).toContain("verify failed: `grep -q badgood t.txt`");
    writeFileSync(join(scene.root, "../try"), "good");
    expect(await scene.runs.retry(scene.id, { actor: "ada" })).toBe(1);
    const again = await scene.execute();
    expect(again.state).toBe("done");
    const [ref] = again.plans[0]!.tasks[0]!.rescues;
    expect(git(scene.root, "show", `${ref}:t.txt`)).toBe("bad");
    expect(treeOf(scene.root)["t.txt"]).toBe("badgood");
  });

  it("L-05 a file that is too large to be judged is committed, noted as not judged, and in the events", async () => {
    const scene = await startScene([
      {
        id: "01",
        tasks: [
          {
            ...{ name: "large", files: "large.js, small.js", verify: "test -s large.js" },
            run: "echo 'let a;' > small.js; head -c 4200000 /dev/zero | tr '\\0' ' ' > large.js",
          },
        ],
      },
    ]);
    expect((await scene.execute()).state).toBe("done");
    const { notes } = await scene.runs.status(scene.id);
    expect(notes).toMatchObject([
      {
        kind: "issue",
        text: "committed without being judged: large.js (4200000 bytes, over 4194304)",
      },
    ]);
    const { events } = await scene.headgate.events.page({ last: 9, kind: "judgement.missed" });
    expect(events.map(({ data }) => data)).toEqual([
      { what: "file", where: "large.js", why: "4200000 bytes, over 4194304" },
    ]);
  });

  it("L-05 timeout is a state of its own, and more time goes on; extend gives as long again, twice; skip leaves the task out and keeps its changes aside", async () => {
    // Side by side: each has to wait for its own time.
    const plans: readonly PlanText[] = [
      {
        id: "01",
        tasks: [{ name: "t", files: "t.txt", run: "sleep 1.5; echo x > t.txt", verify: "true" }],
      },
      {
        id: "02",
        front: ["timeout: 4s", "on_timeout: extend"],
        // Longer than its time, and far from three times that.
        tasks: [{ name: "e", files: "e.txt", run: "sleep 4.5; echo x > e.txt", verify: "true" }],
      },
      {
        id: "03",
        front: ["timeout: 5s", "on_timeout: skip"],
        tasks: [
          { name: "slow", files: "s.txt", run: "echo half > s.txt; sleep 600", verify: "true" },
          { name: "next", files: "u.txt", run: "echo u > u.txt", verify: "true" },
        ],
      },
    ];
    const scene = await startScene(plans, { timeoutMs: 1_000 });
    const run = await scene.execute();
    expect(run).toMatchObject({
      state: "timeout",
      reason: expect.stringContaining("did not end within 1 s"),
    });
    expect(states(run)).toEqual({ "01": "timeout", "02": "done", "03": "done" });
    const [skipped, next] = run.plans[2]!.tasks;
    expect([skipped!.state, next!.state]).toEqual(["skipped", "done"]);
    expect(statusOf(scene.root)).toBe("");
    expect(git(scene.root, "show", `${skipped!.rescues[0]}:s.txt`)).toBe("half");
    expect((await scene.execute({ change: { timeoutMs: 300_000 } })).state).toBe("done");
  });

  it("L-05 needs-decision: answered by run decide, the answer reaches the agent", async () => {
    const ask =
      'if grep -q "^  Answer: tabs" ../prompt; then echo tabs > t.txt; else echo "HEADGATE: needs-decision tabs or spaces?"; fi';
    const scene = await startScene(
      [{ id: "01", tasks: [{ name: "t", files: "t.txt", run: ask, verify: "test -f t.txt" }] }],
      {
        exec: ["sh", "-c", "tee ../prompt | sed -n 's/^RUN: //p' > ../script; sh ../script"],
      },
    );
    const run = await scene.execute();
    expect(run).toMatchObject({ state: "needs-decision" });
    const { notes, run: shown } = await scene.runs.status(scene.id);
    expect(notes).toMatchObject([{ id: "c1", kind: "question", text: "tabs or spaces?" }]);
    expect(shown.next).toContain("run decide");
    expect((await scene.execute()).state).toBe("needs-decision");
    await scene.runs.decide(scene.id, { actor: "ada", note: "c1", answer: "tabs" });
    expect((await scene.execute()).state).toBe("done");
    expect(treeOf(scene.root)["t.txt"]).toBe("tabs");
  });

  it("L-05 needs-decision: answered in clarifications.md", async () => {
    const ask =
      'if grep -q "^  Answer: tabs & spaces" ../prompt; then echo x > t.txt; else echo "HEADGATE: needs-decision what?"; fi';
    const scene = await startScene(
      [{ id: "01", tasks: [{ name: "t", files: "t.txt", run: ask, verify: "test -f t.txt" }] }],
      {
        exec: ["sh", "-c", "tee ../prompt | sed -n 's/^RUN: //p' > ../script; sh ../script"],
      },
    );
    expect((await scene.execute()).state).toBe("needs-decision");
    const file = join(scene.headgate.repository.localDir, "runs", scene.id, "clarifications.md");
    writeFileSync(file, readFileSync(file, "utf8").replace("Answer: ", "Answer: tabs & spaces"));
    expect((await scene.execute()).state).toBe("done");
  });

  it("L-05 needs-action: what only a person can do; resume tries again", async () => {
    const need =
      'if [ -f ../token ]; then echo x > t.txt; else echo "HEADGATE: needs-action put the token there"; fi';
    const scene = await startScene([
      { id: "01", tasks: [{ name: "t", files: "t.txt", run: need, verify: "test -f t.txt" }] },
    ]);
    expect(await scene.execute()).toMatchObject({
      state: "needs-action",
      reason: "plan 01: put the token there",
    });
    writeFileSync(join(scene.root, "../token"), "");
    expect((await scene.execute()).state).toBe("done");
  });

  it("L-05 needs-action: a listed file with changes of the user's is not touched", async () => {
    const scene = await startScene([write("01", "a.txt")], {
      prepare: (root) => void put(join(root, "a.txt"), "mine\n"),
    });
    const run = await scene.execute();
    expect(run).toMatchObject({
      state: "needs-action",
      reason: expect.stringContaining("a.txt has changes that are not committed"),
    });
    expect(read(scene.root, "a.txt")).toBe("mine\n");
    git(scene.root, "commit", "-qam", "Mine");
    expect((await scene.execute()).state).toBe("done");
    expect(treeOf(scene.root)["a.txt"]).toBe("mine\n01");
  });

  it("L-05 needs-action: the budget is spent; more of it goes on", async () => {
    const { root, plans } = layOutPlans([
      write("01", "alpha.txt"),
      write("02", "beta.txt", ["01"]),
    ]);
    const headgate = await openAt(root);
    const there = async () => ({ store: await headgate.store(), scope: await headgate.scope() });
    const asked: (number | undefined)[] = [];
    const runner: Runner = {
      name: "priced",
      family: "test",
      run: async ({ label, budgetUsd }) => {
        asked.push(budgetUsd);
        put(join(root, label.includes("/01/") ? "alpha.txt" : "beta.txt"), "x\n");
        const usage = { inputTokens: 1_000, outputTokens: 10 };
        return { ended: "answer", text: "", usage, costUsd: 0.6, truncated: false, tries: 1 };
      },
    };
    const ports: RunPorts = {
      repository: headgate.repository,
      environment: { ...systemEnvironment(), cwd: root },
      files: systemFiles,
      clock: systemClock,
      place: { open: there, look: there },
      as: headgate.as,
      runnerOf: async () => runner,
    };
    const runs = openRuns({ ports, portsAt: async () => ports });
    const options = { ...runOptions, budgetUsd: 0.5 };
    const { id } = await runs.create({ source: plans, actor: "ada", options });
    const signal = new AbortController().signal;
    const { run } = await runs.execute({ run: id, signal });
    expect(run).toMatchObject({
      state: "needs-action",
      spent: { inputTokens: 1_000, costUsd: 0.6 },
    });
    expect(run.reason).toContain("the budget of 0.5 USD is spent");
    expect(states(run)).toEqual({ "01": "done", "02": "needs-action" });
    const again = await runs.execute({ run: id, signal, change: { budgetUsd: 2 } });
    expect(again.run.state).toBe("done");
    expect(asked).toEqual([0.5, 1.4]);
  });

  it("L-05 skipped: a failed plan is left out and what depends on it goes on", async () => {
    const scene = await startScene([
      {
        id: "01",
        tasks: [{ name: "t", files: "t.txt", run: "echo x > t.txt; exit 3", verify: "true" }],
      },
      write("02", "beta.txt", ["01"]),
    ]);
    expect(await scene.execute()).toMatchObject({
      state: "failed",
      reason: expect.stringContaining("exit code 3"),
    });
    await scene.runs.skip(scene.id, { actor: "ada", plan: "01" });
    const run = await scene.execute();
    expect(run.state).toBe("done");
    expect(states(run)).toEqual({ "01": "skipped", "02": "done" });
  });

  it("L-05 paused: a run that is asked to pause stops after its task, and resumes", async () => {
    const scene = await startScene([
      {
        id: "01",
        tasks: [
          {
            name: "t",
            files: "t.txt",
            run: "touch ../in; while [ ! -f ../go ]; do sleep 0.01; done; echo x > t.txt",
            verify: "true",
          },
          { name: "u", files: "u.txt", run: "echo x > u.txt", verify: "true" },
        ],
      },
    ]);
    const going = scene.execute();
    await expect.poll(() => existsSync(join(scene.root, "../in"))).toBe(true);
    expect(await scene.runs.pause(scene.id, { actor: "ada", now: false })).toBe("asked");
    // The task ends right away, long before the executor looks around again.
    writeFileSync(join(scene.root, "../go"), "");
    const run = await going;
    expect(run).toMatchObject({ state: "paused", reason: "paused by request" });
    expect(run.plans[0]!.tasks.map(({ state }) => state)).toEqual(["done", "pending"]);
    expect((await scene.execute()).state).toBe("done");
  });

  it("L-02 Ctrl-C ends the agent, keeps what it did aside, and the task begins anew", async () => {
    const scene = await startScene([
      {
        id: "01",
        tasks: [
          {
            name: "t",
            files: "t.txt",
            run: "echo line >> t.txt; touch ../in; test -f ../fast || sleep 600",
            verify: "true",
          },
        ],
      },
    ]);
    const stop = new AbortController();
    const going = scene.execute({ signal: stop.signal });
    await expect.poll(() => existsSync(join(scene.root, "../in"))).toBe(true);
    stop.abort();
    expect(await going).toMatchObject({ state: "paused", reason: "interrupted" });
    writeFileSync(join(scene.root, "../fast"), "");
    const run = await scene.execute();
    expect(run.state).toBe("done");
    expect(treeOf(scene.root)["t.txt"]).toBe("line");
    expect(git(scene.root, "show", `${run.plans[0]!.tasks[0]!.rescues[0]}:t.txt`)).toBe("line");
  });
});

describe("deviation rules", () => {
  it("L-05 fix and note, log as issue: agents' lines are kept; nothing else they say counts", async () => {
    const say = [
      "echo x > t.txt",
      "echo 'HEADGATE: fixed a typo'",
      "echo 'HEADGATE: issue the \u001b[31mlogin is slow'",
      "echo 'the text says HEADGATE: needs-decision nothing'",
    ].join("\n");
    const scene = await startScene([
      { id: "01", tasks: [{ name: "t", files: "t.txt", run: say, verify: "true" }] },
    ]);
    expect((await scene.execute()).state).toBe("done");
    const { notes } = await scene.runs.status(scene.id);
    expect(notes.map(({ kind }) => kind)).toEqual(["fixed", "issue"]);
    const issues = read(scene.headgate.repository.localDir, "runs", scene.id, "ISSUES.md");
    expect(issues).toContain("repaired: a typo");
    expect(issues).not.toContain("\u001b");
  });

  it("L-03 the history is bounded at 50, in the file and however many agents there were", async () => {
    const tasks = Array.from({ length: 3 }, (_, index) => ({
      name: `t${index}`,
      files: "none",
      run: "true",
    }));
    const scene = await startScene([{ id: "01", tasks }]);
    // Fifty that were there before the three.
    const there = async () => ({
      store: await scene.headgate.store(),
      scope: await scene.headgate.scope(),
    });
    const before = Array.from({ length: 50 }, (_, number) => ({
      ...{ agent_id: `ag_${String(number).padStart(4, "0")}`, plan: "00", task: number },
      ...({ status: "completed", started_at: "2026-01-01T00:00:00.000Z" } as const),
      ...{ input_tokens: 0, output_tokens: 0 },
    }));
    await openRunStore({ open: there, look: there }, scene.id).restoreAgents("ada", before);
    expect((await scene.execute()).state).toBe("done");
    const dir = join(scene.headgate.repository.localDir, "runs", scene.id);
    const history = JSON.parse(read(dir, "agent-history.json")) as {
      max_entries: number;
      entries: { plan: string; task: number }[];
    };
    expect(history.max_entries).toBe(50);
    expect(history.entries).toHaveLength(50);
    expect(history.entries.map(({ plan, task }) => `${plan}/${task}`)).toEqual([
      ...Array.from({ length: 47 }, (_, number) => `00/${number + 3}`),
      ...["01/1", "01/2", "01/3"],
    ]);
    expect(readdirSync(dir)).not.toContain("current-agent-id.txt");
  });
});
