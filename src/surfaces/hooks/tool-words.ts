/** Which changes of a file a tool can have made, by its own words: a write that was not noted when it was allowed. */
import type { ChangedLines } from "../../lines/index.ts";
import type { ToolUse } from "./types.ts";

/** Its new lines are among the tool's words, and what it took away too, as far as the tool names that. */
export const mayMake = (tool: ToolUse, { taken, added }: ChangedLines): boolean => {
  const words = wordsIn(tool);
  if (!words) return true;
  const isIn = (texts: readonly string[] | undefined, lines: readonly string[]): boolean =>
    texts === undefined || lines.every((line) => texts.some((text) => holds(text, line)));
  return isIn(words.added, added) && isIn(words.taken, taken);
};

interface ToolWords {
  readonly added: readonly string[];
  /** Absent: whatever was there. */
  readonly taken?: readonly string[];
}

const wordsIn = (tool: ToolUse): ToolWords | undefined => {
  if (tool.kind === "write") return { added: [asBytes(tool.content)] };
  if (tool.kind === "patch") return { added: [asBytes(tool.patch)], taken: [asBytes(tool.patch)] };
  if (tool.kind !== "replace") return undefined;
  const old = tool.edits.map((edit) => asBytes(edit.old));
  return { added: [...tool.edits.map((edit) => asBytes(edit.new)), ...old], taken: old };
};

/** The first and the last line of a text may be parts of longer ones. */
const holds = (text: string, line: string): boolean => {
  if (text.includes(line.trim())) return true;
  const lines = text.split("\n").map((one) => one.trim());
  return [lines[0] ?? "", lines.at(-1) ?? ""].some((end) => /\w/.test(end) && line.includes(end));
};

/** As lines are kept. */
const asBytes = (text: string): string => Buffer.from(text).toString("latin1");
