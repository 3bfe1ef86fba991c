import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { dialectOf } from "../../src/surfaces/hooks/harness/index.ts";
import type { HookCall } from "../../src/surfaces/hooks/index.ts";

/** What the real clients sent, recorded by test/clients/record-payloads.test.ts. */
const folder = resolve(import.meta.dirname, "../fixtures/hooks-recorded");

/** Event, then the tool as it is understood. */
const understood: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  claude: {
    SessionStart: "session-start",
    UserPromptSubmit: "prompt",
    "PreToolUse-Write": "before-tool write b.ts",
    "PreToolUse-Write-2": "before-tool write d.ts, by a sub-agent",
    "PreToolUse-Edit": "before-tool replace a.ts",
    "PreToolUse-Bash": "before-tool shell true",
    "PreToolUse-NotebookEdit": "before-tool notebook n.ipynb",
    "PostToolUse-Write": "after-tool write b.ts",
    "PostToolUse-Write-2": "after-tool write d.ts, by a sub-agent",
    "PostToolUse-Edit": "after-tool replace a.ts",
    "PostToolUse-Bash": "after-tool shell true",
    "PostToolUse-NotebookEdit": "after-tool notebook n.ipynb",
    "PostToolUse-Read": "after-tool read a.ts",
    "PostToolUse-Read-2": "after-tool read n.ipynb",
    SubagentStop: "subagent-stop, by a sub-agent",
    Stop: "stop",
    SessionEnd: "session-end",
  },
  codex: {
    SessionStart: "session-start",
    UserPromptSubmit: "prompt",
    "PreToolUse-apply_patch": "before-tool patch of 1",
    "PreToolUse-apply_patch-2": "before-tool patch of 1",
    "PreToolUse-apply_patch-3": "before-tool patch of 4",
    "PreToolUse-Bash": "before-tool shell true",
    "PostToolUse-apply_patch": "after-tool patch of 1",
    "PostToolUse-apply_patch-2": "after-tool patch of 1",
    "PostToolUse-apply_patch-3": "after-tool patch of 4",
    "PostToolUse-Bash": "after-tool shell true",
    Stop: "stop",
    SessionEnd: "session-end",
  },
  copilot: {
    SessionStart: "session-start",
    UserPromptSubmit: "prompt",
    "PreToolUse-Read": "before-tool read a.ts",
    "PreToolUse-Write": "before-tool write b.ts",
    "PreToolUse-Edit": "before-tool replace a.ts",
    "PreToolUse-Bash": "before-tool shell true",
    "PostToolUse-Read": "after-tool read a.ts",
    "PostToolUse-Write": "after-tool write b.ts",
    "PostToolUse-Edit": "after-tool replace a.ts",
    "PostToolUse-Bash": "after-tool shell true",
    Stop: "stop",
    SessionEnd: "session-end",
  },
  qwen: {
    SessionStart: "session-start",
    UserPromptSubmit: "prompt",
    // One for each request to the model, without words of the user.
    ...Object.fromEntries([2, 3, 4, 5].map((number) => [`UserPromptSubmit-${number}`, "other"])),
    "PreToolUse-write_file": "before-tool write b.ts",
    "PreToolUse-edit": "before-tool replace a.ts",
    "PreToolUse-run_shell_command": "before-tool shell true",
    "PostToolUse-read_file": "after-tool read a.ts",
    "PostToolUse-write_file": "after-tool write b.ts",
    "PostToolUse-edit": "after-tool replace a.ts",
    "PostToolUse-run_shell_command": "after-tool shell true",
    Stop: "stop",
  },
  gemini: {
    SessionStart: "session-start",
    BeforeAgent: "prompt",
    "BeforeTool-write_file": "before-tool write b.ts",
    "BeforeTool-replace": "before-tool replace a.ts",
    "BeforeTool-run_shell_command": "before-tool shell true",
    "AfterTool-write_file": "after-tool write b.ts",
    "AfterTool-replace": "after-tool replace a.ts",
    "AfterTool-run_shell_command": "after-tool shell true",
    "AfterTool-read_file": "after-tool read a.ts",
    AfterAgent: "stop",
    SessionEnd: "session-end",
  },
  opencode: {
    "session.created": "session-start",
    "chat.message": "prompt",
    "tool.execute.before-read": "before-tool read a.ts",
    "tool.execute.before-write": "before-tool write b.ts",
    "tool.execute.before-edit": "before-tool replace a.ts",
    "tool.execute.before-bash": "before-tool shell true",
    "tool.execute.after-read": "after-tool read a.ts",
    "tool.execute.after-write": "after-tool write b.ts",
    "tool.execute.after-edit": "after-tool replace a.ts",
    "tool.execute.after-bash": "after-tool shell true",
    "session.idle": "stop",
  },
};

const inWords = ({ event, tool, agent }: HookCall): string => {
  const by = agent === undefined ? "" : ", by a sub-agent";
  if (!tool) return event + by;
  const files = "file" in tool ? tool.file.replace(/^\/repo\//, "") : "";
  const what =
    tool.kind === "shell"
      ? tool.command
      : tool.kind === "patch"
        ? `of ${tool.patch.match(/^\*\*\* (Add|Update|Delete) File/gm)?.length}`
        : files;
  return `${event} ${tool.kind} ${what}${by}`;
};

describe("payloads recorded from the real clients", () => {
  it("every client was recorded", () => {
    expect(readdirSync(folder).toSorted()).toEqual(Object.keys(understood).toSorted());
  });

  it.each(Object.keys(understood))("%s: every payload is understood", (client) => {
    const context = { variables: {}, cwd: "/repo" };
    const found = readdirSync(join(folder, client)).map((name) => {
      const payload = JSON.parse(readFileSync(join(folder, client, name), "utf8")) as Record<
        string,
        unknown
      >;
      const call = dialectOf(client, payload, context).read(payload, context);
      expect(call).toMatchObject({ harness: client, cwd: "/repo" });
      expect(call.session).toMatch(/^(0{8}-0000-4000-8000-0{11}1|ses_0{25}1)$/);
      return [name.replace(/\.json$/, ""), inWords(call)];
    });
    expect(Object.fromEntries(found)).toEqual(understood[client]);
  });
});
