import { isoTime } from "../../base/clock.ts";
import { sha256 } from "../../base/sha256.ts";
import type { Reader, Row, Statement, Writer } from "../../store/index.ts";
import type { Details } from "../patterns/least-action.ts";
import type { PatternClass } from "../patterns/patterns.ts";
import type { Action, Override } from "../types.ts";

export type ProposalState =
  | "proposed"
  | "approved"
  | "applying"
  | "applied"
  | "superseded"
  | "reverted";

/** The counts it rests on, as they were. */
export interface Support {
  readonly outcomes: number;
  readonly wrong: number;
  readonly eValue: number;
  readonly sessions: number;
  readonly changes: number;
  /** A pattern was ready. */
  readonly isReady: boolean;
  /** Of some of the dismissals behind it, newest first. */
  readonly evidence: readonly string[];
  /** What an approver should know. */
  readonly notes: readonly string[];
}

export interface Proposal extends Details {
  readonly id: string;
  readonly at: string;
  readonly reviewer: string;
  readonly action: Action;
  readonly reason: string;
  readonly class: PatternClass | null;
  readonly state: ProposalState;
  readonly support: Support;
  readonly proposer: string;
  readonly approver: string | null;
}

export interface StoredProposal extends Proposal {
  readonly proposerSession: string;
  readonly basis: string;
}

/** What an override does, as a short text: equal exactly when the effect is. */
export const effectOf = (override: Override | undefined): string => {
  if (!override) return "";
  const { action, floor, except, every, expires } = override;
  return sha256(JSON.stringify([action, floor, except, every, expires])).slice(0, 16);
};

export const insertProposal = async (
  tx: Writer,
  scope: string,
  proposal: StoredProposal,
): Promise<void> => {
  const { id, reviewer, action, reason, state, basis, proposer, proposerSession } = proposal;
  const { floor, except, every } = proposal;
  await tx.run(insert, {
    ...{ scope, id, reviewer, action, reason, state, basis, proposer },
    at: Math.trunc(Date.parse(proposal.at)),
    details: JSON.stringify({ floor, except, every }),
    class: proposal.class,
    support: JSON.stringify(proposal.support),
    session: proposerSession,
  });
};

export const readProposal = async (
  tx: Reader,
  scope: string,
  id: string,
): Promise<StoredProposal | undefined> => {
  const row = await tx.get<ProposalRow>(selectOne, { scope, id });
  return row && toProposal(row);
};

/** Newest first; only those that wait for something unless all are asked for. */
export const listProposals = async (
  tx: Reader,
  scope: string,
  options: { readonly reviewer?: string; readonly isOpen?: boolean } = {},
): Promise<StoredProposal[]> => {
  const { reviewer = "", isOpen = true } = options;
  const open = isOpen ? 1 : 0;
  return (await tx.all<ProposalRow>(selectAll, { scope, reviewer, open })).map(toProposal);
};

export const approveRow = (
  tx: Writer,
  scope: string,
  { id, approver, at }: { readonly id: string; readonly approver: string; readonly at: number },
): Promise<number> => tx.run(approve, { scope, id, approver, at: Math.trunc(at) });

export const supersedeRow = (tx: Writer, scope: string, id: string): Promise<number> =>
  tx.run(supersede, { scope, id });

/** Without what only guards need. */
export const shownProposal = (stored: StoredProposal): Proposal => {
  const { proposerSession: _session, basis: _basis, ...proposal } = stored;
  return proposal;
};

interface ProposalRow extends Row {
  readonly id: string;
  readonly at: number;
  readonly reviewer: string;
  readonly action: Action;
  readonly details: string;
  readonly reason: string;
  readonly class: PatternClass | null;
  readonly support: string;
  readonly state: ProposalState;
  readonly basis: string;
  readonly proposer: string;
  readonly proposer_session: string;
  readonly approver: string | null;
}

const toProposal = (row: ProposalRow): StoredProposal => ({
  id: row.id,
  at: isoTime(row.at),
  reviewer: row.reviewer,
  action: row.action,
  ...(JSON.parse(row.details) as Details),
  reason: row.reason,
  class: row.class,
  state: row.state,
  support: JSON.parse(row.support) as Support,
  proposer: row.proposer,
  proposerSession: row.proposer_session,
  approver: row.approver,
  basis: row.basis,
});

const columns = `id, at, reviewer, action, details, reason, class, support, state, basis, proposer,
  proposer_session, approver`;
const insert: Statement = {
  sql: `INSERT INTO proposals (scope_id, id, at, reviewer, action, details, reason, class, support, state,
          basis, proposer, proposer_session)
        VALUES (:scope, :id, :at, :reviewer, :action, :details, :reason, :class, :support, :state, :basis,
          :proposer, :session)`,
};
const selectOne: Statement = {
  sql: `SELECT ${columns} FROM proposals WHERE scope_id = :scope AND id = :id`,
};
const selectAll: Statement = {
  sql: `SELECT ${columns} FROM proposals WHERE scope_id = :scope
        AND (:reviewer = '' OR reviewer = :reviewer)
        AND (:open = 0 OR state IN ('proposed', 'approved', 'applying'))
        ORDER BY id DESC LIMIT 200`,
};
const approve: Statement = {
  sql: `UPDATE proposals SET state = 'approved', approver = :approver, approved_at = :at
        WHERE scope_id = :scope AND id = :id AND state = 'proposed'`,
};
const supersede: Statement = {
  sql: `UPDATE proposals SET state = 'superseded'
        WHERE scope_id = :scope AND id = :id AND state IN ('proposed', 'approved')`,
};
