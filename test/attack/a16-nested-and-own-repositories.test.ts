import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makeRepository } from "../helpers/git-repository.ts";
import {
  arm,
  eventsOf,
  gitAs,
  hookedRepository,
  install,
  twoFunctions,
  write,
} from "../surfaces/git/hooked-repository.ts";

describe("A16 nested repositories, filters and Headgate's own files at the commit", () => {
  it("judges the repository that commits, not the one around it", async () => {
    const outer = await hookedRepository();
    const inner = makeRepository(join(outer, "inner"));
    arm(inner);
    await install(inner);
    write(inner, "code.ts", `${twoFunctions}${twoFunctions}`);
    git(inner, "add", "--all");
    const { code, stderr } = gitAs("ada", inner, ["commit", "-m", "x"]);
    expect(code).toBe(1);
    expect(stderr).toContain("refused this git commit: DUPLICATE_SYMBOL code.ts");
    expect(eventsOf(inner, "gate.refused")).toHaveLength(1);
    expect(eventsOf(outer, "gate.refused")).toEqual([]);
  });

  it("runs no filter, textconv or external diff that the repository configures", async () => {
    const folder = await hookedRepository();
    const ran = join(folder, "../ran");
    write(folder, ".gitattributes", "*.ts filter=evil diff=evil\n");
    git(folder, "add", "--all");
    for (const key of ["filter.evil.smudge", "diff.evil.textconv", "diff.evil.command"]) {
      git(folder, "config", key, `touch ${ran}; cat`);
    }
    git(folder, "config", "diff.external", `touch ${ran}`);
    git(folder, "config", "core.fsmonitor", `touch ${ran}; false`);
    // Git itself would ask the monitor; only our own calls are meant.
    const { code } = gitAs("ada", folder, [
      "-c",
      "core.fsmonitor=false",
      "commit",
      "-q",
      "-m",
      "x",
    ]);
    expect(code).toBe(0);
    expect(existsSync(ran)).toBe(false);
  });

  it("A15 C01 branch, file and remote names are data", async () => {
    const folder = await hookedRepository();
    const ran = join(folder, "x");
    const branch = "a;touch${IFS}x;$(touch${IFS}x)";
    expect(gitAs("ada", folder, ["switch", "--quiet", "--create", branch]).code).toBe(0);
    mkdirSync(join(folder, "-n"));
    writeFileSync(join(folder, "-n", "$(touch x) `touch x` '\".ts"), twoFunctions);
    writeFileSync(join(folder, "--output=x"), "x\n");
    writeFileSync(join(folder, "new\nline.ts"), twoFunctions);
    git(folder, "add", "--all");
    expect(gitAs("ada", folder, ["commit", "--quiet", "-m", "$(touch x)"])).toMatchObject({
      code: 0,
      stderr: "",
    });
    const remote = join(folder, "../$(touch x).git");
    git(folder, "init", "--quiet", "--bare", remote);
    expect(gitAs("ada", folder, ["push", "--quiet", remote, branch])).toMatchObject({ code: 0 });
    expect(existsSync(ran)).toBe(false);
  });
});
