/**
 * Takes a symbol out: its lines and the gap before them, or, for the first in its block, the gap behind
 * them (place.ts puts code in the same way, so adding and removing leaves no trace). A Python block that
 * would be empty gets `pass`, an emptied pair of braces is closed up.
 */
import { HeadgateError } from "../../errors.ts";
import type { OutlineSymbol } from "../../structure/index.ts";
import { insideOf } from "./container.ts";
import type { Document } from "./document.ts";
import { everySymbol, type Found } from "./find-symbol.ts";
import { isOpening } from "./place.ts";
import {
  endsLine,
  filledLineAfter,
  filledLineBefore,
  indentAt,
  isBlank,
  lineEnd,
  lineStart,
  pastBreak,
  skipSpaces,
  skipSpacesBack,
  type Splice,
  startsLine,
} from "./text-lines.ts";

/** Where the parser lost its way, a symbol may reach over text that is not its own. */
const refuseGuess = ({ outline }: Document, { range, path }: OutlineSymbol): void => {
  const near = outline.problems.find(
    ({ line }) => line >= range.start.line - 1 && line <= range.end.line + 1,
  );
  if (!near) return;
  throw new HeadgateError(
    "STRUCTURE_ABSENT",
    `The structure around ${path} is not certain (line ${near.line}: ${near.message}); take it out by its text.`,
  );
};

export const removal = (document: Document, found: Found): Splice => {
  const { text } = document;
  const { symbol, parent } = found;
  refuseShared(document, symbol);
  refuseGuess(document, symbol);
  const { from } = symbol.span;
  const to = pastComma(text, symbol.span.to);
  if (!startsLine(text, from) || !endsLine(text, to)) return removeInLine(document, found, to);
  const line = lineStart(text, from);
  const end = lineEnd(text, to);
  if (document.rules.block === "indent" && leavesEmptyBlock(document, symbol)) {
    return { from, to: end, text: isStub(document) ? "..." : "pass" };
  }
  const emptied = parent && emptiedBraces(document, parent, symbol);
  if (emptied) return emptied;
  const previous = filledLineBefore(text, from);
  const isFirst =
    previous === undefined || (parent !== undefined && isOpening(document, parent, previous));
  if (!isFirst) return { from: previous, to: end, text: "" };
  const next = filledLineAfter(text, to);
  const isLast = next === undefined || (parent !== undefined && isClosing(document, parent, next));
  return { from: line, to: isLast ? pastBreak(text, end) : next, text: "" };
};

const isClosing = (document: Document, parent: OutlineSymbol, start: number): boolean => {
  const { to } = insideOf(document, parent);
  return to <= skipSpaces(document.text, start);
};

/** Members of an object or an enumeration are listed with commas. */
const pastComma = (text: string, at: number): number => {
  const comma = skipSpaces(text, at);
  return text[comma] === "," ? comma + 1 : at;
};

/** `const a = 1, b = 2` is one statement: taking it out would take the other name too. */
const refuseShared = (document: Document, symbol: OutlineSymbol): void => {
  const { text, language } = document;
  const other = everySymbol(document).find(({ symbol: one }) => {
    if (one === symbol) return false;
    const [first, second] = one.span.from < symbol.span.from ? [one, symbol] : [symbol, one];
    // Go's `a, b int`: each has its name, only one has the type.
    const isListed =
      language === "go" && /^\s*,\s*$/.test(text.slice(first.span.to, second.span.from));
    return isListed || (one.span.from === symbol.span.from && one.span.to === symbol.span.to);
  });
  if (!other) return;
  const { line } = symbol.range.start;
  throw new HeadgateError(
    "SYMBOL_AMBIGUOUS",
    `${symbol.path} shares its statement in line ${line} of ${document.path} with ${other.symbol.path}; use replace.`,
    { data: { path: document.path, symbol: symbol.path, with: other.symbol.path, line } },
  );
};

/** Other code stands on its lines: only the symbol itself and the blanks on one side go. */
const removeInLine = (document: Document, { symbol, parent }: Found, to: number): Splice => {
  const { text } = document;
  const { from } = symbol.span;
  const emptied = parent && emptiedBraces(document, parent, symbol);
  if (emptied) return emptied;
  if (startsLine(text, from)) return { from, to: skipSpaces(text, to), text: "" };
  const isWholeBody =
    document.rules.block === "indent" && parent?.body?.from === from && endsLine(text, to);
  if (isWholeBody) return { from, to, text: isStub(document) ? "..." : "pass" };
  return { from: skipSpacesBack(text, from), to, text: "" };
};

const emptiedBraces = (
  document: Document,
  parent: OutlineSymbol,
  { span }: OutlineSymbol,
): Splice | undefined => {
  if (document.rules.block !== "braces") return undefined;
  const { from, to } = insideOf(document, parent);
  const isOnly =
    from <= span.from &&
    span.to <= to &&
    isBlank(document.text.slice(from, span.from)) &&
    isBlank(document.text.slice(span.to, to));
  return isOnly ? { from, to, text: "" } : undefined;
};

const isStub = ({ path }: Document): boolean => path.endsWith(".pyi");

/** Before it the line that opens its block, behind it nothing of its depth; comments do not count. */
const leavesEmptyBlock = (document: Document, { span }: OutlineSymbol): boolean => {
  const { text } = document;
  const depth = indentAt(text, span.from).length;
  if (depth === 0) return false;
  let before = filledLineBefore(text, span.from);
  while (before !== undefined && isComment(document, before))
    before = filledLineBefore(text, before);
  if (before === undefined || indentAt(text, before).length >= depth) return false;
  if (!codeOf(document, before).endsWith(":")) return false;
  let after = filledLineAfter(text, span.to);
  while (after !== undefined && isComment(document, lineEnd(text, after))) {
    after = filledLineAfter(text, after);
  }
  return after === undefined || indentAt(text, after).length < depth;
};

const codeOf = ({ text, scanned }: Document, end: number): string => {
  const start = lineStart(text, end);
  const comment = scanned.comments.find(({ from, to }) => from >= start && to <= end);
  return text.slice(start, comment?.from ?? end).trim();
};

const isComment = (document: Document, end: number): boolean => codeOf(document, end) === "";
