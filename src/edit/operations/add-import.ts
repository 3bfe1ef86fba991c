/**
 * An import among the imports: after the last of those at the head of the file, or, when there is none,
 * behind what must come first (shebang, encoding line, licence, docstring, "use strict", package or
 * namespace, `from __future__`). The inverse is in remove-import.ts.
 */
import { HeadgateError } from "../../errors.ts";
import type { OutlineImport } from "../../structure/index.ts";
import type { Document } from "./document.ts";
import { indentAt, isBlank, lineEnd, lineStart, pastBreak, type Splice } from "./text-lines.ts";

export const importAddition = (document: Document, code: string): Splice => {
  const { text, lineEnding } = document;
  if (isBlank(code)) throw new HeadgateError("CODE_UNFIT", "No import was given.");
  const head = headImports(document);
  refuseKnown(document, code);
  const isFuture = /^\s*from\s+__future__\b/.test(code) && document.language === "python";
  const last = isFuture ? head.findLast(({ from }) => from === "__future__") : head.at(-1);
  if (last) return behindImport(document, last, code);
  const fitted = document.fit(code, "");
  const prologue = prologueEnd(document);
  const first = isFuture ? head[0] : undefined;
  if (first) {
    // Before all other imports, directly.
    const at = lineStart(text, first.span.from);
    return { from: at, to: at, text: fitted + lineEnding };
  }
  if (prologue === 0) {
    const gap = isBlank(text) ? "" : lineEnding.repeat(blankLinesBehind(document));
    return { from: 0, to: 0, text: fitted + lineEnding + gap };
  }
  const next = pastBreak(text, prologue);
  const isTight = next < text.length && !isBlank(text.slice(next, lineEnd(text, next)));
  if (isTight) {
    return { from: prologue, to: prologue, text: lineEnding + fitted + lineEnding };
  }
  return { from: prologue, to: prologue, text: lineEnding + lineEnding + fitted };
};

/** Without the line ending that some grammars count in. */
export const importEnd = ({ text }: Document, { span }: OutlineImport): number =>
  span.from + text.slice(span.from, span.to).trimEnd().length;

/** Behind an import there are this many blank lines before something else. */
export const blankLinesBehind = ({ language }: Document): number => (language === "python" ? 2 : 1);

/** Imports of the file itself, before its first function or class. */
const headImports = ({ outline }: Document): readonly OutlineImport[] => {
  const first = outline.symbols.find(
    ({ kind, body }) => body !== undefined && kind !== "namespace" && kind !== "module",
  );
  const top = outline.imports.filter(({ scope }) => scope === "");
  const all = top.length > 0 ? top : outline.imports.filter((one) => isInNamespace(one));
  const head = all.filter(({ span }) => !first || span.from < first.span.from);
  return head;
};

const isInNamespace = ({ scope }: OutlineImport): boolean =>
  /^(?:declaration_list|compound_statement|namespace)/.test(scope);

const behindImport = (document: Document, last: OutlineImport, code: string): Splice => {
  const { text, lineEnding } = document;
  const end = lineEnd(text, importEnd(document, last));
  const indent = indentAt(text, last.span.from);
  const isInGroup = document.language === "go" && !/^import\b/.test(text.slice(last.span.from));
  if (!isInGroup) return { from: end, to: end, text: lineEnding + document.fit(code, indent) };
  const bare = code.trim().replace(/^import\s+/, "");
  if (!bare.startsWith("("))
    return { from: end, to: end, text: lineEnding + document.fit(bare, indent) };
  const inner = bare.replace(/^\(\s*/, "").replace(/(?<!\s)\s*\)$/, "");
  return { from: end, to: end, text: lineEnding + document.fit(inner, indent) };
};

const refuseKnown = (document: Document, code: string): void => {
  const squeezed = squeeze(code);
  const known = document.outline.imports.find(
    ({ span, scope }) =>
      scope === "" && squeeze(document.text.slice(span.from, span.to)) === squeezed,
  );
  if (!known) return;
  const { line } = known.range.start;
  throw new HeadgateError("ALREADY_APPLIED", `${document.path} has this import in line ${line}.`, {
    data: { path: document.path, lines: [line] },
  });
};

const squeeze = (text: string): string => text.replaceAll(/[\s;]+/g, " ").trim();

/** The end of the last line that must stay before the first import; 0 when there is none. */
const prologueEnd = (document: Document): number => {
  const { text, scanned, language } = document;
  let at = 0;
  let end = 0;
  for (;;) {
    const start = at + (/^[\s\uFEFF]*/.exec(text.slice(at))?.[0].length ?? 0);
    const stop = prologueItem(document, start);
    if (stop === undefined) break;
    const isComment = scanned.comments.some(({ from }) => from === start);
    at = lineEnd(text, stop);
    if (!isComment || !belongsToNext(document, start, at)) end = at;
    if (language === "php" && text.startsWith("<?php", start)) end = at;
  }
  return end;
};

/** A comment directly above a definition is that definition's. */
const belongsToNext = ({ outline }: Document, start: number, end: number): boolean =>
  outline.symbols.some(({ span, core }) => span.from <= start && end <= core.from);

const prologueItem = (document: Document, at: number): number | undefined => {
  const { text, scanned, language } = document;
  if (at >= text.length) return undefined;
  const comment = scanned.comments.find(({ from }) => from === at);
  if (comment) return comment.to;
  const pattern = prologues[language] ?? /#![^\r\n]*/y;
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (found) return at + found[0].length;
  const string = scanned.strings.find(({ from }) => from === at);
  const isStatement = string && /^[ \t]*(?:;|#.*|\/\/.*)?(?:[\r\n]|$)/.test(text.slice(string.to));
  const canBeString = language === "python" || language in scriptLanguages;
  return string && isStatement && canBeString ? string.to : undefined;
};

const scriptLanguages: Readonly<Record<string, true>> = {
  javascript: true,
  typescript: true,
  tsx: true,
};

const prologues: Readonly<Record<string, RegExp>> = {
  go: /package\s+\w+[^\r\n]*/y,
  java: /package\s+[\w.]+\s*;/y,
  kotlin: /(?:@file:[^\r\n]*|package\s+[\w.]+)/y,
  scala: /package\s+[\w.]+[^\r\n{]*/y,
  php: /(?:<\?php\b|declare\s*\([^)]*\)\s*;|namespace\s+[\w\\]+\s*[;{])/y,
  rust: /(?:#!\[[^\]\r\n]*\]|#!\/[^\r\n]*)/y,
  csharp: /(?:#nullable\b[^\r\n]*|#define\b[^\r\n]*|extern\s+alias\s+\w+\s*;)/y,
  c: /#(?:ifndef|define|pragma)\b[^\r\n]*/y,
  cpp: /#(?:ifndef|define|pragma)\b[^\r\n]*/y,
};
