/**
 * Cursor. It also loads Claude Code's hooks and then calls its events by Claude's names; either way the
 * conversation is the session. What its tools are given is not documented for all of them, and some calls
 * lack the tool's name, so the input's own shape decides where the name does not.
 */
import type { Payload } from "../read-payload.ts";
import type { Dialect, HookCall, HookEvent, TextEdit, ToolUse } from "../types.ts";
import { answerWith } from "./answers.ts";
import { tellClaude } from "./claude.ts";
import {
  absolute,
  eventNamed,
  flagOf,
  given,
  hasField,
  nameOf,
  neededText,
  objectOf,
  objectsOf,
  promptIn,
  textOf,
  textsOf,
} from "./fields.ts";
import { unknownTool } from "./unknown-tool.ts";

export const cursor: Dialect = {
  harness: "cursor",
  read: (payload, { cwd: here }) => {
    const [firstRoot = here] = textsOf(payload, "workspace_roots") ?? [];
    const cwd = absolute(textOf(payload, "cwd") || firstRoot, here);
    const eventName = neededText(payload, "hook_event_name");
    const event = eventNamed(eventName, events);
    const isTool = event === "before-tool" || event === "after-tool";
    return {
      harness: "cursor",
      event: eventName === "postToolUseFailure" ? "tool-failed" : event,
      session:
        nameOf(payload, "conversation_id", "session_id") ?? neededText(payload, "conversation_id"),
      cwd,
      eventName,
      ...(isTool && { tool: toolOf(payload, eventName, cwd) }),
      ...(!listens.has(eventName) && { isDeaf: true as const }),
      ...given({
        toolUseId: textOf(payload, "tool_use_id"),
        reason: textOf(payload, "reason"),
        prompt: promptIn(payload),
      }),
    };
  },
  answer: (decision, call) => answerWith(decision, call, (text) => tell(text, call)),
};

const listens = new Set(["sessionStart", "SessionStart", "postToolUse", "PostToolUse"]);

const tell = (text: string, call: HookCall): string => {
  if (/^[A-Z]/.test(call.eventName ?? "")) return tellClaude(text, call);
  if (call.event !== "session-start" && call.event !== "after-tool") return "";
  return `${JSON.stringify({ additional_context: text })}\n`;
};

const events: Readonly<Record<string, HookEvent>> = {
  preToolUse: "before-tool",
  PreToolUse: "before-tool",
  beforeShellExecution: "before-tool",
  beforeReadFile: "before-tool",
  postToolUse: "after-tool",
  PostToolUse: "after-tool",
  postToolUseFailure: "after-tool",
  afterShellExecution: "after-tool",
  afterFileEdit: "after-tool",
  beforeSubmitPrompt: "prompt",
  UserPromptSubmit: "prompt",
  sessionStart: "session-start",
  SessionStart: "session-start",
  sessionEnd: "session-end",
  SessionEnd: "session-end",
  stop: "stop",
  Stop: "stop",
};

const toolOf = (payload: Payload, eventName: string, cwd: string): ToolUse => {
  const name = textOf(payload, "tool_name") || undefined;
  const input = objectOf(payload, "tool_input") ?? payload;
  if (eventName.endsWith("ShellExecution")) return shellOf(payload, name ?? "Shell");
  if (eventName === "beforeReadFile")
    return { kind: "read", file: fileOf(input, cwd), name: "Read" };
  if (eventName === "afterFileEdit") {
    return { kind: "unknown-write", files: [fileOf(input, cwd)], name: name ?? "Write" };
  }
  switch (name) {
    case "Read":
      return hasField(input, ...fileNames)
        ? { kind: "read", file: fileOf(input, cwd), name }
        : { kind: "other", name };
    case "Delete":
      return { kind: "delete", file: fileOf(input, cwd), name };
    case "Shell":
    case "Bash":
      return shellOf(input, name);
    case "Write":
    case "Edit":
    case "MultiEdit":
    case "StrReplace":
      return writeOf(input, cwd, name);
    case undefined:
      if (hasField(input, "command")) return shellOf(input, "Shell");
      return hasField(input, ...fileNames)
        ? writeOf(input, cwd, "Write")
        : { kind: "other", name: "unnamed tool" };
    default:
      return unknownTool(name, input, cwd);
  }
};

const fileNames = ["file_path", "path", "target_file", "filePath"] as const;
const fileOf = (input: Payload, cwd: string): string =>
  absolute(neededText(input, ...fileNames), cwd);

const shellOf = (input: Payload, name: string): ToolUse => ({
  kind: "shell",
  command: neededText(input, "command"),
  shell: "posix",
  name,
});

const writeOf = (input: Payload, cwd: string, name: string): ToolUse => {
  const file = fileOf(input, cwd);
  const edits = objectsOf(input, "edits");
  if (edits && edits.length > 0) {
    return { kind: "replace", file, edits: edits.map(editOf), exact: false, name };
  }
  if (hasField(input, "old_string", "old_str")) {
    return { kind: "replace", file, edits: [editOf(input)], exact: false, name };
  }
  const content = textOf(input, "content", "contents", "file_text");
  if (content === undefined) return { kind: "unknown-write", files: [file], name };
  return { kind: "write", file, content, name };
};

const editOf = (input: Payload): TextEdit => ({
  old: neededText(input, "old_string", "old_str"),
  new: neededText(input, "new_string", "new_str"),
  all: flagOf(input, "replace_all"),
});
