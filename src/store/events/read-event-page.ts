import { isoTime } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import type { Event, EventPage, EventQuery, Reader, Row, Scope, Statement, Via } from "../port.ts";
import type { StoredEvent } from "./event-hash.ts";

export type EventRow = StoredEvent & { readonly hash: string } & Row;

export interface EventHead {
  readonly seq: number;
  readonly hash: string;
  readonly prunedSeq: number;
  readonly prunedHash: string;
}

/** One page in commit order. A page never hides a hole: a missing event is EVENTS_TAMPERED. */
export const readEventPage = async (tx: Reader, query: EventQuery): Promise<EventPage> => {
  const head = await readHead(tx, query.scope);
  const limit = checkCount("limit", query.limit ?? limits.eventPageMax);
  const kind = query.kind === undefined || query.kind === "*" ? undefined : checkGlob(query.kind);
  if (query.last !== undefined) {
    const last = Math.min(checkCount("last", query.last), limit);
    const before = query.before ?? head.seq + 1;
    const rows = await selectNewest(tx, query.scope, { kind, before, last });
    return { events: rows.toReversed().map(toEvent), cursor: head.seq, head: head.seq };
  }
  const since = checkCursor(query, head);
  const until = Math.min(since + scanLength(kind, limit), head.seq);
  const rows = await selectNext(tx, query.scope, { kind, since, until, limit });
  if (kind === undefined) checkGapless(rows, since, until);
  const cursor = rows.length === limit ? (rows.at(-1)?.seq ?? until) : until;
  return { events: rows.map(toEvent), cursor, head: head.seq };
};

export const readHead = async (tx: Reader, scope: Scope): Promise<EventHead> => {
  const head = await tx.get<EventHead & Row>(selectHead, { scope: scope.id });
  if (head) return head;
  throw new HeadgateError("INTERNAL", `the scope ${showText(scope.id)} is not in this store`);
};

/** Stored rows after `since`, at most `limit`; for verification, which needs the stored form. */
export const readEventRows = (
  tx: Reader,
  scope: Scope,
  range: {
    readonly since: number;
    readonly until: number;
    readonly limit: number;
  },
): Promise<EventRow[]> => selectNext(tx, scope, { ...range, kind: undefined });

const toEvent = (row: EventRow): Event => {
  const { id, seq, kind, actor, subject, operation, hash } = row;
  // Stored with the data, so that the hash covers it.
  const { via, ...data } = JSON.parse(row.data) as Event["data"] & { readonly via?: Via };
  const event = { id, seq, at: isoTime(row.at), kind, actor, subject, data, operation, hash };
  return via === undefined ? event : { ...event, via };
};

/** One kind is found by its index, however rare it is; a pattern is looked for in a stretch of the log. */
const scanLength = (kind: string | undefined, limit: number): number => {
  if (kind === undefined) return limit;
  return isPattern(kind) ? limits.eventScanMax : Number.MAX_SAFE_INTEGER;
};

const isPattern = (kind: string): boolean => kind.includes("*");

const selectNext = (
  tx: Reader,
  scope: Scope,
  range: {
    readonly kind: string | undefined;
    readonly since: number;
    readonly until: number;
    readonly limit: number;
  },
): Promise<EventRow[]> => {
  const { kind, ...bounds } = range;
  const parameters = { scope: scope.id, ...bounds };
  if (kind === undefined) return tx.all<EventRow>(nextEvents, parameters);
  return isPattern(kind)
    ? tx.all<EventRow>(nextLike, {
        ...parameters,
        glob: kind,
        like: likeOf(kind),
      })
    : tx.all<EventRow>(nextOfKind, { ...parameters, kind });
};

/** The newest first. The cost does not grow with the log: of a pattern, each kind is asked by its index. */
const selectNewest = async (
  tx: Reader,
  scope: Scope,
  range: {
    readonly kind: string | undefined;
    readonly before: number;
    readonly last: number;
  },
): Promise<EventRow[]> => {
  const { kind, ...bounds } = range;
  const parameters = { scope: scope.id, ...bounds };
  if (kind === undefined) return tx.all<EventRow>(newestEvents, parameters);
  if (!isPattern(kind)) return tx.all<EventRow>(newestOfKind, { ...parameters, kind });
  const like = { glob: kind, like: likeOf(kind), ...prefixRange(kind) };
  const kinds = await tx.all<{ kind: string }>(kindsLike, {
    scope: scope.id,
    ...like,
  });
  const found = await Promise.all(
    kinds.map((one) => tx.all<{ seq: number }>(newestNumbers, { ...parameters, kind: one.kind })),
  );
  const numbers = found
    .flat()
    .map(({ seq }) => seq)
    .toSorted((a, b) => b - a);
  const since = (numbers[Math.min(range.last, numbers.length) - 1] ?? range.before) - 1;
  const until = range.before - 1;
  const rows = await Promise.all(
    kinds.map((one) =>
      tx.all<EventRow>(nextOfKind, {
        ...{ scope: scope.id, kind: one.kind, since, until, limit: range.last },
      }),
    ),
  );
  return rows.flat().toSorted((a, b) => b.seq - a.seq);
};

/** Kinds are ASCII: `~` sorts after every character that may follow the literal start. */
const prefixRange = (glob: string): { readonly from: string; readonly to: string } => {
  const prefix = glob.slice(0, glob.indexOf("*"));
  return { from: prefix, to: `${prefix}~` };
};

const checkCount = (name: string, count: number): number => {
  if (Number.isInteger(count) && count >= 1 && count <= limits.eventPageMax) return count;
  throw new HeadgateError(
    "USAGE",
    `${name} is not a whole number from 1 to ${limits.eventPageMax}`,
  );
};

/** Kinds hold letters, digits, `_`, `-` and dots, so nothing else can match; `*` is any text. */
const checkGlob = (glob: string): string => {
  if (glob.length <= limits.eventKindLengthMax && /^[a-z0-9_.*-]+$/.test(glob)) return glob;
  throw new HeadgateError(
    "USAGE",
    `"${showText(glob)}" is not an event kind or a pattern like claim.*`,
  );
};

const likeOf = (glob: string): string => glob.replaceAll("_", "!_").replaceAll("*", "%");

const checkCursor = (query: EventQuery, head: EventHead): number => {
  const { since = 0 } = query;
  if (!Number.isSafeInteger(since) || since < 0 || since > head.seq) {
    throw new HeadgateError(
      "CURSOR_INVALID",
      `the cursor ${since} is not one of this log, which ends at ${head.seq}`,
      { data: { cursor: since, head: head.seq } },
    );
  }
  // Who asks from the beginning has seen nothing, so nothing is missing from what follows.
  if (since === 0) return head.prunedSeq;
  if (since >= head.prunedSeq) return since;
  throw new HeadgateError(
    "CURSOR_PRUNED",
    `events ${since + 1} to ${head.prunedSeq} were pruned; the oldest kept is ${head.prunedSeq + 1}`,
    { data: { cursor: since, oldest: head.prunedSeq + 1 } },
  );
};

const checkGapless = (rows: readonly EventRow[], since: number, until: number): void => {
  let seq = since;
  for (const row of rows) {
    if (row.seq !== seq + 1) break;
    ({ seq } = row);
  }
  if (seq === until) return;
  const missing = seq + 1;
  throw new HeadgateError("EVENTS_TAMPERED", `event ${missing} is missing from the log`, {
    data: { seq: missing },
  });
};

const columns = "scope_id, seq, id, at, kind, actor, subject, operation, data, hash";
const all = `SELECT ${columns} FROM events WHERE scope_id = :scope`;
const next = "seq > :since AND seq <= :until";
const page = "ORDER BY seq LIMIT :limit";
const newest = "AND seq < :before ORDER BY seq DESC LIMIT :last";
const isLike = {
  sqlite: "kind GLOB :glob",
  postgres: "kind LIKE :like ESCAPE '!'",
};

/**
 * Of exactly one kind, by its index: without statistics SQLite might take the log's own order, and PostgreSQL takes
 * it where it believes a kind to be frequent, unless the order asked for begins with the kind.
 */
const byKind = (what: string, rest: string): Statement => ({
  sqlite: `SELECT ${what} FROM events INDEXED BY events_by_kind
           WHERE scope_id = :scope AND kind = :kind ${rest}`,
  postgres: `SELECT ${what} FROM events WHERE scope_id = :scope AND kind >= :kind AND kind <= :kind
             ${rest.replace(/ORDER BY seq( DESC)?/, "ORDER BY kind$1, seq$1")}`,
});

const nextEvents: Statement = { sql: `${all} AND ${next} ${page}` };
const nextLike: Statement = {
  sqlite: `${all} AND ${next} AND ${isLike.sqlite} ${page}`,
  postgres: `${all} AND ${next} AND ${isLike.postgres} ${page}`,
};
const newestEvents: Statement = { sql: `${all} ${newest}` };
const nextOfKind = byKind(columns, `AND ${next} ${page}`);
const newestOfKind = byKind(columns, newest);
const newestNumbers = byKind("seq", newest);

/** One step in the index for each kind there is. */
const nextKind = (test: string): string =>
  `(SELECT min(kind) FROM events WHERE scope_id = :scope AND kind ${test} AND kind < :to)`;
const kindsIn = (test: string): string => `
  WITH RECURSIVE kinds (kind) AS (
    SELECT ${nextKind(">= :from")}
    UNION ALL SELECT ${nextKind("> kinds.kind")} FROM kinds WHERE kinds.kind IS NOT NULL
  ) SELECT kind FROM kinds WHERE ${test}`;
const kindsLike: Statement = {
  sqlite: kindsIn(isLike.sqlite),
  postgres: kindsIn(isLike.postgres),
};
const selectHead: Statement = {
  sql: `SELECT event_seq AS seq, event_hash AS hash,
          pruned_seq AS "prunedSeq", pruned_hash AS "prunedHash"
        FROM scopes WHERE id = :scope`,
};
