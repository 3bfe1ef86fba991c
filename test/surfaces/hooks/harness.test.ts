import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { concernsUs } from "../../../src/surfaces/hooks/concerns.ts";
import { dialectOf, hookHarnesses } from "../../../src/surfaces/hooks/harness/index.ts";
import { filesOf } from "../../../src/surfaces/hooks/proposal.ts";
import { actorName } from "../../../src/surfaces/hooks/hook-actor.ts";
import { readPayload } from "../../../src/surfaces/hooks/read-payload.ts";
import type { HookCall, HookDecision } from "../../../src/surfaces/hooks/types.ts";

const folder = resolve(import.meta.dirname, "../../fixtures/hooks");
const context = { variables: {}, cwd: "/elsewhere" };

const payloadOf = (name: string) => readPayload(readFileSync(join(folder, `${name}.json`)));

const read = (name: string, asked = name.split("/")[0] ?? ""): HookCall => {
  const payload = payloadOf(name);
  return dialectOf(asked, payload, context).read(payload, context);
};

const file = "/repo/src/a.ts";
const one = { old: "one", new: "two", all: false };
const patch = {
  kind: "patch",
  folder: "/repo",
  patch: expect.stringContaining("*** Add File: ok.txt"),
};

const expected: Readonly<Record<string, object>> = {
  "claude/write": { kind: "write", file: "/repo/allowed.txt", content: "hello\n", name: "Write" },
  "claude/edit": { kind: "replace", file, edits: [one], exact: true, name: "Edit" },
  "claude/multi-edit": {
    ...{ kind: "replace", file, exact: true },
    edits: [one, { old: "x", new: "y", all: true }],
  },
  "claude/notebook-edit": {
    ...{ kind: "notebook", file: "/repo/n.ipynb" },
    cell: { mode: "replace", id: "c1", source: "x = 1", type: "code" },
  },
  "claude/bash": { kind: "shell", command: "git status", shell: "posix" },
  "claude/powershell": { kind: "shell", command: "Get-ChildItem", shell: "powershell" },
  "claude/read": { kind: "read", file },
  "claude/sub-agent-write": { kind: "write", file: "/repo/b.txt" },
  "claude/own-mcp-tool": { kind: "other", name: "mcp__headgate__edit" },
  "claude/after-write": { kind: "write", file: "/repo/allowed.txt" },
  "codex/apply-patch": patch,
  "codex/shell": { kind: "shell", command: "ls -la", shell: "posix" },
  "codex/shell-apply-patch": {
    ...{ kind: "patch", folder: "/repo/src" },
    patch: "*** Begin Patch\n*** Delete File: a.ts\n*** End Patch",
  },
  "codex/mcp": { kind: "other" },
  "cursor/write": { kind: "write", file, content: "export {};\n" },
  "cursor/edit": { kind: "replace", file, edits: [one], exact: false },
  "cursor/delete": { kind: "delete", file },
  "cursor/shell": { kind: "shell", command: "npm test" },
  "cursor/read": { kind: "read", file },
  "cursor/mcp": { kind: "other" },
  "cursor/no-tool-name": { kind: "write", file, content: "x\n" },
  "cursor/no-tool-name-no-content": { kind: "unknown-write", files: [file] },
  "cursor/before-shell": { kind: "shell", command: "git reset --hard" },
  "cursor/after-file-edit": { kind: "unknown-write", files: [file] },
  "gemini/write-file": { kind: "write", file, content: "export {};\n" },
  "gemini/replace": { kind: "replace", file, edits: [one], exact: false },
  "gemini/shell": { kind: "shell", command: "ls" },
  "gemini/mcp": { kind: "other" },
  "opencode/edit": { kind: "replace", file, edits: [one], exact: false },
  "opencode/write": { kind: "write", file, content: "x\n" },
  "opencode/edit-whole-file": { kind: "write", file, content: "x\n" },
  "opencode/apply-patch": patch,
  "opencode/bash": { kind: "shell", command: "ls" },
  "opencode/after-read": { kind: "read", file },
  "vscode/create-file": { kind: "write", file, content: "x\n" },
  "vscode/replace-string": { kind: "replace", file, edits: [one], exact: false },
  "vscode/multi-replace": {
    kind: "replace",
    edits: [
      { ...one, file },
      { old: "x", new: "y", all: false, file: "/repo/src/b.ts" },
    ],
  },
  "vscode/edit-files": { kind: "unknown-write", files: [file, "/repo/src/b.ts"] },
  "vscode/insert-edit": { kind: "unknown-write", files: [file] },
  "vscode/terminal": { kind: "shell", command: "npm test" },
  "vscode/read-file": { kind: "read", file },
  "copilot/edit": { kind: "replace", file, edits: [one], exact: false },
  "copilot/write": { kind: "write", file, content: "x\n" },
  "copilot/patch": { kind: "patch", folder: "/repo" },
  "copilot/bash": { kind: "shell", command: "ls" },
  "copilot/after-read": { kind: "read", file },
  "copilot/older-edit": { kind: "replace", file, edits: [one] },
  "copilot/older-bash": { kind: "shell", command: "ls" },
  "qwen/edit": { kind: "replace", file, edits: [one], exact: false },
  "qwen/write-file": { kind: "write", file, content: "x\n" },
  "qwen/shell": { kind: "shell", command: "ls" },
  "qwen/notebook": { kind: "notebook", file: "/repo/n.ipynb", name: "notebook_edit" },
};

describe("what clients say, in our words", () => {
  it.each(Object.entries(expected))("%s", (name, tool) => {
    expect(read(name)).toMatchObject({ harness: name.split("/")[0], cwd: "/repo", tool });
  });

  it("every recorded payload is read, by its own client's name", () => {
    for (const harness of hookHarnesses) {
      const names = readdirSync(join(folder, harness));
      expect(names.length).toBeGreaterThan(4);
      for (const name of names) {
        expect(read(`${harness}/${name.replace(/\.json$/, "")}`)).toMatchObject({ harness });
      }
    }
  });

  it.each([
    ["claude/write", "before-tool"],
    ["claude/after-write", "after-tool"],
    ["claude/after-failed-edit", "tool-failed"],
    ["gemini/after-failed-replace", "tool-failed"],
    ["gemini/after-tool", "after-tool"],
    ["claude/session-start", "session-start"],
    ["claude/session-end", "session-end"],
    ["claude/stop", "stop"],
    ["claude/subagent-stop", "subagent-stop"],
    ["claude/user-prompt", "prompt"],
    ["codex/after-shell", "after-tool"],
    ["codex/session-start", "session-start"],
    ["cursor/before-shell", "before-tool"],
    ["cursor/session-start", "session-start"],
    ["gemini/after-tool", "after-tool"],
    ["gemini/session-end", "session-end"],
    ["opencode/session-created", "session-start"],
    ["opencode/session-idle", "stop"],
    ["opencode/session-deleted", "session-end"],
    ["copilot/edit", "before-tool"],
    ["copilot/older-edit", "before-tool"],
    ["copilot/after-failed-edit", "tool-failed"],
    ["copilot/session-start", "session-start"],
    ["copilot/stop", "stop"],
    ["qwen/edit", "before-tool"],
    ["qwen/after-failed-edit", "tool-failed"],
    ["qwen/prompt", "prompt"],
    ["qwen/next-request", "other"],
  ])("%s is the event %s", (name, event) => {
    expect(read(name).event).toBe(event);
  });

  it("sub-agents are actors of their own within their session", () => {
    const session = "claude:a3aa949c-5f0e-4d0b-9d53-2f2f5f6a0001";
    expect(actorName(read("claude/write"))).toBe(session);
    expect(actorName(read("claude/sub-agent-write"))).toBe(`${session}/ag_01`);
  });

  it.each([
    ["cursor/write", "cursor/through-claude-hooks"],
    ["cursor/write", "cursor/write"],
    ["vscode/create-file", "vscode/create-file"],
    ["vscode/create-file", "vscode/snake-case-session-start"],
    ["copilot/edit", "copilot/edit"],
    ["copilot/edit", "copilot/session-start"],
    ["copilot/edit", "copilot/stop"],
    ["copilot/edit", "copilot/older-edit"],
  ])("%s is the same actor when Claude Code's hooks are asked with %s", (own, through) => {
    expect(actorName(read(through, "claude"))).toBe(actorName(read(own)));
  });

  it.each([
    ["claude", { tool_name: "Update", tool_input: { file_path: "src/a.ts", new_string: "x" } }],
    [
      "codex",
      {
        tool_name: "Edit",
        tool_input: { file_path: "src/a.ts", edits: [], old_string: "", new_string: "" },
      },
    ],
    ["gemini", { tool_name: "edit", tool_input: { file_path: "src/a.ts", content: "x" } }],
    ["cursor", { tool_name: "SearchReplace", tool_input: { path: "src/a.ts", new_string: "x" } }],
    [
      "opencode",
      {
        event: "tool.execute.before",
        sessionID: "s",
        tool: "lsp_edit",
        args: { filePath: "src/a.ts", edits: [] },
      },
    ],
    ["vscode", { tool_name: "new_edit_tool", tool_input: { filePath: "src/a.ts", code: "x" } }],
  ])(
    "%s: a tool nobody told us of that has a file and something for it is taken for one that writes",
    (asked, more) => {
      const event =
        { claude: "PreToolUse", gemini: "BeforeTool", cursor: "preToolUse" }[asked] ?? "PreToolUse";
      const payload = { session_id: "s", cwd: "/repo", hook_event_name: event, ...more };
      const call = dialectOf(asked, payload, context).read(payload, context);
      expect(concernsUs(call)).toBe(true);
      expect(filesOf(call.tool ?? { kind: "other", name: "" })).toEqual([file]);
    },
  );

  it.each([
    [["bash", "-lc", "ls -la"], { kind: "shell", command: "ls -la" }],
    [["/bin/zsh", "-c", "ls"], { kind: "shell", command: "ls" }],
    [["rm", "-f", "it's"], { kind: "shell", command: String.raw`rm -f 'it'\''s'` }],
    [["apply_patch", "*** Begin Patch\n*** End Patch"], { kind: "patch", folder: "/repo" }],
    ["apply_patch <<'EOF'\n*** Begin Patch\nEOF\nrm -rf x", { kind: "shell" }],
    ["cd $(pwd) && apply_patch <<EOF\n*** Begin Patch\nEOF", { kind: "shell" }],
  ])("Codex: the command %j", (command, tool) => {
    const event = { session_id: "s", cwd: "/repo", hook_event_name: "PreToolUse" };
    const payload = { ...event, tool_name: "Bash", tool_input: { command } };
    expect(dialectOf("codex", payload, context).read(payload, context).tool).toMatchObject(tool);
  });

  it("a call that comes twice has the same tool use id both ways", () => {
    const [own, through] = [read("cursor/write"), read("cursor/through-claude-hooks", "claude")];
    expect(through).toMatchObject({ toolUseId: own.toolUseId, tool: own.tool });
  });

  it("Gemini CLI with Claude Code's hooks taken over stays Gemini CLI", () => {
    expect(read("gemini/write-file", "claude").harness).toBe("gemini");
    const payload = payloadOf("gemini/session-start");
    const inGemini = { ...context, variables: { GEMINI_SESSION_ID: "5e55-0001" } };
    expect(dialectOf("claude", payload, inGemini).harness).toBe("gemini");
  });

  it.each([
    ...["claude/read", "claude/own-mcp-tool", "cursor/read"],
    ...["vscode/read-file", "gemini/mcp", "codex/mcp"],
  ])("%s is nothing to us: answered without opening anything", (name) => {
    expect(concernsUs(read(name))).toBe(false);
  });

  it.each([
    [
      "a number as path",
      "claude",
      { tool_name: "Write", tool_input: { file_path: 7, content: "" } },
    ],
    ["no content", "claude", { tool_name: "Write", tool_input: { file_path: "/a" } }],
    ["a list as input", "claude", { tool_name: "Write", tool_input: [] }],
    ["an edit without old text", "claude", { tool_name: "Edit", tool_input: { file_path: "/a" } }],
    [
      "edits that are no list",
      "claude",
      { tool_name: "MultiEdit", tool_input: { file_path: "/a", edits: {} } },
    ],
    ["a session that names a sub-agent", "claude", { session_id: "a/b" }],
    ["a session that is no text", "claude", { session_id: {} }],
    [
      "a NUL in a path",
      "claude",
      { tool_name: "Write", tool_input: { file_path: "/a\0b", content: "" } },
    ],
    ["a tool name that is no text", "codex", { tool_name: ["apply_patch"], tool_input: {} }],
    ["a patch that is no text", "codex", { tool_name: "apply_patch", tool_input: { command: 7 } }],
    ["arguments that are no JSON", "vscode", { toolName: "edit", toolArgs: "{" }],
  ])("%s is refused, not overlooked", (_, asked, wrong) => {
    const payload = { session_id: "s", cwd: "/repo", hook_event_name: "PreToolUse", ...wrong };
    expect(() => dialectOf(asked, payload, context).read(payload, context)).toThrow(
      expect.objectContaining({ code: "HOOK_INPUT_INVALID" }),
    );
  });
});

describe("what clients are answered", () => {
  const refuse: HookDecision = {
    kind: "refuse",
    code: "X",
    text: "Headgate refused this Write: X",
  };
  const answer = (name: string, decision: HookDecision) => {
    const payload = payloadOf(name);
    const dialect = dialectOf(name.split("/")[0] ?? "", payload, context);
    return dialect.answer(decision, dialect.read(payload, context));
  };
  const befores = [
    "claude/write",
    "codex/apply-patch",
    "cursor/write",
    "gemini/write-file",
    "opencode/edit",
    "qwen/edit",
    "vscode/create-file",
  ];

  it.each(befores)(
    "%s: no objection is silence, a refusal is 2 with the reason on stderr",
    (name) => {
      expect(answer(name, { kind: "pass" })).toEqual({ exit: 0, stdout: "", stderr: "" });
      expect(answer(name, refuse)).toEqual({ exit: 2, stdout: "", stderr: `${refuse.text}\n` });
    },
  );

  it.each(["copilot/edit", "copilot/patch", "copilot/older-edit"])(
    "D1 %s: a refusal is JSON, because the model is shown nothing of an exit code but its number",
    (name) => {
      const { exit, stdout, stderr } = answer(name, refuse);
      const deny = { permissionDecision: "deny", permissionDecisionReason: refuse.text };
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
      expect(JSON.parse(stdout)).toMatchObject({ ...deny, hookSpecificOutput: deny });
      expect(answer(name, { kind: "pass" })).toEqual({ exit: 0, stdout: "", stderr: "" });
    },
  );

  it.each([
    "copilot/stop",
    "claude/stop",
    "claude/session-end",
    "claude/after-write",
    "claude/user-prompt",
    "gemini/after-tool",
  ])("%s: what is no tool about to run is never stopped", (name) => {
    expect(answer(name, refuse)).toMatchObject({ exit: 0, stdout: "" });
  });

  it.each([
    [
      "claude/session-start",
      { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "rules" } },
    ],
    [
      "claude/after-write",
      { hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "rules" } },
    ],
    [
      "codex/session-start",
      { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "rules" } },
    ],
    [
      "gemini/session-start",
      { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "rules" } },
    ],
    [
      "gemini/after-tool",
      { hookSpecificOutput: { hookEventName: "AfterTool", additionalContext: "rules" } },
    ],
    ["cursor/session-start", { additional_context: "rules" }],
    [
      "copilot/session-start",
      {
        additionalContext: "rules",
        hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "rules" },
      },
    ],
    [
      "qwen/prompt",
      { hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "rules" } },
    ],
  ])("%s: a message comes in the client's own form, and never as a decision", (name, json) => {
    const { exit, stdout, stderr } = answer(name, { kind: "tell", text: "rules" });
    expect({ exit, stderr, json: JSON.parse(stdout) }).toEqual({ exit: 0, stderr: "", json });
  });
});
