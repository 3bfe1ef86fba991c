/** JSON to the letter; with comments and trailing commas where the file's readers take them. */
import { basename } from "node:path/posix";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { SourceText } from "../source-text.ts";
import type { SyntaxError } from "../types.ts";
import { type Judge, type SyntaxQuestion, verdict } from "./verdict.ts";

const by = "jsonc-parser 3.3.1";

export const judgeJson: Judge = async (question) => {
  const { text, path } = question;
  if (isJson(text)) return verdict(by, []);
  const isEmpty = text.trim() === "" && question.language !== "jsonc";
  const errors = isRelaxed(question) && !isEmpty ? relaxedErrors(text) : strictErrors(text);
  const isRight = errors.length > 0 && /\.json5$/i.test(path) && (await isJson5(text));
  return verdict(by, isRight ? [] : errors);
};

/** The engine's own parser: quick, and without a limit on nesting. */
const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * Many programs read comments and trailing commas in files named .json, and who reads a file nobody can
 * tell from its name; only where the readers are known to be strict is it held against an edit.
 */
const isRelaxed = ({ language, path }: SyntaxQuestion): boolean =>
  language === "jsonc" || !strictNames.test(basename(path));

const strictNames =
  /^(?:package|package-lock|npm-shrinkwrap|composer|bower|manifest|lerna|vercel|plugin|marketplace|\.mcp|\.prettierrc)\.json$|\.(?:geojson|webmanifest|ipynb)$/;

const relaxedErrors = (text: string): SyntaxError[] => {
  const found: ParseError[] = [];
  parse(text, found, { allowTrailingComma: true, allowEmptyContent: true });
  return placed(text, found);
};

const strictErrors = (text: string): SyntaxError[] => {
  const found: ParseError[] = [];
  parse(text, found, { disallowComments: true, allowTrailingComma: false });
  if (found.length > 0) return placed(text, found);
  // The engine refused it: something is wrong even if the other parser closes an eye.
  return [{ line: 1, column: 1, message: engineMessage(text), code: "" }];
};

const engineMessage = (text: string): string => {
  try {
    JSON.parse(text);
    return "not JSON";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const placed = (text: string, found: readonly ParseError[]): SyntaxError[] => {
  const source = new SourceText(text);
  return found.map(({ error, offset }) => {
    const code = printParseErrorCode(error);
    const words = code.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
    return { ...source.position(offset), message: words, code };
  });
};

/** JSON5 is what a JavaScript literal may be. */
const isJson5 = async (text: string): Promise<boolean> => {
  const { parseSync } = await import("oxc-parser");
  return parseSync("source.js", `(${text}\n)`, { lang: "js" }).errors.length === 0;
};
