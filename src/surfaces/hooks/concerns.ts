/** Which calls are anything to us. Loads nothing: clients ask about every tool. */
import type { HookCall, ToolUse } from "./types.ts";

/** Everything else is answered without opening anything. */
export const concernsUs = ({ event, tool }: HookCall): boolean => {
  if (event === "other") return false;
  if (event === "tool-failed") return tool !== undefined && mayWrite(tool);
  if (event === "before-tool")
    return tool !== undefined && (mayWrite(tool) || mayWriteUnseen(tool));
  if (event === "after-tool")
    return tool !== undefined && (tool.kind !== "other" || mayWriteUnseen(tool));
  return true;
};

export const mayWrite = ({ kind }: ToolUse): boolean => kind !== "read" && kind !== "other";

/**
 * A tool of somebody's MCP server may write files (ours are judged inside), and so may what is typed into a
 * program that a command left running.
 */
export const mayWriteUnseen = (tool: ToolUse): boolean =>
  tool.kind === "other" && (tool.isForeign === true || typesIntoShell.has(tool.name));

/** Tools of Codex and Copilot CLI that type into a running program. */
const typesIntoShell = new Set(["write_stdin", "write_bash"]);
