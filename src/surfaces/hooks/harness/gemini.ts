/** Gemini CLI. Its `replace` searches loosely and may ask a model to mend the text it looks for. */
import type { Payload } from "../read-payload.ts";
import type { Dialect, HookEvent, ToolUse } from "../types.ts";
import { answerListeners } from "./answers.ts";
import {
  absolute,
  eventNamed,
  flagOf,
  given,
  nameOf,
  neededText,
  objectOf,
  promptIn,
  textOf,
} from "./fields.ts";
import { unknownTool } from "./unknown-tool.ts";

export const gemini: Dialect = {
  harness: "gemini",
  read: (payload, { cwd: here, variables }) => {
    const cwd = absolute(textOf(payload, "cwd") ?? here, here);
    const eventName = neededText(payload, "hook_event_name");
    const session =
      nameOf(payload, "session_id") ??
      nameOf({ session_id: variables["GEMINI_SESSION_ID"] }, "session_id");
    return {
      harness: "gemini",
      event: hasFailed(payload) ? "tool-failed" : eventNamed(eventName, events),
      session: session ?? neededText(payload, "session_id"),
      cwd,
      eventName,
      ...(!listens.has(eventName) && { isDeaf: true as const }),
      ...given({
        tool: toolOf(payload, cwd),
        prompt: promptIn(payload),
        source: textOf(payload, "source"),
        reason: textOf(payload, "reason"),
      }),
    };
  },
  answer: (decision, call) => answerListeners(decision, call, listens),
};

const events: Readonly<Record<string, HookEvent>> = {
  BeforeTool: "before-tool",
  AfterTool: "after-tool",
  BeforeAgent: "prompt",
  SessionStart: "session-start",
  SessionEnd: "session-end",
  AfterAgent: "stop",
};
const listens = new Set(["SessionStart", "BeforeAgent", "AfterTool"]);

/** A command may have done half of its work. */
const hasFailed = (payload: Payload): boolean =>
  textOf(payload, "hook_event_name") === "AfterTool" &&
  textOf(payload, "tool_name") !== shellTool &&
  objectOf(payload, "tool_response")?.["error"] !== undefined;

const shellTool = "run_shell_command";

const toolOf = (payload: Payload, cwd: string): ToolUse | undefined => {
  const name = textOf(payload, "tool_name");
  if (name === undefined) return undefined;
  const input = objectOf(payload, "tool_input") ?? {};
  const file = (): string => absolute(neededText(input, "file_path", "absolute_path", "path"), cwd);
  switch (name) {
    case "write_file":
      return { kind: "write", file: file(), content: neededText(input, "content"), name };
    case "replace": {
      const all =
        flagOf(input, "allow_multiple") || Number(input["expected_replacements"] ?? 1) > 1;
      const edit = {
        old: neededText(input, "old_string"),
        new: neededText(input, "new_string"),
        all,
      };
      return { kind: "replace", file: file(), edits: [edit], exact: false, name };
    }
    case "read_file":
      return { kind: "read", file: file(), name };
    case "run_shell_command":
      return { kind: "shell", command: neededText(input, "command"), shell: "posix", name };
    default:
      return unknownTool(name, input, cwd);
  }
};
