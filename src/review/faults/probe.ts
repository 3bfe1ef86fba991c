/** Choosing planted faults for a reviewer, and counting what it found of them. */
import type { Finding } from "../types.ts";
import { cleanProbes, faultBank } from "./bank/index.ts";
import type { CleanProbe, PlantedFault } from "./types.ts";

export interface Probe {
  readonly faults: readonly PlantedFault[];
  readonly clean: readonly CleanProbe[];
}

export interface Probed {
  readonly reviewer: string;
  readonly planted: number;
  readonly found: readonly string[];
  readonly missed: readonly string[];
  readonly clean: number;
  /** Clean files that it reported as P0 or P1. */
  readonly alarms: readonly string[];
  readonly qualified: boolean;
}

/**
 * A built-in reviewer is tried on the faults of its area, one made for a domain on those of the domain. None of
 * them: nobody can say anything, which is not the same as a failure.
 */
export const probeFor = (who: {
  readonly name: string;
  readonly domain?: string | undefined;
}): Probe => {
  const { name, domain } = who;
  const isOwn = ({ reviewers, domains }: PlantedFault): boolean =>
    domain === undefined ? reviewers.includes(name) : domains.includes(domain);
  const faults = faultBank.filter(isOwn);
  const areas = new Set(faults.flatMap(({ reviewers }) => reviewers));
  const clean = cleanProbes.filter(({ reviewers }) => reviewers.some((one) => areas.has(one)));
  return { faults, clean };
};

/** Near enough to be the same place: people name the call, the condition above it, or the function. */
const linesApartMax = 3;

export const scoreProbe = (
  reviewer: string,
  { faults, clean }: Probe,
  findings: readonly Finding[],
): Probed => {
  const isHit = ({ path, line }: PlantedFault): boolean =>
    findings.some(
      (finding) =>
        finding.path === path &&
        finding.line !== undefined &&
        Math.abs(finding.line - line) <= linesApartMax &&
        (finding.severity ?? "P2") < "P3",
    );
  const found = faults.filter(isHit).map(({ id }) => id);
  const alarms = clean
    .filter(({ path }) =>
      findings.some((one) => one.path === path && (one.severity ?? "P2") < "P2"),
    )
    .map(({ id }) => id);
  return {
    reviewer,
    planted: faults.length,
    found,
    missed: faults.filter(({ id }) => !found.includes(id)).map(({ id }) => id),
    clean: clean.length,
    alarms,
    qualified: isQualified({ planted: faults.length, found: found.length, alarms: alarms.length }),
  };
};

/** Half of what was planted, and more right than wrong: less is not worth anybody's time. */
const isQualified = (counts: {
  readonly planted: number;
  readonly found: number;
  readonly alarms: number;
}): boolean =>
  counts.planted > 0 && counts.found * 2 >= counts.planted && counts.alarms < counts.found;
