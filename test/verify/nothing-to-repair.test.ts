/** What the look for left work costs where there is none. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeRepository } from "../helpers/git-repository.ts";
import { describeWith } from "../helpers/not-run.ts";
import { cleanEnvironment, programPath } from "../helpers/program.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const trace = (cwd: string, ...args: string[]): string[] => {
  const path = join(cwd, "..", "trace");
  const { status, stderr } = spawnSync(
    "strace",
    [
      ...["-f", "-qq", "-o", path, "-e", "trace=execve,openat"],
      ...[process.execPath, programPath, ...args],
    ],
    { cwd, encoding: "utf8", env: cleanEnvironment(join(cwd, "..", "no-home")) },
  );
  expect([status, stderr]).toEqual([0, ""]);
  return readFileSync(path, "utf8").split("\n");
};

describeWith({ programs: ["strace"] }, "a command where nothing is left", () => {
  it("P-02 G15 reads the folder of work once, the fence mark once, and starts no git for it", () => {
    const folder = makeRepository(join(temporaryFolder(), "repo"));
    mkdirSync(join(folder, ".git/headgate/edits/open"), { recursive: true });
    trace(folder, "claim", "a.txt", "--as", "ada");
    for (const command of [["claims"], ["claim", "b.txt", "--as", "ada"]]) {
      const lines = trace(folder, ...command);
      const count = (pattern: RegExp): number => lines.filter((line) => pattern.test(line)).length;
      expect(count(/openat.*"[^"]*edits\/open"/), command[0]).toBe(1);
      // A grant opens it a second time, for writing.
      expect(count(/openat.*"[^"]*fence-mark", O_RDONLY/), command[0]).toBe(1);
      // Only the program itself.
      expect(count(/execve\(.*= 0$/), command[0]).toBe(1);
    }
  });
});
