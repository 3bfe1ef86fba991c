/**
 * Qwen Code: Claude Code's events and answers, Gemini CLI's names of tools. It calls the prompt's event for
 * every request to its model; only the first of a turn has the user's words.
 */
import type { Payload } from "../read-payload.ts";
import type { Dialect, ToolUse } from "../types.ts";
import { claudeDialect, claudeTool } from "./claude.ts";
import { absolute, flagOf, neededText } from "./fields.ts";

const toolIn = (name: string, input: Payload, cwd: string): ToolUse => {
  const file = (): string => absolute(neededText(input, "file_path", "absolute_path"), cwd);
  switch (name) {
    case "write_file":
      return { kind: "write", file: file(), content: neededText(input, "content"), name };
    case "edit":
    case "replace": {
      const edit = {
        old: neededText(input, "old_string"),
        new: neededText(input, "new_string"),
        all: flagOf(input, "replace_all"),
      };
      // It takes an empty old text for "a new file".
      if (edit.old === "") return { kind: "write", file: file(), content: edit.new, name };
      return { kind: "replace", file: file(), edits: [edit], exact: false, name };
    }
    case "notebook_edit":
      return { ...claudeTool("NotebookEdit", input, cwd), name };
    case "read_file":
      return { kind: "read", file: file(), name };
    case "run_shell_command":
      return { kind: "shell", command: neededText(input, "command"), shell: "posix", name };
    default:
      return claudeTool(name, input, cwd);
  }
};

const { read, answer } = claudeDialect("qwen", toolIn);

export const qwen: Dialect = {
  harness: "qwen",
  read: (payload, context) => {
    const call = read(payload, context);
    return call.event === "prompt" && call.prompt === "" ? { ...call, event: "other" } : call;
  },
  answer,
};
