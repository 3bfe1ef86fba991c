/**
 * Reviews. The model only judges code; everything around it is code with tests. `subject/` is what is looked at,
 * `triage/` chooses who looks, `dispatch/` asks them, `report/` reads what they wrote (lenient in, strict out),
 * `synthesis/` makes one verdict, `ledger/` keeps what became of each finding, `static/` needs no model.
 * 1. Choice and synthesis are pure functions: same input, same bytes, each choice with its reason (V-01, V-04).
 * 2. Agreement counts independent sightings only; a verdict needs a quorum (V-05).
 * 3. Reports are untrusted: who wrote one is said by the dispatcher, and nothing in it is obeyed (V-07).
 * 4. No question is asked that could break the budget (V-02). A review changes no file of the project.
 */
export type * from "./types.ts";
export type * from "./dispatch/types.ts";
export type * from "./ledger/types.ts";
export type * from "./subject/types.ts";
export type * from "./triage/types.ts";
export { conductReview, resumeReview } from "./conduct/conduct.ts";
export type * from "./conduct/types.ts";
export { type PlannedQuestion, planReview, type ReviewPlan } from "./conduct/plan-review.ts";
export { dispatch, type DispatchOptions } from "./dispatch/dispatch.ts";
export type * from "./ledger/ledger.ts";
export { openLedger } from "./ledger/open-ledger.ts";
export { toMarkdown } from "./formats/markdown.ts";
export {
  fromLedger,
  type Problem,
  problemsOf,
  type ProblemsInput,
  type Sources,
} from "./formats/problems.ts";
export { type RdjsonInput, rdjsonText, toRdjson } from "./formats/rdjson.ts";
export {
  type ReviewSarifInput,
  reviewSarifText,
  sarifResultsMax,
  toReviewSarif,
} from "./formats/sarif.ts";
export {
  type SarifFinding,
  type SarifInput,
  type SarifRule,
  toSarif,
} from "./formats/sarif-log.ts";
export { lineHashes } from "./formats/line-hash.ts";
export type { SummaryInput } from "./formats/summary.ts";
export { toText } from "./formats/terminal.ts";
export { toVerdict, type VerdictJson, verdictText } from "./formats/verdict-json.ts";
export { type FindingLines, readFindingLines } from "./report/finding-lines.ts";
export { type AnyReport, readAnyReport } from "./report/read-any.ts";
export {
  type LinterOptions,
  readCheckstyle,
  readEslint,
  readJunit,
  readRdjson,
  readSarif,
} from "./report/linter.ts";
export { type Linted, linterFamily, type LinterParts, runLinters } from "./linters/run-linters.ts";
export { toolNames } from "./linters/tools.ts";
export { completionMarker } from "./report/marker.ts";
export { readReport, type ReadReportOptions } from "./report/read-report.ts";
export * from "./prompt/index.ts";
export * from "./subject/index.ts";
export { explainTriage } from "./triage/explain.ts";
export { triage } from "./triage/triage.ts";
export { isStanding } from "./synthesis/verdict.ts";
export { synthesize, type SynthesizeOptions, synthesizeReports } from "./synthesis/synthesize.ts";
export * from "./static/index.ts";
export * from "./faults/index.ts";
export {
  type Qualified,
  qualifiedOf,
  type QualifyRequest,
  qualifyReviewers,
} from "./qualify/qualify.ts";
export { type Loss, type LossRequest, lossWithout } from "./qualify/loss.ts";
export { type Replayed, replayFixes, type ReplayRequest } from "./qualify/replay.ts";
