/**
 * PHP by php-parser. It is not the language's own parser and may be behind it or too kind, so a verdict
 * needs tree-sitter's consent; where the two disagree, nothing is claimed.
 */
import parser from "php-parser";
import { SourceText } from "../source-text.ts";
import type { SyntaxError } from "../types.ts";
import { type Judge, notChecked, verdict } from "./verdict.ts";

const by = "php-parser 3.7.0";

const engineWith = (shortTags: boolean) =>
  new parser.Engine({
    parser: { extractDoc: false, suppressErrors: false, version: "8.5" },
    ast: { withPositions: true },
    lexer: { short_tags: shortTags, asp_tags: false },
  });
const engines = [engineWith(true), engineWith(false)] as const;

export const judgePhp: Judge = async ({ language, text }, treeErrors) => {
  const unterminated = unterminatedComment(text);
  if (unterminated) return verdict(by, [unterminated]);
  const error = firstError(text);
  const problems = await treeErrors(language, text);
  if (error && problems.length > 0) return verdict(by, [error]);
  if (!error && problems.length === 0) return verdict(by, []);
  const who = error ? "php-parser objects" : "tree-sitter objects";
  const { message, line } = error ?? problems[0] ?? { message: "", line: 1 };
  return notChecked(by, `the parsers disagree; ${who} to line ${line}: ${message}`);
};

/** Whether `<?` begins code depends on the server's settings: right in one way is right. */
const firstError = (text: string): SyntaxError | undefined => {
  const error = errorOf(engines[0], text);
  const hasShortTag = error !== undefined && /<\?(?!php|=|xml)/i.test(text);
  return hasShortTag && errorOf(engines[1], text) === undefined ? undefined : error;
};

const errorOf = (engine: (typeof engines)[number], text: string): SyntaxError | undefined => {
  try {
    engine.parseCode(text, "");
    return undefined;
  } catch (error) {
    if (!(error instanceof Error) || !("lineNumber" in error)) throw error;
    const { lineNumber, columnNumber } = error as unknown as Record<string, unknown>;
    const message = error.message.replace(/^Parse Error ?: ?/, "").replace(/ on line \d+$/, "");
    // Its columns are counted from 0.
    return { line: Number(lineNumber), column: Number(columnNumber ?? 0) + 1, message, code: "" };
  }
};

/** php-parser takes the end of the file for the end of a comment. */
const unterminatedComment = (text: string): SyntaxError | undefined => {
  // Without an opening behind the last closing there is none; the tokens tell it from text in quotes.
  if (text.lastIndexOf("/*") <= text.lastIndexOf("*/")) return undefined;
  let last: unknown;
  try {
    last = engines[0].tokenGetAll(text).at(-1);
  } catch {
    return undefined;
  }
  const [kind, comment] = Array.isArray(last) ? (last as [unknown, unknown]) : [];
  if (typeof kind !== "string" || !/COMMENT/.test(kind)) return undefined;
  if (typeof comment !== "string" || !comment.startsWith("/*")) return undefined;
  const source = new SourceText(text);
  const place = source.position(text.length - comment.length);
  return { ...place, message: "the comment has no end", code: "comment" };
};
