/** Texts as lines, and the difference of two texts. One way to compare for tasks, records and commits alike. */
import { diffArrays } from "diff";

export const toLines = (text: string): string[] => text.split("\n");

/** Lines with a letter or a digit. A brace or an empty line has no known author. */
export const isTelling = (line: string): boolean => /[\p{L}\p{N}]/u.test(line);

/** A run of lines that was replaced, with its places in both texts. */
export interface LineChange {
  readonly oldAt: number;
  readonly oldLines: readonly string[];
  readonly newAt: number;
  readonly newLines: readonly string[];
}

export const compareLines = (before: readonly string[], after: readonly string[]): LineChange[] => {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start])
    start += 1;
  let end = 0;
  const room = Math.min(before.length, after.length) - start;
  while (end < room && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const oldMiddle = before.slice(start, before.length - end);
  const newMiddle = after.slice(start, after.length - end);
  const changes: LineChange[] = [];
  let [oldAt, newAt] = [start, start];
  let open: { oldAt: number; oldLines: string[]; newAt: number; newLines: string[] } | undefined;
  for (const { added, removed, value } of diffArrays(oldMiddle, newMiddle)) {
    if (!added && !removed) {
      if (open) changes.push(open);
      open = undefined;
      oldAt += value.length;
      newAt += value.length;
      continue;
    }
    open ??= { oldAt, oldLines: [], newAt, newLines: [] };
    if (added) {
      open.newLines.push(...value);
      newAt += value.length;
    } else {
      open.oldLines.push(...value);
      oldAt += value.length;
    }
  }
  if (open) changes.push(open);
  return changes;
};
