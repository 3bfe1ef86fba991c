/** Files of a subject as numbered lines, so that a place in a finding is exact. */
import { visible } from "./fence.ts";
import type { Hunk, SubjectFile } from "../subject/types.ts";

/** Hunks where there are such, else the whole content, else why there is none. */
export const shownFile = (file: SubjectFile): string[] => {
  const heading = headingOf(file);
  if (file.hunks.length > 0) return [heading, ...file.hunks.flatMap(shownHunk)];
  if (file.status === "whole" && file.after !== undefined) {
    return [heading, ...linesOf(file.after).map((line, at) => shownLine(at + 1, " ", line))];
  }
  return [heading, `| ${whyEmpty(file)}`];
};

const headingOf = ({ path, oldPath, status, mode }: SubjectFile): string => {
  const from = oldPath === undefined ? "" : `, was ${visible(oldPath)}`;
  return `| file ${visible(path)} (${status}${from}${mode === undefined ? "" : `, mode ${mode}`})`;
};

const whyEmpty = ({ leftOut, counts, status, mode }: SubjectFile): string => {
  const lines =
    counts && counts.added + counts.removed > 0 ? `, +${counts.added} −${counts.removed}` : "";
  if (leftOut !== undefined) return `not shown: ${leftOut}${lines}`;
  if (status === "added") return "an empty file";
  if (status === "renamed") return "moved, content as before";
  return mode === undefined ? "nothing to show" : "only its mode changes";
};

const shownHunk = (hunk: Hunk): string[] => {
  const { oldStart, oldLines, newStart, newLines, section, endsOpen } = hunk;
  const around = section === "" ? "" : ` in ${visible(section)}`;
  const before = oldLines === 0 ? "" : ` (before: ${rangeOf(oldStart, oldLines)})`;
  const head = `| ${newLines === 0 ? `after line ${newStart}` : `${newLines === 1 ? "line" : "lines"} ${rangeOf(newStart, newLines)}`}${before}${around}`;
  const marksReturns = hasMixedEnds(hunk);
  let number = newStart;
  const lines = hunk.lines.map((line) => {
    const sign = line[0] ?? " ";
    const text = marksReturns ? line.slice(1).replace(/\r$/, "␍") : line.slice(1);
    if (sign === "-") return shownLine(undefined, "-", text);
    number += 1;
    return shownLine(number - 1, sign, text);
  });
  const open =
    endsOpen === undefined
      ? []
      : [
          `| no line end at the end of the ${endsOpen === "both" ? "old and the new" : endsOpen} file`,
        ];
  return [head, ...lines, ...open];
};

const rangeOf = (start: number, count: number): string =>
  count === 1 ? `${start}` : `${start}–${start + count - 1}`;

/** Only where line ends themselves change are they worth showing. */
const hasMixedEnds = ({ lines }: Hunk): boolean =>
  lines.some((line) => line.endsWith("\r")) && lines.some((line) => !line.endsWith("\r"));

/** A line that nobody wrote by hand is shown up to here. */
export const lineLengthMax = 2000;

export const shownLine = (number: number | undefined, sign: string, given: string): string => {
  const rest = given.length - lineLengthMax;
  const text = rest > 0 ? `${given.slice(0, lineLengthMax)} … and ${rest} more characters` : given;
  return lineOf(number, sign, text);
};

const lineOf = (number: number | undefined, sign: string, text: string): string =>
  `${(number === undefined ? "" : `${number}`).padStart(6)} ${sign} ${visible(text.replace(/\r$/, ""))}`.trimEnd();

export const linesOf = (text: string): string[] =>
  text === "" ? [] : (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
