/**
 * A bank of planted faults, one per file, each with its place: what a reviewer must find before it may take a
 * slot, and what is lost when somebody is excluded. Clean files beside them show who cries wolf.
 */
export { cleanProbes, faultBank } from "./bank/index.ts";
export { type Probe, type Probed, probeFor, scoreProbe } from "./probe.ts";
export type * from "./types.ts";
