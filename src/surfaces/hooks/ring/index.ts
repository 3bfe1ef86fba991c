/**
 * Finds afterwards what was written around the gate (B12), attributes it to the session whose tool ran,
 * and tells those concerned. It watches what git would commit: ignored files and other repositories
 * inside this one are not looked at, and the text never says that all was covered.
 */
export type * from "./types.ts";
export { openRing } from "./open-ring.ts";
export { RingFiles } from "./ring-files.ts";
export { ringLimits } from "./ring-limits.ts";
