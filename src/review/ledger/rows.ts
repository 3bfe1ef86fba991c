/** How the words of the ledger lie in the store. */
import { isoTime } from "../../base/clock.ts";
import { type ProcessIdentity, probe } from "../../base/process-identity.ts";
import type { Row, Statement } from "../../store/index.ts";
import type { ReportState, ReviewVerdict, Severity, Synthesis } from "../types.ts";
import type {
  FindingState,
  LedgerFinding,
  ReviewRecord,
  ReviewerRun,
  ReviewState,
} from "./types.ts";

export interface ReviewRow extends Row {
  readonly id: string;
  readonly at: number;
  readonly ended_at: number | null;
  readonly actor: string;
  readonly subject: string;
  readonly subject_digest: string;
  readonly base: string | null;
  readonly head: string | null;
  readonly state: ReviewState;
  readonly problem: string | null;
  readonly verdict: ReviewVerdict | null;
  readonly counts: string | null;
  readonly input_digest: string | null;
  readonly request: string;
  readonly process: string;
}

export interface RunRow extends Row {
  readonly review_id: string;
  readonly reviewer: string;
  readonly number: number;
  readonly runner: string;
  readonly family: string;
  readonly model: string | null;
  readonly stage: number;
  readonly shadow: number;
  readonly state: ReviewerRun["state"];
  readonly report: ReportState | null;
  readonly findings: number;
  readonly started_at: number | null;
  readonly ended_at: number | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_micros: number;
  readonly problem: string | null;
}

export interface FindingRow extends Row {
  readonly id: string;
  readonly identity: string;
  readonly state: FindingState;
  readonly severity: Severity;
  readonly title: string;
  readonly body: string;
  readonly path: string | null;
  readonly line: number | null;
  readonly line_hash: string | null;
  readonly symbol: string | null;
  readonly rule: string | null;
  readonly kind: string | null;
  readonly reviewers: string;
  readonly last_reviewers: string;
  readonly first_review: string;
  readonly last_review: string;
  readonly first_seen_at: number;
  readonly last_seen_at: number;
  readonly decided_by: string | null;
  readonly decided_at: number | null;
  readonly reason: string | null;
  readonly note: string | null;
  readonly addressed_by: string | null;
  readonly fixed_review: string | null;
}

export const toRecord = (row: ReviewRow, runs: readonly RunRow[]): ReviewRecord => ({
  id: row.id,
  at: isoTime(row.at),
  endedAt: timeOf(row.ended_at),
  actor: row.actor,
  subject: row.subject,
  subjectDigest: row.subject_digest,
  base: row.base,
  head: row.head,
  state: isAbandoned(row) ? "interrupted" : row.state,
  ...readVerdict(row),
  reviewers: runs.map(toRun),
  costUsd: runs.reduce((sum, run) => sum + run.cost_micros, 0) / 1e6,
  tokens: runs.reduce((sum, run) => sum + run.input_tokens + run.output_tokens, 0),
  ...(row.problem !== null && { problem: row.problem }),
  ...(row.input_digest !== null && { inputDigest: row.input_digest }),
});

/**
 * Older releases share this store: for them, and for the column, `go` is `clean` and `not-reviewed` is `no-quorum`. The exact
 * verdict is beside the counts.
 */
export const keptVerdict = ({
  verdict,
  counts,
  notJudged,
}: Synthesis): { readonly verdict: string; readonly counts: string } => {
  const older = { go: "clean", "not-reviewed": "no-quorum" } as const;
  const isNewer = verdict === "go" || verdict === "not-reviewed";
  return {
    verdict: isNewer ? older[verdict] : verdict,
    counts: JSON.stringify({
      ...counts,
      ...(isNewer && { verdict }),
      ...(notJudged && { notJudged: notJudged.slice(0, missedKeptMax) }),
    }),
  };
};

const missedKeptMax = 100;

/** Reviews of older releases have older words. */
const presentName = (verdict: string | null): ReviewVerdict | null => {
  if (verdict === "clean") return "go";
  return verdict === "incomplete" ? "not-reviewed" : (verdict as ReviewVerdict | null);
};

const readVerdict = ({
  verdict,
  counts,
}: ReviewRow): Pick<ReviewRecord, "verdict" | "counts" | "notJudged"> => {
  if (counts === null) return { verdict: presentName(verdict), counts };
  type Kept = Synthesis["counts"] & Partial<Pick<Synthesis, "verdict" | "notJudged">>;
  const { verdict: exact = verdict, notJudged, ...rest } = JSON.parse(counts) as Kept;
  return { verdict: presentName(exact), counts: rest, ...(notJudged && { notJudged }) };
};

/** Nobody can write down that it was killed; whoever looks finds out. */
const isAbandoned = ({ state, process: owner }: ReviewRow): boolean =>
  state === "running" && probe(JSON.parse(owner) as ProcessIdentity).state === "dead";

export const toRun = (row: RunRow): ReviewerRun => ({
  reviewer: row.reviewer,
  runner: row.runner,
  family: row.family,
  model: row.model,
  stage: row.stage,
  shadow: row.shadow === 1,
  state: row.state,
  report: row.report,
  findings: row.findings,
  startedAt: timeOf(row.started_at),
  endedAt: timeOf(row.ended_at),
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  costUsd: row.cost_micros / 1e6,
  problem: row.problem,
});

export const toFinding = (row: FindingRow): LedgerFinding => ({
  id: row.id,
  identity: row.identity,
  state: row.state,
  severity: row.severity,
  title: row.title,
  path: row.path,
  line: row.line,
  rule: row.rule,
  ...(row.kind !== null && { kind: row.kind }),
  ...(row.body !== "" && { body: row.body }),
  reviewers: JSON.parse(row.reviewers) as string[],
  firstReview: row.first_review,
  lastReview: row.last_review,
  firstSeenAt: isoTime(row.first_seen_at),
  lastSeenAt: isoTime(row.last_seen_at),
  decision:
    row.decided_by === null || row.decided_at === null
      ? null
      : {
          by: row.decided_by,
          at: isoTime(row.decided_at),
          reason: row.reason,
          note: row.note,
        },
  addressedBy: row.addressed_by,
});

const timeOf = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

type Columns = Readonly<Record<string, "text" | "bigint">>;

/** Many rows in one statement: `:rows` is a JSON list of objects with these columns. */
export const insertMany = (table: string, columns: Columns, behind = ""): Statement => {
  const names = Object.keys(columns);
  const into = `INSERT INTO ${table} (scope_id, ${names.join(", ")})`;
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  return {
    // Without `WHERE true` an ON CONFLICT behind it would be read as a join.
    sqlite: `${into} SELECT :scope, ${names.map((name) => `value ->> '$.${name}'`).join(", ")}
             FROM json_each(:rows) WHERE true ${behind}`,
    postgres: `${into} SELECT :scope, ${names.map((name) => `r.${name}`).join(", ")}
               FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS r(${typed.join(", ")}) ${behind}`,
  };
};

/** `column IN (…)` with a JSON list of texts as the parameter `:name`. */
export const isOneOf = (column: string, name: string): { sqlite: string; postgres: string } => ({
  sqlite: `${column} IN (SELECT value FROM json_each(:${name}))`,
  postgres: `${column} IN (SELECT jsonb_array_elements_text(CAST(:${name} AS jsonb)))`,
});

export const findingColumns = {
  id: "text",
  identity: "text",
  state: "text",
  severity: "text",
  title: "text",
  body: "text",
  path: "text",
  line: "bigint",
  line_hash: "text",
  symbol: "text",
  rule: "text",
  kind: "text",
  reviewers: "text",
  last_reviewers: "text",
  first_review: "text",
  last_review: "text",
  first_seen_at: "bigint",
  last_seen_at: "bigint",
  decided_by: "text",
  decided_at: "bigint",
  reason: "text",
  note: "text",
  addressed_by: "text",
  fixed_review: "text",
} as const satisfies Columns;

export const findingNames: string = Object.keys(findingColumns).join(", ");
