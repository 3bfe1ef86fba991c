import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { type RunOptions, systemProcesses } from "../../src/base/processes.ts";

const run = (script: string, options: Partial<RunOptions> = {}, ...args: string[]) =>
  systemProcesses.run([process.execPath, "-e", script, "--", ...args], {
    cwd: tmpdir(),
    env: {},
    timeoutMs: 300_000,
    outputBytesMax: 1_000_000,
    ...options,
  });

describe("processes", () => {
  it("C-02 arguments reach the program byte by byte, no shell in between", async () => {
    const hostile = ["$(touch x)", "`id`", "a;b&&c", "q\"u'o", "new\nline", "*", "~", "%PATH%"];
    const result = await run(
      "process.stdout.write(JSON.stringify(process.argv.slice(1)))",
      {},
      ...hostile,
    );
    expect(result.ended === "exit" && JSON.parse(result.stdout.toString())).toEqual(hostile);
  });

  it("B08 the child sees only the environment it was given", async () => {
    const script = "process.stdout.write(JSON.stringify(Object.keys(process.env)))";
    const result = await run(script, { env: { ONLY: "1" } });
    const names = result.ended === "exit" ? (JSON.parse(result.stdout.toString()) as string[]) : [];
    // The C library of macOS adds one of its own.
    expect(names.filter((name) => name !== "__CF_USER_TEXT_ENCODING")).toEqual(["ONLY"]);
  });

  it("ends a program that runs too long", async () => {
    expect(await run("setInterval(() => {}, 1000)", { timeoutMs: 300 })).toEqual({
      ended: "timeout",
    });
  });

  it("ends a program that prints too much", async () => {
    const result = await run("for (;;) process.stdout.write('x'.repeat(65536))", {
      outputBytesMax: 100_000,
    });
    expect(result).toEqual({ ended: "output-limit" });
  });

  it("survives a program that does not read its input", async () => {
    const result = await run("process.exit(7)", { input: "x".repeat(5_000_000) });
    expect(result).toMatchObject({ ended: "exit", code: 7 });
  });

  it("tells a missing program from a failing one", async () => {
    const options = { cwd: tmpdir(), env: {}, timeoutMs: 1000, outputBytesMax: 10 };
    expect(await systemProcesses.run(["no-such-program-here"], options)).toEqual({
      ended: "not-found",
    });
  });
});
