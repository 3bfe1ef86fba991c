import { limits } from "../../base/limits.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { escapePath } from "./pattern-text.ts";

/** `problem` says what is wrong and what to write instead. */
export const invalidTarget = (text: string, problem: string): HeadgateError =>
  refusal("TARGET_INVALID", text, `is not a target: ${problem}`);

export const complexTarget = (text: string, problem: string): HeadgateError =>
  refusal("TARGET_TOO_COMPLEX", text, `is too complex: ${problem}`);

const refusal = (
  code: "TARGET_INVALID" | "TARGET_TOO_COMPLEX",
  text: string,
  problem: string,
): HeadgateError => {
  // A hostile text may be long; what is shown of it is cut before anything is done with it.
  const target = showText(text.slice(0, limits.shownTextLengthMax + 1));
  // The hints in it repeat parts of the text.
  return new HeadgateError(code, `"${target}" ${showText(problem)}`, { data: { target } });
};

/** What to write when special characters were meant as part of a name. */
export const meantLiterally = (given: string): string =>
  given.includes("\\") || given.length > hintLengthMax
    ? "write a backslash before a special character in a name"
    : `write ${escapePath(given)} for that very name`;

/** What to write when backslashes were meant as separators. */
export const meantAsPath = (given: string): string =>
  /\\\W|\\$/.test(given) || given.length > hintLengthMax
    ? 'write "/" between names'
    : `write ${given.replaceAll("\\", "/")}`;

const hintLengthMax = 80;
