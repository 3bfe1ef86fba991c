import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRunner } from "../../src/runners/index.ts";
import { describeWith } from "../helpers/not-run.ts";
import { isAlive } from "../helpers/process-state.ts";
import { runnerPlace, unaborted } from "../helpers/runner-place.ts";
import { put } from "../helpers/temporary-folder.ts";

const tellAll = `
import { readFileSync } from "node:fs";
process.stdout.write(JSON.stringify({
  argv: process.argv.slice(2), cwd: process.cwd(), env: process.env, input: readFileSync(0, "utf8"),
}));`;

interface Told {
  readonly argv: string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly input: string;
}

describe("V-02 a program by an argv template", () => {
  it("gets the prompt, the model and the folder where its template says, each as it is", async () => {
    const place = runnerPlace();
    const argv = [
      ...place.script(tellAll),
      "--m={model}",
      "{prompt}",
      "{cwd}",
      "{promptFile}",
      "{x}",
    ];
    const runner = await openRunner({ kind: "exec", argv, model: "gpt-5" }, place.ports);
    const prompt = "$(touch /x) {cwd} 'quoted' \"\n--flag";
    const answer = await runner.run(place.request({ prompt, system: "Be brief." }), unaborted());
    expect(answer).toMatchObject({ ended: "answer", exit: 0, tries: 1, truncated: false });
    const told = JSON.parse(answer.text) as Told;
    expect(told.argv.slice(0, 3)).toEqual(["--m=gpt-5", `Be brief.\n\n${prompt}`, place.repo]);
    expect(told.argv.at(-1)).toBe("{x}");
    expect(told).toMatchObject({ cwd: place.repo, input: "" });
    expect(runner.family).toBe("gpt");
  });

  it("gets the prompt on its standard input where the template names none, and a schema as a file", async () => {
    const place = runnerPlace();
    const argv = [...place.script(tellAll), "{schemaFile}"];
    const runner = await openRunner({ kind: "exec", argv }, place.ports);
    const prompt = "x".repeat(3_000_000);
    const { text } = await runner.run(place.request({ prompt, schema: {} }), unaborted());
    expect((JSON.parse(text) as Told).input.length).toBe(3_000_000);
  });

  it("has a home of its own, gone afterwards, and of the user's variables only those it needs", async () => {
    const place = runnerPlace({
      MY_KEY: "very-secret-key",
      OTHER_KEY: "another-secret",
      LANG: "C",
    });
    const argv = place.script(tellAll);
    const runner = await openRunner({ kind: "exec", argv, variables: ["MY_KEY"] }, place.ports);
    const { text } = await runner.run(place.request(), unaborted());
    const { env } = JSON.parse(text) as Told;
    for (const name of ["HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"]) {
      expect(env[name]).toContain(join(place.folder, "tmp"));
    }
    expect(env["OTHER_KEY"]).toBeUndefined();
    // It had the key; what it says of it is not kept.
    expect(env["MY_KEY"]).toBe("[secret]");
    expect(place.leftOvers()).toEqual([]);
  });

  it("reads text, tokens, cost, model and errors from JSON and from JSON lines", async () => {
    const place = runnerPlace();
    const lines = [
      { type: "start" },
      { type: "text", part: { text: "first" }, tokens: { in: 10, out: 1 } },
      { type: "text", part: { text: "second" }, tokens: { in: 20, out: 2 } },
    ];
    const printing = (value: unknown, code = 0) =>
      place.script(`console.log(${JSON.stringify(value)}); process.exitCode = ${code};`);
    const output = {
      format: "jsonl",
      text: "[type=text].part.text",
      inputTokens: "tokens.in",
      outputTokens: ["tokens.out"],
    } as const;
    const text = lines.map((line) => JSON.stringify(line)).join("\n");
    const ask = async (spec: object, argv: string[]) =>
      (
        await openRunner(
          { kind: "exec", argv, ...spec } as Parameters<typeof openRunner>[0],
          place.ports,
        )
      ).run(place.request(), unaborted());
    expect(await ask({ output, prices: { input: 1, output: 100 } }, printing(text))).toMatchObject({
      ended: "answer",
      text: "second",
      usage: { inputTokens: 30, outputTokens: 3 },
      costUsd: 330 / 1e6,
    });
    expect((await ask({ output: { ...output, joined: true } }, printing(text))).text).toBe(
      "firstsecond",
    );
    const one = { answers: [{ say: "yes" }], cost: 0.25, model: "m-1", bad: false };
    const json = {
      format: "json",
      text: "answers[-1].say",
      costUsd: "cost",
      model: "model",
      error: "bad",
    };
    const noise = `Loading…\n${JSON.stringify(one)}`;
    expect(await ask({ output: json }, printing(noise))).toMatchObject({
      text: "yes",
      costUsd: 0.25,
      model: "m-1",
    });
    expect(
      await ask({ output: json }, printing(JSON.stringify({ ...one, bad: true }))),
    ).toMatchObject({
      ended: "failed",
      problem: "yes",
      costUsd: 0.25,
    });
    expect(await ask({ output: json }, printing("<html>"))).toMatchObject({
      ended: "failed",
      problem: "it did not print JSON",
    });
    expect(await ask({ output: json }, printing(JSON.stringify({ say: 1 })))).toMatchObject({
      ended: "failed",
      problem: "it gave no answer",
    });
  });

  it("V-02 an answer as data holds no key either, and what is said before it in JSON is not it", async () => {
    const place = runnerPlace({ MY_KEY: "very-secret-key" });
    const argv = place.script(`
      console.log('{"level":"warn"}');
      const key = process.env.MY_KEY;
      console.log(JSON.stringify({ result: key, data: { [key]: [\`key \${key}\`, 1, null] } }, null, 1));`);
    const output = { format: "json", text: "result", structured: "data" } as const;
    const spec = { kind: "exec", argv, variables: ["MY_KEY"], output } as const;
    const answer = await (
      await openRunner(spec, place.ports)
    ).run(place.request({ schema: {} }), unaborted());
    expect(answer).toMatchObject({
      text: "[secret]",
      structured: { "[secret]": ["key [secret]", 1, null] },
    });
  });

  it("says how it failed, without secrets, whatever the program prints of them", async () => {
    const place = runnerPlace({ SERVICE_TOKEN: "hunter2hunter2" });
    const argv = place.script(`
      console.error("x".repeat(20000));
      console.error("token hunter2hunter2 key sk-ant-REDACTED");
      console.error("Authorization: Bearer abcdefghijklmnop https://me:pass@host/");
      console.error("the end");
      process.exitCode = 3;`);
    const runner = await openRunner({ kind: "exec", argv }, place.ports);
    const answer = await runner.run(place.request(), unaborted());
    expect(answer).toMatchObject({
      ended: "failed",
      exit: 3,
      problem: "ended with exit code 3: the end",
    });
    expect(answer.stderrTail!.length).toBeLessThanOrEqual(8192);
    expect(answer.stderrTail).toContain("token [secret] key [secret]");
    expect(JSON.stringify(answer)).not.toMatch(/hunter2|abcdefghij|:pass@/);
  });

  it("is refused before anything runs where its program, folder or place is missing", async () => {
    const place = runnerPlace();
    const open = (argv: string[]) => openRunner({ kind: "exec", argv }, place.ports);
    await expect(open(["no-such-program"])).rejects.toMatchObject({ code: "RUNNER_NOT_READY" });
    put(join(place.repo, "own"), "#!/bin/sh\n");
    await expect(open(["./own"])).rejects.toMatchObject({ code: "RUNNER_NOT_READY" });
    const runner = await open([...place.script("console.log(1)"), "{model}"]);
    expect(await runner.run(place.request(), unaborted())).toMatchObject({
      ended: "failed",
      problem: "its template wants {model}, and there is none",
    });
    const cwd = join(place.folder, "nowhere");
    expect(await runner.run(place.request({ cwd, model: "m" }), unaborted())).toMatchObject({
      ended: "failed",
    });
    const long = await open([...place.script("console.log(1)"), "{prompt}"]);
    const { problem } = await long.run(place.request({ prompt: "x".repeat(200_000) }), unaborted());
    expect(problem).toContain("{promptFile}");
    await expect(openRunner("cluade", place.ports)).rejects.toThrow(/did you mean claude\?/);
  });

  it("a huge output is bounded: the program is ended", async () => {
    const place = runnerPlace();
    const argv = place.script(`
      const chunk = "x".repeat(1 << 20);
      const more = () => { while (process.stdout.write(chunk)); process.stdout.once("drain", more); };
      more();`);
    const runner = await openRunner({ kind: "exec", argv }, place.ports);
    const answer = await runner.run(place.request(), unaborted());
    expect(answer).toMatchObject({ ended: "failed" });
    expect(answer.problem).toMatch(/printed more than/);
  });
});

/** Ignores SIGTERM, and so do its child and a grandchild that left the group. */
const stubborn = (pids: string): string => `
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
const stay = \`process.on("SIGTERM", () => {}); require("fs").appendFileSync(${JSON.stringify(pids)}, process.pid + "\\\\n"); setInterval(() => {}, 1000);\`;
spawn(process.execPath, ["-e", stay], { stdio: "inherit" });
spawn(process.execPath, ["-e", \`require("child_process").spawn(process.execPath, ["-e", \${JSON.stringify(stay)}], { detached: true, stdio: "inherit" }).unref();\`], { stdio: "inherit" });
process.on("SIGTERM", () => {});
appendFileSync(${JSON.stringify(pids)}, process.pid + "\\n");
console.error("working");
setInterval(() => {}, 1000);
`;

describeWith({ platforms: ["linux"] }, "V-02 nobody is left alive", () => {
  const pidsIn = (file: string): number[] =>
    existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : [];

  /** Runs it until it has ended; how many processes there were, and what came of it. */
  const runStubborn = async (timeoutMs: number, onAllThere?: (stop: AbortController) => void) => {
    const place = runnerPlace();
    const file = join(place.folder, "pids");
    const argv = place.script(stubborn(file));
    const runner = await openRunner({ kind: "exec", argv }, place.ports);
    const controller = new AbortController();
    const asked = runner.run(place.request({ timeoutMs }), { signal: controller.signal });
    if (onAllThere) {
      await expect.poll(() => pidsIn(file).filter(isAlive)).toHaveLength(3);
      onAllThere(controller);
    }
    const answer = await asked;
    await expect.poll(() => pidsIn(file).filter(isAlive)).toEqual([]);
    expect(place.leftOvers()).toEqual([]);
    return { answer, count: pidsIn(file).length };
  };

  it("a program that ignores SIGTERM, and all it started, by time-out", async () => {
    // On a busy machine the three take longer to start than a short time-out.
    for (let timeoutMs = 1000; ; timeoutMs *= 2) {
      const { answer, count } = await runStubborn(timeoutMs);
      expect(answer.ended).toBe("timeout");
      if (count < 3 && timeoutMs < 120_000) continue;
      expect(count).toBe(3);
      expect(answer.stderrTail).toBe("working");
      return;
    }
  });

  it("a program that ignores SIGTERM, and all it started, by cancel", async () => {
    const { answer } = await runStubborn(300_000, (stop) => stop.abort());
    expect(answer).toMatchObject({ ended: "cancelled", stderrTail: "working" });
  });

  it("what a program leaves running when it ends by itself", async () => {
    const place = runnerPlace();
    const file = join(place.folder, "pids");
    const argv = place.script(`
      import { spawn } from "node:child_process";
      import { existsSync } from "node:fs";
      const stay = 'require("fs").appendFileSync(${JSON.stringify(file)}, process.pid + "\\\\n"); setInterval(() => {}, 1000);';
      spawn(process.execPath, ["-e", stay], { detached: true, stdio: "inherit" }).unref();
      while (!existsSync(${JSON.stringify(file)})) await new Promise((done) => setTimeout(done, 20));
      console.log("done");
      process.exit(0);`);
    const runner = await openRunner({ kind: "exec", argv }, place.ports);
    expect(await runner.run(place.request(), unaborted())).toMatchObject({
      ended: "answer",
      text: "done",
    });
    await expect.poll(() => pidsIn(file).filter(isAlive)).toEqual([]);
    expect(pidsIn(file)).toHaveLength(1);
  });
});
