import { assert } from "../../base/assert.ts";
import { HeadgateError } from "../../errors.ts";
import { checkParameter } from "../parameters.ts";
import type { FunctionCall, Row } from "../port.ts";
import type { Session } from "./connections.ts";
import { isStatementError, toStoreError } from "./postgres-error.ts";
import { patienceFor } from "./transaction.ts";

/** One statement outside any transaction: the server commits it before it answers. */
export const callFunction = async (
  session: Session,
  { name, operation, parameters }: FunctionCall,
  { location, waitMs }: { readonly location: string; readonly waitMs: number },
): Promise<Row[]> => {
  assert(/^[a-z_]+$/.test(name), `${name} is not the name of a function`);
  const values = [Math.ceil(Math.max(1, waitMs)), ...parameters].map((value, index) =>
    Array.isArray(value) ? value : checkParameter(String(index + 1), value as string),
  );
  const places = values.map((_, index) => `$${index + 1}`).join(", ");
  // In the same flight: the function may wait for a lock, this tells at once whether anyone is there.
  session.query("SELECT 1").catch(() => {});
  try {
    const text = `SELECT * FROM headgate.${name}(${places})`;
    const result = await session.query(text, values, patienceFor(waitMs));
    return result.rows as Row[];
  } catch (cause) {
    // What the server refused it has rolled back; anything else may have been committed.
    const error = toStoreError(cause, location);
    if (isStatementError(cause) || error.code === "INTERNAL") throw error;
    throw new HeadgateError(
      "OUTCOME_UNKNOWN",
      `the connection to ${location} was lost while a change was committed (key ${operation})`,
      { data: { key: operation, location }, cause },
    );
  }
};
