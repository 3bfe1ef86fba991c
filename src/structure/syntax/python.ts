/**
 * Python by ruff: its syntax errors, and those of its rules that CPython's compiler enforces as well.
 * What ruff leaves to CPython's tokenizer is added: the coding line and mixed tabs.
 */
import { PositionEncoding, Workspace } from "@astral-sh/ruff-wasm-nodejs";
import type { Diagnostic } from "@astral-sh/ruff-wasm-nodejs";
import { SourceText } from "../source-text.ts";
import type { SyntaxError } from "../types.ts";
import { readCoding } from "./python-coding.ts";
import { mixedTabs } from "./python-tabs.ts";
import { type Judge, notChecked, verdict } from "./verdict.ts";

const by = "ruff 0.17.3";

/** Each of them is a SyntaxError of CPython; a repeated parameter (F831) is a syntax error of ruff itself. */
const rules = [
  "F404", // a __future__ import behind other code
  "F406", // import * inside a function or class
  "F407", // an unknown __future__ feature
  "F622", // two starred targets
  "F701", // break outside a loop
  "F702", // continue outside a loop
  "F704", // yield outside a function
  "F706", // return outside a function
  "F707", // a bare except that is not the last
  "PLE0115", // both nonlocal and global
  "PLE0116", // continue in finally, before 3.8
  "PLE0117", // nonlocal without a binding
  "PLE0118", // used before its global declaration
  "PLE1142", // await outside an async function
  "PLE1700", // yield from inside an async function
];

const workspace = new Workspace(
  { "target-version": "py315", lint: { select: rules } },
  PositionEncoding.Utf16,
);

export const judgePython: Judge = (question) => {
  const coding = readCoding(question);
  if (coding.error) return verdict(by, [coding.error]);
  if (coding.text === undefined) return notChecked(by, coding.why);
  const source = new SourceText(coding.text);
  const errors = (workspace.check(unsuppressed(coding.text)) as Diagnostic[])
    .map(({ code, message, start_location: { row, column } }): SyntaxError => {
      return { line: row, column, message, code: code ?? "" };
    })
    .filter(({ code, line }) => code !== "F407" || !isRelativeImport(source, line));
  if (errors.length > 0) return verdict(by, errors);
  return verdict(
    by,
    mixedTabs(source, (text) => workspace.tokens(text)),
  );
};

/** Comments that silence ruff's rules silence no compiler; the replacements are as long as the words. */
const unsuppressed = (text: string): string =>
  /noqa|ruff\s*:/i.test(text)
    ? text.replace(/#[^\r\n]*/g, (comment) =>
        comment.replace(/(?<=n)o(?=qa)/gi, "0").replace(/(?<=r)u(?=ff\s*:)/gi, "_"),
      )
    : text;

/** `from .__future__` is an ordinary module; ruff takes it for the special one. */
const isRelativeImport = (source: SourceText, line: number): boolean =>
  /^\s*from\s*\./.test(source.text.slice(source.lineStart(line), source.lineStart(line + 1)));
