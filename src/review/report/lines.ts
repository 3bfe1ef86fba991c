import { withoutHashes } from "../../base/text.ts";

/** A Markdown text as lines that know whether they stand in a code block: what is quoted there is no structure. */
export interface Line {
  readonly text: string;
  readonly isCode: boolean;
}

export interface Heading {
  readonly level: number;
  readonly text: string;
  /** Index of its line. */
  readonly at: number;
}

export interface ReportLines {
  readonly all: readonly Line[];
  readonly headings: readonly Heading[];
  /** A code block that nobody closed: the text ends in the middle. */
  readonly isOpen: boolean;
}

export const readLines = (text: string): ReportLines => {
  const all: Line[] = [];
  const headings: Heading[] = [];
  let fence: string | undefined;
  for (const [at, line] of text.split("\n").entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line);
    if (fence !== undefined) {
      all.push({ text: line, isCode: true });
      const closes = mark?.[1]?.startsWith(fence) === true && mark[2]?.trim() === "";
      if (closes) fence = undefined;
      continue;
    }
    if (mark?.[1] !== undefined && !(mark[1].startsWith("`") && mark[2]?.includes("`"))) {
      fence = mark[1];
      all.push({ text: line, isCode: true });
      continue;
    }
    // Four blanks are code in Markdown; a list inside a list is not, but holds no structure of ours either.
    const isCode = /^(?: {4}|\t)/.test(line);
    all.push({ text: line, isCode });
    const heading = isCode ? null : /^ {0,3}(#{1,6})\s+(\S.*)$/s.exec(line);
    if (heading?.[1] && heading[2]) {
      const words = withoutHashes(heading[2]);
      headings.push({ level: heading[1].length, text: words, at });
    }
  }
  return { all, headings, isOpen: fence !== undefined };
};

/** Without the emphasis or code marks around a whole field; marks inside it stay. */
export const bare = (text: string): string => {
  const field = text.trim();
  const [, mark = "", inner = ""] = /^(\*\*|__|~~|[*_`])(.+)\1$/s.exec(field) ?? [];
  return mark === "" || inner.includes(mark) ? field : bare(inner);
};
