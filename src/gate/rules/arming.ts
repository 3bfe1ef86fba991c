/**
 * B05, T-07: agents may change their client's settings in the project, but not what calls Headgate in them, and
 * they may not switch hooks off. A word of the writer does not help: this is part of the rule about paths.
 */
import { showText } from "../../base/text.ts";
import type { FileCase } from "../file-case.ts";
import type { JudgeStage } from "../types.ts";
import { entriesIn, isCovered, readSettings, switchesIn } from "./hook-entries.ts";
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
  ".qwen/settings.json",
  ".opencode/plugins/headgate.js",
  "opencode.json",
  "opencode.jsonc",
  ".github/hooks/headgate.json",
  ".vscode/mcp.json",
];

/** A person's own, though it is in the project: the client obeys it at once, above all others. */
const personal = ".claude/settings.local.json";

export const arming = async (
  one: Pick<FileCase, "path" | "beforeBytes" | "afterBytes">,
  stage: JudgeStage = "edit",
): Promise<readonly Finding[]> => {
  const { path } = one;
  const lower = path.toLowerCase();
  if (!armingFiles.includes(lower)) return [];
  const [before, after] = [one.beforeBytes, one.afterBytes].map(asText) as [string, string];
  const refuse = (why: string): Finding[] => [
    {
      level: "deny",
      code: "PATH_PROTECTED",
      path,
      message: `${showText(path)}: ${why}`,
      remedy: "Leave what calls Headgate as it is. If it must change, ask the person you work for.",
    },
  ];
  if (lower === personal && stage === "edit") {
    return refuse("these are a person's own settings of the client");
  }
  const isOwnFile = lower.includes("headgate");
  const isChanged = isOwnFile
    ? before !== "" && before !== after
    : await isAnyLost(lower, before, after);
  return isChanged ? refuse("the change would switch Headgate's hooks off") : [];
};

const asText = (bytes: Uint8Array | undefined): string =>
  bytes ? Buffer.from(bytes).toString("utf8") : "";

const isAnyLost = async (path: string, before: string, after: string): Promise<boolean> => {
  const [old, fresh] = [await readSettings(path, before), await readSettings(path, after)];
  if (old === undefined) return isAnyLineLost(before, after);
  // Settings that cannot be read afterwards arm nothing any more.
  if (fresh === undefined) return entriesIn(old).length > 0;
  const known = new Set(switchesIn(old));
  if (switchesIn(fresh).some((one) => !known.has(one))) return true;
  const left = [...entriesIn(fresh)];
  return entriesIn(old).some((entry) => {
    const at = left.findIndex((one) => isCovered(entry, one));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
};

/** A file that the client may read and we cannot. */
const isAnyLineLost = (before: string, after: string): boolean => {
  const lines = (text: string) =>
    text
      .split(/\r\n|\r|\n/)
      .filter((line) => /headgate/i.test(line))
      .map((line) => line.trim());
  return isAnyMissing(lines(before), lines(after));
};

const isAnyMissing = (old: readonly string[], fresh: readonly string[]): boolean => {
  const left = new Map<string, number>();
  for (const entry of fresh) left.set(entry, (left.get(entry) ?? 0) + 1);
  return old.some((entry) => {
    const count = left.get(entry) ?? 0;
    left.set(entry, count - 1);
    return count <= 0;
  });
};
