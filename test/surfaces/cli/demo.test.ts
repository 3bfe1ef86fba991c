import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { freshDir } from "../../helpers/claims.ts";
import { cleanEnvironment, run, start } from "../../helpers/program.ts";

interface Told {
  ok: boolean;
  scenes: { name: string; isHandled: boolean; handled: string; missed: string }[];
  checks: { what: string; told: number | string; found: number | string; ok: boolean }[];
}

const place = () => {
  const [home, temporary] = [freshDir(), freshDir()];
  const env = { ...cleanEnvironment(home), TMPDIR: temporary };
  return { cwd: home, env, temporary };
};

describe("headgate demo", () => {
  it(
    "agents of their own processes are refused, wait, sleep, deadlock and die; files and log agree",
    { timeout: 300_000 },
    async () => {
      const { temporary, ...options } = place();
      const { code, stdout, stderr } = await run(
        ["demo", "--agents", "8", "--seconds", "10", "--json"],
        options,
      );
      expect(code, stderr + stdout).toBe(0);
      const told = JSON.parse(stdout) as Told;
      expect(told.scenes.map(({ name, isHandled }) => [name, isHandled])).toEqual([
        ["a second copy", true],
        ["broken syntax", true],
        ["two want one function", true],
        ["asleep with a claim", true],
        ["a circle of waiting", true],
        ["killed with a claim", true],
      ]);
      expect(told.scenes.map(({ missed }) => missed).filter(Boolean)).toEqual([]);
      expect(told.checks.filter(({ ok }) => !ok)).toEqual([]);
      expect(told.checks[0]!.found).toBeGreaterThan(4);
      expect(readdirSync(temporary)).toEqual([]);
    },
  );

  it("Ctrl-C ends it with 130; nothing is left", { timeout: 300_000 }, async () => {
    const { temporary, ...options } = place();
    const demo = start(["demo", "--agents", "2", "--seconds", "60"], options);
    await demo.until(/dashboard/);
    demo.child.kill("SIGINT");
    expect((await demo.ended).code).toBe(130);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("numbers that make no sense are told", async () => {
    const { temporary: _, ...options } = place();
    const { code, stderr } = await run(["demo", "--agents", "1"], options);
    expect(code).toBe(2);
    expect(stderr).toContain("--agents");
  });
});
