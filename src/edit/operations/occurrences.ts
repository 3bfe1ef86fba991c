import type { Span } from "../../structure/index.ts";

/**
 * Where a text stands, overlapping ones too. Exactly; only a plain line feed in it, when nothing matches
 * byte for byte, stands for whatever line ending the file has there: readers of a file see lines.
 */
export const occurrences = (text: string, wanted: string): Span[] => {
  const found: Span[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    found.push({ from: at, to: at + wanted.length });
  }
  if (found.length > 0 || !wanted.includes("\n") || wanted.includes("\r")) return found;
  if (!text.includes("\r")) return found;
  const pattern = wanted
    .split("\n")
    .map((line) => line.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&"))
    .join("(?:\\r\\n|\\r|\\n)");
  const search = new RegExp(pattern, "g");
  for (let one = search.exec(text); one; one = search.exec(text)) {
    found.push({ from: one.index, to: one.index + one[0].length });
    search.lastIndex = one.index + 1;
  }
  return found;
};
