import { expect, test } from "vitest";
import { describeWith } from "../helpers/not-run.ts";

describeWith({ programs: ["python3"] }, "the evaluation", () => {
  test(
    "E-13 two hundred attempts on real Python meet the targets and are the same for the same seed",
    { timeout: 600_000 },
    async () => {
      const { evaluate } = await import("../../eval/evaluate.ts");
      const wish = { seed: "smoke", languages: ["python"], sources: [], say: () => undefined };
      const groups = ["duplicate", "legal", "syntax", "stale", "encoding", "edit"];
      const result = await evaluate({ ...wish, groups, attempts: 200 });
      expect(result.languages[0]!.oracle).not.toMatch(/^not run/);
      expect(result.attempts).toBe(200);
      expect({
        wrong: result.wrongRefusals,
        missed: result.missed,
        problems: result.problems,
      }).toEqual({ wrong: [], missed: [], problems: [] });
      expect(result.targets.filter(({ isMet }) => !isMet)).toEqual([]);
      const some = { ...wish, groups: ["syntax"], attempts: 20 };
      const [one, other] = [await evaluate(some), await evaluate(some)];
      const shape = (each: typeof one): unknown =>
        each.rows.map((row) => ({ ...row, p50: 0, p99: 0 }));
      expect(shape(one)).toEqual(shape(other));
    },
  );
});

test("E-13 Wilson's bounds are those of the textbook", async () => {
  const { wilson } = await import("../../eval/score.ts");
  const [low, high] = wilson(10, 10);
  expect(low).toBeCloseTo(0.7225, 3);
  expect(high).toBeCloseTo(1, 9);
  expect(wilson(50, 100)[0]).toBeCloseTo(0.4038, 3);
  expect(wilson(0, 0)).toEqual([0, 1]);
});
