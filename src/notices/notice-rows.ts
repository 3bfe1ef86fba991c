/** Notices as they are stored. */
import { isoTime } from "../base/clock.ts";
import { probe, type ProcessIdentity } from "../base/process-identity.ts";
import { limits } from "../base/limits.ts";
import type { Row, Statement, StoreTime } from "../store/index.ts";
import type { Notice, NoticeKind } from "./types.ts";

export interface NoticeRow extends Row {
  readonly seq: number;
  readonly id: string;
  readonly to_actor: string;
  readonly from_actor: string;
  readonly kind: NoticeKind;
  readonly target: string | null;
  readonly reply_to: string | null;
  readonly text: string;
  readonly sent_at: number;
  readonly takes: number;
  readonly taken_at: number | null;
  readonly taken_by: string | null;
  readonly delivered_at: number | null;
}

export const toNotice = (row: NoticeRow, reader: string): Notice => ({
  id: row.id,
  kind: row.kind,
  from: row.from_actor === "" ? "headgate" : row.from_actor,
  at: isoTime(row.sent_at),
  text: row.text,
  ...(row.target !== null && { target: row.target }),
  ...(row.reply_to !== null && { replyTo: row.reply_to }),
  ...(isRepeated(row) && { repeated: true as const }),
  ...(row.to_actor !== reader && { for: row.to_actor }),
});

const isRepeated = ({ takes, delivered_at }: NoticeRow): boolean =>
  takes > (delivered_at === null ? 0 : 1);

/** Another answer carries it at this moment. */
export const isUnderWay = ({ taken_at, taken_by }: NoticeRow, now: StoreTime): boolean => {
  if (taken_at === null || taken_by === null) return false;
  if (Math.abs(now.wallMs - taken_at) >= limits.noticeTakenMs) return false;
  return probe(JSON.parse(taken_by) as ProcessIdentity).state !== "dead";
};

const columns = `seq, id, to_actor, from_actor, kind, target, reply_to, text, sent_at, takes, taken_at,
  taken_by, delivered_at`;
/** `:before` is -1 for a sub-agent, which gets nothing of its siblings. */
const waiting = `scope_id = :scope AND to_session = :session AND delivered_at IS NULL
  AND sent_at <= :now AND (to_actor = :actor OR sent_at < :before)`;

export const selectAny: Statement = {
  sql: `SELECT 1 AS waiting FROM notices WHERE ${waiting} LIMIT 1`,
};
export const selectWaiting: Statement = {
  sql: `SELECT ${columns} FROM notices WHERE ${waiting} ORDER BY seq LIMIT ${limits.noticesKeptMax}`,
};
export const selectAll: Statement = {
  sql: `SELECT ${columns} FROM notices
        WHERE scope_id = :scope AND to_session = :session
          AND sent_at <= :now AND (to_actor = :actor OR sent_at < :before)
        ORDER BY seq LIMIT ${limits.noticesKeptMax * 2}`,
};
export const markTaken: Statement = {
  sql: `UPDATE notices SET takes = takes + 1, taken_at = :now, taken_by = :by
        WHERE scope_id = :scope AND seq = :seq`,
};
export const markDelivered: Statement = {
  sql: `UPDATE notices SET delivered_at = :now, expires_at = :until
        WHERE scope_id = :scope AND seq = :seq AND delivered_at IS NULL`,
};
export const moveToSession: Statement = {
  sql: `UPDATE notices SET to_actor = to_session
        WHERE scope_id = :scope AND to_session = :session AND to_actor = :actor
          AND delivered_at IS NULL`,
};
export const moveToOther: Statement = {
  sql: `UPDATE notices SET to_actor = :to, to_session = :to
        WHERE scope_id = :scope AND to_session = :session AND delivered_at IS NULL`,
};
export const insertNotice: Statement = {
  sql: `INSERT INTO notices (scope_id, seq, id, to_actor, to_session, from_actor, from_session, kind,
          about, target, reply_to, text, sent_at, takes, expires_at)
        VALUES (:scope, (SELECT coalesce(max(seq), 0) + 1 FROM notices WHERE scope_id = :scope), :id,
          :to, :session, :from, :fromSession, :kind, :about, :target, :replyTo, :text, :now, 0, :until)`,
};
export const replaceOlder: Statement = {
  sql: `DELETE FROM notices WHERE scope_id = :scope AND to_session = :session AND delivered_at IS NULL
          AND to_actor = :to AND about = :about`,
};
export const deleteAbout: Statement = {
  sql: "DELETE FROM notices WHERE scope_id = :scope AND about = :about AND delivered_at IS NULL",
};
export const deleteExpired: Statement = {
  sql: "DELETE FROM notices WHERE scope_id = :scope AND expires_at < :now",
};
export const deleteBeyond: Statement = {
  sql: `DELETE FROM notices WHERE scope_id = :scope AND seq IN (
          SELECT seq FROM notices WHERE scope_id = :scope AND to_session = :session AND to_actor = :to
          ORDER BY CASE WHEN delivered_at IS NULL THEN 0 ELSE 1 END, seq DESC
          LIMIT 1000 OFFSET ${limits.noticesKeptMax})`,
};
export const countSent: Statement = {
  sql: `SELECT count(DISTINCT id) AS count FROM notices
        WHERE scope_id = :scope AND from_session = :session AND sent_at > :since
          AND kind IN ('message', 'ask')`,
};
/** A message that the actor got or sent. */
export const selectKnown: Statement = {
  sql: `SELECT 1 AS known FROM notices
        WHERE scope_id = :scope AND id = :id AND (to_session = :session OR from_session = :session)
        LIMIT 1`,
};
export const countWaiting: Statement = {
  sql: `SELECT count(*) AS count FROM notices
        WHERE scope_id = :scope AND to_session = :session AND to_actor = :to AND delivered_at IS NULL`,
};
