import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hookParts } from "../../../src/surfaces/hooks/parts.ts";
import type { HookCall, HookHarness, ToolUse } from "../../../src/surfaces/hooks/types.ts";
import { type HookPlace, hookPlace } from "../../helpers/hook-place.ts";

const source = "export const one = 1;\nexport const two = 2;\nexport const three = 3;\n";
const other = "export const ten = 10;\n";

const write = (file: string, content = other): ToolUse => ({
  kind: "write",
  file,
  content,
  name: "Write",
});
const read = (file: string): ToolUse => ({ kind: "read", file, name: "Read" });
const shell = (command: string): ToolUse => ({
  kind: "shell",
  command,
  shell: "posix",
  name: "Bash",
});
const refused = expect.objectContaining({ kind: "refuse", code: "READ_FIRST" });

/** A session of Claude Code that began here, and has read another file. */
const begun = async (more: Partial<HookCall> = {}): Promise<HookPlace & { file1: string }> => {
  const place = await hookPlace();
  const file1 = place.file("src/a.ts", source);
  const elsewhere = place.file("b.ts", source);
  await start(place, { source: "startup", ...more });
  await place.after(read(elsewhere), more);
  return { ...place, file1 };
};

const start = (place: HookPlace, more: Partial<HookCall>) =>
  place.ask({
    harness: "claude",
    session: "s1",
    cwd: place.root,
    event: "session-start",
    ...more,
  });

/** What the session hears of its notes, and whether it was stopped. */
const answer = async (place: HookPlace, tool: ToolUse, more: Partial<HookCall> = {}) => {
  const decision = await place.before(tool, more);
  if (decision.kind === "refuse") return decision.code;
  const session = `${more.harness ?? "claude"}:${more.session ?? "s1"}`;
  const text = JSON.stringify(await place.headgate.as(session).inbox.list());
  return text.includes("READ_FIRST") ? "note" : "silent";
};

describe("E-24 a whole file over one that was never read", () => {
  it("E-24 is refused, and passes once the file was read", async () => {
    const place = await begun();
    const decision = await place.before(write(place.file1));
    expect(decision).toEqual(refused);
    expect(decision).toMatchObject({
      text: expect.stringContaining("src/a.ts exists (3 lines) and this session has never read it"),
    });
    await place.after(read(place.file1));
    expect(await answer(place, write(place.file1))).toBe("silent");
  });

  it.each([
    ["cat", "cat src/a.ts"],
    ["head in a folder", "cd src && head -20 a.ts"],
    ["sed -n", "sed -n '1,20p' ./src/a.ts"],
    ["grep", "grep -n one src/a.ts | head"],
    ["git show", "git show HEAD:src/a.ts"],
    ["what it wrote itself", "echo x > src/a.ts"],
  ])("E-24 a command that names the file counts as read: %s", async (_, command) => {
    const place = await begun();
    const call = place.call(shell(command), { event: "after-tool" });
    await place.ask(call, { ...hookParts });
    writeFileSync(place.file1, source);
    if (command.startsWith("cat")) await place.ask(call, { ...hookParts });
    expect(await answer(place, write(place.file1))).toBe("silent");
  });

  it("E-24 cat shows the version that is there: a later one is a stale view", async () => {
    const place = await begun();
    const call = place.call(shell("cat src/a.ts"), { event: "after-tool" });
    await place.ask(call, { ...hookParts });
    writeFileSync(place.file1, `${source}export const four = 4;\n`);
    expect(await answer(place, write(place.file1))).toBe("STALE_VIEW");
  });

  it.each([
    ["a search through its folder", "grep -rn one src/"],
    ["a pattern", "cat src/*.ts"],
    ["a search through everything", "rg one"],
  ])("E-24 in doubt it is a note: %s", async (_, command) => {
    const place = await begun();
    await place.ask(place.call(shell(command), { event: "after-tool" }), { ...hookParts });
    expect(await answer(place, write(place.file1))).toBe("note");
  });

  it("E-24 a prompt that mentions the path counts as read", async () => {
    const place = await begun();
    const prompt = "Please look at @src/a.ts, and rewrite it.";
    await place.ask({ harness: "claude", session: "s1", cwd: place.root, event: "prompt", prompt });
    expect(await answer(place, write(place.file1))).toBe("silent");
  });

  it("E-24 what a sub-agent read, its session has read", async () => {
    const place = await begun();
    await place.after(read(place.file1), { agent: "helper" });
    expect(await answer(place, write(place.file1))).toBe("silent");
    const file = place.file("c.ts", source);
    expect(await answer(place, write(file), { agent: "helper" })).toBe("READ_FIRST");
  });

  it("E-24 a session that began before Headgate looked on gets a note", async () => {
    const place = await hookPlace();
    const file = place.file("a.ts", source);
    await place.after(read(place.file("b.ts", source)));
    expect(await answer(place, write(file))).toBe("note");
    const resumed = place.file("c.ts", source);
    await start(place, { session: "s2", source: "resume" });
    await place.after(read(join(place.root, "b.ts")), { session: "s2" });
    expect(await answer(place, write(resumed), { session: "s2" })).toBe("note");
  });

  it("E-24 a session that has reported no read yet gets a note", async () => {
    const place = await hookPlace();
    const file = place.file("a.ts", source);
    await start(place, { source: "startup" });
    expect(await answer(place, write(file))).toBe("note");
  });

  it.each(["codex", "cursor", "gemini", "vscode"] satisfies HookHarness[])(
    "E-24 where a client does not report all that it reads, it is a note: %s",
    async (harness) => {
      const place = await begun({ harness });
      expect(await answer(place, write(place.file1), { harness })).toBe("note");
    },
  );

  it("E-24 whoever keeps what is there knows it, and new files need no read", async () => {
    const place = await begun();
    expect(await answer(place, write(place.file1, `${source}${other}`))).toBe("silent");
    expect(await answer(place, write(join(place.root, "new.ts")))).toBe("silent");
    expect(await answer(place, write(place.file("empty.ts", "")))).toBe("silent");
  });
});
