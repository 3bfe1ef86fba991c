import { limits } from "../base/limits.ts";
import { showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";

// A hostile text may be long; what is shown of it is cut before anything is done with it.
const show = (text: string): string => showText(text.slice(0, limits.shownTextLengthMax + 1));

/** `problem` says what is wrong and what to write instead. */
export const invalidTarget = (text: string, problem: string): HeadgateError =>
  new HeadgateError("TARGET_INVALID", `"${show(text)}" is not a target: ${problem}`, {
    data: { target: show(text) },
  });

export const complexTarget = (text: string, problem: string): HeadgateError =>
  new HeadgateError("TARGET_TOO_COMPLEX", `"${show(text)}" is too complex: ${problem}`, {
    data: { target: show(text) },
  });
