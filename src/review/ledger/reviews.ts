/** Reviews from their beginning to their end, and taking them up again. */
import { newId } from "../../base/ids.ts";
import type { Json } from "../../base/json.ts";
import { ownIdentity, type ProcessIdentity, probe } from "../../base/process-identity.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import type { Reader, Row, Statement, Writer } from "../../store/index.ts";
import { plainLine } from "../plain-text.ts";
import type { Report } from "../types.ts";
import type { Answer, LedgerOptions, Resumed, ReviewerNote, ReviewStart } from "./ledger.ts";
import { type ReviewRow, type RunRow, toRecord, toRun } from "./rows.ts";
import type { ReviewRecord } from "./types.ts";

export const beginReview = async (
  tx: Writer,
  scope: string,
  { start, options }: { readonly start: ReviewStart; readonly options: LedgerOptions },
): Promise<string> => {
  const { id = (options.ids ?? newId)("review"), subject, reviewers = [], request = {} } = start;
  if (await tx.get(selectReview, { scope, id })) return id;
  const { wallMs } = await tx.now();
  await tx.run(insertReview, {
    scope,
    id,
    at: Math.trunc(wallMs),
    actor: options.actor,
    subject: plainLine(subject.name, subjectLengthMax),
    digest: subject.digest,
    base: subject.base ?? null,
    head: subject.head ?? null,
    request: requestText(request),
    process: JSON.stringify(options.process ?? ownIdentity()),
  });
  for (const note of reviewers) await writeRun(tx, { scope, review: id }, note);
  const data = {
    subject: plainLine(subject.name, subjectLengthMax),
    digest: subject.digest,
    reviewers: reviewers.slice(0, reviewersToldMax).map(({ reviewer }) => reviewer),
  };
  tx.emit({ kind: "review.started", actor: options.actor, subject: id, data });
  return id;
};

export const noteReviewer = async (
  tx: Writer,
  { scope, review, actor }: Place & { readonly actor: string },
  note: ReviewerNote,
): Promise<boolean> => {
  await requireOpen(tx, scope, review);
  if (!(await writeRun(tx, { scope, review }, note))) return false;
  const { reviewer, state, problem } = note;
  const data = {
    reviewer,
    ...(state !== undefined && { state }),
    ...(problem && { problem: plainLine(problem) }),
  };
  tx.emit({ kind: "review.noted", actor, subject: review, data });
  return true;
};

export const saveAnswer = async (
  tx: Writer,
  { scope, review, actor }: Place & { readonly actor: string },
  answer: Answer,
): Promise<boolean> => {
  await requireOpen(tx, scope, review);
  const { report, text = "", ...note } = answer;
  const { reviewer } = note;
  const known = await tx.get<RunRow>(selectRun, { scope, review, reviewer });
  if (known?.state === "done") return false;
  const { wallMs } = await tx.now();
  const done = { ...note, state: "done" as const, endedAt: note.endedAt ?? null };
  const result = { report: report.state, findings: report.findings.length, wallMs };
  await writeRun(tx, { scope, review }, done, result);
  await tx.run(insertText, {
    scope,
    review,
    reviewer,
    text: storable(text),
    report: JSON.stringify(report),
  });
  await tx.run(countUse, { scope, reviewer, at: Math.trunc(wallMs) });
  const data = { reviewer, state: report.state, findings: report.findings.length };
  tx.emit({ kind: "review.reported", actor, subject: review, data });
  return true;
};

export const interruptReview = async (
  tx: Writer,
  { scope, review, actor }: Place & { readonly actor: string },
  { problem, failed = false }: { readonly problem?: string; readonly failed?: boolean },
): Promise<boolean> => {
  const row = await requireReview(tx, scope, review);
  const state = failed ? "failed" : "interrupted";
  if (row.state === "done" || row.state === state) return false;
  const { wallMs } = await tx.now();
  const said = problem === undefined ? null : plainLine(problem);
  await tx.run(stopReview, { scope, review, state, problem: said, at: Math.trunc(wallMs) });
  // Who was being asked has to be asked again.
  await tx.run(cancelRuns, { scope, review, at: Math.trunc(wallMs) });
  const data = said === null ? {} : { problem: said };
  tx.emit({ kind: `review.${state}`, actor, subject: review, data });
  return true;
};

export const resumeReview = async (
  tx: Writer,
  { scope, review, options }: Place & { readonly options: LedgerOptions },
): Promise<void> => {
  const row = await requireOpen(tx, scope, review);
  const self = options.process ?? ownIdentity();
  const own = JSON.stringify(self);
  if (row.state === "running" && row.process === own) return;
  if (row.state === "running") {
    const { state, evidence } = probe(JSON.parse(row.process) as ProcessIdentity);
    if (state !== "dead") {
      const message = `review ${review} is being worked on: ${evidence[0] ?? "its process lives"}`;
      throw new HeadgateError("REVIEW_RUNNING", message, { data: { review } });
    }
  }
  await tx.run(takeReview, { scope, review, process: own });
  await tx.run(releaseRuns, { scope, review });
  tx.emit({ kind: "review.resumed", actor: options.actor, subject: review });
};

export const resumedOf = async (tx: Reader, scope: string, review: string): Promise<Resumed> => {
  const row = await requireReview(tx, scope, review);
  const runs = await tx.all<RunRow>(selectRuns, { scope, review });
  const texts = await tx.all<TextRow>(selectTexts, { scope, review });
  const byReviewer = new Map(texts.map((text) => [text.reviewer, text]));
  const answers = runs.flatMap((run): Answer[] => {
    const kept = byReviewer.get(run.reviewer);
    if (!kept || run.state !== "done") return [];
    const { state: _state, report: _report, findings: _findings, ...note } = toRun(run);
    return [{ ...note, text: kept.text, report: JSON.parse(kept.report) as Report }];
  });
  return {
    review: toRecord(row, runs),
    request: JSON.parse(row.request) as { [key: string]: Json },
    answers,
  };
};

export const listReviews = async (
  tx: Reader,
  scope: string,
  { limit = 20, before = "" }: { readonly limit?: number; readonly before?: string },
): Promise<ReviewRecord[]> => {
  const count = Math.max(1, Math.min(Math.trunc(limit), listedMax));
  const rows = await tx.all<ReviewRow>(selectReviews, { scope, before, count });
  return Promise.all(
    rows.map(async (row) =>
      toRecord(row, await tx.all<RunRow>(selectRuns, { scope, review: row.id })),
    ),
  );
};

/** By its id or by the beginning of one; with or without the prefix. */
export const findReview = async (tx: Reader, scope: string, wanted: string): Promise<ReviewRow> => {
  const from = wanted.startsWith("re_") ? wanted : `re_${wanted}`;
  const to = `${from}\u{10ffff}`;
  const rows = from === "re_" ? [] : await tx.all<ReviewRow>(selectByPrefix, { scope, from, to });
  const exact = rows.find(({ id }) => id === from);
  if (exact) return exact;
  if (rows.length === 1 && rows[0]) return rows[0];
  const newest = await tx.all<ReviewRow>(selectReviews, { scope, before: "", count: 3 });
  const why = rows.length === 0 ? "no review has the id" : "several reviews have an id like";
  const hint = newest.length > 0 ? ` (the newest: ${newest.map(({ id }) => id).join(", ")})` : "";
  throw new HeadgateError("REVIEW_UNKNOWN", `${why} ${showText(wanted, 60)}${hint}`);
};

export const recordOf = async (tx: Reader, scope: string, row: ReviewRow): Promise<ReviewRecord> =>
  toRecord(row, await tx.all<RunRow>(selectRuns, { scope, review: row.id }));

export const runsOf = (tx: Reader, scope: string, review: string): Promise<RunRow[]> =>
  tx.all<RunRow>(selectRuns, { scope, review });

export const requireReview = async (tx: Reader, scope: string, id: string): Promise<ReviewRow> => {
  const row = await tx.get<ReviewRow>(selectReview, { scope, id });
  if (row) return row;
  throw new HeadgateError("REVIEW_UNKNOWN", `no review has the id ${showText(id, 60)}`);
};

const requireOpen = async (tx: Reader, scope: string, id: string): Promise<ReviewRow> => {
  const row = await requireReview(tx, scope, id);
  if (row.state !== "done") return row;
  throw new HeadgateError("REVIEW_ENDED", `review ${id} is done`, { data: { review: id } });
};

interface Place {
  readonly scope: string;
  readonly review: string;
}

interface TextRow extends Row {
  readonly reviewer: string;
  readonly text: string;
  readonly report: string;
}

const writeRun = async (
  tx: Writer,
  { scope, review }: Place,
  note: ReviewerNote,
  result?: { readonly report: string; readonly findings: number; readonly wallMs: number },
): Promise<boolean> => {
  const { reviewer } = note;
  const known = await tx.get<RunRow>(selectRun, { scope, review, reviewer });
  if (known?.state === "done") return false;
  const count = await tx.get<{ count: number }>(countRuns, { scope, review });
  const now = known ? toRun(known) : undefined;
  const run = {
    number: known?.number ?? count?.count ?? 0,
    runner: note.runner ?? now?.runner ?? "",
    family: note.family ?? now?.family ?? "",
    model: note.model ?? now?.model ?? null,
    stage: note.stage ?? now?.stage ?? 1,
    shadow: (note.shadow ?? now?.shadow ?? false) ? 1 : 0,
    state: note.state ?? now?.state ?? "waiting",
    report: result?.report ?? null,
    findings: result?.findings ?? 0,
    started_at: msOf(note.startedAt) ?? known?.started_at ?? null,
    ended_at: msOf(note.endedAt) ?? (result ? Math.trunc(result.wallMs) : null),
    input_tokens: Math.trunc(note.inputTokens ?? now?.inputTokens ?? 0),
    output_tokens: Math.trunc(note.outputTokens ?? now?.outputTokens ?? 0),
    cost_micros: Math.round((note.costUsd ?? now?.costUsd ?? 0) * 1e6),
    problem: note.problem === undefined ? (known?.problem ?? null) : problemOf(note.problem),
  };
  if (known && Object.entries(run).every(([name, value]) => known[name] === value)) return false;
  await tx.run(upsertRun, { scope, review, reviewer, ...run });
  return true;
};

const problemOf = (problem: string | null): string | null =>
  problem === null ? null : plainLine(problem);

const msOf = (time: string | null | undefined): number | undefined => {
  const ms = time === null || time === undefined ? Number.NaN : Date.parse(time);
  return Number.isFinite(ms) ? ms : undefined;
};

/** Escapes and all, as it came; only what no store can hold is replaced. */
const storable = (text: string): string =>
  text.slice(0, textLengthMax).toWellFormed().replaceAll("\0", "\ufffd");

const requestText = (request: { readonly [key: string]: Json }): string => {
  const text = JSON.stringify(request);
  if (text.length <= requestLengthMax) return text.toWellFormed();
  throw new HeadgateError("INPUT_TOO_LARGE", "what a review needs to be resumed is over 64 KB");
};

const subjectLengthMax = 500;
const reviewersToldMax = 100;
const requestLengthMax = 64 * 1024;
const listedMax = 1_000;
/** Longer reports are not read either. */
const textLengthMax = 2_000_000;

const reviewNames =
  "id, at, ended_at, actor, subject, subject_digest, base, head, state, problem, verdict, counts, " +
  "input_digest, request, process";
const runNames =
  "review_id, reviewer, number, runner, family, model, stage, shadow, state, report, findings, " +
  "started_at, ended_at, input_tokens, output_tokens, cost_micros, problem";
const selectReview: Statement = {
  sql: `SELECT ${reviewNames} FROM reviews WHERE scope_id = :scope AND id = :id`,
};
const selectByPrefix: Statement = {
  sql: `SELECT ${reviewNames} FROM reviews
        WHERE scope_id = :scope AND id >= :from AND id < :to ORDER BY id LIMIT 2`,
};
const selectReviews: Statement = {
  sql: `SELECT ${reviewNames} FROM reviews WHERE scope_id = :scope AND (:before = '' OR id < :before)
        ORDER BY id DESC LIMIT :count`,
};
const selectRun: Statement = {
  sql: `SELECT ${runNames} FROM review_reports
        WHERE scope_id = :scope AND review_id = :review AND reviewer = :reviewer`,
};
const selectRuns: Statement = {
  sql: `SELECT ${runNames} FROM review_reports WHERE scope_id = :scope AND review_id = :review
        ORDER BY number, reviewer`,
};
const countRuns: Statement = {
  sql: `SELECT count(*) AS count FROM review_reports WHERE scope_id = :scope AND review_id = :review`,
};
const selectTexts: Statement = {
  sql: `SELECT reviewer, text, report FROM review_texts
        WHERE scope_id = :scope AND review_id = :review ORDER BY reviewer`,
};
const insertReview: Statement = {
  sql: `INSERT INTO reviews (scope_id, id, at, actor, subject, subject_digest, base, head, state,
        request, process)
        VALUES (:scope, :id, :at, :actor, :subject, :digest, :base, :head, 'running', :request, :process)`,
};
const upsertRun: Statement = {
  sql: `INSERT INTO review_reports (scope_id, ${runNames})
        VALUES (:scope, :review, :reviewer, :number, :runner, :family, :model, :stage, :shadow, :state,
        :report, :findings, :started_at, :ended_at, :input_tokens, :output_tokens, :cost_micros, :problem)
        ON CONFLICT (scope_id, review_id, reviewer) DO UPDATE SET runner = excluded.runner,
        family = excluded.family, model = excluded.model, stage = excluded.stage,
        shadow = excluded.shadow, state = excluded.state, report = excluded.report,
        findings = excluded.findings, started_at = excluded.started_at, ended_at = excluded.ended_at,
        input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
        cost_micros = excluded.cost_micros, problem = excluded.problem`,
};
const insertText: Statement = {
  sql: `INSERT INTO review_texts (scope_id, review_id, reviewer, text, report)
        VALUES (:scope, :review, :reviewer, :text, :report)`,
};
const countUse: Statement = {
  sql: `INSERT INTO reviewer_uses (scope_id, reviewer, uses, last_used_at)
        VALUES (:scope, :reviewer, 1, :at)
        ON CONFLICT (scope_id, reviewer) DO UPDATE SET uses = reviewer_uses.uses + 1,
        last_used_at = excluded.last_used_at`,
};
const stopReview: Statement = {
  sql: `UPDATE reviews SET state = :state, problem = :problem, ended_at = :at
        WHERE scope_id = :scope AND id = :review`,
};
const cancelRuns: Statement = {
  sql: `UPDATE review_reports SET state = 'cancelled', ended_at = :at
        WHERE scope_id = :scope AND review_id = :review AND state IN ('waiting', 'running')`,
};
const releaseRuns: Statement = {
  sql: `UPDATE review_reports SET state = 'waiting', ended_at = NULL, problem = NULL
        WHERE scope_id = :scope AND review_id = :review AND state <> 'done'`,
};
const takeReview: Statement = {
  sql: `UPDATE reviews SET state = 'running', problem = NULL, ended_at = NULL, process = :process
        WHERE scope_id = :scope AND id = :review`,
};
