/**
 * opencode has no hook programs: our plugin (.opencode/plugins/headgate.js) hands on what it is told, as
 * `{event, sessionID, callID, tool, args, directory}`, and throws what comes back as a refusal. Sub-agents
 * are sessions of their own there.
 */
import type { Payload } from "../read-payload.ts";
import type { Dialect, HookEvent, TextEdit, ToolUse } from "../types.ts";
import { answerWith } from "./answers.ts";
import {
  absolute,
  eventNamed,
  flagOf,
  given,
  isOwnTool,
  nameOf,
  neededText,
  objectOf,
  objectsOf,
  promptIn,
  textOf,
} from "./fields.ts";
import { foreignTool, unknownTool } from "./unknown-tool.ts";

export const opencode: Dialect = {
  harness: "opencode",
  read: (payload, { cwd: here }) => {
    const cwd = absolute(textOf(payload, "directory", "cwd") ?? here, here);
    const eventName = neededText(payload, "event", "hook_event_name");
    return {
      harness: "opencode",
      event: eventNamed(eventName, events),
      session: nameOf(payload, "sessionID", "session_id") ?? neededText(payload, "sessionID"),
      cwd,
      eventName,
      // Its plugin adds it to the output of the tool; a plugin that says so shows the start of a session as well.
      ...(eventName !== "tool.execute.after" &&
        !flagOf(payload, "listens") && { isDeaf: true as const }),
      ...given({
        tool: toolOf(payload, cwd),
        toolUseId: textOf(payload, "callID"),
        prompt: promptIn(payload),
      }),
    };
  },
  // Our own plugin reads it: no dialect is needed.
  answer: (decision, call) => answerWith(decision, call, (text) => `${text}\n`),
};

const events: Readonly<Record<string, HookEvent>> = {
  "tool.execute.before": "before-tool",
  "tool.execute.after": "after-tool",
  "chat.message": "prompt",
  "session.created": "session-start",
  "session.idle": "stop",
  "session.deleted": "session-end",
};

const toolOf = (payload: Payload, cwd: string): ToolUse | undefined => {
  const name = textOf(payload, "tool");
  if (name === undefined) return undefined;
  const args = objectOf(payload, "args") ?? {};
  const file = (): string => absolute(neededText(args, "filePath"), cwd);
  switch (name) {
    case "write":
      return { kind: "write", file: file(), content: neededText(args, "content"), name };
    case "edit": {
      const edit = editOf(args);
      // It takes an empty old text for "the whole file".
      if (edit.old === "") return { kind: "write", file: file(), content: edit.new, name };
      return { kind: "replace", file: file(), edits: [edit], exact: false, name };
    }
    case "multiedit": {
      const edits = (objectsOf(args, "edits") ?? []).map(editOf);
      return { kind: "replace", file: file(), edits, exact: false, name };
    }
    case "apply_patch":
    case "patch":
      return { kind: "patch", patch: neededText(args, "patchText", "patch"), folder: cwd, name };
    case "read":
      return { kind: "read", file: file(), name };
    case "bash":
      return { kind: "shell", command: neededText(args, "command"), shell: "posix", name };
    default:
      // It puts the server's name in front of a tool, and no mark that it is one.
      return builtIn.has(name) || isOwnTool(name)
        ? unknownTool(name, args, cwd)
        : foreignTool(name, args, cwd);
  }
};

const builtIn = new Set(
  `grep glob list ls webfetch websearch codesearch todowrite todoread task skill question lsp batch invalid
  plan_enter plan_exit`.split(/\s+/),
);

const editOf = (args: Payload): TextEdit => ({
  old: neededText(args, "oldString"),
  new: neededText(args, "newString"),
  all: flagOf(args, "replaceAll"),
});
