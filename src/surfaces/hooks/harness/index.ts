/**
 * Which client is speaking. Cursor, VS Code and Copilot's command line also run the hooks in Claude Code's
 * settings, Copilot's VS Code's as well, and Gemini CLI can take them over. So the name that the
 * configuration gave is only a first guess: the payload decides. One session must come out as one actor whichever way it came in, or it would conflict with itself.
 */
import { HeadgateError } from "../../../errors.ts";
import type { Payload } from "../read-payload.ts";
import type { Dialect, DialectContext, HookHarness } from "../types.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot, isFromCopilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { hasField } from "./fields.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";
import { ownTools, vscode } from "./vscode.ts";

export { refused, silence } from "./answers.ts";

const dialects: Readonly<Record<HookHarness, Dialect>> = {
  claude,
  codex,
  copilot,
  cursor,
  gemini,
  opencode,
  qwen,
  vscode,
};

export const hookHarnesses: readonly HookHarness[] = [
  "claude",
  "codex",
  "copilot",
  "cursor",
  "gemini",
  "opencode",
  "qwen",
  "vscode",
];

export const isHookHarness = (name: string): name is HookHarness => Object.hasOwn(dialects, name);

/** Throws HOOK_INPUT_INVALID for a name that is no client's. */
export const dialectOf = (asked: string, payload: Payload, context: DialectContext): Dialect => {
  if (!isHookHarness(asked)) {
    throw new HeadgateError(
      "HOOK_INPUT_INVALID",
      `no hook is called that; one of: ${hookHarnesses.join(", ")}`,
    );
  }
  if (loneHarnesses.has(asked)) return dialects[asked];
  if (hasField(payload, "cursor_version", "conversation_id", "workspace_roots")) return cursor;
  if (asked === "cursor") return cursor;
  if (asked === "copilot") return copilot;
  if (isFromGemini(payload, context)) return gemini;
  if (isFromCopilot(payload)) return copilot;
  if (asked === "vscode") return vscode;
  return isFromVsCode(payload) ? vscode : claude;
};

/** They load no other client's hooks, and no other client loads theirs. */
const loneHarnesses: ReadonlySet<HookHarness> = new Set(["codex", "gemini", "opencode", "qwen"]);

const isFromVsCode = (payload: Payload): boolean =>
  hasField(payload, "sessionId", "hookEventName", "toolName") ||
  ownTools.has(String(payload["tool_name"])) ||
  // Claude Code gives no time; Gemini CLI does, and has variables of its own.
  hasField(payload, "timestamp");

const isFromGemini = (payload: Payload, { variables }: DialectContext): boolean =>
  /^(Before|After)(Tool|Agent|Model)/.test(String(payload["hook_event_name"])) ||
  (hasField(payload, "timestamp") && Boolean(variables["GEMINI_SESSION_ID"]));
