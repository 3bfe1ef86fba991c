import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const root = resolve(import.meta.dirname, "../..");
const flakes = resolve(root, "scripts/flakes.mjs");
const load = pathToFileURL(resolve(root, "scripts/flakes/load.mjs")).href;

/** A project with one test that depends on the order of its file, and two that do not. */
const project = (): string => {
  const folder = temporaryFolder();
  symlinkSync(resolve(root, "node_modules"), join(folder, "node_modules"));
  put(
    join(folder, "chancy.test.js"),
    `import { expect, it } from "vitest";
    let isMade = false;
    it("makes it", () => { isMade = true; });
    it("needs it", () => { expect(isMade).toBe(true); });`,
  );
  put(
    join(folder, "steady.test.js"),
    `import { expect, it } from "vitest";
    it("adds", () => { expect(1 + 1).toBe(2); });`,
  );
  return folder;
};

const start = (args: readonly string[]): { child: ChildProcess; ended: Promise<string> } => {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH, HOME },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let text = "";
  child.stdout!.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  const ended = new Promise<string>((done) => child.on("close", () => done(text)));
  return { child, ended };
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // An ended process that its new parent has not collected yet still has its number.
  const status = `/proc/${pid}/status`;
  return !existsSync(status) || !/^State:\s+Z/m.test(readFileSync(status, "utf8"));
};

describe("npm run flakes", () => {
  it("finds the test that depends on the order, reports no other, logs each run and ends its load", async () => {
    const folder = project();
    // The two orders that these seeds give: one has the dependent test last, the other first.
    const { child, ended } = start([
      flakes,
      ...["--root", folder, "--times", "2", "--seed", "2", "--busy"],
    ]);
    const text = await ended;
    expect(child.exitCode).toBe(1);
    expect(text).toMatch(/^run 1 of 2: seed 2, 3 tests, 0 failed, [\d.]+ s$/m);
    expect(text).toMatch(/^run 2 of 2: seed 3, 3 tests, 1 failed, [\d.]+ s$/m);
    expect(text.match(/^(?:changed|failed): .*$/gm)).toEqual([
      "changed: chancy.test.js > needs it (failed 1 of 2)",
    ]);
    expect(text).toMatch(/^ {2}seed 3, file [12] of 2\n {4}AssertionError: expected false/m);
    const pids = /^load: \d+ processes \((.+)\)$/m.exec(text)?.[1]?.split(", ").map(Number) ?? [];
    expect(pids.length).toBeGreaterThan(0);
    expect(pids.filter(isAlive)).toEqual([]);

    const records = readFileSync(join(folder, ".tools/flakes.log"), "utf8").trim().split("\n");
    expect(records.map((line) => JSON.parse(line))).toMatchObject([
      { suite: "quick", busy: true, seed: 2, tests: 3, failed: 0, failedTests: [] },
      { seed: 3, failed: 1, failedTests: [{ file: "chancy.test.js", name: "needs it" }] },
    ]);
    const report = await start([flakes, "--root", folder, "--report"]).ended;
    expect(report).toMatch(/^none +quick +0 +2 +3 +0 +1$/m);
    expect(report).toContain("failed 1 of 2: chancy.test.js > needs it");
  });

  it("passes when every run has the same result", async () => {
    const { child, ended } = start([flakes, "--root", project(), "--times", "1", "steady"]);
    expect(await ended).toContain("no test failed or changed in 1 runs");
    expect(child.exitCode).toBe(0);
  });

  it("the load ends when its parent is killed", async () => {
    const program = `import { startLoad } from ${JSON.stringify(load)};
      console.log(JSON.stringify(startLoad(2).pids)); process.stdin.resume();`;
    const { child, ended } = start(["--input-type=module", "-e", program]);
    onTestFinished(() => void child.kill("SIGKILL"));
    const pids = await new Promise<number[]>((done) => {
      child.stdout!.once("data", (chunk: string) => done(JSON.parse(chunk)));
    });
    onTestFinished(() => pids.filter(isAlive).forEach((pid) => process.kill(pid, "SIGKILL")));
    expect(pids).toHaveLength(2);
    expect(pids.filter(isAlive)).toEqual(pids);
    child.kill("SIGKILL");
    await ended;
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  });
});
