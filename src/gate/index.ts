/**
 * One function judges every write, whoever makes it: allowed, or denied with reasons that say what, where and
 * what to do instead. Rules are small files in rules/, each deciding one thing; policy says what a finding means.
 * 1. Only what the change brings in is held against it, never what was there (E-02, E-09).
 * 2. Where parsers disagree or guess, a finding is a note: no valid edit is refused (E-13).
 * 3. A stale view is merged by symbols where that is safe, and refused where it is not (E-07).
 * 4. `judge` changes nothing; `admit` judges and takes the claims in one call, for those who write themselves.
 * 5. A judgement that ran out of time or room throws NOT_JUDGED; `admitUnjudged` asks what needs no parser (G13).
 * 6. The edit refuses only what no later edit can make right; a missing name is open until the commit (E-23).
 * It writes no file, and a repository's settings cannot make it milder (B03).
 */
export type {
  JudgedFile,
  Override,
  Proposal,
  Reason,
  JudgeStage,
  Verdict,
  Write,
} from "./types.ts";
export { type CountChange, countNames, type Deltas, type FileDelta } from "./deltas.ts";
export { type OpenEnd, type OpenEnds, openOpenEnds } from "./open-ends.ts";
export { stillOpen } from "./still-open.ts";
export { judge, type JudgeContext, type JudgedCase, judgeFiles, type ManyRule } from "./judge.ts";
export { answered, type FileCase } from "./file-case.ts";
export type { Level, Policy } from "./policy.ts";
export type { Finding, RuleName } from "./rules/rule.ts";
export { type PathFacts, type Tree, treeOf } from "./tree.ts";
export { type Gate, type GateOptions, openGate } from "./open-gate.ts";
export { conflictFinding, targetsOf, targetsOfAll } from "./rules/claims.ts";
export { type Admission, type AdmitOptions, holdEdit, withoutClaims } from "./admit.ts";
export { admitLines, keptOff, namedParts } from "./admit-lines.ts";
export { partsIn } from "./parts-at.ts";
export { forTask, lookBeside, type NearEdit } from "./beside.ts";
export { endSettledHolds, heldFiles } from "./end-holds.ts";
export type { UnjudgedAdmission, UnjudgedFile } from "./admit-unjudged.ts";
export { workingTree } from "./working-tree.ts";
export {
  configuredEdits,
  configuredOpenEnds,
  configuredPolicy,
  type EditRules,
  type GateConfig,
} from "./configured-policy.ts";
export {
  type Mined,
  mineHistory,
  type MineOptions,
  type MineProgress,
  type MineSummary,
} from "./mine.ts";
export {
  openSeenFiles,
  type SessionReading,
  type SeenFile,
  type SeenFiles,
  sessionMarks,
} from "./seen-files.ts";
export { type WriteGuard, type GuardOptions, openGuard } from "./guard.ts";
export { arming, armingFiles } from "./rules/arming.ts";
export { checkPath } from "./rules/path-policy.ts";
export {
  type NamesShelf,
  newNamesShelf,
  openProjectNames,
  type ProjectNames,
  type ProjectNamesOptions,
} from "./project-names.ts";
export { type ProjectFiles, projectFiles } from "./project-files.ts";
export { goCalls } from "./rules/go-calls.ts";
export { imports, type ImportsContext } from "./rules/imports.ts";
export { type ArgumentsContext, callArguments } from "./rules/arguments.ts";
export { references, type ReferencesContext } from "./rules/references.ts";
export { signatures, type SignaturesContext } from "./rules/signatures.ts";
