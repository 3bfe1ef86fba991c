/** Type checkers of the languages, asked about an edit before it is written. */
export type { Checked, Checker, NewDiagnostic } from "./types.ts";
export { type CheckerOptions, createChecker } from "./type-checker.ts";
