import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { cleanEnvironment } from "./helpers/program.ts";
import { temporaryFolder } from "./helpers/temporary-folder.ts";

const root = resolve(import.meta.dirname, "..");

/** Runs an example in an empty folder; `headgate` is found there as an installed package would be. */
const runExample = (name: string) => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, "node_modules"));
  symlinkSync(root, join(cwd, "node_modules/headgate"), "junction");
  const stdout = execFileSync(process.execPath, [join(root, "examples", name)], {
    cwd,
    encoding: "utf8",
    env: cleanEnvironment(cwd),
  });
  return { cwd, stdout };
};

describe("the examples", () => {
  it("are what docs/library.md shows, all of them", () => {
    const text = readFileSync(join(root, "docs/library.md"), "utf8");
    for (const name of readdirSync(join(root, "examples"))) {
      const source = readFileSync(join(root, "examples", name), "utf8");
      expect(text, name).toContain(`\`examples/${name}\`\n\n\`\`\`ts\n${source}\`\`\``);
    }
  });

  it("write-file-atomic.ts replaces a file and notices another writer", () => {
    const { cwd, stdout } = runExample("write-file-atomic.ts");
    expect(stdout).toBe("STATE_CHANGED somebody else wrote it first\n");
    expect(readFileSync(join(cwd, "checkpoint.json"), "utf8")).toBe('{"step":2}\n');
  });

  it("events.ts appends, reads and verifies", () => {
    const { stdout } = runExample("events.ts");
    expect(stdout).toBe("2 build.finished build-bot\nwhole up to 2\n");
  });

  it("E-11 editing.ts looks, judges, edits and takes it back", () => {
    const { stdout } = runExample("editing.ts");
    expect(stdout).toBe(
      "class Cart with 1\n" +
        "deny Method 'total' already exists in class 'Cart' at line 2; use modify\n" +
        "{ path: 'Cart.clear', change: 'added', lines: [ 5, 6 ] }\ntrue\n",
    );
  });

  it("C-17 claims.ts claims, refuses another, writes under its fence and releases", () => {
    const { cwd, stdout } = runExample("claims.ts");
    expect(stdout).toBe(
      "report.md is ours, fence 1\n" +
        "CLAIM_CONFLICT: build-bot holds report.md (nightly)\n" +
        "written\nreleased 1\ntrue\n",
    );
    expect(readFileSync(join(cwd, "report.md"), "utf8")).toBe("all tests passed\n");
  });

  it("V-02 V-05 review.ts reviews a file by the static rules and dismisses what it found", () => {
    const { stdout } = runExample("review.ts");
    expect(stdout).toMatch(/^not-reviewed\nP2 deploy\.js:2\nnew → dismissed\n$/);
  });

  it("D-11 profile.ts says what kind of project a folder is, and why", () => {
    const { stdout } = runExample("profile.ts");
    expect(stdout).toMatch(/^web-api\nweb-api 0\.\d\d .*express/);
  });

  it("V-04 synthesis.ts brings what several reviewers saw together", () => {
    const { stdout } = runExample("synthesis.ts");
    expect(stdout).toBe(
      "needs-changes 3 2\nP1 Token is written to the log in login() quality+safety\n" +
        "P3 Sorting inside the loop is quadratic performance\n",
    );
  });
});
