/** A write of a canary file, said in each client's own words, and the command that its settings run. */
import { join } from "node:path";
import type { Json } from "../../../base/json.ts";
import { hookScripts } from "../../../base/hook-line.ts";
import { hookCommand, type RepositoryKind } from "../hook-tables.ts";
import type { ClientName } from "../types.ts";

export interface Canary {
  readonly root: string;
  readonly session: string;
  /** Relative to the root. */
  readonly path: string;
}

/** How the names of canary files begin; nobody need hear of what happened to them. */
export const canaryName = "headgate-canary-";

/** The two actors of `doctor --prove`: who holds the file, and the session that never was. They count nowhere. */
export const isDoctor = (actor: string): boolean =>
  /^(?:headgate-doctor-|[a-z]+:doctor-)/.test(actor);

/** The client would start this: a line for the shell, or a program and its words where a plugin does it. */
export const canaryCommand = (client: ClientName, root: string, kind: RepositoryKind): string[] => [
  "sh",
  "-c",
  ...(client === "opencode"
    ? [hookScripts[kind], "headgate", "opencode", root]
    : [hookCommand(client === "copilot" ? "vscode" : client, kind)]),
];

const content = "A canary of `headgate doctor --prove`.\n";

export const writePayload = (client: ClientName, canary: Canary): Json => {
  const { root, session, path } = canary;
  const file = join(root, path);
  const id = `${session}-${path}`;
  const common = { session_id: session, cwd: root, transcript_path: "" };
  switch (client) {
    case "claude":
      return {
        ...common,
        permission_mode: "default",
        hook_event_name: "PreToolUse",
        tool_name: "Write",
        tool_input: { file_path: file, content },
        tool_use_id: id,
      };
    case "codex":
      return {
        ...common,
        turn_id: "1",
        model: "none",
        permission_mode: "default",
        hook_event_name: "PreToolUse",
        tool_name: "apply_patch",
        tool_input: {
          command: `*** Begin Patch\n*** Add File: ${path}\n+${content}*** End Patch\n`,
        },
        tool_use_id: id,
      };
    case "copilot":
      return {
        hook_event_name: "PreToolUse",
        session_id: session,
        timestamp: "2026-01-01T00:00:00.000Z",
        cwd: root,
        tool_name: "Write",
        tool_input: { path: file, file_text: content },
      };
    case "cursor":
      return {
        conversation_id: session,
        generation_id: "1",
        hook_event_name: "preToolUse",
        workspace_roots: [root],
        cwd: root,
        tool_name: "Write",
        tool_input: { file_path: file, content },
        tool_use_id: id,
      };
    case "gemini":
      return {
        ...common,
        hook_event_name: "BeforeTool",
        tool_name: "write_file",
        tool_input: { file_path: file, content },
      };
    case "opencode":
      return {
        event: "tool.execute.before",
        directory: root,
        sessionID: session,
        callID: id,
        tool: "write",
        args: { filePath: file, content },
      };
    case "qwen":
      return {
        ...common,
        hook_event_name: "PreToolUse",
        permission_mode: "default",
        tool_name: "write_file",
        tool_input: { file_path: file, content },
        tool_use_id: id,
      };
    case "vscode":
      return {
        ...common,
        hook_event_name: "PreToolUse",
        tool_name: "create_file",
        tool_input: { filePath: file, content },
        tool_use_id: id,
      };
  }
};
