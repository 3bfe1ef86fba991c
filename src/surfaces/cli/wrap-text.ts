import { textWidth } from "./text-width.ts";

/** Breaks a text into lines of at most `width` columns, between words only. */
export const wrapText = (text: string, width: number): string[] => {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && textWidth(line) + 1 + textWidth(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
};

/**
 * A line of output in at most `width` columns, broken between words only: a terminal itself breaks anywhere. Words
 * after a label, an arrow or a bullet stay in their own column. A word longer than a whole line is left as it is.
 */
export const wrapLine = (text: string, width: number): string =>
  text
    .split("\n")
    .map((line) => (shownWidth(line) <= width ? line : breakLine(line, width)))
    .join("\n");

const breakLine = (line: string, width: number): string => {
  const hang = hangingIndent(line.replaceAll(colours, ""), width);
  let [out, column, gap] = ["", 0, ""];
  for (const part of line.match(/ +|[^ ]+/g) ?? []) {
    if (part.startsWith(" ")) {
      gap = part;
      continue;
    }
    const wide = shownWidth(part);
    const isOwnLineBetter = wide <= width && column > 0;
    if (column + gap.length + wide > width && (column > hang || isOwnLineBetter)) {
      const indent = Math.min(hang, Math.max(0, width - wide));
      out += `\n${" ".repeat(indent)}${part}`;
      column = indent + wide;
    } else {
      out += gap + part;
      column += gap.length + wide;
    }
    gap = "";
  }
  return out;
};

const hangingIndent = (line: string, width: number): number => {
  const marked = /^ *(?:→|-|·|✓|✗) +/.exec(line)?.[0].length;
  const labelled = /^ *\S+(?: \S+)*? {2,}(?=\S)/.exec(line)?.[0].length ?? width;
  if (marked !== undefined) return marked;
  return labelled <= width * 0.4 ? labelled : line.length - line.trimStart().length + 2;
};

const shownWidth = (text: string): number => textWidth(text.replaceAll(colours, ""));

// oxlint-disable-next-line no-control-regex -- colours take no columns.
const colours = /\u001b\[\d+m/g;
