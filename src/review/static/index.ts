/**
 * Reviewers that need no model: structural rules over our own parsers for Python, TypeScript/JavaScript, Go
 * and Bash. Deterministic; a file that cannot be parsed is said with its reason. docs/static-rules.md lists
 * the rules with their measured precision.
 */
export type { Hit, StaticRule } from "./rule.ts";
export { rules as staticRules } from "./rules/index.ts";
export {
  hasRules,
  runStatic,
  type StaticInput,
  type StaticOptions,
  staticReviewer,
  type StaticReport,
} from "./run.ts";
