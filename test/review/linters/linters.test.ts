import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makeRepository } from "../../helpers/git-repository.ts";
import { runInside } from "../../helpers/inside.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";
import { linterNames } from "../../../src/config/parts-schema.ts";
import { toolNames } from "../../../src/review/index.ts";

const old = "import os\nimport sys\n\n\ndef first():\n    return os.getcwd()\n";

const makePlace = () => {
  const folder = temporaryFolder();
  const cwd = join(folder, "app");
  makeRepository(cwd);
  put(join(cwd, "ruff.toml"), '[lint]\nselect = ["F"]\n');
  put(join(cwd, "a.py"), old);
  git(cwd, "add", ".");
  git(cwd, "commit", "-q", "-m", "begin");
  return { folder, cwd };
};

describe("V-11 linters in a review", () => {
  it("V-11 ruff runs where it is configured, and only what the change caused is told, also off its lines", async () => {
    const { cwd } = makePlace();
    // `sys` was unused before; `os` is unused since its only use went, on a line that nobody changed.
    put(join(cwd, "a.py"), old.replace("return os.getcwd()", "return nowhere"));
    const { stdout } = await runInside(["review", "--json"], { cwd });
    const found = JSON.parse(stdout).findings.filter(
      ({ family }: { family: string }) => family === "linters",
    );
    expect(found.map(({ rule, line }: { rule: string; line: number }) => [rule, line])).toEqual([
      ["F401", 1],
      ["F821", 6],
    ]);
  });

  it("the configuration is the one from before the change; without one, or not allowed, nothing runs", async () => {
    const { folder, cwd } = makePlace();
    put(join(cwd, "ruff.toml"), "[lint]\nselect = []\n");
    put(join(cwd, "a.py"), `${old}\n\nprint(nowhere)\n`);
    const rules = async () =>
      JSON.parse((await runInside(["review", "--json"], { cwd })).stdout).findings.flatMap(
        ({ rule, reviewer }: { rule: string; reviewer: string }) =>
          reviewer === "ruff" ? [rule] : [],
      );
    expect(await rules()).toEqual(["F821"]);
    put(join(folder, "no-home/config/headgate/config.jsonc"), '{"review":{"linters":[]}}');
    expect(await rules()).toEqual([]);
    put(join(folder, "no-home/config/headgate/config.jsonc"), "{}");
    expect(await rules()).toEqual(["F821"]);
    git(cwd, "rm", "-q", "--cached", "ruff.toml");
    git(cwd, "commit", "-q", "-m", "without");
    expect(await rules()).toEqual([]);
  });

  it("--import: what a linter printed joins on changed lines; what cannot be read is refused", async () => {
    const { cwd } = makePlace();
    put(join(cwd, "a.py"), `${old}value = eval(input())\n`);
    const log = (line: number) =>
      `<checkstyle><file name="a.py"><error line="${line}" severity="error" message="eval at ${line}" source="S307"/></file></checkstyle>`;
    put(join(cwd, "../bandit.xml"), log(7));
    put(join(cwd, "../other.xml"), log(1));
    put(join(cwd, "../prose.txt"), "all is well\n");
    const done = await runInside(
      ["review", "--import", "../bandit.xml", "--import", "../other.xml"],
      { cwd },
    );
    expect(done.stdout).toContain("a.py:7 (value)");
    expect(done.stdout).not.toContain("eval at 1\n");
    expect(done.stdout).toContain("1 finding of other not on changed lines, left out");
    const bad = await runInside(["review", "--import", "../prose.txt"], { cwd });
    expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining("checkstyle") });
  });

  it("V-07 a linter whose configuration is code does not run by itself; a program sees only its files", async () => {
    const { folder, cwd } = makePlace();
    put(join(cwd, ".oxlintrc.json"), "{}");
    put(join(cwd, "eslint.config.js"), "throw new Error('ran')");
    put(join(cwd, "x.js"), "export const a = 1;\n");
    git(cwd, "add", ".");
    git(cwd, "commit", "-q", "-m", "js");
    put(join(cwd, "x.js"), "export const a = 1;\ndebugger;\n");
    const bin = join(folder, "bin");
    put(
      join(bin, "oxlint"),
      `#!/bin/sh\n[ -e "$PWD/a.py" ] && exit 9\n[ -n "$HEADGATE_SECRET" ] && exit 9\nn=$(grep -n debugger x.js | cut -d: -f1)\necho "<checkstyle><file name='x.js'>"\n[ -n "$n" ] && echo "<error line='$n' severity='error' message='debugger is here' source='no-debugger'/>"\necho "</file></checkstyle>"\n`,
    );
    chmodSync(join(bin, "oxlint"), 0o755);
    const config = join(folder, "no-home/config/headgate/config.jsonc");
    put(config, '{"review":{"linters":["oxlint","eslint"]}}');
    const env = { PATH: `${bin}:${process.env["PATH"]}`, HEADGATE_SECRET: "x" };
    const { stdout } = await runInside(["review"], { cwd, env });
    expect(stdout).toContain("debugger is here");
    expect(stdout).toContain("eslint did not run: its configuration is a program");
  });

  it("the settings name the linters that can run", () => {
    expect(toolNames).toEqual([...linterNames]);
  });
});
