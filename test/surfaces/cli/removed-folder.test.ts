/** Commands that were started in a folder that somebody removed. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cleanEnvironment, programPath } from "../../helpers/program.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

const runRemoved = (input: string, ...args: string[]) => {
  const folder = join(temporaryFolder(), "gone");
  mkdirSync(folder);
  const script = 'cd "$1" && rmdir "$1" && shift && exec "$@"';
  return spawnSync("sh", ["-c", script, "sh", folder, process.execPath, programPath, ...args], {
    ...{ encoding: "utf8", input, env: cleanEnvironment(join(folder, "no-home")) },
  });
};

it("S-09 a command says so in one line, with its code", () => {
  const { status, stderr } = runRemoved("", "status");
  expect([status, stderr]).toEqual([
    4,
    "headgate: the folder of this command was removed\n" +
      "  → Go to a folder that exists (cd) and run the command there. [WORKING_FOLDER_GONE]\n",
  ]);
});

it("G13 a hook stays closed", () => {
  const { status, stderr } = runRemoved('{"tool_name":"Write"}', "hook", "claude");
  expect([status, stderr]).toEqual([2, expect.stringContaining("WORKING_FOLDER_GONE")]);
});
