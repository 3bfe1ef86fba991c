import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeRepository } from "../helpers/git-repository.ts";
import { programPath, run } from "../helpers/program.ts";
import { arm, runShim, shimFolder } from "../helpers/shim.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { stateFolder } from "../helpers/state-folder.ts";

/** Each would make the file `ran` if any shell read it. */
const texts = [
  "$(touch ran)",
  "`touch ran`",
  "; touch ran;",
  "x && touch ran",
  "|touch ran",
  "a\ntouch ran\n",
  "' ; touch ran; '",
  '" ; touch ran; "',
  "{touch,ran}",
  "*",
  "~",
  "-rf",
];

it("C01 texts of agents reach no shell: targets, reasons, actors", async () => {
  const cwd = makeRepository(join(temporaryFolder(), "repo"));
  for (const text of texts) {
    await run(["claim", "--as", text, "--reason", text, "--", `name:${text}`], { cwd });
    await run(["check", "--", text], { cwd });
    await run(
      [
        "edit",
        "create",
        "--yes",
        "--reason",
        text,
        "--content",
        text,
        "--",
        `file ${text.replaceAll("\n", " ")}`,
      ],
      { cwd },
    );
    await run(["release", "--all", "--as", text], { cwd });
  }
  expect(existsSync(join(cwd, "ran"))).toBe(false);
  expect(readdirSync(cwd)).not.toContain("ran");
});

it("C01 C03 nor do a hook's payload, its session, or the client's name", async () => {
  const folder = shimFolder(makeRepository(join(temporaryFolder(), "a repo")));
  arm(stateFolder(folder), { runtime: [process.execPath, programPath] });
  for (const text of texts) {
    const payload = {
      session_id: text,
      agent_id: text,
      cwd: folder,
      hook_event_name: "PreToolUse",
      tool_name: "Write",
      tool_input: { file_path: join(folder, text.replaceAll("\n", " ")), content: text },
      tool_use_id: text,
    };
    const { code } = await runShim(folder, { harness: ["claude"], input: JSON.stringify(payload) });
    expect([0, 2]).toContain(code);
    // A name is letters only: no shell and no `.cmd` wrapper has anything to quote.
    const named = await runShim(folder, { harness: [text], input: JSON.stringify(payload) });
    expect(named.code).toBe(2);
  }
  expect(existsSync(join(folder, "ran"))).toBe(false);
});

it("C01 nor does a command that is only judged", async () => {
  const cwd = makeRepository(join(temporaryFolder(), "repo"));
  put(join(cwd, ".headgate/config.jsonc"), "{}");
  const payload = {
    session_id: "s1",
    cwd,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: `touch ran; echo $(touch ran) > x; git reset --hard '$(touch ran)'` },
    tool_use_id: "t1",
  };
  await run(["hook", "claude"], { cwd, input: JSON.stringify(payload) });
  expect(existsSync(join(cwd, "ran"))).toBe(false);
});
