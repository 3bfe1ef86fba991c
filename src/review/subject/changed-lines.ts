import type { Subject } from "./types.ts";

/**
 * By path: the numbers of the lines that a change wrote, counted in the new file. Where lines were only removed,
 * the line that now stands in their place. Whole files are absent: all of their lines count.
 */
export const changedLines = ({ files }: Pick<Subject, "files">): Map<string, Set<number>> => {
  const found = new Map<string, Set<number>>();
  for (const { path, status, hunks } of files) {
    if (status === "whole") continue;
    const lines = new Set<number>();
    for (const hunk of hunks) {
      // A hunk without new lines names the line before it.
      let number = hunk.newLines === 0 ? hunk.newStart + 1 : hunk.newStart;
      let isRemoved = false;
      for (const line of hunk.lines) {
        if (line.startsWith("-")) {
          isRemoved = true;
          continue;
        }
        if (line.startsWith("+") || isRemoved) lines.add(number);
        isRemoved = false;
        number += 1;
      }
      if (isRemoved) lines.add(Math.max(1, number - 1));
    }
    found.set(path, lines);
  }
  return found;
};
