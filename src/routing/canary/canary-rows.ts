/** The watches as rows: at most one open watch per reviewer. */
import { newId } from "../../base/ids.ts";
import type { Reader, Row, Statement, Writer } from "../../store/index.ts";
import { dayMs } from "../settings.ts";
import { canaryDefaults, type CanarySettings } from "../statistics/e-process.ts";
import type { Severity } from "../types.ts";

export interface Sample {
  readonly kind: "clean" | "loss" | "escape";
  readonly amount: number;
  readonly probability: number;
  readonly severity: Severity | null;
}

export interface StoredCanary {
  readonly id: string;
  readonly reviewer: string;
  readonly operation: string;
  readonly openedMs: number;
  readonly expiresMs: number;
  readonly isExtended: boolean;
  readonly uses: number;
  readonly settings: CanarySettings;
  readonly passedMs: number | null;
  readonly alertedMs: number | null;
  /** Oldest first. */
  readonly samples: readonly Sample[];
}

/**
 * A watch for this override. One that is open goes on under its own id from the beginning: what was
 * seen under another override says nothing about this one.
 */
export const openCanary = async (
  tx: Writer,
  scope: string,
  canary: {
    readonly id: string;
    readonly reviewer: string;
    readonly operation: string;
    readonly settings: string;
    readonly days: number;
    readonly at: number;
  },
): Promise<void> => {
  const { id, reviewer, operation, settings, days, at } = canary;
  const expires = Math.trunc(at + days * dayMs);
  const again = await tx.run(restart, { scope, reviewer, operation, at, expires, settings });
  if (again === 0) await tx.run(insert, { scope, id, reviewer, operation, at, expires, settings });
};

export const closeCanary = (
  tx: Writer,
  scope: string,
  { reviewer, at, why }: { readonly reviewer: string; readonly at: number; readonly why: string },
): Promise<number> => tx.run(close, { scope, reviewer, at, why });

export const readCanaries = async (
  tx: Reader,
  scope: string,
  reviewer = "",
): Promise<StoredCanary[]> => {
  const rows = await tx.all<CanaryRow>(selectOpen, { scope, reviewer });
  if (rows.length === 0) return [];
  const samples = await tx.all<SampleRow>(selectSamples, { scope, reviewer });
  const byCanary = Map.groupBy(samples, ({ canary_id: id }) => id);
  return rows.map((row) => ({
    id: row.id,
    reviewer: row.reviewer,
    operation: row.operation,
    openedMs: row.opened_at,
    expiresMs: row.expires_at,
    isExtended: row.is_extended === 1,
    uses: row.uses,
    settings: { ...canaryDefaults, ...(JSON.parse(row.settings) as Partial<CanarySettings>) },
    passedMs: row.passed_at,
    alertedMs: row.alerted_at,
    samples: (byCanary.get(row.id) ?? []).map((sample) => ({
      kind: sample.kind,
      amount: sample.amount,
      probability: sample.probability / million,
      severity: sample.severity,
    })),
  }));
};

export interface NewSample {
  readonly kind: Sample["kind"];
  readonly amount: number;
  readonly probability: number;
  readonly severity?: Severity;
  readonly review?: string;
  readonly note?: string;
}

/** False when this review's shadow was known. */
export const addSample = async (
  tx: Writer,
  scope: string,
  canary: string,
  sample: NewSample,
): Promise<boolean> => {
  const at = Math.trunc((await tx.now()).wallMs);
  const count = await tx.run(insertSample, {
    ...{ scope, canary, at, id: newId("sample"), kind: sample.kind, amount: sample.amount },
    probability: Math.round(sample.probability * million),
    severity: sample.severity ?? null,
    review: sample.review ?? null,
    note: sample.note ?? null,
  });
  return count > 0;
};

export const addUses = (tx: Writer, scope: string, id: string, amount: number): Promise<number> =>
  tx.run(use, { scope, id, amount });

/** Crossing a bound once is enough: later good news does not undo an alert, nor bad luck a pass. */
export const markCanary = async (
  tx: Writer,
  scope: string,
  id: string,
  crossed: { readonly passed?: boolean; readonly alerted?: boolean },
): Promise<void> => {
  const at = Math.trunc((await tx.now()).wallMs);
  if (crossed.passed) await tx.run(markPassed, { scope, id, at });
  if (crossed.alerted) await tx.run(markAlerted, { scope, id, at });
};

export const extendCanary = (
  tx: Writer,
  scope: string,
  id: string,
  expires: number,
): Promise<number> => tx.run(extend, { scope, id, expires: Math.trunc(expires) });

const million = 1_000_000;

interface CanaryRow extends Row {
  readonly id: string;
  readonly reviewer: string;
  readonly operation: string;
  readonly opened_at: number;
  readonly expires_at: number;
  readonly is_extended: number;
  readonly uses: number;
  readonly settings: string;
  readonly passed_at: number | null;
  readonly alerted_at: number | null;
}

interface SampleRow extends Row {
  readonly canary_id: string;
  readonly kind: Sample["kind"];
  readonly amount: number;
  readonly probability: number;
  readonly severity: Severity | null;
}

const insert: Statement = {
  sql: `INSERT INTO canaries
        (scope_id, id, reviewer, operation, opened_at, expires_at, is_extended, uses, settings)
        VALUES (:scope, :id, :reviewer, :operation, :at, :expires, 0, 0, :settings)`,
};
const restart: Statement = {
  sql: `UPDATE canaries SET operation = :operation, opened_at = :at, expires_at = :expires,
          is_extended = 0, uses = 0, settings = :settings, passed_at = NULL, alerted_at = NULL
        WHERE scope_id = :scope AND reviewer = :reviewer AND closed_at IS NULL`,
};
const close: Statement = {
  sql: `UPDATE canaries SET closed_at = :at, closed_why = :why
        WHERE scope_id = :scope AND reviewer = :reviewer AND closed_at IS NULL`,
};
const selectOpen: Statement = {
  sql: `SELECT id, reviewer, operation, opened_at, expires_at, is_extended, uses, settings, passed_at,
          alerted_at
        FROM canaries WHERE scope_id = :scope AND closed_at IS NULL
          AND (:reviewer = '' OR reviewer = :reviewer) ORDER BY reviewer`,
};
const selectSamples: Statement = {
  sql: `SELECT canary_id, kind, amount, probability, severity FROM canary_samples
        WHERE scope_id = :scope AND EXISTS (SELECT 1 FROM canaries
          WHERE canaries.scope_id = canary_samples.scope_id AND canaries.id = canary_id
            AND closed_at IS NULL AND canary_samples.at >= opened_at
            AND (:reviewer = '' OR reviewer = :reviewer))
        ORDER BY canary_samples.id`,
};
const insertSample: Statement = {
  sql: `INSERT INTO canary_samples
        (scope_id, canary_id, id, at, kind, amount, probability, severity, review, note)
        VALUES (:scope, :canary, :id, :at, :kind, :amount, :probability, :severity, :review, :note)
        ON CONFLICT DO NOTHING`,
};
const use: Statement = {
  sql: "UPDATE canaries SET uses = uses + :amount WHERE scope_id = :scope AND id = :id",
};
const markPassed: Statement = {
  sql: `UPDATE canaries SET passed_at = :at
        WHERE scope_id = :scope AND id = :id AND passed_at IS NULL`,
};
const markAlerted: Statement = {
  sql: `UPDATE canaries SET alerted_at = :at
        WHERE scope_id = :scope AND id = :id AND alerted_at IS NULL`,
};
const extend: Statement = {
  sql: `UPDATE canaries SET expires_at = :expires, is_extended = 1
        WHERE scope_id = :scope AND id = :id AND is_extended = 0`,
};
