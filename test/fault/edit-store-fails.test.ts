/** The store's disk fails while `headgate apply` works: the answer says what happened to the files (G7). */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { describeWith } from "../helpers/not-run.ts";
import { cleanEnvironment, programPath, run } from "../helpers/program.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const operation = { do: "add", file: "a.py", into: "A", code: "def two(self):\n    return 2\n" };

const applyWithFault = async (count: number) => {
  const folder = makeRepository(join(temporaryFolder(), "repo"));
  writeFileSync(join(folder, "a.py"), "class A:\n    def one(self):\n        return 1\n");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "a class");
  // The store is there already: what is tried is the edit.
  expect((await run(["claim", "other.txt", "--as", "ed"], { cwd: folder })).code).toBe(0);
  const list = join(folder, "..", "operations.json");
  writeFileSync(list, JSON.stringify({ operations: [operation] }));
  const { status, stderr } = spawnSync(
    "strace",
    [
      ...["-f", "-o", "/dev/null", "-e", "trace=pwrite64"],
      ...["-e", `inject=pwrite64:error=EIO:when=${count}`],
      ...[process.execPath, programPath, "apply", list, "--yes", "--as", "ed"],
    ],
    { cwd: folder, encoding: "utf8", env: cleanEnvironment(join(folder, "..", "no-home")) },
  );
  const isWritten = readFileSync(join(folder, "a.py"), "utf8").includes("two");
  return { folder, status, stderr, isWritten };
};

describeWith({ programs: ["strace"] }, "an edit whose store fails", () => {
  it(
    "G7 never says that nothing happened when the files are written",
    { timeout: 600_000 },
    async () => {
      let afterwards = 0;
      // Store calls before the first file is written, and those after the last one.
      for (let count = 2; count <= 62; count += 4) {
        const { folder, status, stderr, isWritten } = await applyWithFault(count);
        const label = `write ${count}: ${stderr}`;
        if (status === 0) expect(isWritten, label).toBe(true);
        else if (isWritten) {
          afterwards += 1;
          expect([status, stderr], label).toEqual([5, expect.stringContaining("OUTCOME_UNKNOWN")]);
        } else expect(stderr, label).not.toContain("OUTCOME_UNKNOWN");
        const next = await run(["status"], { cwd: folder });
        expect(next.code, label).toBe(0);
      }
      expect(afterwards).toBeGreaterThan(0);
    },
  );
});
