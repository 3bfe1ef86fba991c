import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { programPath, start, untilRead } from "../helpers/program.ts";
import { arm, runShim, shimFolder } from "../helpers/shim.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { stateFolder } from "../helpers/state-folder.ts";

const fixture = resolve(import.meta.dirname, "../fixtures/hooks/claude/write.json");
const payload = (root: string): string => readFileSync(fixture, "utf8").replaceAll("/repo", root);
const blocked = { code: 2, stdout: "" };

/** The real program through the shim, with something that goes wrong inside it. */
const runWith = async (preload: string, flags = "") => {
  const folder = shimFolder();
  arm(stateFolder(folder), { runtime: [process.execPath, programPath] });
  const file = put(join(temporaryFolder(), "preload.cjs"), preload);
  const env = { NODE_OPTIONS: `${flags} -r ${file}` };
  return runShim(folder, { harness: ["claude"], input: payload(folder), env });
};

describe("B10 a hook that breaks", () => {
  it("B10 without any fault the same call passes", async () => {
    expect(await runWith("")).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it.each([
    ["an uncaught exception", "setImmediate(() => { throw new Error('boom'); });"],
    ["an unhandled rejection", "setImmediate(() => { Promise.reject(new Error('boom')); });"],
    ["a module that throws", "throw new Error('boom');"],
    ["a clean exit with another code", "setImmediate(() => process.exit(1));"],
    ["SIGKILL", "setImmediate(() => process.kill(process.pid, 'SIGKILL'));"],
    ["an abort", "setImmediate(() => process.abort());"],
  ])("B10 %s comes out as a block", async (_, preload) => {
    expect(await runWith(preload)).toMatchObject(blocked);
  });

  it("B10 running out of memory comes out as a block", async () => {
    const eater = "const all = []; for (;;) all.push(new Array(1e5).fill(all.length));";
    expect(await runWith(eater, "--max-old-space-size=32")).toMatchObject(blocked);
  });

  it("B10 a missing module of the program comes out as a block", async () => {
    const folder = shimFolder();
    const copy = join(temporaryFolder(), "bin/headgate.js");
    mkdirSync(resolve(copy, ".."));
    copyFileSync(programPath, copy);
    arm(stateFolder(folder), { runtime: [process.execPath, copy] });
    const ended = await runShim(folder, { harness: ["claude"], input: payload(folder) });
    expect(ended).toMatchObject(blocked);
    expect(ended.stderr).toContain("headgate doctor");
  });

  it("B10 SIGTERM while the command line reads or judges is a block without the shim, too", async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, ".headgate"));
    const program = start(["hook", "claude"], { cwd: root, input: "open" });
    // Its handlers are there once it reads.
    await untilRead(program, "{");
    program.child.kill("SIGTERM");
    expect(await program.ended).toMatchObject({
      ...blocked,
      stderr: expect.stringContaining("HOOK_FAILED"),
    });
  });
});
