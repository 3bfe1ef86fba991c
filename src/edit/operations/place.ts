/**
 * Where new code goes. In a class: after its last method; at module level: after the last function or
 * class; else at the end, before what must stay last. The gap behind the place is never touched, and
 * the gap before the code is the code's own: so taking the code out again (remove-symbol.ts) gives back
 * every byte. Only what comes first in its block brings its gap behind it.
 */
import type { OutlineSymbol } from "../../structure/index.ts";
import {
  directMembers,
  type Inside,
  insideOf,
  memberIndent,
  ownIndent,
  symbolIndent,
  usualIndent,
} from "./container.ts";
import type { Document } from "./document.ts";
import { everySymbol, type Found, findSymbol } from "./find-symbol.ts";
import { lastLineOfModule } from "./module-end.ts";
import { blankLinesBetween, isBlockSymbol } from "./spacing.ts";
import {
  endsLine,
  filledLineBefore,
  indentAt,
  isBlank,
  lineEnd,
  lineStart,
  pastBreak,
  skipSpaces,
  startsLine,
} from "./text-lines.ts";

export interface Place {
  readonly from: number;
  readonly to: number;
  /** Put before and behind the fitted code. */
  readonly lead: string;
  readonly tail: string;
  readonly indent: string;
}

export interface Wanted {
  readonly into?: string | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** The code takes several lines. */
  readonly isBlock: boolean;
  readonly code: string;
}

export const placeFor = (document: Document, wanted: Wanted): Place => {
  const { into, before, after, isBlock } = wanted;
  if (after !== undefined) {
    const { symbol, parent, siblings } = findSymbol(document, after, into);
    return afterSymbol(document, symbol, { parent, siblings, isBlock });
  }
  if (before !== undefined) {
    const { symbol, parent, siblings } = findSymbol(document, before, into);
    return beforeSymbol(document, symbol, { parent, siblings, isBlock });
  }
  if (into !== undefined) return insideSymbol(document, { ...wanted, into });
  return inModule(document, isBlock);
};

interface Around {
  readonly parent: OutlineSymbol | undefined;
  readonly siblings: readonly OutlineSymbol[];
  readonly isBlock: boolean;
  /** When it is not the neighbour's. */
  readonly indent?: string | undefined;
}

const gapOf = (document: Document, { parent, siblings, isBlock }: Around): string =>
  document.lineEnding.repeat(
    blankLinesBetween(document, siblings, { isBlock, isTop: parent === undefined }),
  );

const afterSymbol = (document: Document, symbol: OutlineSymbol, around: Around): Place => {
  const { text, lineEnding } = document;
  const { parent, siblings } = around;
  const isBlock = around.isBlock || isBlockSymbol(symbol);
  const lead = lineEnding + gapOf(document, { ...around, isBlock });
  const inside = parent && insideOf(document, parent);
  const end = lineEnd(text, symbol.span.to);
  const own =
    symbolIndent(document, symbol) ??
    (parent && inside ? memberIndent(document, parent, inside) : "");
  const indent = around.indent ?? own;
  if (parent && inside?.isClosed && inside.to <= end && inside.to >= symbol.span.to) {
    // The block closes on the same line: its end moves to a line of its own.
    const to = skipSpaces(text, symbol.span.to) === inside.to ? inside.to : symbol.span.to;
    return {
      from: symbol.span.to,
      to,
      lead,
      indent,
      tail: lineEnding + ownIndent(document, parent, inside),
    };
  }
  const comma = listComma(document, symbol, siblings);
  if (comma === "missing") {
    return { from: symbol.span.to, to: symbol.span.to, lead: `,${lead}`, indent, tail: "" };
  }
  const from = pastOwnComments(document, end, indent);
  return { from, to: from, lead, indent, tail: comma === "there" ? "," : "" };
};

/** Whether members are listed with commas, and whether this one already has its own. */
const listComma = (
  { text }: Document,
  symbol: OutlineSymbol,
  siblings: readonly OutlineSymbol[],
): "there" | "missing" | undefined => {
  if (text[skipSpaces(text, symbol.span.to)] === ",") return "there";
  const before = siblings[siblings.indexOf(symbol) - 1];
  const isListed = before && /^\s*,\s*$/.test(text.slice(before.span.to, symbol.span.from));
  return isListed ? "missing" : undefined;
};

/** Comments under a function's last statement, as deep as its body, belong to it. */
const pastOwnComments = ({ text, rules }: Document, end: number, indent: string): number => {
  if (rules.block !== "indent" || rules.lineComment === undefined) return end;
  let last = end;
  for (;;) {
    const next = pastBreak(text, last);
    const start = skipSpaces(text, next);
    const isDeeper = start - next > indent.length && text.startsWith(indent, next);
    if (next === last || !isDeeper || !text.startsWith(rules.lineComment, start)) return last;
    last = lineEnd(text, start);
  }
};

const beforeSymbol = (document: Document, symbol: OutlineSymbol, around: Around): Place => {
  const { text, lineEnding } = document;
  const { from } = symbol.span;
  const gap = gapOf(document, { ...around, isBlock: around.isBlock || isBlockSymbol(symbol) });
  if (!startsLine(text, from)) {
    const indent = indentAt(text, from);
    return { from, to: from, lead: lineEnding + indent, indent, tail: lineEnding + indent };
  }
  const indent = indentAt(text, from);
  const line = lineStart(text, from);
  const previous = filledLineBefore(text, from);
  const isFirst =
    previous === undefined ||
    (around.parent !== undefined && isOpening(document, around.parent, previous));
  if (isFirst) return { from: line, to: line, lead: "", indent, tail: lineEnding + gap };
  return {
    from: previous,
    to: previous,
    lead: lineEnding + atLeastOne(document, gap, previous),
    indent,
    tail: "",
  };
};

/** Directly under a comment the code would make that comment its own. */
const atLeastOne = ({ lineEnding, scanned }: Document, gap: string, at: number): string =>
  gap === "" && scanned.comments.some(({ to }) => to === at) ? lineEnding : gap;

/** Whether nothing stands between the parent's opening and the end of this line. */
export const isOpening = (document: Document, parent: OutlineSymbol, end: number): boolean => {
  const inside = insideOf(document, parent);
  return isBlank(document.text.slice(inside.from, Math.max(end, inside.from)));
};

const methodKinds = new Set(["method", "constructor", "getter", "setter", "function"]);
const topKinds = new Set([
  ...methodKinds,
  "class",
  "interface",
  "enum",
  "struct",
  "trait",
  "impl",
  "module",
  "namespace",
]);
/** A word or label opens the private part there, and what comes behind it is private too. */
const hasPrivateParts = new Set(["ruby", "cpp"]);

const insideSymbol = (document: Document, wanted: Wanted & { into: string }): Place => {
  const { into, isBlock, code } = wanted;
  const { symbol: parent, parent: outer, siblings } = findSymbol(document, into);
  const beside = methodsBeside(document, parent, code);
  if (beside?.symbol.kind === "impl")
    return insideSymbol(document, { ...wanted, into: beside.symbol.path });
  if (beside) return afterSymbol(document, beside.symbol, { ...beside, isBlock });
  if (document.language === "go" && isBlock && parent.kind !== "interface") {
    return afterSymbol(document, parent, { parent: outer, siblings, isBlock });
  }
  if (hasInlineBody(document, parent)) return endOfInside(document, parent, isBlock);
  const members = directMembers(parent.children, parent);
  const methods = members.filter(({ kind }) => methodKinds.has(kind));
  const open = hasPrivateParts.has(document.language)
    ? methods.filter((one) => !one.isPrivate)
    : methods;
  const last = open.at(-1) ?? methods.at(-1) ?? members.at(-1);
  const indent = document.rules.block === "indent" ? undefined : usualIndent(document, members);
  if (last) return afterSymbol(document, last, { parent, siblings: members, isBlock, indent });
  return endOfInside(document, parent, isBlock);
};

/** Go's methods stand beside their type, Rust's in an impl of it: there, not in the type, code for one goes. */
const methodsBeside = (
  document: Document,
  { path, kind }: OutlineSymbol,
  code: string,
): Found | undefined => {
  const all = everySymbol(document);
  const start = firstCode(code);
  if (document.language === "go" && /^func\b/.test(start)) {
    return all.findLast(
      ({ symbol }) => symbol.path.startsWith(`${path}.`) && methodKinds.has(symbol.kind),
    );
  }
  const isFunction =
    /^(?:pub(?:\([^)]*\))?\s+)?(?:(?:const|async|unsafe|extern\s+"[^"]*")\s+)*fn\b/.test(start);
  if (document.language !== "rust" || !isFunction || (kind !== "struct" && kind !== "enum"))
    return undefined;
  return all.findLast(
    ({ symbol }) => symbol.kind === "impl" && symbol.path.replace(/~\d+$/, "") === `impl.${path}`,
  );
};

/** From the first line on that is more than a comment or an attribute. Line by line: one pattern for all would be slow. */
const firstCode = (code: string): string => {
  const lines = code.split(/\r\n|\r|\n/).map((line) =>
    line
      .trim()
      .replace(/^\/\/.*|^#\[.*\]/, "")
      .trim(),
  );
  return lines.slice(lines.findIndex((line) => line !== "")).join("\n");
};

const placeholder = /^(?:pass|\.\.\.)$/;

const endOfInside = (document: Document, parent: OutlineSymbol, isBlock: boolean): Place => {
  const { text, lineEnding } = document;
  const inside = insideOf(document, parent);
  const indent = memberIndent(document, parent, inside);
  const content = text.slice(inside.from, inside.to);
  const isPlaceholder = !inside.isClosed && placeholder.test(content.trim());
  // A comment above the placeholder would become the code's own.
  const isCommented = document.scanned.comments.some(
    ({ from, to }) => to === inside.from && startsLine(text, from),
  );
  const isEmpty = isBlank(content) || (isPlaceholder && !isCommented);
  if (isEmpty) {
    const tail = inside.isClosed ? lineEnding + ownIndent(document, parent, inside) : "";
    return { from: inside.from, to: inside.to, lead: lineEnding, indent, tail };
  }
  const around = { parent, siblings: [], isBlock };
  const last = inside.from + content.trimEnd().length;
  const lead = lineEnding + gapOf(document, around);
  if (inside.isClosed && lineEnd(text, last) > inside.to) {
    return {
      from: last,
      to: inside.to,
      lead,
      indent,
      tail: lineEnding + ownIndent(document, parent, inside),
    };
  }
  if (hasInlineBody(document, parent)) {
    return afterInlineBody(document, inside, { lead, indent });
  }
  const end = lineEnd(text, last);
  return { from: end, to: end, lead, indent, tail: "" };
};

const hasInlineBody = ({ text, rules }: Document, { body }: OutlineSymbol): boolean =>
  rules.block === "indent" && body !== undefined && !startsLine(text, body.from);

/** `class A: x = 1` gets lines: the body goes to the next one, as it stands. */
const afterInlineBody = (
  { text, lineEnding }: Document,
  inside: Inside,
  { lead, indent }: { lead: string; indent: string },
): Place => ({
  from: inside.from,
  to: lineEnd(text, inside.to),
  lead:
    lineEnding +
    indent +
    text.slice(skipSpaces(text, inside.from), lineEnd(text, inside.to)) +
    lead,
  indent,
  tail: "",
});

const inModule = (document: Document, isBlock: boolean): Place => {
  const { text, lineEnding, outline } = document;
  const limit = lastLineOfModule(document);
  const siblings = directMembers(outline.symbols, undefined);
  const last = siblings.findLast(
    ({ kind, scope, span }) => topKinds.has(kind) && scope === "" && span.from < limit,
  );
  const around = { parent: undefined, siblings, isBlock };
  if (last && endsLine(text, last.span.to)) return afterSymbol(document, last, around);
  const filled = text.slice(0, limit).replace(/(?<![ \t\r\n])[ \t\r\n]+$/, "").length;
  const end = lineEnd(text, filled);
  const gap = gapOf(document, around);
  if (filled === 0) {
    return {
      from: 0,
      to: 0,
      lead: "",
      indent: "",
      tail: lineEnding + (limit < text.length ? gap : ""),
    };
  }
  return {
    from: end,
    to: end,
    lead: lineEnding + atLeastOne(document, gap, end),
    indent: "",
    tail: "",
  };
};
