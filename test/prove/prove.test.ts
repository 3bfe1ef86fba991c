import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeHistory } from "../../prove/generated-history.ts";
import { readWindow } from "../../prove/history.ts";
import { measureRun } from "../../prove/measure.ts";
import { modes, runMode } from "../../prove/modes.ts";
import { formatReport } from "../../prove/report.ts";
import { Analyser } from "../../src/structure/index.ts";
import { requireFreshBuild } from "../helpers/fresh-build.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

requireFreshBuild();

/** The short form: eight tasks of a generated history, three agents, most of the work in one file. */
const prove = async (name: string) => {
  const analyser = new Analyser();
  onTestFinished(() => analyser.close());
  const repo = makeHistory(join(temporaryFolder(), "history"));
  const window = await readWindow({ repo, commits: 8, isHot: false, end: "HEAD" }, analyser);
  const mode = modes.find((one) => one.name === name)!;
  const patience = { tries: 4, waitMs: [50, 200] } as const;
  const run = await runMode({ mode, repo, window, agents: 3, seed: 1, patience });
  const result = await measureRun(mode, run, window, analyser);
  return { run, result, ...result.measured };
};

describe("npm run prove, the short form", () => {
  test("N-00 agents in one checkout with Headgate lose no line that was written", async () => {
    const { run, result, ...measured } = await prove("headgate");
    const { tasks, landed, absorbed, stuck, lost, left } = measured;
    expect(tasks).toBe(8);
    expect(landed + absorbed + stuck).toBe(tasks);
    expect(lost).toBe(left);
    expect(measured).toMatchObject({ broken: 0, foreign: 0 });
    // Its sessions were told the rules: their client ran the hooks.
    expect(run.log.some((entry) => entry.kind === "heard" && entry.isStart)).toBe(true);
    expect(run.commits.map(({ task }) => task)).not.toContain(undefined);
    const report = formatReport([{ window: "short", mode: "headgate", seed: 1, ...result }]);
    expect(report).toContain("## short");
    const rows = report.split("\n").filter((line) => line.startsWith("| "));
    expect(rows).toHaveLength(4);
    // Each row has a cell for every title.
    expect(new Set(rows.map((row) => row.split(" | ").length)).size).toBe(1);
    // Sessions of such a small history have nothing to hear that would fill a screen.
    expect(measured.heardMost).toBeLessThan(1000);
  });

  test("N-00 plain git in one checkout commits every line, in whatever commit", async () => {
    const measured = await prove("plain-all");
    expect(measured).toMatchObject({ tasks: 8, stuck: 0, lost: 0, humanCommands: 0 });
    expect(measured.landed + measured.absorbed).toBe(8);
  });

  test("N-00 a worktree per task has no foreign lines", async () => {
    const measured = await prove("worktrees-plain");
    expect(measured).toMatchObject({ absorbed: 0, foreign: 0, wrongRefusals: 0 });
    expect(measured.landed + measured.stuck).toBe(measured.tasks);
    expect(measured.landed).toBeGreaterThan(4);
  });
});
