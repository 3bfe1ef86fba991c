/** What others rely on without reading our code: texts, exit codes and shapes at the edges. */
import { closeSync, openSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRepository } from "../../helpers/git-repository.ts";
import { cleanEnvironment, programPath, run } from "../../helpers/program.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

describe("the command line as a stranger meets it", () => {
  it("names the command whose help explains a wrong value", async () => {
    const cwd = temporaryFolder();
    for (const [args, help] of [
      [["up", "--idle", "0"], "headgate up --help"],
      [["review", "--timeout", "0"], "headgate review --help"],
      [["judge", "none.json"], "headgate judge --help"],
      [["routing", "evidence", "import", "none.jsonl"], "headgate routing evidence --help"],
    ] as const) {
      const { code, stderr } = await run(args, { cwd });
      expect(code, args.join(" ")).toBe(2);
      expect(stderr).toContain(`→ See \`${help}\`. [USAGE]`);
      expect(stderr).not.toContain("ENOENT");
    }
  });

  it("says which argument is missing, and guesses no command from three letters", async () => {
    const cwd = temporaryFolder();
    const rename = await run(["edit", "rename", "a.ts", "A", "-y"], { cwd });
    expect(rename.stderr).toContain("NAME is missing");
    expect((await run(["foo"], { cwd })).stderr).toMatch(/^headgate: unknown command "foo"\n/);
    expect((await run(["clam"], { cwd })).stderr).toContain('did you mean "claim"?');
  });

  it("takes what is no patch for a misuse, not for a stale file", async () => {
    const cwd = temporaryFolder();
    for (const input of ["junk\n", "", "[]", '{"operations":[]}']) {
      const { code } = await run(["apply", "--yes"], { cwd, input });
      expect(code, JSON.stringify(input)).toBe(2);
    }
    const late = "--- a/x.txt\n+++ b/x.txt\n@@ -1 +1 @@\n-old\n+new\n";
    writeFileSync(join(cwd, "x.txt"), "other\n");
    expect((await run(["apply", "--yes"], { cwd, input: late })).code).toBe(3);
  });

  it("judges every other line when one is no proposal, says so and ends with 2", async () => {
    const cwd = temporaryFolder();
    const good = JSON.stringify({ writes: [{ path: "a.txt", after: "a\n" }], files: {} });
    const bad = await run(["judge", "--jsonl"], { cwd, input: `${good}\nbad\n${good}\n` });
    const answers = bad.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(answers.map((answer) => answer["verdict"] ?? "error")).toEqual([
      "allow",
      "error",
      "allow",
    ]);
    expect(bad.stderr).toContain("2 judged, 0 denied, 1 line not judged");
    expect(bad.code).toBe(2);
    expect((await run(["judge", "--jsonl"], { cwd, input: `${good}\n` })).code).toBe(0);
  });

  it("keeps help within the terminal, down to forty columns", async () => {
    const cwd = temporaryFolder();
    for (const args of [["--help"], ["review", "--help"], ["routing", "--help"]]) {
      for (const columns of [40, 60, 80, 200]) {
        const { stdout } = await run(args, { cwd, env: { COLUMNS: String(columns) } });
        // Examples are lines to copy, and copied whole.
        const [explained = ""] = stdout.split("\nExamples\n");
        const longest = Math.max(
          ...explained
            .split("\n")
            .slice(1)
            .map((line) => line.length),
        );
        expect(longest, `${args.join(" ")} at ${columns}`).toBeLessThanOrEqual(
          Math.min(80, Math.max(columns, 42)),
        );
      }
    }
  });

  it.runIf(process.platform === "linux")(
    "says that the disk is full when its output cannot be written, and ends with 69",
    () => {
      const cwd = makeRepository(temporaryFolder());
      const full = openSync("/dev/full", "w");
      try {
        const { status, stderr } = spawnSync(process.execPath, [programPath, "status"], {
          cwd,
          env: cleanEnvironment(join(cwd, "no-home")),
          stdio: ["ignore", full, "pipe"],
          encoding: "utf8",
        });
        expect(stderr).toMatch(
          /^headgate: the output cannot be written: no space left .*\n {2}→ .* \[OUTPUT_FAILED\]\n$/,
        );
        expect(status).toBe(69);
      } finally {
        closeSync(full);
      }
    },
  );
});
