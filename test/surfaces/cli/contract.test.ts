/** What others rely on without reading our code: texts, exit codes and shapes at the edges. */
import { closeSync, cpSync, existsSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makeRepository } from "../../helpers/git-repository.ts";
import { cleanEnvironment, programPath, run, withoutProgress } from "../../helpers/program.ts";
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
        expect(withoutProgress(stderr)).toMatch(
          /^headgate: the output cannot be written: no space left .*\n {2}→ .* \[OUTPUT_FAILED\]\n$/,
        );
        expect(status).toBe(69);
      } finally {
        closeSync(full);
      }
    },
  );

  it("shows status and doctor, lists and gives claims back although the settings are broken (G13)", async () => {
    const cwd = makeRepository(temporaryFolder());
    expect((await run(["claim", "a.txt"], { cwd })).code).toBe(0);
    mkdirSync(join(cwd, ".headgate"));
    for (const broken of ["{ not json", '{"nope":1}', '{"store":"postgres://x/y"}']) {
      writeFileSync(join(cwd, ".headgate/config.jsonc"), broken);
      const status = await run(["status", "--json"], { cwd });
      expect(status.code).toBe(2);
      const shown = JSON.parse(status.stdout) as Record<string, Record<string, unknown>>;
      expect(shown["configuration"]!["problem"]).toMatchObject({
        code: expect.stringMatching(/^CONFIG_/) as string,
      });
      expect(shown["claims"]).toMatchObject({ live: 1 });
      const doctor = await run(["doctor"], { cwd });
      expect(doctor.code).toBe(1);
      expect(doctor.stdout).toMatch(/^settings\n {2}problem .*config\.jsonc/);
      expect((await run(["claims"], { cwd })).stdout).toContain("a.txt");
      // What writes stays refused: fail closed.
      expect((await run(["claim", "b.txt"], { cwd })).code).toBe(2);
    }
    const released = await run(["release", "--all"], { cwd });
    expect(released).toMatchObject({ code: 0, stdout: expect.stringMatching(/^released a\.txt/) });
  });

  it("refuses in a bare repository what needs files, and writes nothing there", async () => {
    const cwd = join(temporaryFolder(), "bare.git");
    git(makeRepository(temporaryFolder()), "clone", "--quiet", "--bare", ".", cwd);
    for (const args of [["init", "--yes"], ["profile"], ["review"], ["claim", "a.txt"]]) {
      const { code, stderr } = await run(args, { cwd });
      expect(stderr, args.join(" ")).toContain("[WORKTREE_MISSING]");
      expect(code).toBe(4);
    }
    expect((await run(["status"], { cwd })).code).toBe(0);
    expect((await run(["claim", "name:deploy"], { cwd })).code).toBe(0);
    expect(existsSync(join(cwd, ".headgate"))).toBe(false);
  });

  it("refuses as a hook when its own program is missing (B10)", () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, "bin"));
    for (const name of ["headgate.js", "package.json"]) {
      cpSync(join(programPath, "..", name), join(cwd, "bin", name));
    }
    let input = "{}";
    const of = (...args: string[]) =>
      spawnSync(process.execPath, [join(cwd, "bin/headgate.js"), ...args], {
        encoding: "utf8",
        input,
      });
    expect(of("hook", "claude")).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^Headgate refused this tool: HOOK_FAILED\n/),
    });
    expect(of("git-hook", "pre-commit").status).toBe(70);
    input = '{"hook_event_name":"Stop"}';
    expect(of("hook", "claude").status).toBe(0);
    input = '{"hook_event_name":"PreToolUse","tool_name":"Edit"}';
    expect(of("hook", "claude").status).toBe(2);
    const status = of("status");
    expect(status.status).toBe(70);
    expect(status.stderr).toMatch(
      /^headgate: the installation is broken: .*\n {2}→ Install headgate again\. \[INTERNAL\]\n$/,
    );
  });

  it("mine leaves out what Headgate committed itself, and tells of what it would have refused", async () => {
    const cwd = makeRepository(temporaryFolder());
    mkdirSync(join(cwd, ".headgate"));
    writeFileSync(join(cwd, ".headgate/routing-overrides.json"), '{"version":1,"overrides":[]}\n');
    writeFileSync(join(cwd, "a.py"), "class A:\n    def f(self): pass\n    def f(self): pass\n");
    git(cwd, "add", ".");
    git(cwd, "commit", "--quiet", "--message", "Two");
    const { stdout } = await run(["mine"], { cwd });
    expect(stdout).toContain("DUPLICATE_SYMBOL");
    expect(stdout).not.toContain("PATH_OWN");
  });
});
