/**
 * Claims: who may write what, for how long, and who waits for it.
 * 1. Two live claims never overlap unless both are shared (G1); overlap is decided exactly (C-16).
 * 2. Every grant takes the next fence of its scope; none is ever handed out twice (G2).
 * 3. Expiry is decided by the store's clock alone (G4); whatever ends a claim, one event says so (C-07).
 * 4. A dead holder's claim is taken over on proof, a live one's never (C-03).
 * 5. Waiting is in order, and a circle of waiters is broken by telling one of them (G8, G9).
 * It knows no files' contents: what a write may contain is the gate's business.
 */
import type { RescueOptions, Rescued } from "./rescue/rescue.ts";

export type {
  Actor,
  ActorState,
  Answer,
  Blocker,
  Check,
  Claim,
  ClaimFilter,
  ClaimHolder,
  ClaimList,
  ClaimLiveness,
  ClaimOverview,
  ClaimRequest,
  ClaimResult,
  Claims,
  FenceCheck,
  FollowSession,
  Mode,
  ReleaseRequest,
  Rescue,
  Selection,
  Sweep,
  TargetInput,
  Transfer,
  Waiter,
} from "./types.ts";
export { type ActingProcess, lookAtProcess } from "./actors/acting-process.ts";
export {
  actorFromEnvironment,
  actorOfClient,
  type ActorOptions,
  parseActor,
} from "./actors/actor.ts";
export { agentMarkNames } from "./actors/actor-harness.ts";
export {
  approveAct,
  findGitAbove,
  type PersonAct,
  personNeeded,
  personSecretVariable,
  registerSecret,
  startedByPerson,
  useApproval,
  type WantedAct,
  whyNoPerson,
} from "./actors/person.ts";
export { describeVia } from "./actors/via.ts";
export { userEnvironmentFor } from "./actors/user-environment.ts";
export { isNameGiven, launcherText, launcherVariable, recordLauncher } from "./actors/launcher.ts";
export { claimSecretVariable, proveHolder, shownHolder } from "./holder-proof.ts";
export { readLiveness } from "./blockers.ts";
export { FenceMark, findLostFences } from "./fence-mark.ts";
export { openClaims, openClaimsIn, type OpenClaimsOptions } from "./open-claims.ts";
/** Loaded when somebody has died, which most commands never see. */
export const rescueFiles = async (options: RescueOptions): Promise<Rescued | undefined> =>
  (await import("./rescue/rescue.ts")).rescueFiles(options);
export { covers as targetCovers, targetsOverlap } from "./targets/overlap.ts";
export { escapePath } from "./targets/pattern-text.ts";
export { parseTarget, type Target } from "./targets/target.ts";
export { spellSymbol } from "./targets/target-symbol.ts";
export { resolveTarget } from "./targets/target-input.ts";
