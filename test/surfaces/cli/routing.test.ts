import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makeRepository } from "../../helpers/git-repository.ts";
import { runInside } from "../../helpers/inside.ts";
import { run } from "../../helpers/program.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";
import { stateFolder } from "../../helpers/state-folder.ts";

const newProject = (): string => {
  const cwd = makeRepository(join(temporaryFolder(), "app"));
  put(
    join(cwd, ".claude/agents/fd-noisy.md"),
    "---\nname: fd-noisy\ndescription: noisy\n---\nSay much.\n",
  );
  git(cwd, "config", "user.name", "Ada");
  git(cwd, "config", "user.email", "ada@example.org");
  return cwd;
};
const routing = (cwd: string, ...args: string[]) => runInside(["routing", ...args], { cwd });
const json = async (cwd: string, ...args: string[]) => {
  const { code, stdout, stderr } = await routing(cwd, ...args, "--json");
  expect(stderr).not.toContain("INTERNAL");
  return { exit: code, ...(JSON.parse(stdout) as Record<string, never>) };
};

describe("headgate routing", () => {
  it("proposes every action by its name alone, the mildest measure of it; a scope needs its paths", async () => {
    const cwd = newProject();
    const propose = (action: string, ...more: string[]) =>
      json(cwd, "propose", "fd-noisy", "--action", action, "--reason", "noise", ...more);
    for (const [action, details] of [
      ["floor", { floor: "P2" }],
      ["sample", { every: 4 }],
      ["stage", {}],
      ["exclude", {}],
    ] as const) {
      expect(await propose(action)).toMatchObject({
        exit: 0,
        proposal: { reviewer: "fd-noisy", action, ...details },
      });
    }
    expect(await propose("scope")).toMatchObject({
      exit: 2,
      message: expect.stringContaining("--except GLOB") as string,
    });
    const scope = ["--action", "scope", "--except", "docs/**", "--reason", "noise"];
    const real = await run(["routing", "propose", "fd-noisy", ...scope], { cwd });
    expect(real).toMatchObject({ code: 0, stdout: expect.stringContaining("fd-noisy") });
  });

  it("R-10 R-11 R-06 the whole way: noise, proposal, approval, commit, losses, alert, revert, blacklist, unblock", async () => {
    const cwd = newProject();
    const lines = Array.from({ length: 16 }, (_, index) =>
      JSON.stringify({
        reviewer: "fd-noisy",
        outcome: "dismissed",
        reason: "wrong",
        session: `s${index % 4}`,
        change: `c${index % 5}`,
      }),
    );
    put(join(cwd, "../evidence.jsonl"), `${lines.join("\n")}\n`);
    expect(await json(cwd, "evidence", "import", "../evidence.jsonl")).toMatchObject({
      exit: 0,
      added: 16,
    });
    expect(
      await json(
        cwd,
        "evidence",
        "add",
        "--reviewer",
        "fd-noisy",
        "--outcome",
        "accepted",
        "--session",
        "s1",
        "--severity",
        "P2",
      ),
    ).toMatchObject({ exit: 0, added: 1 });
    expect(await json(cwd, "patterns")).toMatchObject({
      patterns: [
        {
          reviewer: "fd-noisy",
          class: "noise",
          state: "ready",
          outcomes: 17,
          wrong: 16,
          eValue: expect.any(Number),
        },
      ],
    });
    const explained = await routing(cwd, "patterns", "--explain");
    expect(explained.stdout).toContain("16 of 17 findings with a known outcome, 1 right; e-value");

    const proposed = (await json(
      cwd,
      "propose",
      "fd-noisy",
      "--action",
      "exclude",
      "--reason",
      "only noise",
    )) as unknown as {
      exit: number;
      proposal: { id: string };
    };
    expect(proposed).toMatchObject({
      exit: 0,
      proposal: { reviewer: "fd-noisy", action: "exclude", state: "proposed" },
    });
    const { id } = proposed.proposal;
    expect(await json(cwd, "apply", id)).toMatchObject({ exit: 1, ok: false });
    expect(await json(cwd, "approve", id, "--as", "claude:s9")).toMatchObject({
      exit: 0,
      proposal: { approver: "claude:s9" },
    });
    const applied = await json(cwd, "apply", id);
    expect(applied).toMatchObject({
      exit: 0,
      done: true,
      kind: "apply",
      commit: git(cwd, "rev-parse", "HEAD"),
    });
    expect(git(cwd, "log", "-1", "--format=%an %s")).toBe(
      "Ada headgate: override fd-noisy (exclude)",
    );
    expect(await json(cwd, "apply", id)).toMatchObject({
      exit: 0,
      done: false,
      why: expect.stringContaining("already applied by"),
    });

    expect(
      await json(cwd, "canary", "record", "fd-noisy", "--clean", "7", "--loss", "0"),
    ).toMatchObject({
      canary: { state: "MONITORING", shadows: 7, needed: 11 },
    });
    const text = await routing(cwd, "status");
    expect(text.stdout).toContain("11 more clean shadows to pass");
    expect(text.stdout).toMatch(/7 shadows, 0 losses {2}[▁▂▃▄▅▆▇█]{7}/);
    const alert = await routing(cwd, "canary", "record", "fd-noisy", "--clean", "0", "--loss", "3");
    expect(alert.stdout).toContain("take it back: headgate routing revert fd-noisy");
    expect(await json(cwd, "status")).toMatchObject({
      overrides: [
        {
          reviewer: "fd-noisy",
          action: "exclude",
          commit: git(cwd, "rev-parse", "HEAD"),
          vanished: false,
        },
      ],
      canaries: [
        {
          reviewer: "fd-noisy",
          state: "ALERT",
          shadows: 10,
          losses: 3,
          alarm: expect.any(Number),
          clear: expect.any(Number),
        },
      ],
      blacklist: [],
    });

    expect(await json(cwd, "revert", "fd-noisy", "--reason", "it missed three")).toMatchObject({
      exit: 0,
      kind: "revert",
    });
    expect(await json(cwd, "status")).toMatchObject({
      overrides: [],
      canaries: [],
      blacklist: [{ pattern: "fd-noisy", reason: "it missed three" }],
    });
    expect((await routing(cwd, "revert", "fd-noisy")).code).toBe(0);
    const refused = await routing(
      cwd,
      "propose",
      "fd-noisy",
      "--action",
      "exclude",
      "--reason",
      "again",
    );
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("fd-noisy is on the blacklist (it missed three)");
    expect(await json(cwd, "unblock", "fd-noisy")).toMatchObject({ exit: 0, wasBlocked: true });
    expect(await json(cwd, "unblock", "fd-noisy")).toMatchObject({ exit: 0, wasBlocked: false });
    expect(
      (await routing(cwd, "propose", "fd-noisy", "--action", "exclude", "--reason", "again")).code,
    ).toBe(0);
    expect(await json(cwd, "verify")).toMatchObject({ exit: 0, ok: true, commits: 2 });
    // A lost store comes back from git alone.
    rmSync(stateFolder(cwd), { recursive: true });
    expect(await json(cwd, "verify")).toMatchObject({ exit: 1, ok: false });
    expect(await json(cwd, "rebuild")).toMatchObject({ exit: 0, added: 2 });
    expect(await json(cwd, "verify")).toMatchObject({ exit: 0 });
    expect(git(cwd, "status", "--porcelain", "--", ".headgate")).toBe("");
  });

  it("R-08 R-07 says what is wrong with the file or its path, and status goes on", async () => {
    const cwd = newProject();
    put(join(cwd, ".headgate/routing-overrides.json"), "{ nonsense");
    const status = await routing(cwd, "status");
    expect(status).toMatchObject({ code: 0 });
    expect(status.stdout).toContain("routing-overrides.json is malformed: line 1:");
    expect(await json(cwd, "revert", "fd-noisy")).toMatchObject({ exit: 1, ok: false });
    put(join(cwd, ".headgate/config.jsonc"), '{ "routing": { "path": "/etc/overrides.json" } }');
    const absolute = await routing(cwd, "status");
    expect(absolute.code).toBe(2);
    expect(absolute.stderr).toContain("must be a path relative to the repository");
  });

  it("a repository's own configuration cannot weaken a guard, but may add to those who are guarded", async () => {
    const cwd = newProject();
    for (const [key, value] of Object.entries({
      changesPerDay: 1000,
      eValue: 2,
      sessions: 1,
      autoRevert: true,
      harmful: 0.9,
    })) {
      put(join(cwd, ".headgate/config.jsonc"), JSON.stringify({ routing: { [key]: value } }));
      const { code, stderr } = await routing(cwd, "status");
      expect({ key, code }).toEqual({ key, code: 2 });
      expect(stderr).toContain("CONFIG_NOT_TRUSTED");
    }
    put(join(cwd, ".headgate/config.jsonc"), '{ "routing": { "guarded": ["fd-noisy"] } }');
    const { proposal } = (await json(
      cwd,
      "propose",
      "fd-noisy",
      "--action",
      "stage",
      "--reason",
      "x",
    )) as unknown as { proposal: { id: string } };
    const asked = await routing(cwd, "approve", proposal.id);
    expect(asked.code).toBe(1);
    expect(asked.stderr).toContain("--confirm fd-noisy");
    expect((await routing(cwd, "approve", proposal.id, "--confirm", "fd-noisy")).code).toBe(0);
  });

  it.each([
    [["propose"], 2, "REVIEWER is missing"],
    [["propose", "fd-nosy", "--action", "exclude"], 4, "did you mean fd-noisy?"],
    [["propose", "fd-noisy"], 1, "nothing is known of its findings"],
    [["approve", "pr_none"], 4, "no proposal has the id pr_none"],
    [["apply", "pr_none"], 4, "no proposal has the id pr_none"],
    [["revert", "fd-noisy"], 4, "there is no override of fd-noisy"],
    [["canary", "record", "fd-noisy", "--clean", "1"], 4, "no override of fd-noisy is watched"],
    [["canary", "sing"], 2, "canary takes record, escape, extend or check"],
    [["evidence", "add", "--reviewer", "fd-noisy"], 2, "--outcome is missing"],
    [
      ["evidence", "add", "--reviewer", "fd-noisy", "--outcome", "accepted", "--reason", "wrong"],
      2,
      "a reason goes with dismissed",
    ],
    [["evidence", "import", "none.jsonl"], 2, "cannot read"],
  ])("answers %j with exit code %i and one line", async (args, code, message) => {
    const cwd = newProject();
    const answer = await routing(cwd, ...args);
    expect(answer.code).toBe(code);
    expect(answer.stdout + answer.stderr).toContain(message);
  });

  it("R-10 evidence that is held is shown with its reason, and confirmed by somebody else; autonomy is a person's", async () => {
    const cwd = newProject();
    const by = (actor: string, ...args: string[]) =>
      runInside(["--as", actor, "routing", ...args], { cwd });
    const told = ["evidence", "add", "--reviewer", "fd-noisy", "--outcome", "dismissed"];
    const forged = await by("claude:one", ...told, "--reason", "wrong", "--session", "codex:two");
    expect(forged.stdout).toContain("held: it counts when another session or a person confirms it");
    const held = await routing(cwd, "evidence", "held");
    expect(held.stdout).toMatch(
      /fd-noisy {2}dismissed wrong {2}held: told in the name of another session\n {2}told by claude:one for codex:two/,
    );
    expect((await routing(cwd, "patterns")).stderr).toContain("1 outcome held and not counted");
    expect((await routing(cwd, "status")).stdout).toContain("1 outcome held, not counted yet");
    const own = await by("claude:one", "evidence", "confirm", "--reviewer", "fd-noisy");
    expect(own).toMatchObject({ code: 1, stdout: "" });
    expect(own.stderr).toContain("a session does not confirm what it told itself");
    expect(await json(cwd, "evidence", "confirm", "--session", "codex:two")).toEqual({
      ...{ exit: 0, ok: true, confirmed: 1, own: 0 },
    });
    expect((await routing(cwd, "patterns")).stdout).toMatch(/^fd-noisy +noise/);
    expect((await routing(cwd, "evidence", "confirm")).code).toBe(2);
    expect((await routing(cwd, "evidence", "discard", "ev_none")).code).toBe(4);
    expect((await by("claude:one", "autonomy", "off", "--reason", "release")).code).toBe(0);
    expect(await routing(cwd, "autonomy")).toMatchObject({
      ...{ code: 1, stdout: "autonomy is off: turned off by claude:one: release\n" },
    });
    expect((await routing(cwd, "status")).stdout).toMatch(/^Autonomy is off: turned off by claude/);
    expect(await json(cwd, "autonomy", "on")).toMatchObject({ exit: 0, isOn: true, why: null });
  });
});
