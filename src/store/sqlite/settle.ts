import { HeadgateError } from "../../errors.ts";
import type { Statement } from "../port.ts";
import type { Connection } from "./connection.ts";

/**
 * Decides a COMMIT that ended with a disk error: looks for it under the write lock. Returns whether it was committed; throws OUTCOME_UNKNOWN when the disk does not let us find out.
 */
export const settle = async (
  connection: Connection,
  ids: { readonly scopeId: string; readonly operation: string },
  key: string,
): Promise<boolean> => {
  const { scopeId: scope, operation } = ids;
  try {
    await connection.retry(() => connection.begin());
    const isCommitted = connection.all(findOperation, { scope, operation }).length > 0;
    if (!isCommitted) makeFinal(connection, scope);
    connection.commit();
    return isCommitted;
  } catch (cause) {
    throw new HeadgateError(
      "OUTCOME_UNKNOWN",
      `the disk failed while a change was committed to ${connection.path} (key ${key})`,
      { data: { key, location: connection.path }, cause },
    );
  }
};

/**
 * The pages of a failed COMMIT may lie complete in the -wal, invisible now but found by the recovery
 * after a crash. Committing any other change overwrites them; only then is "not committed" final.
 */
export const makeFinal = (connection: Connection, scopeId: string): void => {
  connection.run(countSettled, { scope: scopeId });
};

const findOperation: Statement = {
  sql: "SELECT 1 AS one FROM events WHERE scope_id = :scope AND operation = :operation LIMIT 1",
};
const countSettled: Statement = {
  // A scope whose creation failed has no row; any row of ours does for overwriting.
  sql: `UPDATE scopes SET settled = settled + 1
        WHERE id = :scope OR NOT EXISTS (SELECT 1 FROM scopes WHERE id = :scope)`,
};
