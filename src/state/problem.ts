import { type ErrorCode, HeadgateError } from "../errors.ts";
import { showText } from "../base/text.ts";
import { showPath } from "./state-failure.ts";

/** Why a content is not valid, and where. */
export interface Problem {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

export const problemError = (
  code: Extract<ErrorCode, "STATE_INVALID" | "STATE_CORRUPT">,
  path: string,
  problem: Problem,
): HeadgateError => {
  const place = problem.line === undefined ? "" : `:${problem.line}:${problem.column ?? 1}`;
  return new HeadgateError(code, `${showPath(path)}${place}: ${showText(problem.message)}`, {
    data: { path, ...problem },
  });
};
