/** For a model without tools: what stands around the changes, as much as fits. */
import { visible } from "./fence.ts";
import { linesOf, shownLine } from "./shown-files.ts";
import type { SubjectFile } from "../subject/types.ts";

/** Lines around each hunk; the largest that fits is taken, the same for all files. */
const widths = [Number.POSITIVE_INFINITY, 400, 200, 100, 50, 25, 12];

export const surroundings = (files: readonly SubjectFile[], charactersMax: number): string[] => {
  const changed = files.filter(({ status, after, hunks }) => {
    return status !== "whole" && status !== "added" && after !== undefined && hunks.length > 0;
  });
  for (const width of widths) {
    const shown = changed.flatMap((file) => around(file, width));
    const size = shown.reduce((sum, line) => sum + line.length + 1, 0);
    if (size <= charactersMax) return shown;
  }
  return [];
};

const around = ({ path, after = "", hunks }: SubjectFile, width: number): string[] => {
  const lines = linesOf(after);
  // All of it is shown already.
  if (hunks.reduce((sum, { newLines }) => sum + newLines, 0) >= lines.length) return [];
  const wanted = lines.map((_, at) =>
    hunks.some(({ newStart, newLines }) => {
      return at + 1 >= newStart - width && at + 1 <= newStart + newLines - 1 + width;
    }),
  );
  const shown = [`| file ${visible(path)}, ${lines.length} lines after the change`];
  for (const [at, line] of lines.entries()) {
    if (wanted[at]) shown.push(shownLine(at + 1, " ", line));
    else if (at === 0 || wanted[at - 1]) shown.push("     …");
  }
  return shown;
};
