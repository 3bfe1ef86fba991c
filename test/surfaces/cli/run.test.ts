import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../../helpers/git-repository.ts";
import { runInside } from "../../helpers/inside.ts";
import { run, start } from "../../helpers/program.ts";
import { put } from "../../helpers/temporary-folder.ts";
import { layOutPlans, type PlanText, scriptedAgent, statusOf, treeOf } from "../../runs/scene.ts";

interface Shown {
  readonly run: {
    id: string;
    state: string;
    plans: {
      plan: string;
      state: string;
      tasks: { name: string; state: string; commit?: string }[];
    }[];
  };
}

const alpha: PlanText = {
  id: "01",
  writes: ["alpha.txt"],
  tasks: [
    {
      name: "write alpha",
      files: "alpha.txt",
      run: "echo hello > alpha.txt",
      verify: "test -f alpha.txt",
    },
  ],
};

describe("headgate run", () => {
  it("L-01 start PLANDIR --exec ARGV…: the agent's own words are not ours, and status --json has product.md's shape", async () => {
    const { root } = layOutPlans([alpha]);
    put(join(root, "plans/01-PLAN.md"), readPlan(root));
    git(root, "add", "plans");
    git(root, "commit", "-qm", "Plans");
    const agent = put(
      join(root, "../agent.sh"),
      'echo "$@" > ../args; script=$(sed -n "s/^RUN: //p"); eval "$script"\n',
    );
    const done = await run(
      ["run", "start", "plans", "--exec", "sh", agent, "--json", "--help", "--", "-x"],
      { cwd: root },
    );
    expect(done.stderr).toContain("01: test -f alpha.txt");
    expect(done.code).toBe(0);
    expect(readFileSync(join(root, "../args"), "utf8").trim()).toBe("--json --help -- -x");
    const status = await run(["run", "status", "--json"], { cwd: root });
    const { run: shown } = JSON.parse(status.stdout) as Shown;
    const commit = git(root, "rev-parse", "HEAD");
    expect(shown).toMatchObject({
      id: expect.stringMatching(/^rn_/),
      state: "done",
      plans: [
        { plan: "01", state: "done", tasks: [{ name: "write alpha", state: "done", commit }] },
      ],
    });
    expect(treeOf(root)["alpha.txt"]).toBe("hello");
    const report = await runInside(["run", "report"], { cwd: root });
    expect(report.stdout).toContain("| 01 | write alpha | done |");
  });

  it("L-02 Ctrl-C saves and exits with 130; resume goes on", async () => {
    const { root, plans } = layOutPlans([
      alpha,
      {
        id: "02",
        after: ["01"],
        tasks: [
          {
            name: "slow",
            files: "b.txt",
            run: "echo half > b.txt; touch ../in; test -f ../fast || sleep 600",
            verify: "true",
          },
        ],
      },
    ]);
    const started = start(["run", "start", plans, "--json", "--exec", ...scriptedAgent], {
      cwd: root,
    });
    await expect.poll(() => existsSync(join(root, "../in"))).toBe(true);
    started.child.kill("SIGINT");
    const ended = await started.ended;
    expect(ended.code).toBe(130);
    expect((JSON.parse(ended.stdout) as Shown).run.state).toBe("paused");
    writeFileSync(join(root, "../fast"), "");
    const resumed = await runInside(["run", "resume", "--json"], { cwd: root });
    expect(resumed.code).toBe(0);
    expect(git(root, "log", "--format=%s", "--reverse").split("\n")).toEqual([
      "One",
      "write alpha",
      "slow",
    ]);
    expect(statusOf(root)).toBe("");
  });

  it("S-08 two programs on one run: the second is refused with the first's evidence", async () => {
    const { root, plans } = layOutPlans([
      {
        id: "01",
        tasks: [
          {
            name: "slow",
            files: "b.txt",
            run: "touch ../in; while [ ! -f ../go ]; do sleep 0.05; done; echo b > b.txt",
            verify: "true",
          },
        ],
      },
    ]);
    const first = start(["run", "start", plans, "--exec", ...scriptedAgent], { cwd: root });
    await expect.poll(() => existsSync(join(root, "../in"))).toBe(true);
    const second = await runInside(["run", "resume", "--json"], { cwd: root });
    expect(second.code).toBe(1);
    expect(JSON.parse(second.stdout)).toMatchObject({
      ok: false,
      code: "RUN_BUSY",
      message: expect.stringContaining("is carried out by run:rn_"),
    });
    writeFileSync(join(root, "../go"), "");
    expect((await first.ended).code).toBe(0);
  });

  it("L-05 check, new, skip, decide, rollback, rebuild, clean: one line each, and the exit codes of the table", async () => {
    const { root } = layOutPlans([]);
    const here = (...args: string[]) => runInside(["run", ...args], { cwd: root });
    expect((await here("new", "../p", "--count", "1")).code).toBe(0);
    expect((await here("new", "../p")).code).toBe(1);
    expect((await here("check", "../p")).code).toBe(0);
    put(
      join(root, "../bad/01-PLAN.md"),
      "---\nplan: 1\ndepends_on: [7]\n---\n## Task: t\n- files: ../x\n",
    );
    const bad = await here("check", "../bad", "--json");
    expect(bad.code).toBe(1);
    expect(JSON.parse(bad.stdout)).toMatchObject({ ok: false });
    expect((await here("start", "../bad", "--exec", "true")).code).toBe(2);
    expect((await here("start", "../nothing", "--exec", "true")).code).toBe(4);
    expect((await here("start", "../p")).stderr).toContain(
      "add --exec PROGRAM ARGUMENTS… at the end",
    );
    expect((await here("status")).code).toBe(4);
    put(
      join(root, "../q/01-PLAN.md"),
      "---\nplan: 1\n---\n# Q\n## Task: t\n- files: t.txt\n- verify: `true`\n\ntext\n",
    );
    const asks = await here(
      "start",
      "../q",
      "--json",
      "--exec",
      "sh",
      "-c",
      "if grep -q '  Answer: yes'; then echo x > t.txt; else echo 'HEADGATE: needs-decision ok?'; fi",
    );
    expect(asks.code).toBe(1);
    expect((JSON.parse(asks.stdout) as Shown).run.state).toBe("needs-decision");
    expect((await here("decide", "c7", "yes")).code).toBe(4);
    expect((await here("decide", "c1", "yes")).code).toBe(0);
    expect((await here("resume")).code).toBe(0);
    expect((await here("rebuild")).stdout).toContain("made anew");
    expect((await here("rollback")).stdout).toContain("1 commit and 1 file taken back");
    expect((await here("skip", "09")).code).toBe(4);
    const { run: last } = JSON.parse((await here("status", "--json")).stdout) as Shown;
    expect((await here("clean", last.id)).code).toBe(0);
    expect(JSON.parse((await here("list", "--json")).stdout)).toEqual({ runs: [] });
  });

  it("L-01 E-04 in a repository that init has set up: our own git hooks judge the same commits, and pass", async () => {
    const { root, plans } = layOutPlans([
      alpha,
      {
        id: "02",
        after: ["01"],
        tasks: [{ name: "b", files: "b.txt", run: "echo b > b.txt", verify: "true" }],
      },
    ]);
    put(join(root, "CLAUDE.md"), "# Rules\n");
    expect((await runInside(["init", "--yes"], { cwd: root })).code).toBe(0);
    git(root, "add", "-A");
    git(root, "commit", "-qm", "Set up", "--no-verify");
    const done = await runInside(["run", "start", plans, "--exec", ...scriptedAgent], {
      cwd: root,
    });
    expect(done.code, done.stderr).toBe(0);
    const { stdout } = await runInside(["events", "--last", "60", "--json"], { cwd: root });
    expect(stdout.match(/"commit\.judged"/g)).toHaveLength(2);
    expect(stdout).not.toMatch(/"commit\.unjudged","actor":"run:/);
  });

  it("L-01 a plan may name its agent: a runner of the user's configuration, which acts under the plan's name", async () => {
    const { root, plans } = layOutPlans([
      {
        ...alpha,
        front: ["agent: mine"],
        tasks: [
          {
            name: "who",
            files: "alpha.txt",
            run: "echo $HEADGATE_ACTOR > alpha.txt",
            verify: "test -s alpha.txt",
          },
        ],
      },
    ]);
    const script = put(
      join(root, "../agent.sh"),
      'script=$(sed -n "s/^RUN: //p"); eval "$script"\n',
    );
    const runners = { mine: { kind: "exec", argv: ["sh", script] } };
    put(join(root, "../no-home/config/headgate/config.jsonc"), JSON.stringify({ runners }));
    const done = await runInside(["run", "start", plans], { cwd: root });
    expect(done.code, done.stderr).toBe(0);
    expect(treeOf(root)["alpha.txt"]).toMatch(/^run:rn_\w+\/plan-01$/);
  });

  it("R-13 a repository whose git does not know who commits: needs-action with git's own words", async () => {
    const { root, plans } = layOutPlans([alpha]);
    git(root, "config", "--unset", "user.email");
    git(root, "config", "user.useConfigOnly", "true");
    const done = await runInside(["run", "start", plans, "--json", "--exec", ...scriptedAgent], {
      cwd: root,
    });
    expect(done.code).toBe(1);
    expect((JSON.parse(done.stdout) as Shown).run).toMatchObject({ state: "needs-action" });
    expect(done.stdout).toMatch(/identity|email/i);
  });
});

const readPlan = (root: string): string => readFileSync(join(root, "../plans/01-PLAN.md"), "utf8");
