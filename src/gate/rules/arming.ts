/**
 * B05: agents may change their client's settings, but not what calls Headgate in them, and they may not
 * switch all hooks off. A word of the writer does not help: this is part of the rule about paths.
 */
import { showText } from "../../base/text.ts";
import type { FileCase } from "../file-case.ts";
import type { Finding } from "./rule.ts";

/** Whoever writes one of these can switch the guard off. */
export const armingFiles: readonly string[] = [
  ".claude/settings.json",
  ".claude/settings.local.json",
  ".mcp.json",
  ".codex/hooks.json",
  ".codex/config.toml",
  ".cursor/hooks.json",
  ".cursor/mcp.json",
  ".gemini/settings.json",
  ".opencode/plugins/headgate.js",
  "opencode.json",
  "opencode.jsonc",
  ".github/hooks/headgate.json",
  ".vscode/mcp.json",
];

export const arming = async (
  one: Pick<FileCase, "path" | "beforeBytes" | "afterBytes">,
): Promise<readonly Finding[]> => {
  const { path } = one;
  const lower = path.toLowerCase();
  if (!armingFiles.includes(lower)) return [];
  const before = textOf(one.beforeBytes);
  const after = textOf(one.afterBytes);
  const isOwnFile = lower.includes("headgate");
  const isChanged = isOwnFile ? before !== "" && before !== after : isAnyLost(before, after);
  const isOff = switchesOff.test(after) && !switchesOff.test(before);
  if (!isChanged && !isOff) return [];
  return [
    {
      level: "deny",
      code: "PATH_PROTECTED",
      path,
      message: `${showText(path)}: the change would switch Headgate's hooks off`,
      remedy:
        "Leave what calls .headgate/hook as it is; `headgate init` and `headgate uninstall` change it.",
    },
  ];
};

const textOf = (bytes: Uint8Array | undefined): string =>
  bytes ? Buffer.from(bytes).toString("utf8") : "";

/** Calls are counted with the settings on their line, because a time limit of nothing is no call. */
const isAnyLost = (before: string, after: string): boolean => {
  const left = new Map<string, number>();
  for (const call of callsIn(after)) left.set(call, (left.get(call) ?? 0) + 1);
  return callsIn(before).some((call) => {
    const count = left.get(call) ?? 0;
    left.set(call, count - 1);
    return count <= 0;
  });
};

const callsIn = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .filter((line) => line.includes(".headgate/hook"))
    .map((line) => line.trim());

const switchesOff = /"?(?:disableAllHooks|allowManagedHooksOnly)"?\s*[:=]\s*true/;
