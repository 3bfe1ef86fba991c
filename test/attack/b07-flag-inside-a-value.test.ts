import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openHeadgate } from "../../src/compose.ts";
import { run } from "../helpers/program.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { stateFolder } from "../helpers/state-folder.ts";

describe("B07 a flag smuggled inside another flag's value", () => {
  it.each(["--version", "--help", "--json", "--debug", "-V", "--repo=/", "--", "help"])(
    "B07 %s as an inline value stays a value",
    async (value) => {
      const cwd = temporaryFolder();
      const { code, stdout } = await run(["events", `--kind=${value}`], { cwd });
      expect(stdout).not.toMatch(/Usage|^\d+\.\d+\.\d+$|"ok"/m);
      expect([0, 2]).toContain(code);
    },
  );

  it("B07 a value that follows its flag is taken for the value or refused, never obeyed", async () => {
    const cwd = temporaryFolder();
    for (const value of ["--version", "--help", "-V"]) {
      const { code, stdout, stderr } = await run(["events", "--kind", value], { cwd });
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(`write --kind=${value}`);
    }
    const named = await run(["--repo", "up", "status"], { cwd });
    expect(named.stderr).toContain("REPOSITORY_NOT_FOUND");
  });

  it("B07 nothing after -- is an option or a sub-command", async () => {
    const cwd = temporaryFolder();
    await using headgate = await openHeadgate({ repo: cwd });
    await headgate.events.append({ kind: "thing.made" });
    for (const rest of [["--version"], ["--help"], ["prune", "--before", "2", "--yes"]]) {
      const { code, stdout } = await run(["events", "--", ...rest], { cwd });
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    }
    expect((await headgate.events.page()).events).toHaveLength(2);
    expect((await run(["--", "up"], { cwd })).code).toBe(2);
    expect(existsSync(join(stateFolder(cwd), "server.lock"))).toBe(false);
  });
});
