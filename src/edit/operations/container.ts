/** The inside of a class, module or other symbol that holds members. */
import { HeadgateError } from "../../errors.ts";
import type { OutlineSymbol } from "../../structure/index.ts";
import type { Document } from "./document.ts";
import { indentAt, startsLine } from "./text-lines.ts";

/** Members that stand in the block itself, not in an `if` or `try` inside it. */
export const directMembers = (
  all: readonly OutlineSymbol[],
  parent: OutlineSymbol | undefined,
): readonly OutlineSymbol[] => {
  const isDirect = ({ scope }: OutlineSymbol): boolean =>
    parent ? scope.endsWith(`@${parent.body?.from}`) : scope === "";
  const direct = all.filter(isDirect);
  return direct.length > 0 ? direct : all;
};

export interface Inside {
  /** Behind the opening brace, or behind the header's colon or line. */
  readonly from: number;
  /** Before the closing brace or `end`; the end of the block where indentation closes it. */
  readonly to: number;
  /** Whether something closes it: then `to` is where that stands. */
  readonly isClosed: boolean;
}

export const insideOf = (document: Document, parent: OutlineSymbol): Inside => {
  const { text, rules } = document;
  const { body, core } = parent;
  if (rules.block === "indent") {
    if (!body) throw noInside(document, parent);
    const from = text.slice(0, body.from).trimEnd().length;
    return {
      from,
      to: body.from + text.slice(body.from, body.to).trimEnd().length,
      isClosed: false,
    };
  }
  if (rules.block === "end") {
    const close = text.slice(core.from, core.to).lastIndexOf("end");
    if (close < 0) throw noInside(document, parent);
    return { from: headerEnd(document, parent), to: core.from + close, isClosed: true };
  }
  const whole = body ?? core;
  const open = text.indexOf("{", whole.from);
  const close = text.lastIndexOf("}", whole.to - 1);
  if (open < 0 || close <= open || open >= whole.to || close < whole.from) {
    throw noInside(document, parent);
  }
  return { from: open + 1, to: close, isClosed: true };
};

/** The line on which the opening stands: what follows is the first thing inside. */
const headerEnd = ({ text }: Document, { nameSpan, core, body }: OutlineSymbol): number => {
  const until = body?.from ?? core.to;
  const end = text.slice(nameSpan.to, until).search(/[\r\n;]/);
  return end < 0 ? nameSpan.to : nameSpan.to + end;
};

/** Of the declaration's own line: a comment above it may stand elsewhere. */
export const symbolIndent = (
  { text }: Document,
  { core, span }: OutlineSymbol,
): string | undefined => {
  if (startsLine(text, core.from)) return indentAt(text, core.from);
  return startsLine(text, span.from) ? indentAt(text, span.from) : undefined;
};

/** The indentation that most of them have; undefined when none begins a line. */
export const usualIndent = (
  document: Document,
  members: readonly OutlineSymbol[],
): string | undefined => {
  const counts = new Map<string, number>();
  for (const member of members) {
    const indent = symbolIndent(document, member);
    if (indent !== undefined) counts.set(indent, (counts.get(indent) ?? 0) + 1);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0];
};

/** The indentation of members that are not there yet. */
export const memberIndent = (document: Document, parent: OutlineSymbol, inside: Inside): string => {
  const { text } = document;
  const usual = usualIndent(document, directMembers(parent.children, parent));
  if (usual !== undefined) return usual;
  const start = inside.from + text.slice(inside.from, inside.to).search(/\S|$/);
  if (start < inside.to && startsLine(text, start)) return indentAt(text, start);
  return ownIndent(document, parent, inside) + document.unit;
};

export const ownIndent = ({ text }: Document, parent: OutlineSymbol, inside: Inside): string =>
  inside.isClosed && startsLine(text, inside.to)
    ? indentAt(text, inside.to)
    : indentAt(text, parent.core.from);

const noInside = ({ path }: Document, { path: symbol, range }: OutlineSymbol): HeadgateError =>
  new HeadgateError(
    "SYMBOL_UNKNOWN",
    `${symbol} (line ${range.start.line} of ${path}) has no body that something could be put into.`,
    { data: { path, symbol, line: range.start.line } },
  );
