/** Requests for release as they are stored, and who must hear of them. */
import { isoTime } from "../base/clock.ts";
import { limits } from "../base/limits.ts";
import type { Reader, Row, Scope, Statement, StoreTime } from "../store/index.ts";
import { type Deadline, endWallMs } from "./deadline.ts";
import type { Ledger } from "./ledger.ts";
import type { ReleaseRequest } from "./types.ts";

export interface RequestRow extends Row, Deadline {
  readonly id: string;
  readonly claim_id: string;
  readonly target: string;
  readonly holder: string;
  readonly asker: string;
  readonly reason: string;
  readonly asked_at: number;
  readonly expires_at: number;
  readonly expires_mono: number | null;
  readonly expires_boot: string | null;
  readonly answer: ReleaseRequest["answer"];
  readonly note: string;
}

/** Open ones. */
export const listRequests = async (
  tx: Reader,
  { scope, now }: { readonly scope: Scope; readonly now: StoreTime },
): Promise<ReleaseRequest[]> => {
  const rows = await tx.all<RequestRow>(readRequests, { scope: scope.id });
  return rows.map((row) => toRequest(row, now));
};

/** What others ask this actor for and what it has not answered yet. */
export const askedOf = async (ledger: Ledger, actor: string): Promise<ReleaseRequest[]> => {
  if (!ledger.hasRequests) return [];
  const open = await listRequests(ledger.tx, ledger);
  return open.filter(({ holder, answer }) => holder === actor && answer === "none");
};

export const toRequest = (row: RequestRow, now: StoreTime): ReleaseRequest => ({
  id: row.id,
  claim: row.claim_id,
  target: row.target,
  holder: row.holder,
  asker: row.asker,
  reason: row.reason,
  askedAt: isoTime(row.asked_at),
  deadline: isoTime(endWallMs(row, now, limits.releaseRequestMsMax)),
  answer: row.answer,
  note: row.note,
});

export const requestColumns = `id, claim_id, target, holder, asker, reason, asked_at, expires_at, expires_mono,
  expires_boot, answer, note`;
const readRequests: Statement = {
  sql: `SELECT ${requestColumns} FROM release_requests
        WHERE scope_id = :scope AND answer IN ('none', 'deferred') ORDER BY id`,
};
