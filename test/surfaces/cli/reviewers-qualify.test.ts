import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { probeFor } from "../../../src/review/faults/index.ts";
import { runInside } from "../../helpers/inside.ts";
import { report, says, scriptedPlace } from "../../review/conduct/scripted.ts";

const found = (name: string) =>
  probeFor({ name }).faults.map(({ path, line, id }) => ({
    ...{ title: `Fault ${id}`, severity: "P1", place: `${path}:${line}` },
  }));
const alarms = (name: string) =>
  probeFor({ name }).clean.map(({ path, id }) => ({
    ...{ title: `Alarm ${id}`, severity: "P0", place: `${path}:1` },
  }));

describe("headgate reviewers qualify", () => {
  it("V-01 a good one qualifies; a silent one, one that cries wolf and one without a report do not", async () => {
    const everywhere = [...found("tests").slice(0, 1), ...alarms("tests")];
    const { run, json, asked } = await scriptedPlace([
      says("safety", report("safety", found("safety"))),
      says("quality", report("quality", [])),
      says("tests", report("tests", everywhere)),
      says("performance", "I cannot do that."),
    ]);
    const tried = await json(["reviewers", "qualify", "safety", "quality", "tests", "performance"]);
    expect(tried).toMatchObject({ ok: false, exit: 1 });
    expect(
      tried.results.map((one: { reviewer: string; qualified: boolean }) => [
        one.reviewer,
        one.qualified,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ["safety", true],
        ["quality", false],
        ["tests", false],
      ]),
    );
    expect(tried.untried).toMatchObject([{ reviewer: "performance" }]);
    const [prompt] = asked();
    expect(prompt?.lastUserText).not.toMatch(/planted|fault|trial\b.*test|probe/i);
    const good = await run(["reviewers", "qualify", "safety"]);
    expect(good).toMatchObject({ code: 0 });
    expect(good.stdout).toMatch(/^safety {2}qualified {2}(\d+) of \1 faults found, 0 of/);
    const events = await run(["events", "--kind", "reviewer.probed", "--json"]);
    expect(events.stdout).toContain('"reviewer.probed"');
    const unknown = await run(["reviewers", "qualify", "saftey"]);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("mean safety?") });
    const alone = await run(["reviewers", "qualify", "safety", "--runner", "none"]);
    expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining("needs a runner") });
  });

  it("V-01 a generated reviewer that failed takes no slot until its instructions change", async () => {
    const place = await scriptedPlace(
      [
        {
          withoutTools: true,
          steps: [
            report("x", [], {
              last: "{{match:<!-- headgate:complete run=\\S+ agent=\\S+ n=}}0 {{match:sha256=[0-9a-f]+}} -->",
            }),
          ],
        },
      ],
      { call: runInside },
    );
    const { run, json, cwd } = place;
    const made = await run(["reviewers", "generate", "--domain", "web-api"]);
    expect(made.code, made.stderr).toBe(0);
    const { reviewers } = await json(["reviewers", "list", "--domain", "web-api"]);
    const generated = reviewers.find((one: { kind: string }) => one.kind === "generated");
    const name = generated.name as string;
    const before = await json(["review", "--no-verify"]);
    const decisionOf = (outcome: typeof before) =>
      outcome.triage.considered.find((one: { reviewer: string }) => one.reviewer === name).decision;
    expect(JSON.stringify(decisionOf(before))).not.toContain("planted");
    const tried = await json(["reviewers", "qualify", name]);
    expect(tried).toMatchObject({ exit: 1, results: [{ qualified: false, found: [] }] });
    const after = await json(["review", "--no-verify"]);
    expect(decisionOf(after)).toEqual({
      state: "left-out",
      why: "it did not find the faults that were planted to try it",
    });
    appendFileSync(join(cwd, ".claude/agents", generated.file), "\nLook twice.\n");
    const changed = await json(["review", "--no-verify"]);
    expect(JSON.stringify(decisionOf(changed))).not.toContain("planted");
  });
});
