import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { arm, runShim, shimFolder } from "../../helpers/shim.ts";
import { headgateAs, heldBy } from "./hooked-repository.ts";
import { servedCheckout, session } from "./shared-checkout.ts";

it("N-01 the server notes a write that no hook saw as unknown; undo --actor ends what the taken edit held", async () => {
  const place = await servedCheckout({ "notes.txt": "one\ntwo\nthree\nfour\nfive\n" });
  const { folder } = place;
  shimFolder(folder);
  arm(join(folder, ".git/headgate"));
  const file = join(folder, "notes.txt");
  const hook = (event: string, more: object) => {
    const tool_input = { file_path: file, old_string: "two", new_string: "2", replace_all: false };
    const facts = { session_id: "s1", cwd: folder, hook_event_name: event, tool_name: "Edit" };
    const input = JSON.stringify({ ...facts, tool_use_id: "t1", tool_input, ...more });
    return runShim(folder, { harness: ["claude"], input, env: { HOME: folder } });
  };
  expect(await hook("PreToolUse", {})).toMatchObject({ code: 0 });
  const before = readFileSync(file, "utf8");
  writeFileSync(file, before.replace("two", "2"));
  const tool_response = { filePath: file, originalFile: before };
  expect(await hook("PostToolUse", { tool_response })).toMatchObject({ code: 0 });
  expect(await place.authors("notes.txt")).toEqual([session("s1")]);
  expect(heldBy(session("s1"), folder)).toEqual([expect.stringContaining("notes.txt")]);

  // By a program that asks nothing. Only the server can have noted it: nothing else looks.
  const by = async (): Promise<string[]> => {
    writeFileSync(file, readFileSync(file, "utf8").replace("five", "by hand"));
    return place.authors("notes.txt");
  };
  await vi.waitFor(async () => expect(await by()).toContain(""), { timeout: 60_000 });
  const blamed = JSON.parse(headgateAs("ada", folder, "blame", "notes.txt", "--json").stdout) as {
    spans: object[];
  };
  expect(blamed.spans).toMatchObject([
    { from: 2, to: 2, actor: session("s1"), kind: "edit" },
    { from: 5, to: 5, kind: "unknown" },
  ]);

  const undone = headgateAs("ada", folder, "undo", "--actor", session("s1"), "--yes");
  expect([undone.code, undone.stderr]).toEqual([0, expect.anything()]);
  expect(readFileSync(file, "utf8")).toBe("one\ntwo\nthree\nfour\nby hand\n");
  expect(heldBy(session("s1"), folder)).toEqual([]);
});
