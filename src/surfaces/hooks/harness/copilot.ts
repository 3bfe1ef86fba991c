/**
 * Copilot's command line. It reads the hooks that are meant for VS Code and for Claude Code, with Claude Code's
 * names of events and tools and its own names of their arguments; GPT models edit with a patch, which comes as a
 * text. Of exit code 2 its model reads only the number, so a refusal is JSON. Events with a small letter are of
 * its older form, in which no event is named: what is there tells which one it is.
 */
import type { Payload } from "../read-payload.ts";
import type { Dialect, HookAnswer, HookCall, HookEvent, ToolUse } from "../types.ts";
import { answerWith, silence, settleWith } from "./answers.ts";
import {
  absolute,
  eventNamed,
  given,
  hasField,
  invalidField,
  nameOf,
  neededText,
  objectOf,
  promptIn,
  textOf,
} from "./fields.ts";
import { unknownTool } from "./unknown-tool.ts";

export const copilot: Dialect = {
  harness: "copilot",
  read: (payload, { cwd: here }) => {
    const cwd = absolute(textOf(payload, "cwd") || here, here);
    const eventName = textOf(payload, "hook_event_name", "hookEventName") ?? silentEvent(payload);
    const tool = toolIn(payload, cwd);
    const event = eventNamed(eventName, events);
    return {
      harness: "copilot",
      // A command may have done half of its work.
      event: event === "tool-failed" && tool?.kind === "shell" ? "after-tool" : event,
      session: nameOf(payload, ...sessionNames) ?? neededText(payload, ...sessionNames),
      cwd,
      eventName,
      ...given({
        tool,
        toolUseId: textOf(payload, "tool_use_id", "toolCallId"),
        source: textOf(payload, "source"),
        reason: textOf(payload, "reason"),
        prompt: promptIn(payload),
      }),
      ...(!listens.has(eventName) && { isDeaf: true as const }),
    };
  },
  answer: (decision, call) => {
    if (decision.kind === "refuse" && call.event === "before-tool") {
      return { ...deny(decision.text), ...settleWith(decision.handedOver) };
    }
    return answerWith(decision, call, (text) => tell(text, call));
  },
};

const sessionNames = ["session_id", "sessionId"] as const;

/**
 * VS Code gives a transcript with every event and an id with every tool, Claude Code no time. Copilot's command
 * line has a transcript only at the end of a turn, where it says why that ended.
 */
export const isFromCopilot = (payload: Payload): boolean => {
  if (hasField(payload, "toolArgs", "stop_reason") || typeof payload["timestamp"] === "number") {
    return true;
  }
  return (
    hasField(payload, "timestamp") &&
    !hasField(payload, "transcript_path", "tool_use_id", "hookEventName", "toolName")
  );
};

const events: Readonly<Record<string, HookEvent>> = {
  PreToolUse: "before-tool",
  preToolUse: "before-tool",
  PostToolUse: "after-tool",
  postToolUse: "after-tool",
  PostToolUseFailure: "tool-failed",
  UserPromptSubmit: "prompt",
  userPromptSubmitted: "prompt",
  SessionStart: "session-start",
  sessionStart: "session-start",
  SessionEnd: "session-end",
  sessionEnd: "session-end",
  SubagentStop: "subagent-stop",
  Stop: "stop",
  agentStop: "stop",
};

const listens = new Set([
  ...["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"],
  ...["sessionStart", "userPromptSubmitted", "postToolUse"],
]);

const silentEvent = (payload: Payload): string => {
  if (hasField(payload, "toolName"))
    return hasField(payload, "toolResult") ? "postToolUse" : "preToolUse";
  if (hasField(payload, "source", "initialPrompt")) return "sessionStart";
  if (hasField(payload, "prompt")) return "userPromptSubmitted";
  if (hasField(payload, "reason")) return "sessionEnd";
  throw invalidField("hook_event_name", "is missing");
};

const deny = (text: string): HookAnswer => {
  const decision = { permissionDecision: "deny", permissionDecisionReason: text };
  return { ...silence, stdout: inBothForms("PreToolUse", decision) };
};

const tell = (text: string, { event, eventName = "" }: HookCall): string =>
  listens.has(eventName) && event !== "stop"
    ? inBothForms(eventName, { additionalContext: text })
    : "";

/** Before a tool it reads Claude Code's form, elsewhere its own; of an answer in both it takes one. */
const inBothForms = (hookEventName: string, fields: Readonly<Record<string, string>>): string =>
  `${JSON.stringify({ ...fields, hookSpecificOutput: { hookEventName, ...fields } })}\n`;

const toolIn = (payload: Payload, cwd: string): ToolUse | undefined => {
  const name = textOf(payload, "tool_name", "toolName");
  if (name === undefined) return undefined;
  const input = inputIn(payload);
  if (typeof input === "string") {
    return /^\s*\*\*\* Begin Patch/.test(input) || name === "apply_patch"
      ? { kind: "patch", patch: input, folder: cwd, name }
      : { kind: "other", name };
  }
  const file = (): string => absolute(neededText(input, "path", "file_path", "filePath"), cwd);
  switch (name) {
    case "Write":
    case "create":
      return { kind: "write", file: file(), content: neededText(input, ...contents), name };
    case "Edit":
    case "MultiEdit":
    case "edit":
    case "str_replace":
      return editIn(input, file(), name);
    case "apply_patch":
      return { kind: "patch", patch: neededText(input, "input", "patch"), folder: cwd, name };
    case "Read":
    case "view":
      return { kind: "read", file: file(), name };
    case "Bash":
    case "bash":
      return { kind: "shell", command: neededText(input, "command"), shell: "posix", name };
    case "PowerShell":
    case "powershell":
      return { kind: "shell", command: neededText(input, "command"), shell: "powershell", name };
    default:
      return unknownTool(name, input, cwd);
  }
};

const contents = ["file_text", "content"] as const;

const editIn = (input: Payload, file: string, name: string): ToolUse => {
  const old = textOf(input, "old_str", "old_string");
  const fresh = textOf(input, "new_str", "new_string");
  if (old === undefined || fresh === undefined) {
    return { kind: "unknown-write", files: [file], name };
  }
  return { kind: "replace", file, edits: [{ old, new: fresh, all: false }], exact: false, name };
};

/** A free-form input is a text; in the older form, so are the arguments, as JSON. */
const inputIn = (payload: Payload): Payload | string => {
  const { tool_input: input, toolArgs: args } = payload;
  if (typeof input === "string") return input;
  if (typeof args !== "string") {
    return objectOf(payload, "tool_input") ?? objectOf(payload, "toolArgs") ?? {};
  }
  try {
    const value: unknown = JSON.parse(args);
    if (typeof value === "string") return value;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Payload;
    }
  } catch {
    if (/^\s*\*\*\* Begin Patch/.test(args)) return args;
  }
  throw invalidField("toolArgs", "is not JSON");
};
