/** Text that stands for code somebody meant to write: placeholders of lazy edits, and merge markers. */
import { scan, type ScannedLine } from "../../structure/index.ts";
import type { FileCase } from "../file-case.ts";
import { isPlaceholder } from "./placeholder-words.ts";
import { type Finding, findingsMax } from "./rule.ts";

export const placeholders = async (
  one: Pick<FileCase, "before" | "after" | "path" | "syntaxAfter">,
): Promise<readonly Finding[]> => {
  const { before, after, path } = one;
  if (!after || isProse.test(path)) return [];
  let old: ReadonlySet<string> | undefined;
  const isOld = (text: string): boolean =>
    (old ??= new Set(before?.source.text.split(/\r\n|\r|\n/).map((line) => line.trim()) ?? [])).has(
      text,
    );
  let scanned: readonly ScannedLine[] | undefined;
  // A line inside a string is data: of a test, an example, a template.
  const isInText = (index: number): boolean =>
    (scanned ??= scan(after.source.text, after.outline.language).lines)[index]?.begins === "string";
  const lines = after.source.text.split(/\r\n|\r|\n/);
  const found: Finding[] = [];
  const markers = lines.filter((line) => /^(<{7}|>{7}) /.test(line)).length;
  // A file that parses with them has them in texts: tools that talk about merges do.
  const areText = markers >= 2 && (await one.syntaxAfter())?.state === "valid";
  for (const [index, line] of lines.entries()) {
    if (!begins.test(line)) continue;
    const text = line.trim();
    if (text.length > 200 || isOld(text)) continue;
    const at = { level: "deny", path, line: index + 1 } as const;
    if (markers >= 2 && !areText && /^(<{7} |>{7} |={7}$)/.test(line)) {
      found.push({
        ...at,
        code: "MERGE_MARKER",
        message: `line ${index + 1} is a marker of an unfinished merge: ${text.slice(0, 40)}`,
        remedy: "Resolve the conflict and leave the markers out.",
      });
    } else if (isPlaceholder(text) && !isInText(index)) {
      found.push({
        ...at,
        code: "LAZY_PLACEHOLDER",
        message: `line ${index + 1} stands for code that is not there: ${text.slice(0, 80)}`,
        remedy:
          "Write the whole code, or use an operation that leaves the rest alone (modify, replace).",
      });
    }
  }
  return found.slice(0, findingsMax);
};

/** Beginnings of placeholders and markers: most lines are ruled out by it. */
const begins = /^(?:\s*(?:\/[/*]|#|--|;|%|<!--|\{[/{])|[<>=]{7})/;

const isProse = /\.(md|mdx|markdown|rst|txt|adoc)$/i;
