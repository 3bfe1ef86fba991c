/** E-09: an edit must not bring syntax errors into a file; those that were there do not count. */
import type { SyntaxError } from "../../structure/index.ts";
import type { FileCase } from "../file-case.ts";
import { broughtIn, isRedeclaration } from "./duplicates.ts";
import type { Finding } from "./rule.ts";

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
  const fresh = newErrors(one, old, after.errors).filter(
    (error) =>
      // The writer knows, and says so.
      !(isTyped && /@ts-(expect-error|ignore)/.test(lines[error.line - 2] ?? "")) &&
      !(isRedeclaration(error) && twice.some((name) => error.message.includes(name))),
  );
  // A repair in a broken file may move an error; only more of them than before is worse.
  if (fresh.length === 0 || (old.length > 0 && after.errors.length <= old.length)) return [];
  const { path } = one;
  const isGuess = file.outline.coverage.syntax.state === "delta";
  // What parsed before is no template, whatever its texts hold.
  const mayBeTemplate = before?.state !== "valid" && isTemplate(file.source.text);
  const isDoubted = mayBeTemplate || (isGuess && isDoubtful(one, old, fresh));
  const level = isDoubted ? "note" : "deny";
  return fresh.slice(0, shownMax).map(({ line, column, message }) => ({
    level,
    code: "SYNTAX_ERROR",
    path,
    line,
    column,
    message: `${path} would not parse any more: line ${line}, column ${column}: ${message} (${after.by})`,
    remedy: isGuess
      ? "Look at the brackets and the ends of blocks there; if the code is right, propose it with an override of SYNTAX_ERROR."
      : "Correct the code there and propose it again; nothing was written.",
  }));
};

const shownMax = 5;

/**
 * A grammar that guesses refuses valid files now and then (docs/languages.md). What was clean before and
 * is not any more is the edit's doing; a new file, or a part that the grammar never understood, proves
 * nothing.
 */
const isDoubtful = (
  one: FileCase,
  old: readonly SyntaxError[],
  fresh: readonly SyntaxError[],
): boolean => {
  const { before, after } = one;
  const language = after?.outline.language ?? "";
  if (lenient.has(language)) return true;
  if (!before) return language !== "java";
  if (["c", "cpp"].includes(language) && isAboutMacros(one, fresh)) return true;
  return fresh.some((error) => old.some((known) => Math.abs(known.line - error.line) <= nearLines));
};

/**
 * What a macro stands for only the preprocessor knows; a grammar reads `GUARDED_BY(mu)` as a mistake. By
 * convention macros are written in capitals, so errors near such words are no proof.
 */
const isAboutMacros = ({ after, oldLine }: FileCase, fresh: readonly SyntaxError[]): boolean => {
  const lines = after?.source.text.split(/\r\n|\r|\n/) ?? [];
  const isNear = (line: number): boolean =>
    oldLine(line) === undefined || fresh.some((error) => Math.abs(error.line - line) <= macroLines);
  return lines.some((text, index) => macroWord.test(text) && isNear(index + 1));
};

const macroLines = 5;
// Words in capitals, directives, names between strings, pointers to members.
const macroWord =
  /\b[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9]\b|\b[A-Z]{3,}[0-9]*\s*\(|^\s*#|"\s*[A-Za-z_]\w*\s*"|"\s*PRI\w+|(?:::|->|\.)\*/;

/** Dialects, or languages whose parsers take everything by design. */
const lenient = new Set(["sql", "html", "css"]);
const nearLines = 20;

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
