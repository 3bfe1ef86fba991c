import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { familyOf, openRunner } from "../../src/runners/index.ts";
import { runnerPlace, unaborted } from "../helpers/runner-place.ts";

describe("V-02 recordings", () => {
  it("what was recorded is played, for the same label, system, prompt and model and nothing else", async () => {
    const place = runnerPlace();
    const folder = join(place.folder, "recordings");
    const argv = place.script(`console.log("answer " + Date.now());`);
    const config = {
      runners: {
        real: { kind: "exec" as const, argv },
        taping: { kind: "fixture" as const, folder, record: "real" },
      },
    };
    const taping = await openRunner("taping", { ...place.ports, config });
    const request = place.request({ label: "Race ../Reviewer", system: "s", model: "m" });
    const first = await taping.run(request, unaborted());
    expect(first.ended).toBe("answer");
    expect(await taping.run(request, unaborted())).toMatchObject({ text: first.text, costUsd: 0 });
    expect(readdirSync(folder)).toEqual([
      expect.stringMatching(/^race-reviewer-[0-9a-f]{24}\.json$/),
    ]);
    const playing = await openRunner(`fixture:${folder}`, place.ports);
    expect((await playing.run({ ...request, timeoutMs: 1, cwd: "/" }, unaborted())).text).toBe(
      first.text,
    );
    for (const more of [{ label: "x" }, { system: "t" }, { prompt: "p" }, { model: "n" }]) {
      const answer = await playing.run({ ...request, ...more }, unaborted());
      expect(answer.ended).toBe("failed");
      expect(answer.problem).toContain(folder);
    }
  });

  it("a failed answer is not recorded, and a broken recording is said", async () => {
    const place = runnerPlace();
    const folder = join(place.folder, "recordings");
    const argv = place.script("process.exitCode = 1;");
    const config = {
      runners: {
        real: { kind: "exec" as const, argv },
        taping: { kind: "fixture" as const, folder, record: "real" },
      },
    };
    const taping = await openRunner("taping", { ...place.ports, config });
    expect(await taping.run(place.request(), unaborted())).toMatchObject({
      ended: "failed",
      exit: 1,
    });
    const playing = await openRunner("fixture:recordings", {
      environment: { ...place.ports.environment, cwd: place.folder },
    });
    const { problem } = await playing.run(place.request(), unaborted());
    const file = /there is no file (.*)$/.exec(problem ?? "")![1]!;
    const { mkdirSync } = await import("node:fs");
    mkdirSync(folder);
    writeFileSync(file, "{}");
    expect((await playing.run(place.request(), unaborted())).problem).toMatch(
      /is not what a recording must be/,
    );
    writeFileSync(file, JSON.stringify({ text: "by hand" }));
    expect(await playing.run(place.request(), unaborted())).toMatchObject({
      ended: "answer",
      text: "by hand",
    });
    expect(readFileSync(file, "utf8")).toContain("by hand");
  });

  it("asking nobody is a runner too", async () => {
    const place = runnerPlace();
    const nobody = await openRunner("none", place.ports);
    expect(await nobody.run(place.request(), unaborted())).toMatchObject({ ended: "failed" });
  });
});

describe("V-05 the family behind a model", () => {
  it.each([
    ["claude-opus-4-5", "claude"],
    ["anthropic.claude-3-haiku", "claude"],
    ["sonnet", "claude"],
    ["gpt-5.5", "gpt"],
    ["openai/o4-mini", "gpt"],
    ["o3", "gpt"],
    ["models/gemini-2.5-pro", "gemini"],
    ["qwen3-coder:30b", "qwen"],
    ["deepseek-r1-distill-llama", "deepseek"],
    ["something", undefined],
  ])("%s is %s", (name, family) => {
    expect(familyOf(name)).toBe(family);
  });
});
