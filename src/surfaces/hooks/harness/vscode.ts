/**
 * Copilot in VS Code; its command line is copilot.ts. VS Code ignores matchers, so this is asked about every
 * tool; its edit tools mend texts that are not found.
 */
import type { Payload } from "../read-payload.ts";
import type { Dialect, HookEvent, TextEdit, ToolUse } from "../types.ts";
import { answerListeners } from "./answers.ts";
import { claudeTool } from "./claude.ts";
import {
  absolute,
  eventNamed,
  given,
  nameOf,
  neededText,
  objectOf,
  objectsOf,
  promptIn,
  textOf,
  textsOf,
} from "./fields.ts";

export const vscode: Dialect = {
  harness: "vscode",
  read: (payload, { cwd: here }) => {
    const cwd = absolute(textOf(payload, "cwd") || here, here);
    const eventName = neededText(payload, "hook_event_name", "hookEventName");
    return {
      harness: "vscode",
      event: eventNamed(eventName, events),
      session:
        nameOf(payload, "session_id", "sessionId") ??
        neededText(payload, "session_id", "sessionId"),
      cwd,
      eventName,
      ...given({
        tool: toolOf(payload, cwd),
        toolUseId: textOf(payload, "tool_use_id", "toolUseId"),
        source: textOf(payload, "source"),
        prompt: promptIn(payload),
      }),
      ...(!listens.has(eventName) && { isDeaf: true as const }),
    };
  },
  answer: (decision, call) => answerListeners(decision, call, listens),
};

const events: Readonly<Record<string, HookEvent>> = {
  PreToolUse: "before-tool",
  PostToolUse: "after-tool",
  UserPromptSubmit: "prompt",
  SessionStart: "session-start",
  SessionEnd: "session-end",
  Stop: "stop",
};
const listens = new Set(["SessionStart", "PostToolUse"]);

const toolOf = (payload: Payload, cwd: string): ToolUse | undefined => {
  const name = textOf(payload, "tool_name", "toolName");
  if (name === undefined) return undefined;
  const input = objectOf(payload, "tool_input") ?? objectOf(payload, "toolInput") ?? {};
  const file = (): string => absolute(neededText(input, ...fileNames), cwd);
  switch (name) {
    case "create_file":
      return {
        kind: "write",
        file: file(),
        content: neededText(input, "content"),
        name,
      };
    case "replace_string_in_file":
      return { kind: "replace", file: file(), edits: [editOf(input)], exact: false, name };
    case "multi_replace_string_in_file":
      return manyEdits(input, cwd, name);
    case "apply_patch":
      return { kind: "patch", patch: neededText(input, "input", "patch"), folder: cwd, name };
    case "insert_edit_into_file":
      return { kind: "unknown-write", files: [file()], name };
    case "editFiles":
      return { kind: "unknown-write", files: filesOf(input, cwd), name };
    case "edit_notebook_file":
      return notebookTool(file(), input, name);
    case "read_file":
      return { kind: "read", file: file(), name };
    case "run_in_terminal":
    case "runTerminalCommand":
      return { kind: "shell", command: neededText(input, "command"), shell: "posix", name };
    default:
      return claudeTool(name, input, cwd);
  }
};

/** Tools that only VS Code has: who is asked about one of them is asked by VS Code. */
export const ownTools: ReadonlySet<string> = new Set([
  "create_file",
  "replace_string_in_file",
  "multi_replace_string_in_file",
  "insert_edit_into_file",
  "editFiles",
  "edit_notebook_file",
  "run_in_terminal",
]);

const fileNames = ["filePath", "file_path", "path"] as const;

const editOf = (input: Payload): TextEdit => ({
  old: neededText(input, "oldString"),
  new: neededText(input, "newString"),
  all: false,
});

const manyEdits = (input: Payload, cwd: string, name: string): ToolUse => {
  const edits = (objectsOf(input, "replacements") ?? []).map((one) => ({
    ...editOf(one),
    file: absolute(neededText(one, ...fileNames), cwd),
  }));
  const [first] = edits;
  if (!first) return { kind: "unknown-write", files: [], name };
  return { kind: "replace", file: first.file, edits, exact: false, name };
};

const filesOf = (input: Payload, cwd: string): readonly string[] => {
  const { files } = input;
  const isList = Array.isArray(files) && files.every((one) => typeof one === "string");
  const named = isList ? textsOf(input, "files") : objectsOf(input, "files")?.map(fileNameOf);
  const one = textOf(input, ...fileNames);
  return [...(named ?? []), ...(one === undefined ? [] : [one])].map((path) => absolute(path, cwd));
};
const fileNameOf = (one: Payload): string => neededText(one, ...fileNames);

const notebookTool = (file: string, input: Payload, name: string): ToolUse => {
  const mode = { edit: "replace", insert: "insert", delete: "delete" }[
    neededText(input, "editType")
  ];
  const id = textOf(input, "cellId");
  // Its names for places of new cells (TOP, BOTTOM) are its own.
  if ((mode !== "replace" && mode !== "delete") || id === undefined) {
    return { kind: "unknown-write", files: [file], name };
  }
  return {
    kind: "notebook",
    file,
    cell: {
      mode,
      id,
      source: Array.isArray(input["newCode"])
        ? (textsOf(input, "newCode") ?? []).join("\n")
        : (textOf(input, "newCode") ?? ""),
    },
    name,
  };
};
