/** The rows that follow from a change that is on the branch, in one transaction; telling twice changes nothing. */
import type { Statement, Writer } from "../../store/index.ts";
import { closeCanary, openCanary } from "../canary/canary-rows.ts";
import { endOperation, type Operation } from "./operations.ts";

/** False when the store knew it already. */
export const recordChange = async (
  tx: Writer,
  scope: string,
  operation: Operation,
): Promise<boolean> => {
  if ((await endOperation(tx, scope, operation.id, "done")) === 0) return false;
  await writeRows(tx, scope, operation);
  return true;
};

/** Also for a rebuild, where the operation itself is lost. */
export const writeRows = async (tx: Writer, scope: string, operation: Operation): Promise<void> => {
  const { id, actor, ref, commit, payload } = operation;
  const { reviewer, kind, override, proposal, reason } = payload;
  const at = Math.trunc((await tx.now()).wallMs);
  await tx.run(retireModifications, { scope, reviewer });
  await tx.run(insertModification, {
    ...{ scope, id, at: Math.trunc(operation.atMs), actor, reviewer, kind, proposal, ref },
    override: override === null ? null : JSON.stringify(override),
    commit_id: commit,
  });
  if (override === null) {
    await closeCanary(tx, scope, { reviewer, at, why: kind });
    await tx.run(endProposals, { scope, reviewer });
    if (payload.isBlacklisting) {
      await tx.run(insertBlacklist, { scope, pattern: reviewer, at, actor, reason });
    }
  } else {
    const { canary } = payload;
    await openCanary(tx, scope, { ...canary, reviewer, operation: id, at });
    await tx.run(supersedeProposals, { scope, reviewer, proposal: proposal ?? "" });
    if (proposal !== null) await tx.run(applyProposal, { scope, proposal });
  }
  const told = { apply: "applied", update: "updated", revert: "reverted", expire: "expired" }[kind];
  tx.emit({
    kind: `routing.${told}`,
    actor,
    subject: reviewer,
    data: {
      operation: id,
      commit,
      ref,
      reason,
      ...(override && { action: override.action }),
      ...(proposal !== null && { proposal }),
    },
  });
};

/** The commit never got onto the branch: the proposal waits to be applied again. */
export const abortChange = async (
  tx: Writer,
  scope: string,
  operation: Operation,
): Promise<boolean> => {
  if ((await endOperation(tx, scope, operation.id, "aborted")) === 0) return false;
  const { reviewer, proposal } = operation.payload;
  if (proposal !== null) await tx.run(reopenProposal, { scope, proposal });
  tx.emit({
    kind: "routing.aborted",
    actor: operation.actor,
    subject: reviewer,
    data: { operation: operation.id },
  });
  return true;
};

const retireModifications: Statement = {
  sql: `UPDATE modifications SET state = 'past'
        WHERE scope_id = :scope AND reviewer = :reviewer AND state = 'current'`,
};
const insertModification: Statement = {
  sql: `INSERT INTO modifications
        (scope_id, id, at, actor, reviewer, kind, override, proposal, ref, commit_id, state)
        VALUES (:scope, :id, :at, :actor, :reviewer, :kind, :override, :proposal, :ref, :commit_id,
          'current')`,
};
const insertBlacklist: Statement = {
  sql: `INSERT INTO blacklist (scope_id, pattern, at, actor, reason)
        VALUES (:scope, :pattern, :at, :actor, :reason) ON CONFLICT (scope_id, pattern) DO NOTHING`,
};
const applyProposal: Statement = {
  sql: "UPDATE proposals SET state = 'applied' WHERE scope_id = :scope AND id = :proposal",
};
const reopenProposal: Statement = {
  sql: `UPDATE proposals SET state = 'approved'
        WHERE scope_id = :scope AND id = :proposal AND state = 'applying'`,
};
const supersedeProposals: Statement = {
  sql: `UPDATE proposals SET state = 'superseded' WHERE scope_id = :scope AND reviewer = :reviewer
        AND id <> :proposal AND state IN ('proposed', 'approved', 'applied')`,
};
const endProposals: Statement = {
  sql: `UPDATE proposals SET state = CASE WHEN state = 'applied' THEN 'reverted' ELSE 'superseded' END
        WHERE scope_id = :scope AND reviewer = :reviewer
        AND state IN ('proposed', 'approved', 'applying', 'applied')`,
};
