/** Which names exist for a project, and whether a call that an edit brings in is proven wrong. */
export {
  type ArgumentContext,
  type ArgumentFinding,
  checkArguments,
} from "./arguments/check-arguments.ts";
export { isMeantToFail } from "./arguments/doubts.ts";
export { type CallSite, type CallSites, callSites } from "./call-sites.ts";
export { boundNames, checkCalls, namesBrought } from "./check-calls.ts";
export { isNewerPython } from "./library-members.ts";
export { isSlip } from "./nearest-names.ts";
export { checkRemovedMembers, isStillCalled, type RemovedMember } from "./removed-members.ts";
export { isDefinedByRelatives } from "./relatives.ts";
export { introducedCalls } from "./introduced-calls.ts";
export { familyOf } from "./source-facts.ts";
export type { CallFinding, EditedFile, Family, NearName, OutlineOf, SourceFiles } from "./types.ts";
export { stemOf } from "./module-names.ts";
export { SymbolUniverse } from "./universe.ts";
