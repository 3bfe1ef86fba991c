import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRepository } from "../helpers/git-repository.ts";
import { programPath, run, start } from "../helpers/program.ts";
import { arm, runShim, shimFolder } from "../helpers/shim.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { stateFolder } from "../helpers/state-folder.ts";

const armed = (): string => {
  const root = makeRepository(join(temporaryFolder(), "repo"));
  mkdirSync(join(root, ".git/headgate"));
  return root;
};
const blocked = {
  code: 2,
  stdout: "",
  stderr: expect.stringMatching(
    /^Headgate refused this tool: HOOK_(INPUT_INVALID|TIMEOUT|FAILED)\n[^]*headgate doctor/,
  ),
};
const large = `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"content":"${"x".repeat(50 * 1024 * 1024)}"}}`;
const input = (more: object): string =>
  JSON.stringify({
    session_id: "s",
    cwd: "/",
    hook_event_name: "PreToolUse",
    tool_name: "Write",
    ...more,
  });

describe("B09 what a hook is given", () => {
  it.each([
    ["50 MB", large],
    ["deep nesting", `{"a":${"[".repeat(2_000_000)}`],
    ["duplicate keys", '{"session_id":"s","session_id":"t"}'],
    ["__proto__", '{"__proto__":{"session_id":"s"},"hook_event_name":"PreToolUse"}'],
    ["nothing", ""],
    ["half of it", '{"session_id":"s","hook_event'],
    ["no object", "[1,2]"],
    ["a session that is a number", input({ session_id: 7 })],
    ["an input that is a text", input({ tool_input: "rm" })],
    ["a path that is a list", input({ tool_input: { file_path: ["a"], content: "x" } })],
    ["a content that is an object", input({ tool_input: { file_path: "/a", content: {} } })],
    [
      "a session of another's sub-agent",
      input({ session_id: "x/y", tool_input: { file_path: "/a", content: "" } }),
    ],
  ])("B09 %s is blocked", async (_, text) => {
    expect(await run(["hook", "claude"], { cwd: armed(), input: text })).toMatchObject(blocked);
  });

  it("B09 50 MB are blocked through the shim as well", async () => {
    const folder = shimFolder();
    arm(stateFolder(folder), { runtime: [process.execPath, programPath] });
    const { code, stdout, stderr } = await runShim(folder, { harness: ["claude"], input: large });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    // A busy machine may not read all of it within the time for it.
    expect(stderr).toMatch(/HOOK_INPUT_INVALID|HOOK_TIMEOUT/);
  });

  it("B09 a client that writes its payload too slowly is blocked within the time for it", async () => {
    const started = start(["hook", "claude"], { cwd: armed(), input: "open" });
    started.child.stdin?.write('{"session_id":');
    const drip = setInterval(() => started.child.stdin?.write(" "), 200);
    const ended = await started.ended;
    clearInterval(drip);
    expect(ended).toMatchObject({ ...blocked, stderr: expect.stringContaining("HOOK_TIMEOUT") });
  });
});
