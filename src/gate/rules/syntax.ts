/** E-09: an edit must not bring syntax errors into a file; those that were there do not count. */
import { isProvenError, type SyntaxError } from "../../structure/index.ts";
import type { FileCase } from "../file-case.ts";
import { broughtIn, isRedeclaration } from "./duplicates.ts";
import type { Finding } from "./rule.ts";
import { mistakesBesideOld } from "./second-mistake.ts";

export const syntax = async (one: FileCase): Promise<readonly Finding[]> => {
  const after = await one.syntaxAfter();
  const file = one.after;
  if (!file || !after || after.state !== "invalid") return [];
  const before = await one.syntaxBefore();
  const old = before?.errors ?? [];
  // What the duplicates rule tells better, with the place of the first one, is left to it.
  const twice = broughtIn(one).map(({ name }) => name);
  const lines = file.source.text.split(/\r\n|\r|\n/);
  // JavaScript runs as it is written; there the mark helps nobody.
  const isTyped = ["typescript", "tsx"].includes(file.outline.language);
  const isMeant = (error: SyntaxError): boolean =>
    // The writer knows, and says so.
    (isTyped && /@ts-(expect-error|ignore)/.test(lines[error.line - 2] ?? "")) ||
    (isRedeclaration(error) && twice.some((name) => error.message.includes(name)));
  const { path } = one;
  const isGuess = after.by === "tree-sitter";
  let fresh = newErrors(one, old, after.errors).filter((error) => !isMeant(error));
  const hasProof = isGuess && isProven(old, fresh);
  // A repair in a broken file may move an error; only more of them than before is worse.
  if (!hasProof && old.length > 0 && after.errors.length <= old.length) {
    const more = isGuess ? [] : await mistakesBesideOld(one);
    fresh = more.filter((error) => !isMeant(error));
  }
  if (fresh.length === 0) return [];
  // What parsed before is no template, whatever its texts hold.
  const mayBeTemplate = before?.state !== "valid" && isTemplate(file.source.text);
  const isDoubted = mayBeTemplate || (isGuess && !(hasProof && (await one.isTrusted())));
  const level = isDoubted ? "note" : "deny";
  return fresh.slice(0, shownMax).map(({ line, column, message }) => ({
    level,
    code: "SYNTAX_ERROR",
    path,
    line,
    column,
    message: `${path} ${isDoubted ? "may not parse any more" : "would not parse any more"}: line ${line}, column ${column}: ${message} (${after.by})`,
    remedy: isGuess
      ? "Look at the brackets and the ends of blocks there; if the code is right, propose it with an override of SYNTAX_ERROR."
      : "Correct the code there and propose it again; nothing was written.",
  }));
};

const shownMax = 5;

/**
 * A grammar that guesses refuses valid files now and then, newer syntax above all (docs/languages.md): alone it proves
 * nothing. Brackets and texts without an end do, unless the same was said of the file before.
 */
const isProven = (old: readonly SyntaxError[], fresh: readonly SyntaxError[]): boolean =>
  fresh.some(isProvenError) && !old.some(isProvenError);

/** Jinja, Liquid, ERB and the like: what is left when they are filled in nobody knows. */
const isTemplate = (text: string): boolean =>
  /\{%-?\s*\w[^%]*%\}|<%[=-]?[^%]*%>/.test(text) ||
  /^---\r?\n[^]*?\n---\r?\n/.test(text.slice(0, 2000));

/** Errors of the new version without those that the old one had, moved to where their lines are now. */
const newErrors = (
  one: FileCase,
  old: readonly SyntaxError[],
  now: readonly SyntaxError[],
): SyntaxError[] => {
  const left = new Map<string, number>();
  for (const error of old) {
    const key = `${error.line} ${error.message}`;
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  return now.filter((error) => {
    const key = `${one.oldLine(error.line) ?? ""} ${error.message}`;
    const count = left.get(key) ?? 0;
    if (count > 0) left.set(key, count - 1);
    return count === 0;
  });
};
