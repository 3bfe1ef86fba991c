import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makeRepository } from "../../helpers/git-repository.ts";
import { run } from "../../helpers/program.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";
import { twoFunctions, write } from "./hooked-repository.ts";

const duplicate = `${twoFunctions}\nexport function two(): number {\n  return 22;\n}\n`;

const commit = (folder: string, path: string, content: string): string => {
  write(folder, path, content);
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message", path);
  return git(folder, "rev-parse", "HEAD");
};

/** `main`, and `topic` whose first commit brings a duplicate that its second takes away. */
const topicRepository = (): { folder: string; bad: string } => {
  const folder = makeRepository(join(temporaryFolder(), "repo"));
  commit(folder, "code.ts", twoFunctions);
  git(folder, "switch", "--quiet", "--create", "topic");
  const bad = commit(folder, "code.ts", duplicate);
  commit(folder, "code.ts", twoFunctions.replace("return 1", "return 10"));
  return { folder, bad };
};

describe("E-04 headgate ci", () => {
  it("judges the sum by default and every commit with --each; makes no store", async () => {
    const { folder, bad } = topicRepository();
    const sum = await run(["ci", "--json"], { cwd: folder });
    expect(sum.code).toBe(0);
    expect(JSON.parse(sum.stdout)).toMatchObject({ commits: 2, files: 1, reasons: [] });
    const each = await run(["ci", "--each", "--json"], { cwd: folder });
    expect(each.code).toBe(1);
    expect(JSON.parse(each.stdout).reasons).toMatchObject([
      { code: "DUPLICATE_SYMBOL", path: "code.ts", line: 9, symbol: "two", commit: bad },
    ]);
    const text = await run(["ci", `main..${bad}`], { cwd: folder });
    expect(text.code).toBe(1);
    expect(text.stdout).toContain(`code.ts:9`);
    expect(text.stdout).toContain("DUPLICATE_SYMBOL");
    expect(existsSync(join(folder, ".headgate"))).toBe(false);
  });

  it("judges calls against the tree the range starts from, not the working tree", async () => {
    const folder = makeRepository(join(temporaryFolder(), "repo"));
    commit(folder, "code.ts", twoFunctions);
    git(folder, "switch", "--quiet", "--create", "topic");
    commit(
      folder,
      "more.ts",
      'import { two } from "./code.ts";\nexport const four = two() + neverDefinedAnywhere();\n',
    );
    write(folder, "later.ts", "export function neverDefinedAnywhere() {}\n");
    const { code, stdout } = await run(["ci", "--base", "main", "--json"], { cwd: folder });
    expect(code).toBe(1);
    expect(JSON.parse(stdout).reasons).toMatchObject([{ code: "CALL_UNKNOWN", path: "more.ts" }]);
  });

  it("writes SARIF with rules, places and stable fingerprints", async () => {
    const { folder, bad } = topicRepository();
    git(folder, "switch", "--quiet", "--detach", bad);
    const args = ["ci", "--base", "main", "--format", "sarif"];
    const printed = await run(args, { cwd: folder });
    const saved = await run([...args, "--output", "out.sarif"], { cwd: folder });
    expect([printed.code, saved.code, saved.stdout]).toEqual([1, 1, ""]);
    expect(readFileSync(join(folder, "out.sarif"), "utf8")).toBe(printed.stdout);
    const { version, runs } = JSON.parse(printed.stdout);
    expect(version).toBe("2.1.0");
    const [{ tool, results }] = runs;
    expect(tool.driver.rules).toMatchObject([{ id: "DUPLICATE_SYMBOL" }]);
    expect(results).toMatchObject([
      {
        ruleId: "DUPLICATE_SYMBOL",
        ruleIndex: 0,
        level: "error",
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: "code.ts", uriBaseId: "SRCROOT" },
              region: { startLine: 9 },
            },
          },
        ],
      },
    ]);
    // Three lines further down it is the same finding.
    const moved = commit(folder, "code.ts", `// 1\n// 2\n// 3\n${duplicate}`);
    const again = await run(["ci", `main..${moved}`, "--format", "sarif"], { cwd: folder });
    const [{ partialFingerprints, locations }] = JSON.parse(again.stdout).runs[0].results;
    expect(locations[0].physicalLocation.region.startLine).toBe(12);
    expect(partialFingerprints).toEqual(results[0].partialFingerprints);
  });

  it("works in a bare clone, where nothing is checked out", async () => {
    const { folder, bad } = topicRepository();
    const bare = join(folder, "../bare.git");
    git(folder, "clone", "--quiet", "--bare", folder, bare);
    const { code, stdout } = await run(["ci", `main..${bad}`, "--json"], { cwd: bare });
    expect(code).toBe(1);
    expect(JSON.parse(stdout).reasons).toMatchObject([{ code: "DUPLICATE_SYMBOL" }]);
  });

  it("says what a shallow clone lacks, and does without where it can", async () => {
    const { folder } = topicRepository();
    const shallow = join(folder, "../shallow");
    git(folder, "clone", "--quiet", "--depth=2", "--branch=topic", `file://${folder}`, shallow);
    const based = await run(["ci", "--base", "origin/main"], { cwd: shallow });
    expect(based.code).toBe(2);
    expect(based.stderr).toContain("shallow clone: fetch the history");
    const each = await run(["ci", "HEAD~1..HEAD", "--each"], { cwd: shallow });
    expect(each.code).toBe(0);
    git(shallow, "fetch", "--quiet", "--depth=1", "origin", "main:main");
    // Where the clone ends, a commit looks as if all of its files were new.
    const cut = await run(["ci", "main..HEAD", "--each"], { cwd: shallow });
    expect([cut.code, cut.stderr]).toEqual([2, expect.stringContaining("shallow clone")]);
    const parted = await run(["ci", "--base", "main"], { cwd: shallow });
    expect([parted.code, parted.stderr]).toEqual([2, expect.stringContaining("shallow clone")]);
  });

  it.each(["--output=/tmp/x", "-x..HEAD", "nowhere..HEAD", "HEAD..$(touch x)", "a\nb"])(
    "A15 a range that is none is a usage error: %s",
    async (range) => {
      const { folder } = topicRepository();
      const { code } = await run(["ci", "--", range], { cwd: folder });
      expect(code).toBe(2);
      expect(existsSync(join(folder, "x"))).toBe(false);
    },
  );

  it("has nothing to say where nothing changed", async () => {
    const { folder } = topicRepository();
    const { code, stdout } = await run(["ci", "HEAD..HEAD", "--json"], { cwd: folder });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ commits: 0, files: 0 });
  });
});
