import { describe, expect, it } from "vitest";
import { probeFor } from "../../../src/review/faults/index.ts";
import { git } from "../../helpers/git-repository.ts";
import { looks, report, says, scriptedPlace } from "../../review/conduct/scripted.ts";

const found = (ids: readonly string[], name: string) =>
  probeFor({ name })
    .faults.filter(({ id }) => ids.includes(id))
    .map(({ path, line, id }) => ({
      ...{ title: `Fault ${id}`, severity: "P1", place: `${path}:${line}` },
    }));

/** Alternatives: the first whose words stand in the prompt. */
const steps = (alternatives: readonly object[]) => [alternatives as never] as const;

describe("routing with scripted reviewers", () => {
  it("R-11 planted faults show what excluding a reviewer would lose, before anybody approves it", async () => {
    const severe = probeFor({ name: "data-migration" })
      .faults.filter(({ severity }) => severity < "P2")
      .map(({ id }) => id);
    expect(severe.length).toBeGreaterThanOrEqual(2);
    const [first = ""] = severe;
    const { json, run } = await scriptedPlace([
      says("data-migration", report("data-migration", found(severe, "data-migration"))),
      says("correctness", report("correctness", found([first], "data-migration"))),
      says("safety", { garbage: true, text: "x" }),
    ]);
    const probed = await json(["routing", "probe", "data-migration"]);
    expect(probed).toMatchObject({
      exit: 1,
      loss: {
        ...{ both: [first], onlyWith: severe.slice(1), none: [] },
        untried: [{ reviewer: "safety", why: expect.stringMatching(/^error: ./) }],
      },
      probe: { reviewer: "data-migration", both: 1, onlyWith: severe.length - 1 },
    });
    const { probes } = await json(["routing", "status"]);
    expect(probes).toMatchObject([{ reviewer: "data-migration" }]);
    const text = await run(["routing", "probe", "data-migration"]);
    expect(text.stdout).toContain("would be lost");
    expect(text.stdout).toMatch(/not judged {2}safety: error: ./);
    const unknown = await run(["routing", "probe", "data-migratoin"]);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("data-migration?") });
  });

  it("R-10 R-11 R-06 a noisy one: dismissed, proposed, excluded, watched in shadow, lost, reverted, unblocked", async () => {
    const noise = { title: "Names could be longer", severity: "P3", place: "src/a.js:1" };
    const loss = { title: "The queue drops messages", severity: "P0", place: "src/a.js:2" };
    const { json, run, edit, cwd } = await scriptedPlace([
      // The later rounds of the file have another answer.
      says(
        "performance",
        ...steps([
          { when: "round = 10", text: report("performance", [loss]) },
          { text: report("performance", [noise]) },
        ]),
      ),
      says("tests", report("tests", [])),
      looks({ "queue drops": "confirmed" }),
    ]);
    git(cwd, "config", "user.name", "Ada");
    git(cwd, "config", "user.email", "ada@example.org");
    edit("src/a.js", "export const round = 0;\nexport const queue = [];\n");
    await json(["review", "--reviewers", "performance,tests", "--no-verify"]);
    const { findings } = await json(["findings", "list"]);
    for (const { id } of findings) await run(["findings", "dismiss", id, "--reason", "wrong"]);
    const dismissed = ["--reviewer", "performance", "--outcome", "dismissed", "--reason", "wrong"];
    for (let round = 1; round < 10; round += 1) {
      const where = ["--change", `c${round}`, "--session", `s${round % 4}`];
      await run(["routing", "evidence", "add", ...dismissed, ...where]);
    }
    const { patterns } = await json(["routing", "patterns"]);
    expect(patterns).toMatchObject([
      { reviewer: "performance", class: "noise", state: "ready", outcomes: 10 },
    ]);
    const propose = ["--action", "exclude", "--reason", "noise here"];
    const { proposal } = await json(["routing", "propose", "performance", ...propose]);
    await json(["routing", "approve", proposal.id]);
    const applied = await run(["routing", "apply", proposal.id]);
    expect(applied.code, applied.stderr).toBe(0);
    let state = "MONITORING";
    for (let round = 0; round < 4 && state !== "ALERT"; round += 1) {
      edit("src/a.js", `export const round = ${100 + round};\nexport const queue = [${round}];\n`);
      const outcome = await json(["review"]);
      const considered = outcome.triage.considered.find(
        (one: { reviewer: string }) => one.reviewer === "performance",
      );
      expect(considered.decision.state).toBe("shadow");
      expect(outcome.counts.bySeverity.P0).toBe(0);
      const { canaries } = await json(["routing", "status"]);
      state = canaries[0].state;
      expect(canaries[0]).toMatchObject({ reviewer: "performance", losses: round + 1 });
    }
    expect(state).toBe("ALERT");
    expect(await json(["routing", "revert", "performance"])).toMatchObject({ exit: 0 });
    const reverted = await json(["routing", "status"]);
    expect(reverted.overrides).toEqual([]);
    expect(reverted.blacklist).toMatchObject([{ pattern: "performance" }]);
    const again = await run(["routing", "propose", "performance", ...propose]);
    expect(again.code).toBe(1);
    await run(["routing", "unblock", "performance"]);
    expect((await json(["routing", "status"])).blacklist).toEqual([]);
  }, 300_000);
});
