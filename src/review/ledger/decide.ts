/** Looking at findings, and what people decide about them. */
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import type { Reader, Row, Scope, Statement, Writer } from "../../store/index.ts";
import { plainText } from "../plain-text.ts";
import { severities } from "../synthesis/normalise.ts";
import type { DismissReason, FindingFilter, LedgerOptions, Sighting } from "./ledger.ts";
import { findingNames, type FindingRow, isOneOf, toFinding } from "./rows.ts";
import type { FindingState, LedgerFinding, Outcome } from "./types.ts";

/** Most severe first, then by place. */
export const listFindings = async (
  tx: Reader,
  scope: string,
  filter: FindingFilter,
): Promise<LedgerFinding[]> => {
  const { state = findingStates, severity = severities, path = "", reviewer = "" } = filter;
  const folder = path === "" ? "" : `${path.replace(/(?<!\/)\/+$/, "")}/`;
  const rows = await tx.all<FindingRow>(selectFindings, {
    scope,
    states: JSON.stringify(state),
    severities: JSON.stringify(severity),
    path: folder.slice(0, -1),
    folder,
    folder_length: [...folder].length,
    reviewer,
    review: filter.review ?? "",
    count: Math.max(1, Math.min(Math.trunc(filter.limit ?? 100), listedMax)),
  });
  return rows.map(toFinding);
};

const findingStates: readonly FindingState[] = [
  "new",
  "regressed",
  "persisting",
  "accepted",
  "fixed",
  "dismissed",
];

/** By its id or by the beginning of one; with or without the prefix. */
export const findFinding = async (
  tx: Reader,
  scope: string,
  wanted: string,
): Promise<FindingRow> => {
  const from = wanted.startsWith("fi_") ? wanted : `fi_${wanted}`;
  // An empty variable in a script must not mean the only finding that there is.
  const rows =
    from === "fi_"
      ? []
      : await tx.all<FindingRow>(selectByPrefix, { scope, from, to: `${from}\u{10ffff}` });
  const exact = rows.find(({ id }) => id === from);
  if (exact) return exact;
  if (rows.length === 1 && rows[0]) return rows[0];
  const why = rows.length === 0 ? "no finding has the id" : "several findings have an id like";
  throw new HeadgateError("FINDING_UNKNOWN", `${why} ${showText(wanted, 60)}`);
};

export const sightingsOf = async (tx: Reader, scope: string, id: string): Promise<Sighting[]> => {
  const rows = await tx.all<Row & SightingRow>(selectSightings, { scope, id });
  return rows.map(({ review_id: review, ...rest }) => ({ review, ...rest }));
};

interface SightingRow extends Omit<Sighting, "review"> {
  readonly review_id: string;
}

export interface Decision {
  readonly state: "accepted" | "dismissed";
  readonly reason?: DismissReason;
  readonly note?: string;
}

/** Changes nothing when it was decided just so before. */
export const decide = async (
  tx: Writer,
  place: { readonly scope: Scope; readonly id: string; readonly options: LedgerOptions },
  { state, reason, note }: Decision,
): Promise<void> => {
  const { scope, id, options } = place;
  const row = await findFinding(tx, scope.id, id);
  const said = note === undefined ? null : plainText(note, noteLengthMax);
  const why = reason ?? null;
  // That it was right says nothing about whether it is still there: what is fixed stays fixed.
  const stays = row.state === "fixed" && state === "accepted";
  const isDecided = stays ? row.decided_by !== null : row.state === state;
  if (isDecided && row.reason === why && row.note === said) return;
  const { wallMs } = await tx.now();
  const by = options.actor;
  await tx.run(updateDecision, {
    scope: scope.id,
    id: row.id,
    ...{ state: stays ? row.state : state, by, at: Math.trunc(wallMs), reason: why, note: said },
  });
  tx.emit({
    kind: `finding.${state}`,
    actor: by,
    subject: row.id,
    data: { title: row.title, severity: row.severity, ...(reason && { reason }) },
  });
  await tellOutcomes(
    tx,
    { scope, row, options },
    {
      outcome: state,
      ...(reason !== undefined && { reason }),
      ...(said !== null && { note: said }),
    },
  );
};

/** One for each reviewer that ever reported it, with the model that it used when it did so last. */
export const tellOutcomes = async (
  tx: Writer,
  place: { readonly scope: Scope; readonly row: FindingRow; readonly options: LedgerOptions },
  said: Pick<Outcome, "outcome" | "reason" | "note" | "change">,
): Promise<void> => {
  const { scope, row, options } = place;
  if (!options.onOutcome) return;
  const runs = await tx.all<Row & OutcomeRow>(selectReporters, { scope: scope.id, id: row.id });
  const last = new Map(runs.map((run) => [run.reviewer, run]));
  for (const { reviewer, model, digest, head } of last.values()) {
    await options.onOutcome(tx, scope, {
      reviewer,
      ...(options.session !== undefined && { session: options.session }),
      change: head ?? digest,
      severity: row.severity,
      ...(row.path !== null && { path: row.path }),
      ...(model !== null && { model }),
      finding: row.id,
      ...said,
    });
  }
};

interface OutcomeRow {
  readonly reviewer: string;
  readonly model: string | null;
  readonly digest: string;
  readonly head: string | null;
}

/** One more than anybody is shown: it says that there are more. */
const listedMax = 10_001;
const noteLengthMax = 2_000;

const listedBy = (dialect: "sqlite" | "postgres"): string =>
  `SELECT ${findingNames} FROM findings WHERE scope_id = :scope
   AND ${isOneOf("state", "states")[dialect]} AND ${isOneOf("severity", "severities")[dialect]}
   AND (:path = '' OR path = :path OR substr(path, 1, :folder_length) = :folder)
   AND ((:reviewer = '' AND :review = '') OR EXISTS (SELECT 1 FROM sightings s
     WHERE s.scope_id = findings.scope_id AND s.finding_id = findings.id
     AND (:reviewer = '' OR s.reviewer = :reviewer) AND (:review = '' OR s.review_id = :review)))
   ORDER BY severity, COALESCE(path, ''), COALESCE(line, 0), id LIMIT :count`;
const selectFindings: Statement = { sqlite: listedBy("sqlite"), postgres: listedBy("postgres") };
const selectByPrefix: Statement = {
  sql: `SELECT ${findingNames} FROM findings
        WHERE scope_id = :scope AND id >= :from AND id < :to ORDER BY id LIMIT 2`,
};
const selectSightings: Statement = {
  sql: `SELECT review_id, reviewer, state, severity, title, body, path, line FROM sightings
        WHERE scope_id = :scope AND finding_id = :id ORDER BY review_id, reviewer`,
};
const updateDecision: Statement = {
  sql: `UPDATE findings SET state = :state, decided_by = :by, decided_at = :at, reason = :reason,
        note = :note WHERE scope_id = :scope AND id = :id`,
};
const selectReporters: Statement = {
  sql: `SELECT s.reviewer AS reviewer, p.model AS model, r.subject_digest AS digest, r.head AS head
        FROM sightings s
        JOIN reviews r ON r.scope_id = s.scope_id AND r.id = s.review_id
        LEFT JOIN review_reports p ON p.scope_id = s.scope_id AND p.review_id = s.review_id
          AND p.reviewer = s.reviewer
        WHERE s.scope_id = :scope AND s.finding_id = :id ORDER BY s.review_id, s.reviewer`,
};
