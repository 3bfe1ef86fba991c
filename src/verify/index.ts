/**
 * Verify: proof that nothing is in between. It looks at the records of edits, notes of commits, scratch files,
 * git's locks, claims, the fence mark and the event log.
 * 1. `verifyRepository` without repair changes nothing.
 * 2. A repair touches only what a process proven dead on this machine left (G6).
 * 3. `repairLeftWork` is for every ordinary command: one read of one folder where there is nothing to do.
 * The rooms know how to finish their own work; this room asks all of them.
 */
export { leftoverCodes, type Leftover, type LeftoverCode, type VerifyPorts } from "./leftover.ts";
export { hasLeftWork, repairLeftWork, type RepairOptions } from "./repair-left-work.ts";
export { verifyRepository, type VerifyResult } from "./verify-repository.ts";
