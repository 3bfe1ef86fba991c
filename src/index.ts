/**
 * The library. `openHeadgate` gives one repository; everything it hands out is closed with it.
 * Failures are `HeadgateError`s with a code from `errorCodes`; expected refusals are values.
 */
export { openHeadgate } from "./compose.ts";
export type { Headgate, HeadgateOptions } from "./compose.ts";
export type { EventLog } from "./compose-events.ts";
export { judge, type JudgeOptions, outline } from "./without-repository.ts";
export { targetsOverlap } from "./claims/index.ts";
export type {
  Actor,
  Answer,
  Blocker,
  Check,
  Claim,
  ClaimFilter,
  ClaimList,
  ClaimLiveness,
  ClaimRequest,
  ClaimResult,
  Claims,
  FenceCheck,
  Mode,
  ReleaseRequest,
  Rescue,
  Selection,
  Sweep,
  TargetInput,
  Transfer,
  Waiter,
} from "./claims/index.ts";
export { errorCodes, HeadgateError } from "./errors.ts";
export type { ErrorCode, ErrorCodeEntry, ErrorData, ErrorKind } from "./errors.ts";
export type { Repository } from "./git/index.ts";
export type { Config } from "./config/index.ts";
export { writeFileAtomic } from "./state/index.ts";
export type { WriteOptions, WriteResult } from "./state/index.ts";
export type { Event, EventPage, NewEvent, Pruned, Verification } from "./store/index.ts";
export type {
  EditPlan,
  EditRecord,
  EditRequest,
  EditResult,
  Editor,
  FileChange,
  Operation,
  OutlineDelta,
  UndoRequest,
} from "./edit/index.ts";
export type { Override, Proposal, Reason, Verdict, Write } from "./gate/index.ts";
export type {
  Coverage,
  Outline,
  OutlineExport,
  OutlineImport,
  OutlineSymbol,
  RegionDiff,
  SymbolKind,
} from "./structure/index.ts";
export { detectProfile } from "./profile/index.ts";
export type {
  DetectOptions,
  Domain,
  Evidence,
  Freshness,
  PackageProfile,
  Profile,
  ProfileOverride,
} from "./profile/index.ts";
export { synthesize } from "./review/index.ts";
export type {
  Cluster,
  Finding,
  Ledger,
  LedgerFinding,
  Qualified,
  Report,
  ReviewOutcome,
  ReviewRequest,
  ReviewWatch,
  Severity,
  Synthesis,
} from "./review/index.ts";
export type { Reviewing } from "./compose-review.ts";
export type {
  CreateRun,
  Executed,
  PlanProblem,
  PlanSet,
  RolledBack,
  RunRecord,
  Runs,
  RunStatus,
} from "./runs/index.ts";
