/**
 * What the outcomes of a reviewer have in common. A class counts against all findings with a known outcome,
 * so that five dismissals among a hundred accepted ones are no pattern.
 */
import type { Reader, Row, Statement } from "../../store/index.ts";
import { heldByReviewer } from "../evidence/held.ts";
import {
  dayMs,
  growingEValue,
  probeLossMax,
  quietDays,
  type RoutingSettings,
  wrongRate,
} from "../settings.ts";
import { logWrong } from "../statistics/e-process.ts";
import type { DismissReason, Severity } from "../types.ts";

export const patternClasses = [
  "noise",
  "nit",
  "mis-severity",
  "duplicate-of-linter",
  "out-of-scope",
  "stale",
] as const;
export type PatternClass = (typeof patternClasses)[number];
export type PatternState = "emerging" | "growing" | "ready";

export interface Pattern {
  readonly reviewer: string;
  readonly class: PatternClass;
  readonly state: PatternState;
  /** Findings with a known outcome. */
  readonly outcomes: number;
  /** Of these, dismissed for this class's reason; one without any reason is half a noise. */
  readonly wrong: number;
  readonly accepted: number;
  readonly eValue: number;
  readonly sessions: number;
  readonly changes: number;
  /** Confirmed P0 of the last 90 days. */
  readonly severe: number;
  /** Outcomes of this reviewer that wait for somebody to confirm them, and count for nothing yet. */
  readonly held: number;
  /** What keeps it from being ready, in words. */
  readonly missing: readonly string[];
}

const classOfReason: Record<DismissReason, PatternClass> = {
  wrong: "noise",
  deprioritized: "nit",
  severity: "mis-severity",
  duplicate: "duplicate-of-linter",
  "not-applicable": "out-of-scope",
  stale: "stale",
};

export const reasonOfClass = (wanted: PatternClass): DismissReason => {
  const entry = Object.entries(classOfReason).find(([, value]) => value === wanted);
  return (entry?.[0] ?? "wrong") as DismissReason;
};

/** Counts of one reviewer. */
export interface Tally {
  readonly reviewer: string;
  /** Accepted, addressed or escaped: it was right. */
  right: number;
  wrong: Map<PatternClass, number>;
  unexplained: number;
  severe: number;
}

export const readTallies = async (tx: Reader, scope: string, reviewer = ""): Promise<Tally[]> => {
  const { wallMs } = await tx.now();
  const since = Math.trunc(wallMs - quietDays * dayMs);
  const rows = await tx.all<CountRow>(selectCounts, { scope, reviewer, since });
  const tallies = new Map<string, Tally>();
  for (const row of rows) {
    const tally = tallies.get(row.reviewer) ?? emptyTally(row.reviewer);
    tallies.set(row.reviewer, tally);
    if (row.outcome !== "dismissed") {
      tally.right += row.amount;
      if (row.severity === "P0") tally.severe += row.recent;
    } else if (row.reason === null) tally.unexplained += row.amount;
    else {
      const of = classOfReason[row.reason];
      tally.wrong.set(of, (tally.wrong.get(of) ?? 0) + row.amount);
    }
  }
  return [...tallies.values()];
};

const emptyTally = (reviewer: string): Tally => ({
  reviewer,
  right: 0,
  wrong: new Map(),
  unexplained: 0,
  severe: 0,
});

export const totalOf = (tally: Tally): number =>
  [...tally.wrong.values()].reduce((sum, count) => sum + count, tally.right + tally.unexplained);

/** Most certain first. */
export const findPatterns = async (
  tx: Reader,
  scope: string,
  settings: RoutingSettings,
  reviewer = "",
): Promise<Pattern[]> => {
  const tallies = await readTallies(tx, scope, reviewer);
  const spread = await tx.all<SpreadRow>(selectSpread, { scope, reviewer });
  const waiting = await heldByReviewer(tx, scope);
  const probes = new Map(
    (await tx.all<ProbeRow>(selectProbeLoss, { scope })).map((row) => [row.reviewer, row.lost]),
  );
  const found = tallies.flatMap((tally) =>
    patternClasses.flatMap((name): Pattern[] => {
      const half = name === "noise" ? tally.unexplained / 2 : 0;
      const wrong = (tally.wrong.get(name) ?? 0) + half;
      if (wrong === 0) return [];
      const reasons = spread.filter(
        (row) => row.reviewer === tally.reviewer && classOf(row.reason) === name,
      );
      const facts = {
        sessions: Math.max(0, ...reasons.map(({ sessions }) => sessions)),
        changes: Math.max(0, ...reasons.map(({ changes }) => changes)),
        lost: probes.get(tally.reviewer) ?? 0,
        held: waiting.get(tally.reviewer) ?? 0,
      };
      return [patternOf(tally, { name, wrong, ...facts }, settings)];
    }),
  );
  return found.toSorted((a, b) => b.eValue - a.eValue || (a.reviewer < b.reviewer ? -1 : 1));
};

/** Ids of the newest dismissals of this class. */
export const evidenceOf = async (
  tx: Reader,
  scope: string,
  reviewer: string,
  of: PatternClass,
): Promise<string[]> => {
  const asked = { scope, reviewer, reason: reasonOfClass(of) };
  return (await tx.all<{ id: string } & Row>(selectIds, asked)).map(({ id }) => id);
};

const classOf = (reason: DismissReason | null): PatternClass =>
  reason === null ? "noise" : classOfReason[reason];

interface Facts {
  readonly name: PatternClass;
  readonly wrong: number;
  readonly sessions: number;
  readonly changes: number;
  readonly lost: number;
  readonly held: number;
}

const patternOf = (tally: Tally, facts: Facts, settings: RoutingSettings): Pattern => {
  const { name, wrong, sessions, changes, lost, held } = facts;
  const outcomes = totalOf(tally);
  // A finite number in JSON, however certain it is.
  const eValue = Math.min(Math.exp(logWrong(wrong, outcomes - wrong, wrongRate)), 1e12);
  const missing: string[] = [];
  if (eValue < settings.eValue) {
    missing.push(
      `e-value ${showE(eValue)} of ${settings.eValue}: ${moreNeeded(wrong, outcomes, settings)}`,
    );
  }
  if (sessions < settings.sessions) missing.push(`${sessions} of ${settings.sessions} sessions`);
  if (changes < settings.changes) missing.push(`${changes} of ${settings.changes} changes`);
  if (tally.severe > 0) {
    missing.push(`${tally.severe} confirmed P0 within ${quietDays} days`);
  }
  if (lost > probeLossMax) missing.push(`${lost} planted faults found only with it`);
  const isGrowing = eValue >= growingEValue;
  return {
    reviewer: tally.reviewer,
    class: name,
    state: missing.length === 0 ? "ready" : isGrowing ? "growing" : "emerging",
    outcomes,
    wrong,
    accepted: tally.right,
    eValue,
    sessions,
    changes,
    severe: tally.severe,
    held,
    missing,
  };
};

/** How many more of the same, without any other, would be enough. */
const moreNeeded = (wrong: number, outcomes: number, settings: RoutingSettings): string => {
  for (let more = 1; more <= 200; more += 1) {
    if (logWrong(wrong + more, outcomes - wrong, wrongRate) >= Math.log(settings.eValue)) {
      return `${more} more in a row would do`;
    }
  }
  return "too many of its findings are right";
};

export const showE = (value: number): string =>
  value >= 1e6 ? value.toExponential(1) : value >= 100 ? value.toFixed(0) : value.toFixed(2);

interface CountRow extends Row {
  readonly reviewer: string;
  readonly outcome: string;
  readonly reason: DismissReason | null;
  readonly severity: Severity | null;
  readonly amount: number;
  readonly recent: number;
}

interface SpreadRow extends Row {
  readonly reviewer: string;
  readonly reason: DismissReason | null;
  readonly sessions: number;
  readonly changes: number;
}

interface ProbeRow extends Row {
  readonly reviewer: string;
  readonly lost: number;
}

const selectCounts: Statement = {
  sql: `SELECT reviewer, outcome, reason, severity, COUNT(*) AS amount,
          CAST(SUM(CASE WHEN at >= :since THEN 1 ELSE 0 END) AS bigint) AS recent
        FROM evidence WHERE scope_id = :scope AND held IS NULL
          AND (:reviewer = '' OR reviewer = :reviewer)
        GROUP BY reviewer, outcome, reason, severity ORDER BY reviewer`,
};
const selectSpread: Statement = {
  sql: `SELECT reviewer, reason, COUNT(DISTINCT session) AS sessions,
          COUNT(DISTINCT change_of) AS changes
        FROM evidence WHERE scope_id = :scope AND outcome = 'dismissed' AND held IS NULL
          AND (:reviewer = '' OR reviewer = :reviewer)
        GROUP BY reviewer, reason`,
};
/** Of the newest set of planted faults of each reviewer. */
const selectProbeLoss: Statement = {
  sql: `SELECT reviewer, only_with AS lost FROM probes WHERE scope_id = :scope
        AND id = (SELECT MAX(id) FROM probes AS newer
          WHERE newer.scope_id = probes.scope_id AND newer.reviewer = probes.reviewer)`,
};
const selectIds: Statement = {
  sql: `SELECT id FROM evidence WHERE scope_id = :scope AND reviewer = :reviewer
        AND outcome = 'dismissed' AND reason = :reason AND held IS NULL ORDER BY id DESC LIMIT 20`,
};
