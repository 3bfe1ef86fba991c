import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { git } from "../../helpers/git-repository.ts";
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

/** As lint-staged works: it puts everything else aside, formats what is staged and takes the rest back. */
const lintStaged = `#!/bin/sh
[ -f "$(git rev-parse --path-format=absolute --git-common-dir)/../../on" ] || exit 0
git stash push --quiet --keep-index --include-untracked || exit 1
sed -i 's/^own/OWN/' a.txt && git add a.txt
git stash drop --quiet 2>/dev/null || :
`;

it("N-01 N-10 through the server: a session's script is its own work, another program's is unknown, and a hook that stashes and formats takes neither along", async () => {
  const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";
  const place = await servedCheckout({ "a.txt": ten, "b.txt": ten }, (folder) => {
    writeFileSync(join(folder, ".git/hooks/pre-commit"), lintStaged);
    chmodSync(join(folder, ".git/hooks/pre-commit"), 0o755);
  });
  const { folder } = place;
  shimFolder(folder);
  arm(join(folder, ".git/headgate"));
  await place.swap("s2", "a.txt", "9\n", "nine\n");
  const hook = async (event: string, command: string) => {
    const facts = { session_id: "s1", cwd: folder, hook_event_name: event, tool_name: "Bash" };
    const more = { tool_use_id: command, tool_input: { command }, tool_response: {} };
    const input = JSON.stringify({ ...facts, ...more });
    expect(
      await runShim(folder, { harness: ["claude"], input, env: { HOME: folder } }),
    ).toMatchObject({ code: 0 });
  };
  // A script that the session runs; the watcher hears of the write before the hook after it does.
  const script = "sed -i 's/^2$/own 2/' a.txt";
  await hook("PreToolUse", script);
  execFileSync("sh", ["-c", script], { cwd: folder });
  await hook("PostToolUse", script);
  const spans = async (path: string) => {
    const { stdout } = headgateAs("ada", folder, "blame", path, "--json");
    const { spans: all } = JSON.parse(stdout) as { spans: Record<string, unknown>[] };
    return all.map(({ from, actor, kind }) => [from, actor, kind]);
  };
  const known = [
    [2, session("s1"), "shell"],
    [9, session("s2"), "edit"],
  ];
  expect(await spans("a.txt")).toEqual(known);
  // A plain program beside them.
  execFileSync("sed", ["-i", "s/^5$/five/", join(folder, "b.txt")]);
  // The server may have begun to watch only after that.
  const again = async (): Promise<string[]> => {
    writeFileSync(join(folder, "b.txt"), readFileSync(join(folder, "b.txt")));
    return place.authors("b.txt");
  };
  await vi.waitFor(async () => expect(await again()).toEqual([""]), { timeout: 60_000 });
  expect(await spans("b.txt")).toEqual([[5, "", "unknown"]]);
  expect(await spans("a.txt")).toEqual(known);

  writeFileSync(join(folder, "../on"), "");
  const done = place.git("s1", "commit", "-qam", "Mine");
  expect([done.code, place.head("a.txt")]).toEqual([0, ten.replace("2\n", "OWN 2\n")]);
  expect(place.head("b.txt")).toBe(ten);
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe(
    ten.replace("2\n", "OWN 2\n").replace("9\n", "nine\n"),
  );
  expect(readFileSync(join(folder, "b.txt"), "utf8")).toBe(ten.replace("5\n", "five\n"));
  expect(await spans("a.txt")).toEqual([[9, session("s2"), "edit"]]);
  expect(await spans("b.txt")).toEqual([[5, "", "unknown"]]);
  expect(git(folder, "stash", "list")).toBe("");
});
