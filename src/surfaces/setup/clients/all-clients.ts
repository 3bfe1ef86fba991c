import type { Client } from "../types.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";
import { vscode } from "./vscode.ts";

/** In the order in which they are shown. */
export const allClients: readonly Client[] = [
  claude,
  codex,
  copilot,
  cursor,
  gemini,
  opencode,
  qwen,
  vscode,
];
