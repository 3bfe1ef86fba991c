/** Known faults: the same ones reviewed with and without a reviewer. Made by review, kept and tested here. */
import { isoTime } from "../../base/clock.ts";
import { newId } from "../../base/ids.ts";
import { HeadgateError } from "../../errors.ts";
import type { Reader, Row, Statement, Writer } from "../../store/index.ts";
import { checkReviewer } from "../evidence/check-evidence.ts";
import { pairedPValue } from "../statistics/paired.ts";

export interface ProbeCounts {
  readonly both: number;
  /** Found with the reviewer and missed without it. */
  readonly onlyWith: number;
  readonly onlyWithout: number;
  readonly none: number;
}

export interface Probe extends ProbeCounts {
  readonly id: string;
  readonly at: string;
  readonly reviewer: string;
  readonly domain: string | null;
  /** McNemar's exact test, one-sided. */
  readonly pValue: number;
  /** "excluding safety loses 4 of 12 planted faults (with 11/12, without 7/12)" */
  readonly summary: string;
}

/** Inside the caller's transaction. */
export const recordProbe = async (
  tx: Writer,
  scope: string,
  probe: ProbeCounts & {
    readonly reviewer: string;
    readonly domain?: string;
    readonly actor: string;
  },
): Promise<Probe> => {
  const { both, onlyWith, onlyWithout, none, actor, domain = null } = probe;
  if (
    ![both, onlyWith, onlyWithout, none].every((count) => Number.isInteger(count) && count >= 0)
  ) {
    throw new HeadgateError("USAGE", "counts of planted faults must be whole numbers from 0");
  }
  const reviewer = checkReviewer(probe.reviewer);
  const at = Math.trunc((await tx.now()).wallMs);
  const id = newId("probe");
  const row = {
    ...{ id, at, reviewer, domain, only_with: onlyWith, only_without: onlyWithout },
    found_by_both: both,
    found_by_none: none,
  };
  await tx.run(insert, { scope, actor, ...row });
  const told = toProbe(row);
  tx.emit({
    kind: "routing.probed",
    actor,
    subject: reviewer,
    data: { both, onlyWith, onlyWithout, none, pValue: told.pValue },
  });
  return told;
};

/** The newest of each reviewer. */
export const readProbes = async (tx: Reader, scope: string): Promise<Probe[]> =>
  (await tx.all<ProbeRow>(selectNewest, { scope })).map(toProbe);

interface ProbeRow extends Row {
  readonly id: string;
  readonly at: number;
  readonly reviewer: string;
  readonly domain: string | null;
  readonly found_by_both: number;
  readonly only_with: number;
  readonly only_without: number;
  readonly found_by_none: number;
}

/** In place of a domain: the faults were not planted, they are the repository's own fixes taken back. */
export const ownFixesDomain = "own-fixes";

const toProbe = (row: ProbeRow): Probe => {
  const counts = {
    both: row.found_by_both,
    onlyWith: row.only_with,
    onlyWithout: row.only_without,
    none: row.found_by_none,
  };
  const { both, onlyWith, onlyWithout, none } = counts;
  const total = both + onlyWith + onlyWithout + none;
  const what = row.domain === ownFixesDomain ? "faults fixed here" : "planted faults";
  return {
    id: row.id,
    at: isoTime(row.at),
    reviewer: row.reviewer,
    domain: row.domain,
    ...counts,
    pValue: pairedPValue(onlyWith, onlyWithout),
    summary:
      `excluding ${row.reviewer} loses ${onlyWith} of ${total} ${what} ` +
      `(with ${both + onlyWith}/${total}, without ${both + onlyWithout}/${total})`,
  };
};

const columns = "id, at, reviewer, domain, found_by_both, only_with, only_without, found_by_none";
const insert: Statement = {
  sql: `INSERT INTO probes (scope_id, actor, ${columns})
        VALUES (:scope, :actor, :id, :at, :reviewer, :domain, :found_by_both, :only_with, :only_without,
          :found_by_none)`,
};
const selectNewest: Statement = {
  sql: `SELECT ${columns} FROM probes WHERE scope_id = :scope
        AND id = (SELECT MAX(id) FROM probes AS newer
          WHERE newer.scope_id = probes.scope_id AND newer.reviewer = probes.reviewer)
        ORDER BY reviewer`,
};
