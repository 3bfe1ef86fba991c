/** Takes an import out, or one name out of it, so that what add-import.ts put in leaves no trace. */
import { HeadgateError } from "../../errors.ts";
import type { OutlineImport } from "../../structure/index.ts";
import { blankLinesBehind, importEnd } from "./add-import.ts";
import type { Document } from "./document.ts";
import { nearest } from "./nearest.ts";
import {
  beforeBreak,
  endsLine,
  isBlank,
  lineEnd,
  lineStart,
  pastBreak,
  skipSpaces,
  skipSpacesBack,
  type Splice,
  startsLine,
} from "./text-lines.ts";

interface Wish {
  readonly from: string;
  readonly name?: string;
}

/** Every import of the module at the top level; those inside blocks only when there is no other. */
export const importRemovals = (document: Document, wish: Wish): Splice[] => {
  const all = document.outline.imports.filter((one) => isMeant(one, wish));
  if (all.length === 0) throw unknown(document, wish);
  const top = all.filter(({ scope }) => scope === "");
  const chosen = top.length > 0 ? top : all;
  const seen = new Set<string>();
  return chosen
    .map((one) => removalOf(document, one, wish))
    .filter(({ from, to }) => !seen.has(`${from} ${to}`) && seen.add(`${from} ${to}`));
};

const isMeant = ({ from, names }: OutlineImport, wish: Wish): boolean =>
  from === wish.from &&
  (wish.name === undefined || names.some(({ name, as }) => name === wish.name || as === wish.name));

const removalOf = (document: Document, one: OutlineImport, { name }: Wish): Splice => {
  const { imports } = document.outline;
  const sharing = imports.filter(({ span }) => span.from === one.span.from);
  if (sharing.length > 1) return element(document, one, name ?? one.from);
  if (name !== undefined && one.names.length > 1) return element(document, one, name);
  return wholeImport(document, one);
};

const wholeImport = (document: Document, one: OutlineImport): Splice => {
  const { text } = document;
  const { span } = one;
  const last = importEnd(document, one);
  const end = last + (/^[ \t]*;/.exec(text.slice(last))?.[0].length ?? 0);
  if (!startsLine(text, span.from))
    return { from: skipSpacesBack(text, span.from), to: end, text: "" };
  const isAlone = endsLine(text, end) || isCommentNext(document, end);
  if (!isAlone) return { from: span.from, to: skipSpaces(text, end), text: "" };
  return wholeLines(document, lineStart(text, span.from), lineEnd(text, end));
};

const isCommentNext = ({ text, scanned }: Document, at: number): boolean => {
  const start = skipSpaces(text, at);
  return scanned.comments.some(({ from, to }) => from === start && to <= lineEnd(text, at));
};

const wholeLines = (document: Document, from: number, to: number): Splice => {
  const { text } = document;
  const above = beforeBreak(text, from);
  const below = pastBreak(text, to);
  const isImport = (at: number): boolean =>
    document.outline.imports.some(
      (one) =>
        lineStart(text, one.span.from) <= at && at <= lineEnd(text, importEnd(document, one)),
    );
  const isFree = (start: number): boolean => isBlank(text.slice(start, lineEnd(text, start)));
  if (from === 0) {
    // At the very beginning the blank lines behind it came with it.
    let end = below;
    const isNextImport = below < text.length && isImport(below);
    for (let count = isNextImport ? 0 : blankLinesBehind(document); count > 0; count -= 1) {
      if (end >= text.length || !isFree(end)) break;
      end = pastBreak(text, lineEnd(text, end));
    }
    return { from, to: end, text: "" };
  }
  if (isImport(above) || (below < text.length && isImport(below)))
    return { from: above, to, text: "" };
  const isBlankAbove = isFree(lineStart(text, above));
  if (isBlankAbove) return { from: beforeBreak(text, lineStart(text, above)), to, text: "" };
  const isBlankBelow = below < text.length && isFree(below);
  return { from: above, to: isBlankBelow ? lineEnd(text, below) : to, text: "" };
};

/** One of several names: it goes with its comma, and with its line when it has one to itself. */
const element = (document: Document, one: OutlineImport, name: string): Splice => {
  const { text } = document;
  const { span } = one;
  const word = name.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const found = [
    ...text
      .slice(span.from, span.to)
      .matchAll(
        new RegExp(
          `(?<=[\\s,({])(?:type\\s+)?(?:[\\w.$]+\\s+as\\s+)?${word}(?:\\s+as\\s+\\w+)?(?=\\s*(?:[,;)}]|#|//|$|[\\r\\n]))`,
          "gm",
        ),
      ),
  ].at(-1);
  if (!found) throw unknown(document, { from: one.from, name });
  const from = span.from + found.index;
  const to = from + found[0].length;
  const comma = /^\s*,/.exec(text.slice(to, span.to))?.[0];
  const behind = comma === undefined ? to : to + comma.length;
  if (startsLine(text, from) && endsLine(text, behind) && comma !== undefined) {
    return { from: lineStart(text, from), to: pastBreak(text, lineEnd(text, behind)), text: "" };
  }
  if (comma !== undefined) {
    const isLastOfLine = endsLine(text, behind);
    return {
      from: isLastOfLine ? skipSpacesBack(text, from) : from,
      to: isLastOfLine ? behind : skipSpaces(text, behind),
      text: "",
    };
  }
  const before = /,\s*$/.exec(text.slice(span.from, from))?.[0].length ?? 0;
  return { from: from - before, to, text: "" };
};

const unknown = (document: Document, { from, name }: Wish): HeadgateError => {
  const wanted = name === undefined ? from : `${from} ${name}`;
  const all = document.outline.imports.flatMap((one) =>
    (name === undefined ? [{ name: "" }] : one.names).map((each) => ({
      from: one.from,
      name: each.name,
      line: one.range.start.line,
    })),
  );
  const near = nearest(wanted, all, (one) => `${one.from} ${one.name}`.trim(), 5);
  const list = near
    .map((one) => `${one.from} ${one.name}`.trim() + ` (line ${one.line})`)
    .join(", ");
  const what = name === undefined ? from : `${name} from ${from}`;
  return new HeadgateError(
    "SYMBOL_UNKNOWN",
    `${document.path} does not import ${what}.${list === "" ? "" : ` Nearest: ${list}.`} ${imported(all)}`,
    { data: { path: document.path, from, ...(name !== undefined && { name }), nearest: near } },
  );
};

const imported = (all: readonly { readonly from: string; readonly name: string }[]): string => {
  if (all.length === 0) return "It imports nothing.";
  const names = [...new Set(all.map(({ from, name }) => `${from} ${name}`.trim()))];
  const more = names.length > namesMax ? `, and ${names.length - namesMax} more` : "";
  return `It imports: ${names.slice(0, namesMax).join(", ")}${more}.`;
};

const namesMax = 30;
