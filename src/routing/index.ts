/**
 * Routing: what became of findings (`evidence`), what that says of a reviewer (`patterns`), what to do about
 * it (`proposals`), the rule as a commit (`overrides`, `apply`), and the watch that can see a loss (`canary`).
 * It knows nothing of how reviews are made: they hand over plain data and read a `RoutingView`.
 */
export type * from "./types.ts";
export {
  openRouting,
  type CanaryAnswer,
  type ExplainedPattern,
  type Routing,
} from "./open-routing.ts";
export type { RoutingActor, RoutingContext, RoutingStep, RoutingStore } from "./ports.ts";
export { isGuarded, routingDefaults, type RoutingSettings } from "./settings.ts";
export { recordEvidence, type StoredEvidence, type Told } from "./evidence/evidence.ts";
export type { Confirmed, HeldFilter, HeldReason } from "./evidence/held.ts";
export { recordShadow, recordUse, type ShadowResult } from "./canary/record.ts";
export { ownFixesDomain, type Probe, type ProbeCounts, recordProbe } from "./canary/probes.ts";
export type { Autonomy } from "./proposals/autonomy.ts";
export type { Canary } from "./canary/judge.ts";
export type { ChangeOutcome, ChangeResult } from "./apply/change.ts";
export type { Pattern, PatternClass, PatternState } from "./patterns/patterns.ts";
export type { Proposal } from "./proposals/proposal-rows.ts";
export { canaryDefaults, type CanarySettings } from "./statistics/e-process.ts";
export { readRoutingView, type RoutingStatus, type ShownOverride } from "./view.ts";
