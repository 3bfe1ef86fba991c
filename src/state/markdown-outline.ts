/** The structure of a Markdown text that updates need: headings and the lines that are code or HTML. */
export interface MarkdownOutline {
  readonly headings: readonly Heading[];
  /** Offset of each line's first character; one more entry than lines marks the end of the text. */
  readonly lineStarts: readonly number[];
  readonly literalLines: ReadonlySet<number>;
}

export interface Heading {
  readonly title: string;
  readonly level: number;
  /** Titles from the outermost heading to this one. */
  readonly trail: readonly string[];
  /** First line of the heading and first line behind it; a setext heading has two lines or more. */
  readonly line: number;
  readonly endLine: number;
  readonly isSetext: boolean;
}

/** Loaded before anything is locked. */
export const loadMarkdown = async () => {
  const { default: create } = await import("markdown-it");
  return create("commonmark");
};
export type Markdown = Awaited<ReturnType<typeof loadMarkdown>>;

export const outlineMarkdown = (markdown: Markdown, text: string): MarkdownOutline => {
  const tokens = markdown.parse(text, {});
  const headings: Heading[] = [];
  const literalLines = new Set<number>();
  for (const [index, token] of tokens.entries()) {
    if (!token.map) continue;
    const [line, endLine] = token.map;
    if (literalTypes.has(token.type)) {
      for (let literal = line; literal < endLine; literal += 1) literalLines.add(literal);
    }
    // A heading inside a quotation or a list does not divide the document.
    if (token.type !== "heading_open" || token.level !== 0) continue;
    const title = tokens[index + 1]?.content.trim() ?? "";
    const level = Number(token.tag.slice(1));
    const trail = [...trailOf(headings, level), title];
    const isSetext = !token.markup.startsWith("#");
    headings.push({ title, level, trail, line, endLine, isSetext });
  }
  return { headings, lineStarts: lineStartsOf(text), literalLines };
};

const literalTypes = new Set(["fence", "code_block", "html_block"]);

const trailOf = (earlier: readonly Heading[], level: number): readonly string[] =>
  earlier.findLast((heading) => heading.level < level)?.trail ?? [];

/** Lines as the parser counts them: it takes a lone carriage return for a line end, too. */
const lineStartsOf = (text: string): number[] => {
  const starts = [0];
  for (const match of text.matchAll(/\r\n?|\n/g)) starts.push(match.index + match[0].length);
  if (starts.at(-1) !== text.length || text === "") starts.push(text.length);
  return starts;
};
