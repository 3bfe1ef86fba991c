/**
 * The part of an agent that its client plays: it calls the hooks that `headgate init` wrote into Claude Code's
 * settings, with the payloads that Claude Code sends, and runs a tool only when no hook refuses it.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isHookLine } from "../src/base/hook-line.ts";

export interface ClientSession {
  readonly root: string;
  readonly session: string;
  readonly env: Readonly<Record<string, string>>;
  /** How long a tool waited for its hooks. */
  readonly noteAsked: (ms: number) => void;
  /** Text that Headgate put before the model, in characters, without notes on the agent's own edits. */
  readonly noteHeard: (event: string, length: number) => void;
}

export interface ToolRefusal {
  readonly code: string;
  readonly text: string;
}

interface HookGroup {
  readonly matcher?: string;
  readonly hooks?: readonly { readonly command?: string; readonly timeout?: number }[];
}

/** Hooks of the project that others wrote are never run. */
const findHooks = (root: string, event: string, tool: string | undefined) => {
  const path = join(root, ".claude/settings.json");
  if (!existsSync(path)) return [];
  const settings = JSON.parse(readFileSync(path, "utf8")) as {
    readonly hooks?: Readonly<Record<string, readonly HookGroup[]>>;
  };
  return (settings.hooks?.[event] ?? [])
    .filter(({ matcher }) => !matcher || new RegExp(`^(?:${matcher})$`).test(tool ?? ""))
    .flatMap(({ hooks = [] }) => hooks)
    .flatMap(({ command = "", timeout = 60 }) =>
      isHookLine(command) ? [{ command, timeout }] : [],
    );
};

/** Without them a run would measure plain git and call it Headgate. */
export const requireHooks = (root: string): void => {
  if (findHooks(root, "PreToolUse", "Edit").length === 0) {
    throw new Error(`the settings in ${root} start no hook of Headgate before an edit`);
  }
};

/** Sends an event to its hooks; the first refusal counts. */
export const sendEvent = (
  { root, session, env, noteHeard }: ClientSession,
  event: string,
  more: Readonly<Record<string, unknown>> & { readonly tool_name?: string },
): ToolRefusal | undefined => {
  const payload = { session_id: session, transcript_path: "", cwd: root, hook_event_name: event };
  for (const { command, timeout } of findHooks(root, event, more.tool_name)) {
    // The settings hold a line for the shell, and clients hand it to one.
    const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", command], {
      cwd: root,
      env: { ...env, CLAUDE_PROJECT_DIR: root },
      input: JSON.stringify({ ...payload, ...more }),
      encoding: "utf8",
      timeout: timeout * 1000,
    });
    if (status === null) return { code: "HOOK_TIMEOUT", text: "the hook did not end in time" };
    if (status === 2) return readRefusal(stderr);
    const heard = countHeard(stdout);
    if (heard > 0) noteHeard(event, heard);
  }
  return undefined;
};

const countHeard = (stdout: string): number => {
  if (!stdout.trimStart().startsWith("{")) return stdout.trim().length;
  const { hookSpecificOutput } = JSON.parse(stdout) as {
    readonly hookSpecificOutput?: { readonly additionalContext?: string };
  };
  const lines = (hookSpecificOutput?.additionalContext ?? "").split("\n");
  const others = lines.filter((line) => !line.startsWith("- note"));
  // The heading alone belongs to the notes.
  return others.length > 1 || others.length === lines.length ? others.join("\n").length : 0;
};

/** The last line of a refusal is for programs; git's hooks print the same words. */
export const readRefusal = (text: string): ToolRefusal => {
  const facts = /^headgate: (\{.*\})$/m.exec(text)?.[1];
  const named = facts === undefined ? undefined : (JSON.parse(facts) as { code?: string }).code;
  const code = named ?? /\[([A-Z_]{4,})\]|\b([A-Z]+_[A-Z_]+)\b/.exec(text)?.slice(1).find(Boolean);
  return { code: code ?? "REFUSED", text: text.trim() };
};

let calls = 0;

export type ToolResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: ToolRefusal };

/** One use of a tool. `use` returns `error` when the tool itself fails, and neither when there is nothing to tell. */
export const useTool = <T>(
  client: ClientSession,
  tool: { readonly name: string; readonly input: Readonly<Record<string, unknown>> },
  use: () => {
    readonly value: T;
    readonly response?: Readonly<Record<string, unknown>>;
    readonly error?: string;
  },
): ToolResult<T> => {
  calls += 1;
  const call = {
    permission_mode: "acceptEdits",
    tool_name: tool.name,
    tool_input: tool.input,
    tool_use_id: `toolu_${process.pid}_${calls}`,
  };
  const began = performance.now();
  const refusal = sendEvent(client, "PreToolUse", call);
  client.noteAsked(performance.now() - began);
  if (refusal) return { ok: false, refusal };
  const { value, response, error } = use();
  if (response) sendEvent(client, "PostToolUse", { ...call, tool_response: response });
  else if (error !== undefined) sendEvent(client, "PostToolUseFailure", { ...call, error });
  return { ok: true, value };
};
