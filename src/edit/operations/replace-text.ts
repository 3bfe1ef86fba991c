/** Search and replace by exact text: once and unmistakable, or the nth, or all. Nothing is matched loosely. */
import { HeadgateError } from "../../errors.ts";
import type { SourceText, Span } from "../../structure/index.ts";
import { mismatchOf, shownMismatch } from "./mismatch.ts";
import { occurrences } from "./occurrences.ts";
import type { Splice } from "./text-lines.ts";

interface Wish {
  readonly old: string;
  readonly new: string;
  readonly nth?: number;
  readonly all?: boolean;
}

export const replacement = (
  file: { readonly path: string; readonly source: SourceText },
  wish: Wish,
): Splice[] => {
  const { path, source } = file;
  if (wish.old === "" || wish.old === wish.new) {
    const why = wish.old === "" ? "The old text is empty" : "Old and new text are the same";
    throw new HeadgateError("USAGE", `${why}; nothing can be replaced in ${path}.`, {
      data: { path },
    });
  }
  const found = occurrences(source.text, wish.old);
  if (found.length === 0) throw notFound(file, wish);
  refuseApplied(file, wish, found);
  return chosen(file, wish, found).map((span) => ({
    ...span,
    text: withEndings(wish.new, source, span),
  }));
};

const chosen = (
  { path, source }: { path: string; source: SourceText },
  { nth, all }: Wish,
  found: readonly Span[],
): readonly Span[] => {
  const lines = found.map(({ from }) => source.position(from).line);
  if (all) return apart(found);
  if (nth !== undefined) {
    const one = found[nth - 1];
    if (one) return [one];
    throw new HeadgateError(
      "TEXT_NOT_FOUND",
      `${path} has the text ${found.length} times (lines ${lines.slice(0, 20).join(", ")}), not ${nth}.`,
      { data: { path, lines, nth } },
    );
  }
  if (found.length === 1) return found;
  throw new HeadgateError(
    "TEXT_NOT_UNIQUE",
    `The text to replace is in ${path} ${found.length} times: lines ${lines.slice(0, 20).join(", ")}.`,
    { data: { path, lines } },
  );
};

const apart = (found: readonly Span[]): Span[] => {
  const kept: Span[] = [];
  for (const span of found) if (span.from >= (kept.at(-1)?.to ?? 0)) kept.push(span);
  return kept;
};

/** The line ending of what is replaced, or the file's. A text that brings carriage returns means them. */
const withEndings = (text: string, source: SourceText, { from, to }: Span): string => {
  if (text.includes("\r")) return text;
  const own = /\r\n|\r|\n/.exec(source.text.slice(from, to))?.[0] ?? source.lineEnding;
  return text.replaceAll("\n", own);
};

/** A new text that holds the old one and is there already: applying it again would double it. */
const refuseApplied = (
  { path, source }: { path: string; source: SourceText },
  wish: Wish,
  found: readonly Span[],
): void => {
  if (!wish.new.includes(wish.old) || wish.nth !== undefined) return;
  const done = occurrences(source.text, wish.new);
  const isDone = found.every(({ from, to }) =>
    done.some((one) => one.from <= from && to <= one.to),
  );
  if (isDone) throw alreadyApplied(path, source, done);
};

const alreadyApplied = (path: string, source: SourceText, done: readonly Span[]): HeadgateError => {
  const lines = done.map(({ from }) => source.position(from).line);
  return new HeadgateError(
    "ALREADY_APPLIED",
    `${path} already has the new text in line ${lines.slice(0, 5).join(", ")}.`,
    { data: { path, lines } },
  );
};

const notFound = (
  { path, source }: { path: string; source: SourceText },
  wish: Wish,
): HeadgateError => {
  // A few letters are found anywhere and prove nothing.
  const isTelling = wish.new.trim().length >= 8 && !wish.old.includes(wish.new);
  const done = isTelling ? occurrences(source.text, wish.new) : [];
  if (done.length > 0) return alreadyApplied(path, source, done);
  const mismatch = mismatchOf(source.text, wish.old);
  return new HeadgateError(
    "TEXT_NOT_FOUND",
    `The text to replace is not in ${path}. ${shownMismatch(mismatch)}`,
    { data: { path, ...(mismatch && { mismatch }) } },
  );
};
