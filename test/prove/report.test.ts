import { describe, expect, test } from "vitest";
import { readRefusal } from "../../prove/client.ts";
import { judgeRefusals, type Measured } from "../../prove/measure.ts";
import { findMisses, formatReport, meanOver, type SeedResult } from "../../prove/report.ts";

const measured = (more: Partial<Measured> = {}): Measured => ({
  ...{ tasks: 10, landed: 10, absorbed: 0, stuck: 0, lost: 0, left: 0, foreign: 0, commits: 10 },
  ...{ shared: 0, broken: 0, wrongRefusals: 0, unknownCalls: 0, retries: 0, waitedTasks: 0 },
  ...{
    waitedSeconds: 0,
    hookSeconds: 0,
    heardMedian: 0,
    heardMost: 0,
    humanCommands: 0,
    unfit: 0,
    seconds: 1,
  },
  ...more,
});

const result = (mode: string, seed: number, more: Partial<Measured> = {}): SeedResult => ({
  ...{ window: "w", mode, seed, measured: measured(more) },
  ...{ wrongRefusals: [], refusals: [], absorbed: [], faults: [], stuck: [], lost: [] },
});

describe("refusals", () => {
  const refusal = (task: number, step: number, code: string) =>
    ({ kind: "refusal", task, step, code, place: "a.ts", text: code }) as const;
  const end = (task: number, step: number, result: "done" | "given-up") =>
    ({ kind: "step", task, step, result }) as const;

  test("N-00 a wait that ended is not wrong; one that did not, and every other refusal, is, once", () => {
    const { wrong, unknownCalls } = judgeRefusals(
      [
        refusal(1, 0, "CLAIM_CONFLICT"),
        refusal(1, 0, "CLAIM_CONFLICT"),
        refusal(2, -1, "CLAIM_CONFLICT"),
        refusal(2, -1, "CLAIM_CONFLICT"),
        refusal(3, 1, "SYNTAX_ERROR"),
        refusal(3, 2, "CALL_UNKNOWN"),
      ],
      [end(1, 0, "done"), end(2, -1, "given-up"), end(3, 1, "done"), end(3, 2, "done")],
    );
    expect(wrong.map(({ task, code }) => `${task} ${code}`)).toEqual([
      "2 CLAIM_CONFLICT",
      "3 SYNTAX_ERROR",
    ]);
    expect(unknownCalls).toBe(1);
  });

  test("the code comes from the line for programs, else from the text", () => {
    const facts = 'headgate: {"code":"SYNTAX_ERROR","path":"a.ts"}';
    expect(readRefusal(`Headgate refused this Edit: X\n${facts}\n`).code).toBe("SYNTAX_ERROR");
    expect(readRefusal("Headgate refused this git commit: CLAIM_CONFLICT a.ts").code).toBe(
      "CLAIM_CONFLICT",
    );
    expect(readRefusal("fatal: something else").code).toBe("REFUSED");
  });
});

describe("the report", () => {
  const results = [
    result("worktrees-plain", 1, { landed: 8, stuck: 2 }),
    result("worktrees-plain", 2, { landed: 9, stuck: 1 }),
    result("headgate", 1, { landed: 10 }),
    result("headgate", 2, { landed: 8, absorbed: 2 }),
  ];

  test("N-00 has every seed and the mean of each mode", () => {
    const rows = formatReport(results)
      .split("\n")
      .filter((line) => line.startsWith("| "))
      .slice(2)
      .map((line) => line.split(" | ").slice(1, 5).join(" "));
    expect(rows).toEqual([
      "mean 10 8.5 0",
      "1 10 8 0",
      "2 10 9 0",
      "mean 10 9 1",
      "1 10 10 0",
      "2 10 8 2",
    ]);
    expect(meanOver([measured({ lost: 1 }), measured({ lost: 2 })]).lost).toBe(1.5);
  });

  test("N-00 the goal holds for the mean of a window: as many as worktrees, and four zeros", () => {
    expect(findMisses(results)).toEqual([]);
    const worse = result("headgate", 3, {
      ...{ landed: 4, lost: 1, foreign: 1, broken: 1, humanCommands: 1 },
    });
    expect(findMisses([...results, worse])).toEqual([
      "w: lost 0.3, wanted 0",
      "w: foreign 0.3, wanted 0",
      "w: broken 0.3, wanted 0",
      "w: humanCommands 0.3, wanted 0",
      "w: 7.3 landed, worktrees land 8.5",
    ]);
  });
});
