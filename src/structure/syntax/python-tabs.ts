/**
 * Python refuses indentation whose depth depends on the width of a tab; ruff takes it as it comes.
 * The comparison is the one of CPython's tokenizer: with tabs of eight columns, and again with tabs of one.
 */
import type { SourceText } from "../source-text.ts";
import type { SyntaxError } from "../types.ts";
import { utf8Offsets } from "./utf8-offsets.ts";

interface Depth {
  readonly wide: number;
  readonly narrow: number;
}

export const mixedTabs = (
  source: SourceText,
  tokensOf: (text: string) => string,
): readonly SyntaxError[] => {
  const { text } = source;
  // With one kind of white space only, no width matters.
  if (!/^[ \f]*\t/m.test(text) || !/^[\t\f]* /m.test(text)) return [];
  const open: Depth[] = [];
  for (const at of statementStarts(text, tokensOf(text))) {
    const { line } = source.position(at);
    const depth = depthOf(text.slice(source.lineStart(line), at));
    while (depth.wide < (open.at(-1) ?? margin).wide) open.pop();
    const top = open.at(-1) ?? margin;
    const isDeeper = depth.wide > top.wide;
    const isConsistent = isDeeper ? depth.narrow > top.narrow : depth.narrow === top.narrow;
    if (!isConsistent) {
      const message = "inconsistent use of tabs and spaces in indentation";
      return [{ line, column: 1, message, code: "tab-error" }];
    }
    if (isDeeper) open.push(depth);
  }
  return [];
};

const margin: Depth = { wide: 0, narrow: 0 };

const depthOf = (indentation: string): Depth => {
  let [wide, narrow] = [0, 0];
  for (const character of indentation) {
    if (character === "\f") [wide, narrow] = [0, 0];
    else if (character === "\t") [wide, narrow] = [(Math.floor(wide / 8) + 1) * 8, narrow + 1];
    else [wide, narrow] = [wide + 1, narrow + 1];
  }
  return { wide, narrow };
};

/** Where each logical line's first token is, from ruff's list: `Name from..to` per line, in bytes. */
function* statementStarts(text: string, tokens: string): Generator<number> {
  const offsetOf = utf8Offsets(text);
  let isStart = true;
  for (const [, kind, from] of tokens.matchAll(/^[^\S\n]*([A-Za-z]+) (\d+)\.\.\d+/gm)) {
    if (kind === "Newline") isStart = true;
    else if (isStart && !unimportant.has(kind ?? "")) {
      isStart = false;
      yield offsetOf(Number(from));
    }
  }
}

const unimportant = new Set(["Comment", "NonLogicalNewline", "Indent", "Dedent", "EndOfFile"]);
