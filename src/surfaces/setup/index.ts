/**
 * Setting a repository up for the agent clients, looking at it, and taking it back.
 * `hook-tables` says which events reach Headgate; `clients/` which files of which client hold them; a
 * `FilePart` is what Headgate wants in one file. `plan` compares parts with files, `apply` writes.
 * Nothing of the repository is ever run here, and no link is followed.
 */
export type * from "./types.ts";
export { applyRemoval, applySetup } from "./apply.ts";
export { allClients } from "./clients/all-clients.ts";
export { type DetectedClient, detectClients } from "./detect.ts";
export { emptyManifest, type Manifest, readManifest } from "./manifest.ts";
export { runtimeText } from "./packaged.ts";
export { planRemoval, planSetup } from "./plan.ts";
export { planDiff } from "./show-plan.ts";
export { removeHeadgateFolder, removeTree } from "./remove-tree.ts";
export { type Check, checksIn } from "./doctor/check.ts";
export { checkClient, type ClientFinding, type KnownClient } from "./doctor/client-checks.ts";
export { gitChecks } from "./doctor/git-checks.ts";
export { hookChecks, machineChecks } from "./doctor/machine-checks.ts";
export { type Outcome, type Proof, proveClient, proveMcp } from "./doctor/prove.ts";
export { storeChecks } from "./doctor/store-checks.ts";
export { canaryName } from "./doctor/canary.ts";
export {
  hasHook,
  noteTrust,
  removeHook,
  renewHook,
  takeUntold,
  trustNeeded,
  trustText,
  writeHook,
} from "./state-hook.ts";
export { calledAs } from "../called-as.ts";
export {
  differingFiles,
  differingIn,
  differingRemedy,
  differingText,
  treeFiles,
} from "./tree-files.ts";
export {
  type ClientSigns,
  type ClientState,
  clientStates,
  noSigns,
  outdatedClients,
  settingsProblems,
} from "./client-states.ts";
