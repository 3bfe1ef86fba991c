/**
 * One function judges every write, whoever makes it: allowed, or denied with reasons that say what,
 * where and what to do instead. Rules are small files in rules/, each deciding one thing.
 */
export type { JudgedFile, Override, Proposal, Reason, Verdict, Write } from "./types.ts";
export { judge, type JudgeContext, type JudgedCase, judgeFiles, type ManyRule } from "./judge.ts";
export type { FileCase } from "./file-case.ts";
export type { Level, Policy } from "./policy.ts";
export type { Finding, RuleName } from "./rules/rule.ts";
export { type PathFacts, type Tree, treeOf } from "./tree.ts";
export { type Gate, type GateOptions, openGate } from "./open-gate.ts";
export { conflictFinding, targetsOf, targetsOfAll } from "./rules/claims.ts";
export { type Admission, withoutClaims } from "./admit.ts";
export { workingTree } from "./working-tree.ts";
export { configuredPolicy, type GateConfig } from "./configured-policy.ts";
export {
  type Mined,
  mineHistory,
  type MineOptions,
  type MineProgress,
  type MineSummary,
} from "./mine.ts";
export { openSeenFiles, type SeenFile, type SeenFiles } from "./seen-files.ts";
export { armingFiles } from "./rules/arming.ts";
export { checkPath } from "./rules/path-policy.ts";
export { openProjectNames, type ProjectNames, type ProjectNamesOptions } from "./project-names.ts";
export { references, type ReferencesContext } from "./rules/references.ts";
export { signatures, type SignaturesContext } from "./rules/signatures.ts";
