import {
  type Heading,
  type Markdown,
  type MarkdownOutline,
  outlineMarkdown,
} from "./markdown-outline.ts";
import type { Parsed } from "./problem.ts";
import { splice, withLineEnds } from "./text-content.ts";

export interface SectionEdit {
  /** A title, or titles joined by `/` from an outer heading to the wanted one; `/A/B` from the top. */
  readonly heading: string;
  readonly value: string;
  readonly canCreate: boolean;
  readonly eol: "\n" | "\r\n";
  /** Lines before the text, for messages. */
  readonly lineOffset: number;
}

/**
 * The text with a section's own text replaced: what stands between its heading and the next heading of
 * any level, without the blank lines around it. Sub-sections stay. Undefined when there is no such
 * heading and none may be created.
 */
export const setSection = (
  markdown: Markdown,
  text: string,
  edit: SectionEdit,
): Parsed<string | undefined> => {
  const outline = outlineMarkdown(markdown, text);
  const found = outline.headings.filter((heading) => isAddressed(heading, edit.heading));
  const [heading, second] = found;
  if (second) {
    const lines = found
      .map(({ line, trail }) => `line ${line + 1 + edit.lineOffset} (${trail.join("/")})`)
      .join(", ");
    const message = `the heading is ambiguous: ${lines}; name it as Parent/Child`;
    return { ok: false, problem: { message } };
  }
  if (!heading) {
    return { ok: true, value: edit.canCreate ? appendSection(text, edit) : undefined };
  }
  const changed = replaceBody(text, outline, heading, edit);
  const after = outlineMarkdown(markdown, changed);
  const message = structureProblem(outline, after, outline.headings.indexOf(heading));
  return message === undefined ? { ok: true, value: changed } : { ok: false, problem: { message } };
};

const isAddressed = ({ trail }: Heading, address: string): boolean => {
  if (address.startsWith("/")) return `/${trail.join("/")}` === address;
  // Suffixes of the trail, so that a title with a slash in it still matches as a whole.
  return trail.some((_, start) => trail.slice(start).join("/") === address);
};

const replaceBody = (
  text: string,
  { headings, lineStarts }: MarkdownOutline,
  heading: Heading,
  { value, eol }: SectionEdit,
): string => {
  const next = headings[headings.indexOf(heading) + 1];
  const start = lineStarts[heading.endLine] ?? text.length;
  const end = next ? (lineStarts[next.line] ?? text.length) : text.length;
  const body = text.slice(start, end);
  const wanted = withLineEnds(value.replace(/^(?:[ \t]*\r?\n)+/, "").trimEnd(), eol);
  if (/\S/.test(body)) {
    const lead = /^(?:[ \t]*[\r\n]+)*/.exec(body)?.[0].length ?? 0;
    const coreEnd = body.trimEnd().length;
    // A setext heading right behind a paragraph would take it for its own first line.
    const isTouching = next?.isSetext === true && !/\n\s*\n/.test(body.slice(coreEnd));
    const range = { start: start + lead, end: start + coreEnd };
    return splice(text, range, isTouching ? wanted + eol : wanted);
  }
  if (wanted === "") return text;
  // A section without text gets a blank line before it, and one behind it if something follows.
  const before = text.slice(0, start).endsWith("\n") ? eol : eol + eol;
  // A file without a final line end keeps having none.
  const lastEnd = text.endsWith("\n") ? eol : "";
  return splice(text, { start, end }, before + wanted + (next ? eol + eol : lastEnd));
};

const appendSection = (text: string, { heading, value, eol }: SectionEdit): string => {
  const title = heading.replace(/^\//, "");
  const wanted = withLineEnds(value.replace(/^(?:[ \t]*\r?\n)+/, "").trimEnd(), eol);
  const body = `## ${title}${wanted === "" ? "" : eol + eol + wanted}${eol}`;
  if (text === "") return body;
  const gap = text.endsWith("\n") ? eol : eol + eol;
  const blank = text.slice(text.trimEnd().length);
  const hasGap = blank.endsWith("\n") && blank.indexOf("\n") < blank.length - 1;
  return text + (hasGap ? "" : gap) + body;
};

/** New text may bring deeper headings, but must not end its section or swallow what follows. */
const structureProblem = (
  before: MarkdownOutline,
  after: MarkdownOutline,
  index: number,
): string | undefined => {
  const kept = before.headings.length;
  const added = after.headings.length - kept;
  const isHeadKept = before.headings
    .slice(0, index + 1)
    .every((heading, at) => isSame(heading, after.headings[at]));
  const isTailKept = before.headings
    .slice(index + 1)
    .every((heading, at) => isSame(heading, after.headings[at + index + 1 + added]));
  if (added < 0 || !isHeadKept || !isTailKept) {
    return "the text would swallow or change headings behind it (an open code fence or HTML block?)";
  }
  const level = before.headings[index]?.level ?? 0;
  const ending = after.headings
    .slice(index + 1, index + 1 + added)
    .find((one) => one.level <= level);
  return ending && `the text has the heading “${ending.title}”, which would end its own section`;
};

const isSame = (left: Heading | undefined, right: Heading | undefined): boolean =>
  left?.title === right?.title && left?.level === right?.level;
