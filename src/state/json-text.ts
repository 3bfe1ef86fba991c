import {
  createScanner,
  parse,
  type ParseError,
  type ParseOptions,
  printParseErrorCode,
} from "jsonc-parser";
import { limits } from "../base/limits.ts";
import { showText } from "../base/text.ts";
import type { Parsed, Problem } from "./problem.ts";
import { positionAt } from "./text-content.ts";

export interface JsonRules {
  /** Comments and trailing commas are allowed. */
  readonly hasComments?: boolean;
  /** Refuse whole numbers that a JavaScript number cannot hold: writing them back would change them. */
  readonly isRewritten?: boolean;
}

/**
 * JSON that means one thing only: duplicate keys, a `__proto__` key and bottomless nesting are refused,
 * because two readers could understand them differently or be harmed by them.
 */
export const parseJsonText = (text: string, rules: JsonRules = {}): Parsed<unknown> => {
  if (text.trim() === "") return failed(text, 0, "the content is empty");
  const problem = findJsonTrap(text, rules);
  if (problem) return { ok: false, problem };
  if (rules.hasComments === true) return parseWithComments(text);
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The engine names a position only sometimes; the other parser always does.
    const found = parseWithComments(text, { disallowComments: true });
    return found.ok ? failed(text, text.length, "not JSON") : found;
  }
};

const failed = (
  text: string,
  offset: number,
  message: string,
): { ok: false; problem: Problem } => ({
  ok: false,
  problem: { message, ...positionAt(text, offset) },
});

const parseWithComments = (
  text: string,
  options: ParseOptions = { allowTrailingComma: true },
): Parsed<unknown> => {
  const errors: ParseError[] = [];
  const value = parse(text, errors, options) as unknown;
  const [first] = errors;
  if (!first) return { ok: true, value };
  // "CloseBraceExpected" as words.
  const words = printParseErrorCode(first.error).replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter}`);
  return failed(text, first.offset, `not JSON: ${words.toLowerCase()}`);
};

/** One pass over the tokens, without recursion, so that a million brackets are a refusal and no crash. */
const findJsonTrap = (text: string, rules: JsonRules): Problem | undefined => {
  const scanner = createScanner(text, true);
  const open: (Set<string> | undefined)[] = [];
  let isKeyNext = false;
  for (let token = scanner.scan(); token !== endOfText; token = scanner.scan()) {
    const keys = open.at(-1);
    if (token === openBrace || token === openBracket) {
      open.push(token === openBrace ? new Set() : undefined);
      isKeyNext = token === openBrace;
      if (open.length > limits.stateNestingMax)
        return at(`nested deeper than ${limits.stateNestingMax}`);
    } else if (token === closeBrace || token === closeBracket) {
      open.pop();
      isKeyNext = false;
    } else if (token === comma) isKeyNext = keys !== undefined;
    else if (token === stringLiteral && isKeyNext && keys) {
      const key = scanner.getTokenValue();
      if (key === "__proto__") return at("the key __proto__ is not allowed");
      if (keys.has(key)) return at(`the key ${showText(JSON.stringify(key), 80)} occurs twice`);
      keys.add(key);
      isKeyNext = false;
    } else if (token === numericLiteral && rules.isRewritten === true) {
      const digits = scanner.getTokenValue();
      if (/^-?\d+$/.test(digits) && !Number.isSafeInteger(Number(digits))) {
        return at(`the number ${showText(digits, 40)} cannot be kept exactly`);
      }
    }
  }
  return undefined;

  function at(message: string): Problem {
    return { message, ...positionAt(text, scanner.getTokenOffset()) };
  }
};

// The library declares its tokens as a const enum, which type stripping cannot see.
const openBrace: number = 1;
const closeBrace: number = 2;
const openBracket: number = 3;
const closeBracket: number = 4;
const comma: number = 5;
const stringLiteral: number = 10;
const numericLiteral: number = 11;
const endOfText: number = 17;
