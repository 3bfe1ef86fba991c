/** Planted faults: small files with one known defect each, and clean ones that only look suspicious. */
import type { Severity } from "../types.ts";

export interface PlantedFault {
  /** `safety/order-of-another-tenant`: unique, never changed once it is out. */
  readonly id: string;
  /** The built-in reviewers in whose area it is. */
  readonly reviewers: readonly string[];
  /** Kinds of project that it is at home in; empty: any. */
  readonly domains: readonly string[];
  readonly severity: Severity;
  readonly path: string;
  readonly content: string;
  /** Where the defect is; a report that names a line near it, in this file, has found it. */
  readonly line: number;
  /** What is wrong, for the person who reads the result. */
  readonly about: string;
}

/** Nothing is wrong with it; whoever reports a P0 or P1 here has cried wolf. */
export interface CleanProbe {
  readonly id: string;
  readonly reviewers: readonly string[];
  readonly path: string;
  readonly content: string;
}
