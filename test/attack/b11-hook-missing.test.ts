import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { arm, pathWith, runShim, shimFolder } from "../helpers/shim.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { stateFolder } from "../helpers/state-folder.ts";

const repair = expect.stringMatching(
  /^Headgate refused this tool: HOOK_FAILED\n[^]*headgate doctor/,
);

describe("B11 the program behind the hook is not there", () => {
  const nowhere = "/nowhere/at/all";
  it.each([
    ["both paths wrong", [nowhere, nowhere]],
    ["node gone", [nowhere, import.meta.filename]],
    ["the program gone", [process.execPath, nowhere]],
    ["half a file", [process.execPath]],
    ["an empty file", []],
  ])("B11 %s: blocked, and what repairs it is said", async (_, runtime) => {
    const folder = shimFolder();
    arm(stateFolder(folder), { runtime });
    const env = { PATH: pathWith("cat", "curl") };
    expect(await runShim(folder, { shell: "/bin/sh", env })).toEqual({
      code: 2,
      stdout: "",
      stderr: repair,
    });
  });

  it("B11 variables of the client's do not stand in for what the file lacks", async () => {
    const folder = shimFolder();
    const mark = join(folder, "mark");
    const evil = put(join(temporaryFolder(), "evil"), `#!/bin/sh\n: >'${mark}'\nexit 0\n`);
    chmodSync(evil, 0o755);
    arm(stateFolder(folder), { runtime: [] });
    const names = ["node", "program", "state", "port", "answer", "payload", "harness", "code"];
    const env = {
      ...Object.fromEntries(names.map((name) => [name, evil])),
      PATH: pathWith("cat", "curl"),
    };
    expect(await runShim(folder, { shell: "/bin/sh", env })).toEqual({
      code: 2,
      stdout: "",
      stderr: repair,
    });
  });

  it("B11 a folder of state that cannot be read is no reason to pass", async () => {
    const folder = shimFolder();
    arm(stateFolder(folder));
    const env = { PATH: pathWith("cat", "curl") };
    expect(await runShim(folder, { shell: "/bin/sh", env })).toMatchObject({ code: 2 });
  });
});
