/** The YAML block between `---` lines at the very start of a Markdown text, as character offsets. */
export interface FrontMatter {
  /** First character of the YAML. */
  readonly start: number;
  /** First character of the closing line. */
  readonly end: number;
  /** First character of the text behind it. */
  readonly bodyStart: number;
}

/** Undefined without front matter; a block that is never closed is a rule across the page, not one. */
export const findFrontMatter = (text: string): FrontMatter | undefined => {
  const opening = /^---[ \t]*(?:\r\n|\n)/.exec(text);
  if (!opening) return undefined;
  const start = opening[0].length;
  const closing = /^(?:---|\.\.\.)[ \t]*(?:\r\n|\n|$)/gm;
  closing.lastIndex = start;
  for (let match = closing.exec(text); match; match = closing.exec(text)) {
    // In multi-line mode `^` also matches behind a lone carriage return.
    if (match.index === start || text[match.index - 1] === "\n") {
      return { start, end: match.index, bodyStart: match.index + match[0].length };
    }
  }
  return undefined;
};
