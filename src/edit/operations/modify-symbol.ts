/**
 * Replaces a definition. The code takes the place of the symbol's whole span. Doc comments above it are
 * kept when the code brings no comment of its own, decorators and attributes when it brings none; so a
 * decorator cannot get lost by being forgotten (replace takes one away). A comment behind the
 * definition on its last line goes. The code must be one definition of the same name.
 */
import { HeadgateError } from "../../errors.ts";
import type { Analyser, OutlineSymbol, Span } from "../../structure/index.ts";
import { Document } from "./document.ts";
import { everySymbol, findSymbol, type Found } from "./find-symbol.ts";
import { type Head, headOf } from "./head.ts";
import { encodeFor } from "./encode.ts";
import { indentAt, isBlank, lineStart, splice, type Splice, startsLine } from "./text-lines.ts";
import { symbolIndent } from "./container.ts";

export const modification = async (
  document: Document,
  { symbol: path, code }: { readonly symbol: string; readonly code: string },
  analyser: Analyser,
): Promise<Splice> => {
  const found = findSymbol(document, path);
  const { span } = found.symbol;
  const { text } = document;
  const indent = symbolIndent(document, found.symbol) ?? indentAt(text, span.from);
  const whole = text.slice(lineStart(text, span.from), span.to);
  const old = headOf(text.slice(span.from, span.to), document.language);
  const from = startsLine(text, span.from) ? lineStart(text, span.from) : span.from;
  const above = text.slice(from, span.from);
  const fitted = withHead(document, document.fit(code, indent, whole), { old, indent, above });
  // In the middle of a line there is no indentation to put on.
  const made = from === span.from ? fitted.slice(indent.length) : fitted;
  const replaced: Splice = { from, to: span.to, text: made };
  await refuseUnfit(document, found, replaced, analyser);
  return replaced;
};

const withHead = (
  { language, lineEnding }: Document,
  code: string,
  { old, indent, above }: { readonly old: Head; readonly indent: string; readonly above: string },
): string => {
  const own = headOf(code, language);
  const comments = own.hasComments ? [] : old.comments;
  const decorators = own.hasDecorators ? [] : old.decorators;
  if (comments.length + decorators.length === 0) return code;
  if (!own.hasComments && !own.hasDecorators)
    return above + old.whole + code.slice(own.whole.length);
  const parts = own.hasComments
    ? [...own.comments, ...decorators]
    : [...comments, ...own.decorators];
  return indent + [...parts, code.slice(own.whole.length)].join(lineEnding + indent);
};

const refuseUnfit = async (
  document: Document,
  { symbol, siblings }: Found,
  replaced: Splice,
  analyser: Analyser,
): Promise<void> => {
  const changed = splice(document.text, replaced);
  const after = await Document.open(encodeFor(document, changed), document.path, analyser);
  const region = { from: replaced.from, to: replaced.from + replaced.text.length };
  const within = everySymbol(after).filter(
    ({ symbol: one, parent }) => isIn(one, region) && !(parent && isIn(parent, region)),
  );
  const shared = siblings.filter(({ span }) => span.from === symbol.span.from);
  if (shared.length > 1) return;
  const others = within.filter(({ symbol: one }) => one.name !== symbol.name);
  const [other] = others;
  const full = within.filter(({ symbol: one }) => one.body !== undefined);
  if (within.length === 0) throw unfit(document, symbol, "no definition was found in the code");
  if (other && within.length === 1) {
    throw unfit(document, symbol, `the code defines ${other.symbol.name}; use rename for the name`);
  }
  if (within.length > 1 && (others.length > 0 || full.length > 1)) {
    const names = within.map(({ symbol: one }) => one.name).join(", ");
    throw unfit(document, symbol, `the code has ${within.length} definitions (${names}), not one`);
  }
  let rest = replaced.text;
  for (const { symbol: one } of within.toReversed()) {
    rest =
      rest.slice(0, Math.max(0, one.span.from - region.from)) +
      rest.slice(one.span.to - region.from);
  }
  if (!isBlank(rest.replaceAll(/^[^\S\r\n]*(?:#|\/\/|\/\*|\*|--).*$/gm, ""))) {
    throw unfit(document, symbol, "the code has more than one definition: statements around it");
  }
};

/** Some declarations reach over the line ending behind them; their span does not. */
const isIn = ({ core, span }: OutlineSymbol, { from, to }: Span): boolean =>
  core.from >= from && Math.min(core.to, span.to) <= to;

const unfit = (document: Document, symbol: OutlineSymbol, why: string): HeadgateError =>
  new HeadgateError("CODE_UNFIT", `${symbol.path} in ${document.path} is not replaced: ${why}.`, {
    data: { path: document.path, symbol: symbol.path, line: symbol.range.start.line },
  });
