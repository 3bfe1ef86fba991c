/** What stands above a declaration and belongs to it: comments, decorators, attributes, annotations. */
import { scan } from "../../structure/index.ts";
import { lineEnd, skipSpaces } from "./text-lines.ts";

export interface Head {
  /** From the beginning up to the declaration, white space included. */
  readonly whole: string;
  readonly comments: readonly string[];
  readonly decorators: readonly string[];
  readonly hasComments: boolean;
  readonly hasDecorators: boolean;
}

export const headOf = (text: string, language: string): Head => {
  const { comments: known, lines, strings } = scan(text, language);
  const comments: string[] = [];
  const decorators: string[] = [];
  let at = 0;
  for (;;) {
    at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
    const comment = known.find(({ from }) => from === at);
    const end = comment?.to ?? decoratorEnd(text, at, { language, lines, strings });
    if (end === undefined) break;
    (comment ? comments : decorators).push(text.slice(at, end));
    at = end;
  }
  const hasComments = comments.length > 0;
  return {
    whole: text.slice(0, at),
    comments,
    decorators,
    hasComments,
    hasDecorators: decorators.length > 0,
  };
};

const decoratorEnd = (
  text: string,
  at: number,
  known: { language: string } & Pick<ReturnType<typeof scan>, "lines" | "strings">,
): number | undefined => {
  const rest = text.slice(at, at + 200);
  if (known.language === "python" && rest.startsWith("@")) {
    // Until the end of the logical line.
    const next = known.lines.find(
      ({ from, begins, depth }) => from > at && begins === "code" && depth === 0,
    );
    return next
      ? lineEnd(text, Math.max(at, text.slice(0, next.from).trimEnd().length))
      : text.length;
  }
  const named = /^@(?!interface\b)[\w.:$]+(?:<[^>()]*>)?/.exec(rest)?.[0];
  if (named !== undefined) {
    const open = skipSpaces(text, at + named.length);
    return text[open] === "(" ? closing(text, open, known.strings) : at + named.length;
  }
  const opened =
    /^#!?\[/.exec(rest)?.[0] ??
    (hasBracketAttributes.has(known.language) ? /^\[/.exec(rest)?.[0] : undefined);
  return opened === undefined ? undefined : closing(text, at + opened.length - 1, known.strings);
};

const hasBracketAttributes = new Set(["csharp", "cpp", "c"]);

const closing = (
  text: string,
  open: number,
  strings: ReturnType<typeof scan>["strings"],
): number | undefined => {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const string = strings.find(({ from, to }) => from <= at && at < to);
    if (string) at = string.to - 1;
    else if ("([{".includes(text[at] ?? " ")) depth += 1;
    else if (")]}".includes(text[at] ?? " ")) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
};
