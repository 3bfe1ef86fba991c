/** Claude Code. Sub-agents share their parent's session and have a name of their own. */
import type { Payload } from "../read-payload.ts";
import type { Dialect, HookCall, HookEvent, NotebookEdit, TextEdit, ToolUse } from "../types.ts";
import { additionalContext, answerWith, systemMessage } from "./answers.ts";
import {
  absolute,
  eventNamed,
  flagOf,
  given,
  nameOf,
  neededText,
  objectOf,
  objectsOf,
  promptIn,
  textOf,
} from "./fields.ts";
import { unknownTool } from "./unknown-tool.ts";

/** For clients that use Claude Code's words for everything but their tools. */
export const claudeDialect = (
  harness: Dialect["harness"],
  toolOf: (name: string, input: Payload, cwd: string) => ToolUse,
): Dialect => ({
  harness,
  read: (payload, { cwd: here }) => {
    const cwd = absolute(textOf(payload, "cwd") ?? here, here);
    const eventName = neededText(payload, "hook_event_name");
    const name = textOf(payload, "tool_name");
    const input = objectOf(payload, "tool_input") ?? {};
    const tool = name === undefined ? undefined : toolOf(name, input, cwd);
    return {
      harness,
      event: eventOf(eventName, tool),
      session: nameOf(payload, "session_id") ?? neededText(payload, "session_id"),
      cwd,
      eventName,
      ...(!listens.has(eventName) && { isDeaf: true as const }),
      ...shared(payload),
      ...(tool && { tool }),
    };
  },
  answer: (decision, call) => answerWith(decision, call, (text) => tellClaude(text, call)),
});

/** In the words that Claude Code and Codex share. */
const shared = (
  payload: Payload,
): Pick<HookCall, "agent" | "toolUseId" | "source" | "reason" | "prompt"> =>
  given({
    prompt: promptIn(payload),
    agent: nameOf(payload, "agent_id"),
    toolUseId: textOf(payload, "tool_use_id"),
    source: textOf(payload, "source"),
    reason: textOf(payload, "reason"),
  });

const eventOf = (name: string, tool: ToolUse | undefined): HookEvent => {
  // A tool that failed has shown nothing and written nothing; a command may have done half of its work.
  if (name === "PostToolUseFailure" && tool?.kind !== "shell") return "tool-failed";
  return eventNamed(name, events);
};

const events: Readonly<Record<string, HookEvent>> = {
  PreToolUse: "before-tool",
  PostToolUse: "after-tool",
  PostToolUseFailure: "after-tool",
  UserPromptSubmit: "prompt",
  SessionStart: "session-start",
  SessionEnd: "session-end",
  Stop: "stop",
  SubagentStop: "subagent-stop",
};

export const tellClaude = (text: string, { event, eventName }: HookCall): string => {
  if (event === "stop") return systemMessage(text);
  const name = eventName ?? Object.keys(events).find((one) => events[one] === event) ?? "";
  return listens.has(name) ? additionalContext(name, text) : "";
};

const listens = new Set([
  ...["SessionStart", "UserPromptSubmit"],
  ...["PreToolUse", "PostToolUse", "PostToolUseFailure"],
]);

/** Also for clients that load Claude Code's hooks and speak its language then. */
export const claudeTool = (name: string, input: Payload, cwd: string): ToolUse => {
  const file = (): string => absolute(neededText(input, "file_path", "notebook_path"), cwd);
  switch (name) {
    case "Write":
      return { kind: "write", file: file(), content: neededText(input, "content"), name };
    case "Edit":
      return { kind: "replace", file: file(), edits: [editOf(input)], exact: true, name };
    case "MultiEdit": {
      const edits = (objectsOf(input, "edits") ?? []).map(editOf);
      return { kind: "replace", file: file(), edits, exact: true, name };
    }
    case "NotebookEdit":
      return notebookTool(file(), input, name);
    case "Read":
    case "NotebookRead":
      return { kind: "read", file: file(), name };
    case "Bash":
      return { kind: "shell", command: neededText(input, "command"), shell: "posix", name };
    case "PowerShell":
      return { kind: "shell", command: neededText(input, "command"), shell: "powershell", name };
    default:
      return unknownTool(name, input, cwd);
  }
};

const editOf = (input: Payload): TextEdit => ({
  old: neededText(input, "old_string"),
  new: neededText(input, "new_string"),
  all: flagOf(input, "replace_all"),
});

const notebookTool = (file: string, input: Payload, name: string): ToolUse => {
  const mode = textOf(input, "edit_mode") ?? "replace";
  if (mode !== "replace" && mode !== "insert" && mode !== "delete") {
    return { kind: "unknown-write", files: [file], name };
  }
  const id = textOf(input, "cell_id");
  const given = textOf(input, "cell_type");
  const type = given === "code" || given === "markdown" ? given : undefined;
  const cell: NotebookEdit = {
    mode,
    source: textOf(input, "new_source") ?? "",
    ...(id !== undefined && { id }),
    ...(type !== undefined && { type }),
  };
  return { kind: "notebook", file, cell, name };
};

export const claude = claudeDialect("claude", claudeTool);
