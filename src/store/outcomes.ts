import { isId } from "../base/ids.ts";
import type { Json } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";
import type { Outcome, Reader, Statement, Writer } from "./port.ts";
import { isStorableText } from "./storable-text.ts";

/** Looks for the trace of a write: the result kept under its key, or the events of its operation. */
export const findOutcome = async (tx: Reader, scope: string, key: string): Promise<Outcome> => {
  const kept = await tx.get<{ result: string | null }>(findResult, { scope, key });
  if (typeof kept?.result === "string") {
    return { state: "committed", result: JSON.parse(kept.result) as Json };
  }
  if (!isId("operation", key)) return { state: "not-committed" };
  const event = await tx.get(findOperation, { scope, key });
  return { state: event ? "committed" : "not-committed" };
};

export const saveOutcome = async (
  tx: Writer,
  outcome: {
    readonly scopeId: string;
    readonly key: string;
    readonly operation: string;
    readonly result: Json;
    readonly atWallMs: number;
  },
): Promise<void> => {
  const { scopeId: scope, key, operation, result, atWallMs: at } = outcome;
  await tx.run(insertOutcome, { scope, key, operation, result: resultText(result), at });
};

export const resultText = (result: Json): string => {
  // A caller without types may return undefined, which has no JSON form.
  const text = JSON.stringify(result ?? null);
  if (Buffer.byteLength(text, "utf8") <= limits.eventDataBytesMax) return text;
  throw new HeadgateError(
    "INPUT_TOO_LARGE",
    `the result of a write with a key is larger than ${limits.eventDataBytesMax} bytes`,
  );
};

export const checkKey = (key: string | undefined): void => {
  if (key === undefined) return;
  if (key !== "" && key.length <= limits.idempotencyKeyLengthMax && isStorableText(key)) return;
  throw new HeadgateError(
    "USAGE",
    `the idempotency key "${showText(key, 40)}" is empty, holds a NUL character, or has more than ` +
      `${limits.idempotencyKeyLengthMax} characters`,
  );
};

const findResult: Statement = {
  sql: "SELECT result FROM outcomes WHERE scope_id = :scope AND key = :key",
};
const findOperation: Statement = {
  sql: "SELECT seq FROM events WHERE scope_id = :scope AND operation = :key LIMIT 1",
};
const insertOutcome: Statement = {
  sql: `INSERT INTO outcomes (scope_id, key, operation, result, at)
        VALUES (:scope, :key, :operation, :result, :at)`,
};
